"""How two parts of an error join, for all comparisons that one card shows, and what they come to for a measured value. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d


def with_common_noise(meaning: d.Predictions, noise: d.NoiseModel) -> d.Predictions:
    """``meaning`` with the common model ``noise``. Where its parts join in another way than before, so do the sizes of
    comparisons with two parts of their own that joined as these did: they are shown below the choice."""
    before, now = getattr(meaning.noise, "together", None), getattr(noise, "together", None)
    matches = meaning.matches
    if now is not None and before not in (None, now):
        matches = tuple(_joined(match, str(before), now) for match in matches)
    return msgspec.structs.replace(meaning, noise=noise, matches=matches)


def _joined(match: d.Match, before: str, now: d.Together) -> d.Match:
    noise = match.noise
    if isinstance(noise, d.GaussianKnown | d.StudentTNoise) and noise.percent is not None and noise.together == before:
        return msgspec.structs.replace(match, noise=msgspec.structs.replace(noise, together=now))
    return match


def first_measured(problem: d.Problem, noise: d.NoiseModel | None, row: int | None) -> tuple[float, float] | None:
    """A measured value and the standard deviation that the column of ``noise`` has for it: the first of comparison ``row``, None:
    of the first that the common model is of; None: there is none."""
    data, meaning = problem.data, problem.meaning
    name = getattr(noise, "sd_column", None) or getattr(noise, "scale_column", None)
    if data is None or not isinstance(meaning, d.Predictions) or name not in data.columns:
        return None
    matches = [m for m in meaning.matches if m.noise is None and not m.sd_column] if row is None else [meaning.matches[row]]
    for match in matches:
        pairs = zip(data.columns.get(match.column, ()), data.columns[name], strict=False)
        found = next(((v, sd) for v, sd in pairs if v is not None and sd is not None), None)
        if found is not None:
            return found
    return None
