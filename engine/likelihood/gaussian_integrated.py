"""Gaussian noise whose variance ~ InverseGamma(shape, scale) has been integrated out."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from . import student_t
from .gaussian import LOG_2PI

Array = NDArray[np.float64]


def per_point(data: Array, prediction: Array, shape: float, scale: float) -> float:
    """Each point has its own variance: product of Student-t densities T(data; prediction, scale / shape, 2 shape).

    Seed 000 eq 7.7; the second argument of T is a squared scale, the third its degrees of freedom. Arrays (n,).
    """
    return student_t.log_density(data, prediction, math.sqrt(scale / shape), 2.0 * shape)


def shared(data: Array, prediction: Array, shape: float, scale: float) -> float:
    """One variance for all points: a multivariate Student-t density in the residuals. Arrays (n,).

    int prod_i N(r_i; 0, v) InvGamma(v; a, b) dv = (2 pi)^(-n/2) b^a Gamma(a + n/2) / (Gamma(a) (b + sum r^2 / 2)^(a + n/2)).
    """
    half = 0.5 * data.size
    squares = float(np.sum((data - prediction) ** 2))
    # written with log1p so that a huge scale loses nothing
    tail = (shape + half) * math.log1p(0.5 * squares / scale) if math.isfinite(squares) else math.inf
    return math.lgamma(shape + half) - math.lgamma(shape) - half * (LOG_2PI + math.log(scale)) - tail
