"""The numbers that a summary compares, of runs and of the data, as the engine has them; for the window. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, measured_values
from bayescope.engine.problem.definition import Match, Problem, Summary

Array = NDArray[np.float64]


def runs_at_keys(problem: Problem, summary: Summary, outputs: Mapping[str, Array]) -> Array:
    """The output of the runs (R, L), in the unit of the data; where it has a key only at those of the data (R, n); empty where
    these are not all there."""
    runs, data = np.asarray(outputs.get(summary.output, np.empty(0)), dtype=float), problem.data
    runs = summary.factor * runs + summary.offset
    if summary.key_output is None or data is None or runs.ndim != 2:
        return runs
    places = np.asarray(outputs.get(summary.key_output, np.empty(0)), dtype=float)
    if places.shape != runs.shape:
        return np.empty(0)
    match = Match(
        output=summary.output, column=summary.column, key_output=summary.key_output, key_column=summary.key_column
    )
    try:
        found = [compare_match(match, data, {match.output: y, summary.key_output: x}) for y, x in zip(runs, places, strict=True)]
        return np.stack([c.prediction[~np.isnan(measured_values(match, data))] for c in found])
    except ComparisonError:
        return np.empty(0)


def measured_in(problem: Problem, summary: Summary) -> Array:
    """What was measured (n,), without missing values; empty: nothing was."""
    columns = problem.data.columns if problem.data is not None else {}
    cells = np.array([np.nan if v is None else v for v in columns.get(summary.column, ())], dtype=float)
    return np.asarray(cells[~np.isnan(cells)])


def sizes_of(summary: Summary, values: Array) -> Array:
    """The numbers (k,) of ``summary`` that are as many times larger as ``values`` (n,) are; empty where there are none."""
    there = values[~np.isnan(values)]
    if not len(there):
        return there
    match summary.statistic:
        case "values":
            return there
        case "mean":
            return np.array([there.mean()])
        case "quantiles":
            return np.asarray(np.quantile(there, summary.levels))
        case "sd" if len(there) > 1:
            return np.array([there.std(ddof=1)])
    return np.empty(0)
