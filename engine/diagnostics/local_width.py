"""How wide the normal is that is as sharp as the surrogate about the best run, and how well the surrogate knows that."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..numerics.curvature import curvature_at
from ..numerics.linear_algebra import stable_factors
from ..numerics.mixture_modes import covariance_about
from ..session.local_width import LocalWidth

Array = NDArray[np.float64]


class _Surrogate(Protocol):
    def mean(self, b: Array) -> Array: ...

    def mean_functional_variance(self, b: Array, weights: Array) -> float: ...


class _Mixture(Protocol):
    @property
    def weights(self) -> Array: ...
    @property
    def means(self) -> Array: ...
    @property
    def covariances(self) -> Array: ...


class _Frame(Protocol):
    @property
    def scale(self) -> Array: ...

    def back(self, b: Array) -> Array: ...


def local_width(
    surrogate: _Surrogate, box: _Frame, mixture: _Mixture, place: Array, calibration: float
) -> dict[str, Array]:
    """Arrays of a ``session.local_width.LocalWidth``; none where the surrogate has no peak at the run ``place`` (D,).

    ``place`` and ``mixture`` (of the posterior: where to begin) in the surrogate's frame, which ``box`` brings back.
    ``calibration``: errors of predictions in units of those stated, which enlarge its doubt.
    """
    root = stable_factors(covariance_about(mixture.weights, mixture.means, mixture.covariances, place))
    found = curvature_at(surrogate.mean, place, root)
    if found is None:
        return {}
    points, weights = found.stencils()
    error = np.sqrt([surrogate.mean_functional_variance(p, weights) for p in points])
    scale = np.outer(box.scale, box.scale)
    return LocalWidth(box.back(place[None])[0], found.covariance * scale, error * max(calibration, 1.0)).arrays()
