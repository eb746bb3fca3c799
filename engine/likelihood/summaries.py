"""Summary statistics of simulated and measured outputs: the same numbers of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..problem import definition as d
from ..problem.data.rows.comparison import ComparisonError, compare_match, measured_values
from ..problem.numbers.shown_digits import spoken
from . import measurement_error
from .errors import LikelihoodError

Array = NDArray[np.float64]

SAME = 1e-13  # relative: what a sum rounds to
OTHER_RANGES = (
    "There the program never gives what was measured: try other plausible ranges, and check that this output is what the data "
    "column holds."
)


def summarize(summary: d.Summary, x: ArrayLike) -> Array:
    """The statistic's numbers (k,) of values x (n,); missing values (NaN) are left out. Raises LikelihoodError."""
    given = np.asarray(x, dtype=float).ravel()
    values = given[~np.isnan(given)]
    n, name = len(values), summary.output
    if n == 0:
        raise LikelihoodError(f"The output “{name}” has no values to summarize.")
    match summary.statistic:
        case "values":
            return np.asarray(values, dtype=float)
        case "mean" | "quantiles":
            return _at_once(summary, values)
        case "sd" | "log_sd":
            if n < 2:
                raise LikelihoodError(f"The output “{name}” has a single value; its standard deviation is not defined.")
            return _at_once(summary, values)
        case "autocorrelation":
            if n <= summary.lags + 1:
                raise LikelihoodError(
                    f"The output “{name}” has {n} values; autocorrelations up to lag {summary.lags} need more."
                )
            centred = values - values.mean()
            variance = float(centred @ centred)
            if variance == 0.0:
                return np.zeros(summary.lags)  # a constant series correlates with nothing
            return np.array([float(centred[:-j] @ centred[j:]) / variance for j in range(1, summary.lags + 1)])
        case "histogram":
            return np.histogram(values, bins=np.asarray(summary.edges, dtype=float))[0] / n
    raise LikelihoodError(f"There is no statistic called “{summary.statistic}”.")  # pragma: no cover


def _at_once(summary: d.Summary, values: Array) -> Array:
    """Mean, sd, log sd or quantiles (..., k) of values (..., n), n > 1 for an sd, none of them missing."""
    if summary.statistic == "mean":
        return np.asarray(values.mean(axis=-1, keepdims=True), dtype=float)
    if summary.statistic == "quantiles":
        return np.asarray(np.moveaxis(np.quantile(values, summary.levels, axis=-1), 0, -1), dtype=float)
    sd = np.asarray(values.std(axis=-1, ddof=1, keepdims=True), dtype=float)
    return sd if summary.statistic == "sd" else np.log(np.maximum(sd, 1e-12))


def _of_each(summary: d.Summary, runs: Array) -> list[Array]:
    """``summarize`` of each run (R, L); in one step where it can be, as there may be thousands of runs."""
    if summary.statistic in ("mean", "sd", "log_sd", "quantiles") and runs.shape[1] > 1 and not np.isnan(runs).any():
        return list(_at_once(summary, np.ascontiguousarray(runs)))  # so that sums round as those of one run
    return [summarize(summary, run) for run in runs]


def names_of(summary: d.Summary, count: int) -> list[str]:
    """What each of the ``count`` numbers is called in sentences."""
    words = {"values": "value", "log_sd": "log sd"}.get(summary.statistic, summary.statistic)
    if count == 1:
        return [f"{words} of “{summary.output}”"]
    if summary.statistic == "quantiles":
        return [f"{spoken(100 * q)} % quantile of “{summary.output}”" for q in summary.levels]
    if summary.statistic == "autocorrelation":
        return [f"autocorrelation of “{summary.output}” at lag {j + 1}" for j in range(count)]
    if summary.statistic == "histogram":
        return [f"share of “{summary.output}” in bin {j + 1}" for j in range(count)]
    return [f"{words} {j + 1} of “{summary.output}”" for j in range(count)]


def observed(problem: d.Problem, summaries: tuple[d.Summary, ...]) -> list[Array]:
    """The measured numbers of each summary. Raises LikelihoodError."""
    if problem.data is None:
        raise LikelihoodError("There are no measured data to summarize.")
    found = []
    for s in summaries:
        if s.column not in problem.data.columns:
            raise LikelihoodError(f"The data have no column “{s.column}”.")
        column = [np.nan if v is None else v for v in problem.data.columns[s.column]]
        found.append(summarize(s, np.array(column, dtype=float)))
    return found


def stacked(outputs: Mapping[str, ArrayLike], name: str) -> Array:
    """The output of several runs as (R, L); a single run's vector is (1, L). Raises LikelihoodError if it is missing."""
    if name not in outputs:
        raise LikelihoodError(f"The output “{name}” was not read from the program.")
    return np.atleast_2d(np.asarray(outputs[name], dtype=float))


def at_keys(problem: d.Problem, summary: d.Summary, outputs: Mapping[str, ArrayLike]) -> Array:
    """The output of several runs (R, L) in the unit of the data, where it has a key only the values at the measured rows' keys
    (R, n).

    Raises LikelihoodError if a run has no row for one of them, or several that differ.
    """
    runs = summary.factor * stacked(outputs, summary.output) + summary.offset
    if summary.key_output is None or summary.key_column is None or problem.data is None:
        return runs
    places = stacked(outputs, summary.key_output)
    if places.shape != runs.shape:
        raise LikelihoodError(
            f"The output “{summary.output}” has {runs.shape[1]} values, its key “{summary.key_output}” has {places.shape[1]}."
        )
    match = d.Match(
        output=summary.output, column=summary.column, key_output=summary.key_output, key_column=summary.key_column
    )
    try:
        found = [compare_match(match, problem.data, {summary.output: y, summary.key_output: x})
                 for y, x in zip(runs, places, strict=True)]  # fmt: skip
    except ComparisonError as error:
        raise LikelihoodError(error.what) from error
    return np.stack([c.prediction[~np.isnan(measured_values(match, problem.data))] for c in found])


@dataclass(frozen=True)
class Compared:
    """Summaries side by side: ``simulated`` (R, k), ``measured`` (k,), ``scales`` (k,), ``names`` (k,).

    ``error`` (k, k): covariance of the measurement errors that the simulated ones lack; None: there are none, or they are in.
    """

    simulated: Array
    measured: Array
    scales: Array
    names: list[str]
    error: Array | None


def compared(
    problem: d.Problem, meaning: d.SyntheticLikelihood | d.ApproximateBayes, outputs: Mapping[str, ArrayLike]
) -> Compared:
    """All summaries of ``meaning``. Raises LikelihoodError with a sentence."""
    simulated, measured, scales, names = [], [], [], []
    drawn = measurement_error.needs_draws(meaning)
    for s, target in zip(meaning.summaries, observed(problem, meaning.summaries), strict=True):
        runs = at_keys(problem, s, outputs)
        if drawn and measurement_error.has_error(s):
            runs = measurement_error.measured_once(problem, s, runs)
        rows = _of_each(s, runs)
        wrong = next((r for r in rows if len(r) != len(target)), None)
        if wrong is not None:
            raise LikelihoodError(
                f"The output “{s.output}” has {len(wrong)} values, the data column “{s.column}” has {len(target)}; "
                "they cannot be compared one by one. Compare their mean, sd or quantiles instead."
            )
        if s.scale and len(s.scale) not in (1, len(target)):
            raise LikelihoodError(
                f"The summary of “{s.output}” has {len(target)} numbers, but {len(s.scale)} scales are given."
            )
        simulated.append(np.array(rows))
        measured.append(target)
        scales.append(np.broadcast_to(np.array(s.scale or (1.0,)), target.shape))
        names += names_of(s, len(target))
    lengths = {len(rows) for rows in simulated}
    if len(lengths) != 1:
        raise LikelihoodError("The outputs were not read in the same number of runs.")
    every = np.concatenate(simulated, axis=1)
    if not np.all(np.isfinite(every)):
        bad = names[int(np.argmax(~np.isfinite(every).all(0)))]
        raise LikelihoodError(f"The {bad} is not a finite number in some run.")
    closed = not drawn and any(map(measurement_error.has_error, meaning.summaries))
    error = measurement_error.covariance(problem, meaning.summaries) if closed else None
    return Compared(every, np.concatenate(measured), np.concatenate(scales), names, error)


def identical(runs: Array) -> bool:
    """Whether all rows (R, k) are the same, R > 1."""
    return len(runs) > 1 and bool(np.all(runs == runs[0]))


def never_reached(runs: Array, measured: Array) -> NDArray[np.bool_]:
    """Which summaries (k,) are the same in all ``runs`` (R, k), and another one was ``measured`` (k,)."""
    same = runs.std(0) <= SAME * np.maximum(np.abs(runs).max(0), 1e-300)
    return np.asarray(same & (np.abs(runs[0] - measured) > SAME * np.maximum(np.abs(runs[0]), np.abs(measured))))


def same_but(name: str, values: Array, measured: float) -> str:
    """What is said of a summary ``name`` whose ``values`` (R,) all are one that was not measured: a sentence."""
    return f"The {name} is {spoken(values[0])} in all {len(values)} runs, but {spoken(measured)} was measured."


def same_in_all(count: int) -> str:
    """What to say when all repeats agree to the last digit."""
    return (
        f"All {count} runs at this point gave exactly the same result. Either the program is not random, or its random seed is "
        "fixed: pass it the placeholder @seed@, which is a new number in every run."
    )
