"""Measurement error of the data in likelihoods of random simulations: measured = simulated + normal error of known sd.

Of summaries that are linear in the values (the values, their mean) the errors are normal with a known covariance, which the
likelihoods add in closed form. For other summaries, and estimators without a closed form, each simulated run gets errors of its
own before it is summarized: it is then a draw of what would have been measured.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from ..problem import definition as d
from ..problem.data.errors.error_sum import taken_together
from .errors import LikelihoodError

Array = NDArray[np.float64]

LINEAR = ("values", "mean")


def has_error(summary: d.Summary) -> bool:
    return any(v is not None for v in (summary.error_sd, summary.error_column, summary.error_percent))


def needs_draws(meaning: d.SyntheticLikelihood | d.ApproximateBayes) -> bool:
    """Whether errors have to be drawn and added to the simulated values, because they have no closed form here."""
    if not any(map(has_error, meaning.summaries)):
        return False
    if isinstance(meaning, d.SyntheticLikelihood):
        closed = meaning.estimator != "unbiased" or meaning.shrinkage > 0.0
    else:
        closed = meaning.kernel == "gaussian"
    return not closed or any(has_error(s) and s.statistic not in LINEAR for s in meaning.summaries)


def sds(problem: d.Problem, summary: d.Summary) -> Array:
    """Standard deviation of the error of each measured value (n,), missing values left out; 0 where none is declared.

    Raises LikelihoodError if a measured value has none.
    """
    columns = problem.data.columns if problem.data is not None else {}
    measured = columns.get(summary.column, ())
    present = [i for i, v in enumerate(measured) if v is not None]
    share = (summary.error_percent or 0.0) / 100.0 * np.array([abs(v) for v in measured if v is not None])
    if summary.error_column is None:
        return taken_together(summary.error_sd or 0.0, share, summary.error_together)
    if summary.error_column not in columns:
        raise LikelihoodError(f"The data have no column “{summary.error_column}”.")
    given = columns[summary.error_column]
    found = np.array([np.nan if given[i] is None else given[i] for i in present], dtype=float)
    if not np.all(found >= 0.0):
        row = present[int(np.argmin(found >= 0.0))] + 1
        raise LikelihoodError(f"The measurement error of “{summary.column}” in row {row} is missing or negative.")
    return taken_together(found, share, summary.error_together)


def covariance(problem: d.Problem, summaries: tuple[d.Summary, ...]) -> Array:
    """Covariance (k, k) of the errors of all summaries, which are linear where they have any. Raises LikelihoodError.

    Summaries of one data column share its errors.
    """
    blocks = []
    for s in summaries:
        sd = sds(problem, s)
        mixes = np.full((1, len(sd)), 1.0 / max(len(sd), 1)) if s.statistic == "mean" else np.eye(len(sd))
        if s.statistic not in LINEAR:
            mixes = np.zeros((_numbers(s), len(sd)))
        blocks.append(mixes * sd)
    rows = []
    for a, first in zip(summaries, blocks, strict=True):
        pairs = zip(summaries, blocks, strict=True)
        row = [first @ b.T if a.column == s.column else np.zeros((len(first), len(b))) for s, b in pairs]
        rows.append(np.concatenate(row, axis=1))
    return np.concatenate(rows, axis=0)


def _numbers(summary: d.Summary) -> int:
    sizes = {"quantiles": len(summary.levels), "autocorrelation": summary.lags, "histogram": len(summary.edges) - 1}
    return sizes.get(summary.statistic, 1)


def measured_once(problem: d.Problem, summary: d.Summary, runs: Array) -> Array:
    """Simulated values (R, L) of the output of ``summary`` with an error drawn for each: draws of what is measured.

    The draws depend on the problem's seed and on the values alone; summaries of one output and column share them.
    Raises LikelihoodError unless as many values are simulated as were measured.
    """
    sd = sds(problem, summary)
    if runs.shape[1] != len(sd):
        raise LikelihoodError(
            f"The output “{summary.output}” has {runs.shape[1]} values, the data column “{summary.column}” has {len(sd)}; to add "
            "measurement errors as many values must be simulated as were measured."
        )
    key = zlib.crc32(f"{summary.output}\0{summary.column}".encode(), zlib.crc32(np.ascontiguousarray(runs).tobytes()))
    rng = np.random.default_rng(np.random.SeedSequence(problem.settings.seed, spawn_key=(key,)))
    return runs + sd * rng.standard_normal(runs.shape)
