"""Predictions beside the data: which output value belongs to which measured row.

Numpy only and in the problem room, so that the likelihood and the window's plots pair rows in the same way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ... import definition as d
from ...errors import ProblemError
from ...findings import shorten, values_words
from ...numbers.shown_digits import in_full
from ..dates.by_day import by_days, daily, days_of
from . import pairing
from .censored import Limits, limits_in
from .key_scale import scale_of
from .own_rows import in_order, measured_rows, own_rows
from .pairing import Rows, Unpaired, ambiguous, by_keys, nearest_keys, on_line, one_code, rows_alike, within
from .text_keys import FIRST_LABEL, PLACE, code, count_dates, unit_of

Array = NDArray[np.float64]
MOST_NEAREST = 200  # rows without a partner whose nearest keys are looked for: more of them are one mistake


class ComparisonError(ProblemError):
    """An output cannot be compared with the data; the words say why. Usually the run failed quietly."""


@dataclass(frozen=True)
class Comparison:
    """One match of an output with a data column; arrays (n,) over the rows of the data table.

    ``x``: the key column (times in seconds), or the row number from 1 where there is none or where it holds labels. ``data`` is
    NaN where nothing was measured, a limit where ``limits`` has one; ``prediction`` is NaN where the program printed nothing for
    a row without data. ``scale``: the sd (or scale) column. ``sd``: the noise's standard deviation as far as the noise model
    knows it. ``curve_x``, ``curve``: the whole output against its key, where there is one.
    """

    match: d.Match
    x: Array
    x_label: str
    data: Array
    prediction: Array
    scale: Array | None = None
    sd: Array | None = None
    curve_x: Array | None = None
    curve: Array | None = None
    limits: Limits = field(default_factory=lambda: Limits.none(0))

    @property
    def present(self) -> NDArray[np.bool_]:
        """Rows with a measured value or a limit (n,)."""
        return ~np.isnan(self.data)

    @property
    def limited(self) -> NDArray[np.bool_]:
        """Rows of which a limit is known only (n,)."""
        return self.present & self.limits.there if len(self.limits.sides) else np.zeros(len(self.data), dtype=bool)


def vector(outputs: Mapping[str, ArrayLike], name: str) -> Array:
    """The output ``name`` as a vector. Raises ComparisonError if it was not read."""
    if name not in outputs:
        raise ComparisonError(f"The output “{shorten(name)}” was not read from the program.")
    return np.atleast_1d(np.asarray(outputs[name], dtype=float)).ravel()


def key_values(match: d.Match, outputs: Mapping[str, ArrayLike]) -> list[Array]:
    """The keys of the output (m,) each, as compared with those of the data; labels as they are. Raises ComparisonError."""
    found = [vector(outputs, name) for name, _ in match.keys]
    scale = scale_of(match)
    if found and not scale.plain:
        found[0] = scale.of(found[0])
    return found


def column(data: d.DataTable, name: str) -> Array:
    """A data column (n,), NaN where missing. Raises ComparisonError if there is none of that name."""
    if name not in data.columns:
        text = " of numbers" if name in data.texts else ""
        raise ComparisonError(f"The data have no column{text} “{shorten(name)}”.")
    return np.array([math.nan if v is None else float(v) for v in data.columns[name]])


def key_texts(data: d.DataTable, name: str) -> list[str]:
    """The keys in a data column as a person sees them, '' where missing."""
    if name in data.texts:
        return [t or "" for t in data.texts[name]]
    return ["" if v is None else in_full(v) for v in data.columns.get(name, ())]


def key_label(data: d.DataTable, name: str) -> str:
    """The name of a key column, with what its times count in: 'time, in s'."""
    unit = unit_of(data.texts.get(name, ()))
    return f"{name}, in {unit}" if unit else name


def key_codes(data: d.DataTable, name: str) -> Array:
    """The keys (n,) in a data column, numbers or texts, as ``text_keys`` codes them; NaN where missing.

    Raises ComparisonError.
    """
    if name in data.texts:
        return np.array([math.nan if t is None else code(t) for t in data.texts[name]])
    return column(data, name)


def measured_values(match: d.Match, data: d.DataTable) -> Array:
    """What was measured, or its limit (n,), NaN where nothing was or where the row is left out of this comparison. Raises
    ComparisonError."""
    values = with_limits(data, match.column)
    values[[row - 1 for row in match.left_out if 1 <= row <= len(values)]] = math.nan
    return values


def with_limits(data: d.DataTable, name: str) -> Array:
    """A data column (n,) with its limits as if they were measured, NaN where there is neither. Raises ComparisonError."""
    values = column(data, name)
    if name not in data.limits:
        return values
    limits, found = limits_in(data, name)
    return np.where(found.there, limits, values)


def without_key(match: d.Match, data: d.DataTable) -> set[int]:
    """The rows (from 0) that lack one of the keys by which rows are paired: they take part in no comparison."""
    cells = [data.texts.get(name) or data.columns.get(name, ()) for _, name in match.keys]
    return {i for column in cells for i, cell in enumerate(column) if cell is None}


def measured_cells(match: d.Match, data: d.DataTable) -> Array:
    """``measured_values`` without the rows whose key is missing, which cannot be paired (n,). Raises ComparisonError."""
    measured = measured_values(match, data)
    for _, name in match.keys:
        measured = np.where(np.isnan(key_codes(data, name)), math.nan, measured)
    return measured


def unpaired(
    match: d.Match, data: d.DataTable, outputs: Mapping[str, ArrayLike], texts: Sequence[str] = ()
) -> list[Unpaired]:
    """The measured rows that no row of the output belongs to; ``texts``: the output's keys as read, if they are texts.

    Rows that are paired in order have no keys; what does not fit there is a matter of lengths. Raises ComparisonError.
    """
    if not match.keys:
        return []
    measured, shown, first = measured_values(match, data), keys_shown(match, data), key_texts(data, match.keys[0][1])
    codes = [key_codes(data, column) for _, column in match.keys]
    found = key_values(match, outputs)
    rows = np.where(within(codes, found), 0, -1) if match.interpolate else keyed_rows(match, data, codes, found)[0]
    names = list(texts) or [f"{v:.12g}" for v in found[0]]

    def nearest(i: int) -> tuple[int, ...]:
        alike = rows_alike(codes, found, i)
        alike = alike if len(alike) else np.arange(len(found[0]))
        picked = nearest_keys(first[i], float(codes[0][i]), found[0][alike], [names[k] for k in alike])
        return tuple(int(alike[k]) for k in picked)

    lost = np.flatnonzero(~np.isnan(measured) & (rows < 0))
    near = [nearest(int(i)) for i in lost[:MOST_NEAREST]]
    return [Unpaired(int(i) + 1, shown[i], near[k] if k < len(near) else ()) for k, i in enumerate(lost)]


def keyed_rows(match: d.Match, data: d.DataTable, keys: Sequence[Array], found: Sequence[Array]) -> tuple[Rows, list[Array]]:
    """For each data row with keys (n,) the position of the output's row with the same among its (m,), -1 for none; and the keys
    of the output as they are compared. Raises ComparisonError where rows are paired by the day, but not by dates."""
    if not match.by_day or not match.keys:
        return by_keys(match, keys, found), list(found)
    days = days_of(data, match.keys[0][1])
    if days is None:
        raise ComparisonError(
            f"Rows are paired by the day, but “{shorten(match.keys[0][1])}” holds no dates.", "",
            f"Pair by a column of dates, or not by the day: {PLACE}",
        )  # fmt: skip
    keys, daily = by_days(days, keys, found)
    return by_keys(msgspec.structs.replace(match, key_tolerance=None), keys, daily), daily


def compare_match(
    match: d.Match, data: d.DataTable, outputs: Mapping[str, ArrayLike], scale: Array | None = None
) -> Comparison:
    """One match; ``scale`` (n,): the size of the error of each row. Raises ComparisonError."""
    measured, output = measured_values(match, data), match.factor * vector(outputs, match.output) + match.offset
    n = len(measured)
    keys, found = _keys(match, data, outputs, n, output)
    x, label, on_axis = place(match, data)
    curve_x = curve = None
    if not keys:
        predicted = _taken(output, _in_order(match, data, output))
    else:
        # a row without a key cannot be paired
        measured = np.where(np.any(np.isnan(np.stack(keys)), axis=0), math.nan, measured)
        needed = ~np.isnan(measured)
        if match.interpolate:
            predicted = _interpolated(match, data, keys, found, output, needed)
        else:
            predicted = _taken(output, _by_key(match, data, keys, found, output, needed))
        if on_axis:
            curve_x, curve = found[0], output
    bad = ~np.isnan(measured) & ~np.isfinite(predicted)
    if np.any(bad):
        row = int(np.argmax(bad))
        raise ComparisonError(
            f"The output “{shorten(match.output)}” is {predicted[row]} where the data column “{shorten(match.column)}” has its "
            f"row {row + 1}.", "", "The program may have failed at these parameter values.",
        )  # fmt: skip
    limits = limits_in(data, match.column)[1]
    return Comparison(match, x, label, measured, predicted, scale, None, curve_x, curve, limits)


def place(match: d.Match, data: d.DataTable) -> tuple[Array, str, bool]:
    """Where the rows of the data (n,) stand across a plot, what that is called, and whether it is a key of the output.

    Raises ComparisonError.
    """
    rows = np.arange(1.0, len(column(data, match.column)) + 1.0)
    if not match.keys:
        return rows, "row", False
    x, names = key_codes(data, match.keys[0][1]), ", ".join(name for _, name in match.keys)
    if match.by_day and (days := days_of(data, match.keys[0][1])) is not None:
        x = days.noon(x)  # where the value that is compared stands, or near it
    if len(match.keys) > 1 or np.any(x >= FIRST_LABEL):  # labels and pairs of keys have no place on an axis
        by = names if len(match.keys) > 1 else key_label(data, match.keys[0][1])
        return rows, f"row of the data (by {by})", False
    return x, key_label(data, match.keys[0][1]), True


def keys_shown(match: d.Match, data: d.DataTable) -> list[str]:
    """The keys of each data row as a person sees them, '' where all are missing."""
    parts = zip(*(key_texts(data, column) for _, column in match.keys), strict=False)
    return [", ".join(text or "none" for text in part) if any(part) else "" for part in parts]


def _keys(
    match: d.Match, data: d.DataTable, outputs: Mapping[str, ArrayLike], n: int, output: Array
) -> tuple[list[Array], list[Array]]:
    """The codes of each key on the side of the data (n,) and of the output. Raises ComparisonError."""
    keys = [key_codes(data, name) for _, name in match.keys]
    found = key_values(match, outputs)
    for (own, name), key, values in zip(match.keys, keys, found, strict=True):
        if len(key) != n:
            raise ComparisonError(f"The data columns “{shorten(match.column)}” and “{shorten(name)}” differ in length.")
        if len(values) != len(output):
            raise ComparisonError(
                f"The output “{shorten(match.output)}” has {values_words(len(output))}, its key “{shorten(own)}” has "
                f"{len(values)}.", "", "Check how the two are read.",
            )  # fmt: skip
    return keys, found


def _key_names(match: d.Match) -> tuple[str, str]:
    """The keys of the output, as they are multiplied and shifted, and those of the data: Lx × 0.25, and Lattice const."""
    (own, *more), theirs = zip(*match.keys, strict=True)
    return ", ".join((scale_of(match).written(own), *more)), ", ".join(theirs)


def _taken(output: Array, rows: Rows) -> Array:
    return np.where(rows >= 0, output[rows] if len(output) else math.nan, math.nan)


def _interpolated(
    match: d.Match, data: d.DataTable, keys: list[Array], found: list[Array], output: Array, needed: NDArray[np.bool_]
) -> Array:
    """The output between its rows, where the data's keys are; all that are needed must lie between the output's keys."""
    own, theirs = _key_names(match)
    lost = needed & ~within(keys, found)
    if np.any(lost):
        row = int(np.argmax(lost))
        raise ComparisonError(
            f"Row {row + 1} of the data, where “{shorten(theirs)}” is {shorten(keys_shown(match, data)[row])}, does not lie "
            f"between two values of the output “{shorten(own)}”.", "",
            "Let the program print more rows, or leave that row of the data out.",
        )  # fmt: skip
    known = np.flatnonzero(np.isfinite(np.stack(found)).all(axis=0))
    if ambiguous(one_code(found), output, known) is not None:
        raise ComparisonError(
            f"The output “{shorten(own)}” has the same value in several rows; they cannot be told apart.",
            "", "Read fewer rows, or choose a key (or two together) that is different in every row.",
        )  # fmt: skip
    return on_line(keys, found, output)


def _in_order(match: d.Match, data: d.DataTable, output: Array) -> Rows:
    rows = in_order(len(output), match, data)
    if rows is None and max(match.rows, default=0) > len(output):
        raise ComparisonError(
            f"The output “{shorten(match.output)}” has {values_words(len(output))}, but number {max(match.rows)} of them is "
            f"compared with “{shorten(match.column)}”.", "", "Check how the output is read, or choose its rows again.",
        )  # fmt: skip
    if rows is None:
        there = measured_rows(data, match.column)
        measured, n, kept = int(there.sum()), len(there), int((~np.isnan(measured_values(match, data))).sum())
        own = int(own_rows(data, match.column).sum())
        mine = f"{n} rows, {own} of this quantity" if measured < own < n else f"{n} rows"
        counted = mine if measured == n else f"{mine}, {measured} of them measured"
        counted += f", {kept} of them left in: one value is needed for each of these, or for all" if match.left_out else ""
        taken = f"{len(match.rows)} of them taken, " if match.rows else ""
        raise ComparisonError(
            f"The output “{shorten(match.output)}” has {values_words(len(output))}, {taken}but the data column "
            f"“{shorten(match.column)}” has {counted}.", "", "Check how the output is read, or pair rows by a key column.",
        )  # fmt: skip
    return rows


def _by_key(
    match: d.Match, data: d.DataTable, keys: list[Array], found: list[Array], output: Array, needed: NDArray[np.bool_]
) -> Rows:
    """The output's row whose key is nearest to each data key, which must be within the tolerance."""
    rows, compared = keyed_rows(match, data, keys, found)
    shown = keys_shown(match, data)
    own, theirs = _key_names(match)
    lost = needed & (rows < 0)
    if np.any(lost):
        row, more = int(np.argmax(lost)), int(lost.sum()) - 1
        others = f" {more} more {'row has' if more == 1 else 'rows have'} none either." if more else ""
        inside = within(keys, found)[row] and (len(keys) > 1 or pairing.swept_outwards(found[0]))
        days = None if match.by_day else days_of(data, match.keys[0][1])
        dated = days is not None and len(keys) == 1 and daily(days, keys[0], found[0]).most > 0
        ways = f"{', pair the rows by the day' if dated else ''}{', interpolate between its rows' if inside else ''}"
        raise ComparisonError(
            f"The output has no row where “{shorten(own)}” is {shorten(shown[row])}, as row {row + 1} of the "
            f"data needs (“{shorten(theirs)}”).{others}", "",
            count_dates(data.texts.get(match.keys[0][1], ()), found[0])
            or f"Let the program print that row{ways}, or set a tolerance: {PLACE}",
        )  # fmt: skip
    twice = ambiguous(one_code(compared), output, np.where(needed, rows, -1))
    if twice is not None:
        raise ComparisonError(
            f"The output has several rows where “{shorten(own)}” is {shorten(shown[twice])}; they cannot be "
            "told apart.", "", "Read fewer rows, or choose a key (or two together) that is different in every row.",
        )  # fmt: skip
    return rows
