"""The summaries of the runs at a point as a vector: their mean and covariance, of which a synthetic likelihood is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..problem import definition as d
from ..problem.errors import ProblemError
from . import measurement_error
from .errors import LikelihoodError
from .summaries import compared, observed
from .synthetic import shrunk

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PointSummaries:
    """``measured`` (k,); ``error`` (k, k): covariance of the measurement errors that the simulated ones lack. In their scales.

    A point's cells are the number of runs R, the mean (k,) and the upper triangle of the covariance (divisor R - 1).
    """

    problem: d.Problem
    meaning: d.SyntheticLikelihood
    measured: Array
    error: Array

    @classmethod
    def of(cls, problem: d.Problem) -> Self | None:
        """None where the problem's is no synthetic likelihood. Raises LikelihoodError for data that cannot be summarized."""
        meaning = problem.meaning
        if not isinstance(meaning, d.SyntheticLikelihood) or not meaning.summaries:
            return None
        each = observed(problem, meaning.summaries)
        parts = [np.broadcast_to(np.array(s.scale or (1.0,)), m.shape) for s, m in zip(meaning.summaries, each, strict=True)]
        scales = np.concatenate(parts)
        k = len(scales)
        closed = not measurement_error.needs_draws(meaning) and any(map(measurement_error.has_error, meaning.summaries))
        error = measurement_error.covariance(problem, meaning.summaries) if closed else np.zeros((k, k))
        return cls(problem, meaning, np.concatenate(each) / scales, error / np.outer(scales, scales))

    def cells(self, outputs: Mapping[str, ArrayLike]) -> Array:
        """Of the runs at a point (1 + k + k (k + 1) / 2,). Raises ProblemError where they cannot be summarized."""
        try:
            c = compared(self.problem, self.meaning, outputs)
        except LikelihoodError as error:
            raise ProblemError(str(error)) from error
        return packed(c.simulated / c.scales, self.meaning.shrinkage)

    def given(self, outputs: Mapping[str, ArrayLike]) -> Array:
        """The same of runs without a likelihood: nothing is known."""
        k = len(self.measured)
        return np.full(1 + k + k * (k + 1) // 2, np.nan)


def packed(simulated: Array, shrinkage: float = 0.0) -> Array:
    """The cells (1 + k + k (k + 1) / 2,) of summaries (R, k), R > 1."""
    r, k = simulated.shape
    covariance = np.cov(simulated.T).reshape(k, k)
    covariance = shrunk(covariance, shrinkage) if shrinkage > 0.0 else covariance
    return np.concatenate([[float(r)], simulated.mean(0), covariance[np.triu_indices(k)]])


def unpacked(cells: Array, k: int) -> tuple[Array, Array, Array]:
    """Numbers of runs (n,), means (n, k) and covariances (n, k, k) of cells (n, 1 + k + k (k + 1) / 2)."""
    covariances = np.zeros((len(cells), k, k))
    i, j = np.triu_indices(k)
    covariances[:, i, j] = covariances[:, j, i] = cells[:, 1 + k :]
    return cells[:, 0], cells[:, 1 : 1 + k], covariances
