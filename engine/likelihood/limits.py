"""Cells that give a limit only: the probability that a measurement lies on their side of it (a Tobit likelihood)."""

# Tobin 1958; for laboratory data: Helsel 2012, chapter 2

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import scipy  # its parts are imported when they are first used: most runs need none
from numpy.typing import NDArray

from ..numerics import log_tails
from ..problem import definition as d
from ..problem.checks.check_limits import NOT_WITH, OFF, why_not
from ..problem.data.rows.comparison import Comparison
from .errors import LikelihoodError
from .given import given, positive, scales

Array = NDArray[np.float64]
Sides = NDArray[np.int8]


def log_probability(noise: d.NoiseModel, c: Comparison, values: Mapping[str, float]) -> float:
    """Sum over the limits of a comparison of the log probability of a value there; 0 where it has none, and where ``require``
    finds noise that has no use for them. ``values``: all parameters. Raises LikelihoodError."""
    rows = c.limited
    if not np.any(rows):
        return 0.0
    limit, f, sides, closed = c.data[rows], c.prediction[rows], c.limits.sides[rows], c.limits.closed[rows]
    match noise:
        case d.GaussianKnown(sd=sd):
            return gaussian(limit, sides, f, scales(c, rows, sd))
        case d.GaussianInferred(parameter=parameter):
            return gaussian(limit, sides, f, positive(values, parameter))
        case d.GaussianIntegrated(shape=shape, scale=scale, per_point=True):
            return student_t(limit, sides, f, math.sqrt(scale / shape), 2.0 * shape)
        case d.StudentTNoise(dof=dof, scale=number, parameter=name):
            common = number if name is None else positive(values, name)
            return student_t(limit, sides, f, scales(c, rows, common), dof)
        case d.LogNormalNoise(log_sd=log_sd, parameter=name):
            return gaussian(np.log(limit), sides, np.log(f), given(values, log_sd, name, "log-normal noise"))
        case d.PoissonNoise():
            return poisson(count_at(limit, sides, closed), sides, f)
        case d.NegativeBinomialNoise(size=size, parameter=name):
            dispersion = given(values, size, name, "negative binomial noise")
            return negative_binomial(count_at(limit, sides, closed), sides, f, dispersion)
    return 0.0


def require(noise: d.NoiseModel | None, found: Sequence[Comparison]) -> None:
    """Raises LikelihoodError where a comparison has limits that this noise has no use for; None: beside a program that may be
    off."""
    why = OFF if noise is None else why_not(noise)
    limited = next((c for c in found if why and np.any(c.limited)), None)
    if limited is not None:
        raise LikelihoodError(NOT_WITH.format(limited.match.column, why))


def gaussian(limit: Array, sides: Sides, prediction: Array, sd: Array | float) -> float:
    """Sum of log Phi((limit - prediction) / sd) where values lie below, of the other tail where they lie above; arrays (n,)."""
    return float(np.sum(scipy.special.log_ndtr(sides * (prediction - limit) / sd)))


def student_t(limit: Array, sides: Sides, prediction: Array, scale: Array | float, dof: float) -> float:
    """The same with Student's t."""
    return float(np.sum(log_tails.log_stdtr(sides * (prediction - limit) / scale, dof)))


def count_at(limit: Array, sides: Sides, closed: NDArray[np.bool_]) -> Array:
    """The largest count below a limit, or the smallest above it (n,); ``closed``: the limit itself is possible."""
    below = np.where(closed, np.floor(limit), np.ceil(limit) - 1.0)
    return np.where(sides < 0, below, np.where(closed, np.ceil(limit), np.floor(limit) + 1.0))


def poisson(counts: Array, sides: Sides, mean: Array) -> float:
    """Sum of log P(N <= count) below, log P(N >= count) above; arrays (n,)."""
    low, high = log_tails.log_poisson_below(counts, mean), log_tails.log_poisson_above(counts, mean)
    return float(np.sum(np.where(sides < 0, low, high)))


def negative_binomial(counts: Array, sides: Sides, mean: Array, size: float) -> float:
    """The same of counts of variance mean + mean^2 / size."""
    low = log_tails.log_negative_binomial_below(counts, mean, size)
    return float(np.sum(np.where(sides < 0, low, log_tails.log_negative_binomial_above(counts, mean, size))))
