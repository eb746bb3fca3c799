"""What every surrogate of the log joint can do that explored, certified and shown answers are made from; box frame."""

from __future__ import annotations

from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class LogJoint(Protocol):
    """b (n, D): the evaluations, y (n,): their log joint less the largest, noise (n,): variances."""

    @property
    def variance_is_free(self) -> bool:
        """Whether ``predict`` costs no more than ``mean``."""
        ...

    @property
    def b(self) -> Array: ...

    @property
    def y(self) -> Array: ...

    @property
    def noise(self) -> Array: ...

    @property
    def dimension(self) -> int: ...

    def predict(self, b: Array) -> tuple[Array, Array]:
        """Mean and variance (m,) at b (m, D)."""
        ...

    def mean(self, b: Array) -> Array: ...

    def trusted(self, b: Array) -> Array:
        """The mean (m,) less what is held against it where the surrogate is unsure."""
        ...

    def variance(self, b: Array) -> Array: ...

    def upper(self, b: Array, mean: Array, sd: Array, sds: float) -> Array:
        """The log joint (m,) that may be hidden at b (m, D) if the surrogate, of that mean and sd, is off by so many sds."""
        ...

    def with_pending(self, b: Array) -> Self:
        """Conditioned on pending points (p, D) as if they came out as predicted: only variances change."""
        ...

    def leave_one_out(self) -> tuple[Array, Array]:
        """Residual y_i - m_(-i) and predictive variance (n,) of every evaluation, hyperparameters fixed."""
        ...

    def joint_covariance(self, b: Array) -> Array:
        """Posterior covariance (m, m) of f at b (m, D)."""
        ...

    def mean_functional_variance(self, b: Array, weights: Array) -> float:
        """Variance of sum_j w_j f(b_j) for points b (m, D), weights (m,)."""
        ...
