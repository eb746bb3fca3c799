"""Errors in percent of each measured value, as columns of standard deviations beside those of the values. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.data.column_names import fresh, without_unit
from bayescope.engine.problem.definition import GaussianKnown, Match, Predictions, Problem
from bayescope.gui.models.plain import one_line


def in_percent(problem: Problem, row: int = -1) -> tuple[Match, ...]:
    """The comparisons whose errors may be said in percent: of known size, and in no column yet. ``row``: of this one alone,
    with a model of its own too."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or problem.data is None:
        return ()
    asked = meaning.matches[row : row + 1] if row >= 0 else tuple(m for m in meaning.matches if m.noise is None)
    known = [(m, m.noise or meaning.noise) for m in asked if m.sd_column is None and m.column in problem.data.columns]
    return tuple(m for m, noise in known if isinstance(noise, GaussianKnown) and not noise.sd_column)


def one_size_said(problem: Problem) -> bool:
    """Whether a size is said that several comparisons share: a percentage would take its place in all of them."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or getattr(meaning.noise, "sd", None) is None:
        return False
    return sum(m.noise is None for m in meaning.matches) > 1


def with_percent(problem: Problem, percent: float, row: int = -1) -> Problem:
    """``problem`` with a column of standard deviations, ``percent`` of each value, for every comparison that has no errors, or
    for the comparison ``row`` alone.

    Raises ValueError with words where a measured value is 0: no share of it is an error.
    """
    meaning, data = problem.meaning, problem.data
    wanted = in_percent(problem, row)
    if not wanted or data is None or not isinstance(meaning, Predictions):
        return problem
    columns, made = dict(data.columns), dict[str, str]()
    for name in dict.fromkeys(m.column for m in wanted):
        if any(v == 0.0 for v in data.columns[name]):
            raise ValueError(f"“{one_line(name, 30)}” holds 0, and no percentage of that is an error. Give a number instead.")
        made[name] = fresh(f"{without_unit(name)} sd", [*columns, *data.texts])
        columns[made[name]] = tuple(None if v is None else abs(v) * percent / 100.0 for v in data.columns[name])
    matches = tuple(_with_column(m, made[m.column]) if m in wanted else m for m in meaning.matches)
    common = meaning.noise if row >= 0 else GaussianKnown()
    return msgspec.structs.replace(
        problem,
        data=msgspec.structs.replace(data, columns=columns),
        meaning=msgspec.structs.replace(meaning, matches=matches, noise=common),
    )


def _with_column(match: Match, sds: str) -> Match:
    if match.noise is None:
        return msgspec.structs.replace(match, sd_column=sds)
    return msgspec.structs.replace(match, noise=GaussianKnown(sd_column=sds))
