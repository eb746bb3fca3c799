"""Rows of the data that no row of an output belongs to, in words: their keys, what was measured, the nearest keys. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.by_day import days_of
from bayescope.engine.problem.data.rows.comparison import column, key_codes, key_values
from bayescope.engine.problem.data.rows.key_scale import scale_of
from bayescope.engine.problem.data.rows.pairing import Unpaired
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.numbers.shown_digits import among, in_full
from bayescope.gui.models.data.dates.lasting import apart, beyond
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One row of the data without a partner, in words: row number, key, what was measured, the output's nearest keys."""

    row: int
    key: str
    measured: str
    nearest: str


def lost_rows(
    match: d.Match,
    data: d.DataTable,
    outputs: Mapping[str, Array],
    texts: Mapping[str, tuple[str, ...]],
    lost: Sequence[Unpaired],
) -> Iterator[Row]:
    """The rows ``lost``; dates that count from a day 0 are said as dates, with how far off the nearest ones are: 2022-01-19
    (2 days before)."""
    values, days = column(data, match.column), days_of(data, match.keys[0][1]) if match.keys else None
    codes = key_codes(data, match.keys[0][1]) if days is not None else None
    found, scaled = key_values(match, outputs), not scale_of(match).plain  # as they are compared, not as they are read
    counted = match.keys[0][1] if match.keys and match.keys[0][1] in data.columns else ""

    def nearest(one: Unpaired, i: int) -> str:
        read = ({} if k == 0 and scaled and found[0][i] < FIRST_LABEL else texts for k in range(len(match.keys)))
        keys = zip(match.keys, found, read, strict=True)
        words = ", ".join(_key_words(output, i, places, labels) for (output, _), places, labels in keys)
        at = float(found[0][i])
        if days is None or codes is None or at >= FIRST_LABEL or not np.isfinite(codes[one.row - 1]) or len(match.keys) > 1:
            return words
        words = day_zero.written(at * days.unit + days.start) if counted else words
        return f"{words} ({apart((at - float(codes[one.row - 1])) * days.unit)})"

    for one in lost:
        key = one.key or "none"
        if days is not None and codes is not None and counted and len(match.keys) == 1 and one.key:
            key = day_zero.written(float(codes[one.row - 1]) * days.unit + days.start)
        near = ", ".join(nearest(one, i) for i in one.nearest)
        yield Row(one.row, key, among(values[one.row - 1], values), near or "none is like it")


def outside(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array], lost: Sequence[Unpaired]) -> str:
    """Where dates among the rows ``lost`` lie before or after all times of the output, a sentence behind another; '' if none."""
    days = days_of(data, match.keys[0][1]) if match.keys else None
    places = key_values(match, outputs)[0] if days is not None else np.empty(0)
    if days is None or not lost or np.any(places >= FIRST_LABEL):
        return ""  # labels are no times: nothing lies before them
    keys = key_codes(data, match.keys[0][1])[[one.row - 1 for one in lost]]
    words = beyond(keys[np.isfinite(keys)], places, days.unit)
    return f" {words}." if words else ""


def _key_words(name: str, i: int, places: Array, texts: Mapping[str, tuple[str, ...]]) -> str:
    labels = texts.get(name, ())
    return one_line(labels[i], 30) if i < len(labels) else in_full(places[i])
