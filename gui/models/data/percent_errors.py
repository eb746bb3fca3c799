"""Errors in percent of each measured value, as columns of standard deviations beside those of the values. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.data.column_names import fresh, without_unit
from bayescope.engine.problem.definition import GaussianKnown, Match, Predictions, Problem
from bayescope.gui.models.plain import one_line


def in_percent(problem: Problem) -> tuple[Match, ...]:
    """The comparisons whose errors may be said in percent: of known size, and in no column yet."""
    meaning = problem.meaning
    noise = getattr(meaning, "noise", None)
    if not isinstance(meaning, Predictions) or not isinstance(noise, GaussianKnown) or noise.sd_column or problem.data is None:
        return ()
    return tuple(m for m in meaning.matches if m.noise is None and m.sd_column is None and m.column in problem.data.columns)


def with_percent(problem: Problem, percent: float) -> Problem:
    """``problem`` with a column of standard deviations, ``percent`` of each value, for every comparison that has no errors.

    Raises ValueError with words where a measured value is 0: no share of it is an error.
    """
    meaning, data = problem.meaning, problem.data
    wanted = in_percent(problem)
    if not wanted or data is None or not isinstance(meaning, Predictions):
        return problem
    columns, made = dict(data.columns), dict[str, str]()
    for name in dict.fromkeys(m.column for m in wanted):
        if any(v == 0.0 for v in data.columns[name]):
            raise ValueError(f"“{one_line(name, 30)}” holds 0, and no percentage of that is an error. Give a number instead.")
        made[name] = fresh(f"{without_unit(name)} sd", [*columns, *data.texts])
        columns[made[name]] = tuple(None if v is None else abs(v) * percent / 100.0 for v in data.columns[name])
    matches = tuple(msgspec.structs.replace(m, sd_column=made[m.column]) if m in wanted else m for m in meaning.matches)
    return msgspec.structs.replace(
        problem,
        data=msgspec.structs.replace(data, columns=columns),
        meaning=msgspec.structs.replace(meaning, matches=matches, noise=GaussianKnown()),
    )
