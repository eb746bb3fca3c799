"""What a run that lacks some of its outputs gave: its predictions of the measured values, none where it printed none."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ... import definition as d
from .comparison import ComparisonError, compare_match, key_codes, key_values, keyed_rows, measured_cells, vector
from .own_rows import in_order
from .pairing import ambiguous, on_line, one_code

Array = NDArray[np.float64]


def given_cells(problem: d.Problem, outputs: Mapping[str, ArrayLike]) -> Array:
    """Predictions (L,) of every measured value, NaN where ``outputs`` lack one or it is not finite.

    Rows are paired as ``comparison.compare`` does. An output that cannot be paired gives none at all: one whose key is not read,
    or in which keys stand twice, or, paired in order, one of another length; values that are chosen by their numbers are given as
    far as it goes. Raises ComparisonError for data that lack a column.
    """
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    found = []
    for match in problem.meaning.matches:
        there = ~np.isnan(measured_cells(match, problem.data))
        predicted = _given(match, problem.data, outputs, there)[there]
        found.append(np.where(np.isfinite(predicted), predicted, math.nan))
    return np.concatenate(found)


def _given(match: d.Match, data: d.DataTable, outputs: Mapping[str, ArrayLike], there: NDArray[np.bool_]) -> Array:
    """(n,) over the rows of the data, ``there`` (n,): those with a measured value."""
    try:
        return compare_match(match, data, outputs).prediction
    except ComparisonError:
        nothing = np.full(len(there), math.nan)
    names = (match.output, *(name for name, _ in match.keys))
    if any(name not in outputs for name in names):
        return nothing
    output, found = vector(outputs, match.output), key_values(match, outputs)
    if not len(output) or any(len(f) != len(output) for f in found):
        return nothing
    output = match.factor * output + match.offset
    if not match.keys:
        if match.rows and len(output) < max(match.rows):  # by their numbers: those before its end are known
            output = np.concatenate([output, np.full(max(match.rows) - len(output), math.nan)])
        rows = in_order(len(output), match, data)
        return nothing if rows is None else _taken(output, rows)
    keys = [key_codes(data, name) for _, name in match.keys]
    if match.interpolate:
        known = np.flatnonzero(np.isfinite(np.stack(found)).all(axis=0))
        return nothing if ambiguous(one_code(found), output, known) is not None else on_line(keys, found, output)
    try:
        paired, found = keyed_rows(match, data, keys, found)
    except ComparisonError:
        return nothing
    rows = np.where(there, paired, -1)
    return nothing if ambiguous(one_code(found), output, rows) is not None else _taken(output, rows)


def _taken(output: Array, rows: NDArray[np.intp]) -> Array:
    return np.where(rows >= 0, output[rows], math.nan)
