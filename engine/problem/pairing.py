"""Which row of an output belongs to which row of the data: by the key of both, or in order."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import definition as d
from .text_keys import FIRST_LABEL, plain

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
NEAREST_SHOWN = 3  # keys of the output beside a data row that has none
MOST_COMPARED = 2_000  # labels of an output that one label is compared with by their letters: difflib takes time


@dataclass(frozen=True)
class Unpaired:
    """A measured row that no row of the output belongs to. ``row`` of the table from 1; ``key`` as the data have it ('': none).

    ``nearest``: positions (from 0) of the output's rows with the most similar keys, the nearest first.
    """

    row: int
    key: str
    nearest: tuple[int, ...] = ()


def in_order(output: int, measured: Sequence[bool] | NDArray[np.bool_], left_out: Sequence[int]) -> Rows | None:
    """For each data row the position of its output value, -1 for none; None if the lengths do not fit.

    ``output``: how many values the program gave. They are one for each measured value; or one for each row of the table, those
    without a measured value included.
    """
    there = np.array(measured, dtype=bool)
    kept = there.copy()
    kept[[row - 1 for row in left_out if 1 <= row <= len(there)]] = False
    for rows in (kept, there, np.ones(len(there), dtype=bool)):
        if output == int(rows.sum()):
            return np.where(rows, np.cumsum(rows) - 1, -1)
    return None


def by_key(match: d.Match, keys: Array, found: Array) -> Rows:
    """For each data key (n,) the position of the nearest of the output's keys (m,), -1 if none lies within the tolerance."""
    usable = np.flatnonzero(np.isfinite(found))
    order = usable[np.argsort(found[usable], kind="stable")]
    ordered = found[order]
    nearest = _nearest(ordered, keys)
    paired = nearest >= 0
    paired[paired] = np.abs(ordered[nearest[paired]] - keys[paired]) <= tolerance(match, keys)[paired]
    rows = np.full(len(keys), -1, dtype=np.intp)
    rows[paired] = order[nearest[paired]]
    return rows


def within(keys: Array, found: Array) -> NDArray[np.bool_]:
    """Which data keys (n,) are numbers between the smallest and the largest of the output's keys (m,)."""
    known = found[np.isfinite(found) & (found < FIRST_LABEL)]
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    lowest, highest = float(known.min()), float(known.max())
    return np.isfinite(keys) & (keys >= lowest) & (keys <= highest)


def on_line(keys: Array, found: Array, output: Array) -> Array:
    """The output (m,) at each data key (n,), on the straight line between its neighbours; NaN outside of the output's keys."""
    usable = np.flatnonzero(np.isfinite(found) & (found < FIRST_LABEL))
    order = usable[np.argsort(found[usable], kind="stable")]
    inside = within(keys, found)
    values = np.full(len(keys), np.nan)
    values[inside] = np.interp(keys[inside], found[order], output[order])
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
    return np.where(keys >= FIRST_LABEL, 0.0, found)


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
