"""Which row of an output belongs to which row of the data: by the key of both, or in order."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import definition as d
from .text_keys import FIRST_LABEL, plain

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
NEAREST_SHOWN = 3  # keys of the output beside a data row that has none
_AUTOMATIC = d.Match(output="", column="")  # a match that says no tolerance
ROUNDING_SHARE = 0.01  # of the step between data keys: rounding below it cannot hit a wrong row
MOST_DECIMALS = 9  # more are those of a computed number, not of a rounded one
MOST_COMPARED = 2_000  # labels of an output that one label is compared with by their letters: difflib takes time


@dataclass(frozen=True)
class Unpaired:
    """A measured row that no row of the output belongs to. ``row`` of the table from 1; ``key`` as the data have it ('': none).

    ``nearest``: positions (from 0) of the output's rows with the most similar keys, the nearest first.
    """

    row: int
    key: str
    nearest: tuple[int, ...] = ()


def in_order(output: int, measured: Sequence[bool] | NDArray[np.bool_], left_out: Sequence[int] = ()) -> Rows | None:
    """For each data row the position of its output value, -1 for none; None if the lengths do not fit.

    ``output``: how many values the program gave. They are one for each measured value; or one for each row of the table, those
    without a measured value included. The rows ``left_out`` of the comparison (the first is 1) count in both, and their values
    are passed over; only where neither fits, the values may be those of the rows that are left in, counted in the same two ways.
    """
    rows = counted_rows(output, measured, left_out)
    return None if rows is None else positions(rows[0])


def positions(rows: NDArray[np.bool_]) -> Rows:
    """For each data row (n,) which value of the output is its own, in order; -1: none, where ``rows`` is false."""
    return np.where(rows, np.cumsum(rows) - 1, -1)


def counted_rows(
    output: int,
    measured: Sequence[bool] | NDArray[np.bool_],
    left_out: Sequence[int] = (),
    own: Sequence[NDArray[np.bool_]] = (),
    whole: bool = True,
) -> tuple[NDArray[np.bool_], bool] | None:
    """The rows (n,) that the values of an output are of, in order, and whether rows left out have none; as for ``in_order``.

    ``own``: rows (n,) that are of the same quantity, in each way to tell them: all of these may be meant before all of the table,
    which may be meant only if it is one table (``whole``), not several below each other.
    """
    there = np.array(measured, dtype=bool)
    every, left_in = np.ones(len(there), dtype=bool), np.ones(len(there), dtype=bool)
    left_in[[row - 1 for row in left_out if 1 <= row <= len(there)]] = False
    for rows in (ways := (there, *own, *((every,) if whole else ()))):
        if output == int(rows.sum()):
            return rows, False
    for rows in (way & left_in for way in ways):
        if output == int(rows.sum()):
            return rows, True
    return None


def left_out_told(
    output: int,
    measured: Sequence[bool] | NDArray[np.bool_],
    left_out: Sequence[int],
    own: Sequence[NDArray[np.bool_]] = (),
    whole: bool = True,
) -> str:
    """Whether the rows ``left_out`` have values of the program, which are passed over, or none; '' where no order fits."""
    found = counted_rows(output, measured, left_out, own, whole) if left_out else None
    if found is None:
        return ""
    rows, gave = int(found[0].sum()), "1 value" if output == 1 else f"{output} values"
    if found[1]:
        return f"The program gave {gave}: one for each row that is left in ({rows}), none for those left out."
    passed = "its value is passed over" if len(left_out) == 1 else "their values are passed over"
    return f"The program gave {gave}: one for each of {rows} rows, those left out included; {passed}."


def by_key(match: d.Match, keys: Array, found: Array, near: Array | None = None) -> Rows:
    """For each data key (n,) the position of the nearest of the output's keys (m,), -1 if none lies within the tolerance.

    ``near``: the tolerance of each key (n,), where it is that of a longer table.
    """
    near = tolerance(match, keys) if near is None else near
    usable = np.flatnonzero(np.isfinite(found))
    order = usable[np.argsort(found[usable], kind="stable")]
    ordered = found[order]
    nearest = _nearest(ordered, keys)
    paired = nearest >= 0
    paired[paired] = np.abs(ordered[nearest[paired]] - keys[paired]) <= near[paired]
    rows = np.full(len(keys), -1, dtype=np.intp)
    rows[paired] = order[nearest[paired]]
    return rows


def by_keys(match: d.Match, keys: Sequence[Array], found: Sequence[Array]) -> Rows:
    """As ``by_key``, with one key (n,), (m,) or more: the first pairs among those rows that agree in all the others."""
    near = tolerance(match, keys[0])
    wanted, given = _groups(keys[1:], found[1:], len(keys[0]), len(found[0]))
    rows = np.full(len(keys[0]), -1, dtype=np.intp)
    for group in np.unique(wanted[wanted >= 0]):
        mine, theirs = np.flatnonzero(wanted == group), np.flatnonzero(given == group)
        picked = by_key(match, keys[0][mine], found[0][theirs], near[mine])
        rows[mine[picked >= 0]] = theirs[picked[picked >= 0]]
    return rows


def rows_alike(keys: Sequence[Array], found: Sequence[Array], row: int) -> Rows:
    """Positions of the output's rows that agree with data row ``row`` (from 0) in all keys but the first."""
    wanted, given = _groups(keys[1:], found[1:], len(keys[0]), len(found[0]))
    return np.flatnonzero((given == wanted[row]) & (wanted[row] >= 0))


def _groups(keys: Sequence[Array], found: Sequence[Array], n: int, m: int) -> tuple[Rows, Rows]:
    """One number for each data row (n,) and each row of the output (m,), the same where all these keys agree; -1: with none."""
    wanted, given = np.zeros(n, dtype=np.intp), np.zeros(m, dtype=np.intp)
    for mine, theirs in zip(keys, found, strict=True):
        places = np.unique(mine[np.isfinite(mine)])
        near = tolerance(_AUTOMATIC, places)
        at = _nearest(places, theirs)
        fits = at >= 0
        fits[fits] = np.abs(places[at[fits]] - theirs[fits]) <= near[at[fits]]
        count = len(places)
        wanted = np.where(np.isfinite(mine) & (wanted >= 0), wanted * count + np.searchsorted(places, mine), -1)
        given = np.where(fits & (given >= 0), given * count + at, -1)
    return wanted, given


def one_code(found: Sequence[Array]) -> Array:
    """One number for each row of the output (m,), different where any of its keys differs."""
    if len(found) == 1:
        return found[0]
    return np.unique(np.stack(found, axis=1), axis=0, return_inverse=True)[1].ravel().astype(float)


def swept(values: Array) -> bool:
    """Whether ``values`` (n,) only rise or only fall: a curve that turns back has no value between two of its rows."""
    steps = np.diff(values)
    return bool(np.all(steps > 0.0) or np.all(steps < 0.0))


def swept_outwards(values: Array) -> bool:
    """Whether ``values`` (n,) are swept, or swept in two parts that do not overlap: from the middle up, then from it down."""
    steps = np.diff(values)
    turns = np.flatnonzero(np.diff(np.sign(steps)))
    if swept(values) or not len(turns) or not np.isfinite(values).all():
        return swept(values)
    at = int(turns[0])
    cut = at + 1 + int(abs(steps[at + 1]) > abs(steps[at]))  # the step between parts is longer than any of those beside it
    first, second = values[:cut], values[cut:]
    return swept(first) and swept(second) and bool(first.max() < second.min() or second.max() < first.min())


def within(keys: Sequence[Array], found: Sequence[Array]) -> NDArray[np.bool_]:
    """Which data rows have a number as their first key (n,) that lies between the smallest and the largest of the output's (m,).

    Of the output only those rows count that agree in all the other keys.
    """
    return np.isfinite(on_line(keys, found, np.zeros(len(found[0]))))


def on_line(keys: Sequence[Array], found: Sequence[Array], output: Array) -> Array:
    """The output (m,) at each data key (n,), on the straight line between its neighbours; NaN outside of the output's keys.

    The first key is the place on the line, among those rows of the output that agree in all the others.
    """
    wanted, given = _groups(keys[1:], found[1:], len(keys[0]), len(found[0]))
    values = np.full(len(keys[0]), np.nan)
    known = np.isfinite(found[0]) & (found[0] < FIRST_LABEL)
    for group in np.unique(wanted[wanted >= 0]):
        mine, theirs = np.flatnonzero((wanted == group) & np.isfinite(keys[0])), np.flatnonzero((given == group) & known)
        if len(theirs):
            order = theirs[np.argsort(found[0][theirs], kind="stable")]
            values[mine] = np.interp(keys[0][mine], found[0][order], output[order], left=np.nan, right=np.nan)
    return values


def ambiguous(found: Array, output: Array, rows: Rows) -> int | None:
    """The first data row whose key stands in several rows of the output that differ; None if there is none."""
    order = np.argsort(found, kind="stable")
    ordered = found[order]
    twice = np.flatnonzero(np.diff(ordered) == 0.0)
    doubtful = set(ordered[twice[output[order[twice]] != output[order[twice + 1]]]].tolist())
    paired = np.flatnonzero(rows >= 0) if doubtful else ()
    return next((int(i) for i in paired if float(found[rows[i]]) in doubtful), None)


def tolerance(match: d.Match, keys: Array) -> Array:
    """How far the output's key may be from each data key (n,). A label is itself or not."""
    numbers = keys[np.isfinite(keys) & (keys < FIRST_LABEL)]
    if match.key_tolerance is not None:
        found = np.full(len(keys), match.key_tolerance)
    else:
        distinct = np.unique(numbers)
        step = float(np.min(np.diff(distinct))) if len(distinct) > 1 else 0.0
        # programs print few digits: a thousandth of the step between data keys cannot hit a wrong row
        found = np.maximum(1e-3 * step, 1e-6 * np.abs(keys) if step == 0.0 else 1e-12 * np.abs(keys))
        rounded = rounding(distinct)
        if rounded <= ROUNDING_SHARE * step:  # so do tables of what was measured
            found = np.maximum(found, rounded)
    return np.where(keys >= FIRST_LABEL, 0.0, found)


def rounding(numbers: Array) -> float:
    """Half a unit of the last decimal of any of the ``numbers``, a little widened; 0 if there are none or they have many."""
    for decimals in range(MOST_DECIMALS + 1) if len(numbers) else ():
        if np.all(np.abs(np.round(numbers, decimals) - numbers) <= 1e-12 * np.abs(numbers)):
            return float(0.5 * 10.0**-decimals * (1.0 + 1e-6))
    return 0.0


def nearest_keys(key: str, code: float, found: Array, texts: Sequence[str]) -> tuple[int, ...]:
    """Positions of the output's keys most like ``key``: by distance for numbers and times, by letters for labels."""
    if np.isfinite(code) and code < FIRST_LABEL:
        usable = np.flatnonzero(np.isfinite(found) & (found < FIRST_LABEL))
        order = usable[np.argsort(np.abs(found[usable] - code), kind="stable")]
        return tuple(int(i) for i in order[:NEAREST_SHOWN])
    wanted = plain(key)
    labels: dict[str, int] = {}
    for i, text in enumerate(texts[:MOST_COMPARED]):
        labels.setdefault(plain(text), i)
    alike = [name for name in labels if _letters(name) == _letters(wanted)]
    folded = {name.casefold(): name for name in reversed(labels)}
    close = difflib.get_close_matches(wanted.casefold(), list(folded), NEAREST_SHOWN, 0.5)
    alike += [folded[name] for name in close if folded[name] not in alike]
    return tuple(labels[name] for name in alike[:NEAREST_SHOWN])


def _letters(label: str) -> str:
    """Letters and digits alone, without the difference of capital and small ones."""
    return "".join(c for c in label.casefold() if c.isalnum()) or label


def _nearest(ordered: Array, keys: Array) -> Rows:
    """For each key the position of the nearest of the ``ordered`` numbers, -1 where there is none."""
    if len(ordered) == 0:
        return np.full(len(keys), -1, dtype=np.intp)
    right = np.clip(np.searchsorted(ordered, keys), 0, len(ordered) - 1)
    left = np.maximum(right - 1, 0)
    nearest = np.where(np.abs(ordered[left] - keys) <= np.abs(ordered[right] - keys), left, right)
    return np.where(np.isfinite(keys), nearest, -1)
