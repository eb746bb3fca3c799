"""Columns of errors whose numbers hardly are standard deviations in the unit of their values: percentages, rather. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.relative_errors import sds_of
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.names.percent_names import in_percent
from bayescope.engine.problem.data.units.unit_scales import dimension_of
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.doubtful_errors import sd_of
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
BEYOND = 3.0  # times the largest value: such errors leave nothing to be learnt of it
FEWEST = 3  # rows from which on their sizes tell more than one of them
MOST_PERCENT = 50.0  # of a value: larger ones are no usual errors
OTHERWISE, LIKE = 10.0, 3.0  # factors: relative errors differ from those of neighbours, or are alike
PERCENT, RIGHT, UNDO = "They are &percent", "They are &right", "Errors in percent"
CAPTION = "Are the errors so large?"


@dataclass(frozen=True)
class SuspiciousSize:
    """The errors of comparison ``row``: ``words`` say why they are asked about. ``mended``: with percentages as errors in the
    unit of their values; None: they cannot be percentages either."""

    row: int
    words: str
    hint: str
    mended: d.Problem | None = None


@dataclass(frozen=True)
class _Sizes:
    row: int
    column: str
    sds: str
    values: Array  # (n,) absolute
    errors: Array  # (n,)

    @property
    def relative(self) -> float:
        return float(np.median(self.errors / self.values))


def suspicious_sizes(problem: d.Problem) -> tuple[SuspiciousSize, ...]:
    """Of each comparison that takes its errors from a column whose numbers look like others than standard deviations."""
    every = list(_sizes(problem))
    found = []
    for one in every:
        others = [o.relative for o in every if o.sds != one.sds and o.column != one.column]
        if (why := _why(one, others)) is not None:
            found.append(SuspiciousSize(one.row, *_words(problem, one, why), mended=_as_percent(problem, one)))
    return tuple(found)


def _sizes(problem: d.Problem) -> Iterator[_Sizes]:
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, d.Predictions) or data is None:
        return
    for row, match in enumerate(meaning.matches):
        sds = sd_of(meaning, match)
        if match.column not in data.columns or sds not in data.columns:
            continue
        pair = [[np.nan if v is None else v for v in data.columns[c]] for c in (match.column, sds)]
        if len(pair[0]) != len(pair[1]):
            continue
        values, errors = np.array(pair[0], dtype=float), np.array(pair[1], dtype=float)
        there = np.isfinite(values) & np.isfinite(errors) & (errors > 0.0) & (values != 0.0)
        there[[at - 1 for at in match.left_out if at <= len(there)]] = False
        if there.any():
            yield _Sizes(row, match.column, sds, values[there], errors[there])


def _why(one: _Sizes, others: list[float]) -> str | None:
    """Why they are suspicious, a clause; None: they are not."""
    sizes, errors = np.abs(one.values), one.errors
    usual = float(np.median(errors))
    if usual > BEYOND * float(sizes.max()):
        return "which is more than any of them"
    may = errors.max() <= MOST_PERCENT and not in_percent(one.column)
    if not may or len(sizes) < FEWEST or one.values.min() < 0.0 or _has_own_zero(one.column):
        return None
    if 2 * int((errors > sizes).sum()) >= len(sizes):
        return "which is more than most of them"
    percent, mine = usual / 100.0, float(np.median(errors / sizes))
    alike = bool(others) and min(others) / LIKE <= percent <= max(others) * LIKE
    far = bool(others) and (mine > OTHERWISE * max(others) or (len(others) > 1 and mine < min(others) / OTHERWISE))
    return "unlike the errors of the other columns" if alike and far else None


def _has_own_zero(column: str) -> bool:
    """Whether values are counted from a zero that says nothing, as degrees are."""
    unit = unit_in(column)
    found = dimension_of(unit) if unit else None
    return unit in ("°C", "C", "degC", "°F", "K") or (found is not None and found[0] == {"temperature": 1})


def _words(problem: d.Problem, one: _Sizes, why: str) -> tuple[str, str]:
    at = int(np.argsort(np.abs(one.values))[len(one.values) // 2])
    sds, column = one_line(one.sds, 24), one_line(one.column, 24)
    error, value = one.errors[at], one.values[at]
    words = f"“{sds}” has errors such as {spoken(error)} beside a value of {spoken(value)} of “{column}”, {why}."
    if _percent_fits(one):
        return words, f"In percent of the values that would be an error of {spoken(error * abs(value) / 100.0, 3)} there."
    return words, "With such errors the data say next to nothing. Choose another column under “Standard deviations”."


def _percent_fits(one: _Sizes) -> bool:
    return float(one.errors.max()) <= MOST_PERCENT


def _as_percent(problem: d.Problem, one: _Sizes) -> d.Problem | None:
    if not _percent_fits(one) or problem.data is None:
        return None
    columns = dict(problem.data.columns)
    made = sds_of(f"{one.sds} (%)", columns[one.sds], columns[one.column])
    columns[one.sds] = tuple(own if sd is None else sd for sd, own in zip(made, columns[one.sds], strict=True))
    return msgspec.structs.replace(problem, data=msgspec.structs.replace(problem.data, columns=columns))
