"""Columns that hold limits of confidence rather than standard deviations: the errors of the values that they are about. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.intervals import Interval, intervals_in, lopsided, sentence, with_sds
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.gui.models.data.errors.doubtful_errors import sd_of
from bayescope.gui.models.plain import one_line

USE, NO = "Use them", "They do not count"


@dataclass(frozen=True)
class LimitColumns:
    """``mended``: with standard deviations in their place, which the comparisons of their values use. ``taken``: one of them is
    taken for a column of standard deviations now."""

    question: str
    hint: str
    mended: d.Problem
    aside: tuple[str, ...]
    taken: bool


def limit_columns(problem: d.Problem) -> LimitColumns | None:
    """The first intervals about values that are compared, unless they are set aside; None: there are none."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, d.Predictions) or data is None or not meaning.matches:
        return None
    used = {sd_of(meaning, match) for match in meaning.matches}
    compared = {match.column for match in meaning.matches}
    for one in intervals_in(data):
        taken = bool(used & {*one.columns})
        free = not set(one.columns) & set(meaning.aside) and sd_pairs(list(data.columns)).get(one.of) is None
        if one.of in compared and (taken or free):
            return _asked(problem, meaning, one, taken)
    return None


def _asked(problem: d.Problem, meaning: d.Predictions, one: Interval, taken: bool) -> LimitColumns:
    assert problem.data is not None
    table, _ = with_sds(problem.data, (one,))
    sds = next((name for name in table.columns if name not in problem.data.columns), "") or sd_pairs(list(table.columns))[one.of]
    matches = tuple(_with_sds(match, one, sds) for match in meaning.matches)
    noise = _without(meaning.noise, one)
    mended = msgspec.structs.replace(problem, data=table, meaning=msgspec.structs.replace(meaning, matches=matches, noise=noise))
    names = " and ".join(one_line(name, 30) for name in one.columns)
    several, of = len(one.columns) > 1, one_line(one.of, 30)
    question = f"Are {names} the limits of {of}?" if several else f"Does {names} hold the intervals of {of}?"
    if taken:
        question = f"{names} {'are limits' if several else 'holds intervals'}, not standard deviations."
    said = sentence(one).replace("is taken as", "becomes").replace("are taken as", "become")
    hint = f"{said} {lopsided(one, problem.data.columns.get(one.of, ()))}".rstrip()
    return LimitColumns(question, hint, mended, one.columns, taken)


def _with_sds(match: d.Match, one: Interval, sds: str) -> d.Match:
    if match.column == one.of:
        own = match.noise if match.noise is not None and not isinstance(match.noise, d.GaussianKnown) else None
        return match if own is not None else msgspec.structs.replace(match, noise=d.GaussianKnown(sd_column=sds), sd_column=None)
    wrong = match.sd_column in one.columns
    noise = None if match.noise is None else _without(match.noise, one)
    return msgspec.structs.replace(match, sd_column=None if wrong else match.sd_column, noise=noise)


def _without(noise: d.NoiseModel, one: Interval) -> d.NoiseModel:
    changes = {f: None for f in ("sd_column", "scale_column") if getattr(noise, f, None) in one.columns}
    return msgspec.structs.replace(noise, **changes) if changes else noise
