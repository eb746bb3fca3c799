"""About how large the noise of measured values is: the units in which outputs are learnt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem import definition as d
from ..problem.placeholders import normal
from .errors import LikelihoodError

Array = NDArray[np.float64]


def size_of(sizes: Mapping[str, float], given: float | str | None, parameter: str | None = None) -> float:
    """The size of the noise: a number that is given, or the value in ``sizes`` (by normal names) of a parameter.

    Raises LikelihoodError if neither is there.
    """
    name = parameter if parameter is not None else given
    if isinstance(name, str):
        return abs(sizes[normal(name)])
    if name is None:
        raise LikelihoodError("The size of the noise is not given.")
    return float(name)


@dataclass(frozen=True)
class Measured:
    """The values y (m,) of one comparison with their noise model; ``scale`` (m,): sizes of the errors, if a column gives them."""

    noise: d.NoiseModel
    y: Array
    scale: Array | None

    def units(self, sizes: Mapping[str, float], predicted: Array | None = None) -> Array:
        """About the sd of the noise (m,), with noise parameters ``sizes`` by normal names.

        ``predicted`` (m,): predictions beside which a size that is integrated out is what the residuals leave of its prior.
        """
        y, scale = self.y, self.scale
        match self.noise:
            case d.GaussianKnown(sd=sd):
                return scale if scale is not None else np.full(len(y), size_of(sizes, sd))
            case d.GaussianInferred(parameter=parameter):
                return np.full(len(y), size_of(sizes, parameter))
            case d.GaussianIntegrated(shape=a, scale=b, per_point=per_point):
                if predicted is None or per_point:
                    return np.full(len(y), math.sqrt(b / a))
                squares = float(np.square(y - predicted).sum())
                return np.full(len(y), math.sqrt((b + 0.5 * squares) / (a + 0.5 * len(y))))
            case d.StudentTNoise(scale=s, parameter=parameter):
                return scale if scale is not None else np.full(len(y), size_of(sizes, s, parameter))
            case d.LogNormalNoise(log_sd=s, parameter=parameter):
                return np.abs(y) * size_of(sizes, s, parameter)
            case d.PoissonNoise():
                return np.sqrt(np.maximum(y, 1.0))
            case d.NegativeBinomialNoise(size=k, parameter=parameter):
                return np.sqrt(np.maximum(y, 1.0) + np.square(y) / size_of(sizes, k, parameter))
            case d.Ar1Noise(sd=sd):
                return np.full(len(y), size_of(sizes, sd))
            case d.CovarianceNoise(matrix=matrix):
                diagonal = np.array([row[i] for i, row in enumerate(matrix)])
                mean = float(np.sqrt(diagonal.mean()))
                return np.sqrt(diagonal) if len(diagonal) == len(y) else np.full(len(y), mean)
