"""Measured rows before the first and after the last place that a program prints: left out of what is interpolated. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.rows.comparison import ComparisonError, key_codes, key_values, measured_values
from bayescope.engine.problem.data.rows.pairing import within
from bayescope.engine.problem.definition import DataTable, Match
from bayescope.gui.models.data.keys.gaps import in_one_gap

MOST_OUTSIDE = 0.5  # of the measured rows: where more lie outside, the program or the key is another one


def without_outside(match: Match, data: DataTable, outputs: Mapping[str, NDArray[np.float64]]) -> tuple[Match, int] | None:
    """``match``, which interpolates, without the measured rows that lie between no two rows of its output, and how many these
    are, 0 if none; rows that were out only for that before are looked at anew. None: they are too many, or cannot be told, or all
    lie between the same two rows: those are places of something else."""
    agreed, match = match.outside is not None, inside_again(match)
    try:
        measured = ~np.isnan(measured_values(match, data))
        inside = within([key_codes(data, column) for _, column in match.keys], key_values(match, outputs))
    except ComparisonError:
        return None
    if not match.keys or len(inside) != len(measured):
        return None
    if len(match.keys) == 1 and in_one_gap(key_codes(data, match.keys[0][1])[measured], key_values(match, outputs)[0]):
        return None
    out = np.flatnonzero(measured & ~inside)
    if len(out) >= MOST_OUTSIDE * measured.sum() > 0:
        return None
    rows = tuple(int(i) + 1 for i in out)
    return left_outside(match, rows) if rows or agreed else match, len(out)


def left_outside(match: Match, rows: Sequence[int]) -> Match:
    """``match`` with ``rows`` (from 1) left out for lying outside, beside those that the user left out."""
    own = inside_again(match)
    outside = tuple(sorted(set(rows) - set(own.left_out)))
    return msgspec.structs.replace(own, left_out=tuple(sorted({*own.left_out, *outside})), outside=outside)


def inside_again(match: Match) -> Match:
    """``match`` without only those rows that the user left out."""
    outside = match.outside or ()
    return msgspec.structs.replace(match, left_out=tuple(r for r in match.left_out if r not in outside), outside=None)


def outside_words(out: int, measured: int) -> str:
    """How many of the ``measured`` rows are left out, a sentence; '' for none."""
    if not out:
        return ""
    lies = "lies" if out == 1 else "lie"
    left = "it is left out" if out == 1 else "they are left out"
    return f"{out} of {measured} measured rows {lies} before the first or after the last place that the program prints: {left}."
