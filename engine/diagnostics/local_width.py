"""How wide the normal is that is as sharp as the surrogate about the best run, and how well the surrogate knows that."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..answer.local_width import LocalWidth
from ..numerics.curvature import curvature_at
from ..numerics.linear_algebra import stable_factors
from ..numerics.mixture_modes import covariance_about
from ..sampling.mixture import GaussianMixture

Array = NDArray[np.float64]


class _Surrogate(Protocol):
    def mean(self, b: Array) -> Array: ...

    def mean_functional_variance(self, b: Array, weights: Array) -> float: ...


class _Frame(Protocol):
    @property
    def scale(self) -> Array: ...

    def back(self, b: Array) -> Array: ...


def local_width(
    surrogate: _Surrogate, box: _Frame, mixture: GaussianMixture, place: Array, calibration: float
) -> dict[str, Array]:
    """Arrays of a ``session.local_width.LocalWidth``; its error is infinite where the surrogate has no peak at ``place`` (D,).

    The run ``place`` and ``mixture`` (of the posterior: where to begin) are in the surrogate's frame, which ``box`` brings back.
    ``calibration``: errors of predictions in units of those stated, which enlarge its doubt.
    """
    covariance = covariance_about(mixture.weights, mixture.means, mixture.covariances, place, mixture.modes)
    error = np.full(len(place), np.inf)
    found = curvature_at(surrogate.mean, place, stable_factors(covariance))
    if found is not None:
        points, weights = found.stencils()
        covariance = found.covariance
        error = max(calibration, 1.0) * np.sqrt([surrogate.mean_functional_variance(p, weights) for p in points])
    return LocalWidth(box.back(place[None])[0], covariance * np.outer(box.scale, box.scale), error).arrays()
