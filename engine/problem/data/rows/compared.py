"""All comparisons of a problem, with the sizes of the errors as far as its noise models know them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ... import definition as d
from ...findings import shorten
from ..errors.error_sum import taken_together
from .censored import Limits, limits_in
from .comparison import Comparison, ComparisonError, column, compare_match, with_limits

Array = NDArray[np.float64]


def error_sizes(match: d.Match, common: d.NoiseModel, data: d.DataTable) -> Array | None:
    """The size (sd, or scale of Student's t) of the error of each row (n,), where rows have different ones: from a column, or
    with a percentage of what was measured beside it; NaN where missing. A limit without a size of its own has that of the
    measured value nearest to it. None: one for all rows, or not known.

    Raises ComparisonError.
    """
    noise = match.noise or common
    name = match.sd_column or getattr(noise, "sd_column", None) or getattr(noise, "scale_column", None)
    percent = None if match.sd_column else getattr(noise, "percent", None)
    if name is None and percent is None:
        return None
    measured, limits = with_limits(data, match.column), limits_in(data, match.column)[1]
    if name is None:
        size: Array | float = getattr(noise, "sd", None) or getattr(noise, "scale", None) or 0.0
    else:
        size = column(data, name)
        if len(size) != len(measured):
            raise ComparisonError(f"The data columns “{shorten(match.column)}” and “{shorten(name)}” differ in length.")
        size = _of_nearest(size, measured, limits)
    if percent is None:
        return np.asarray(size)
    return taken_together(size, percent / 100.0 * np.abs(measured), getattr(noise, "together", "sum"))


def _of_nearest(sizes: Array, measured: Array, limits: Limits) -> Array:
    """``sizes`` (n,) with those that limits lack."""
    lacking = np.flatnonzero(limits.there & np.isnan(sizes))
    known = np.flatnonzero(~limits.there & np.isfinite(sizes) & np.isfinite(measured))
    if not len(lacking) or not len(known):
        return sizes
    found = sizes.copy()
    found[lacking] = sizes[known[np.abs(measured[lacking, None] - measured[known]).argmin(1)]]
    return found


def compare(problem: d.Problem, outputs: Mapping[str, ArrayLike]) -> list[Comparison]:
    """Every match of ``problem``, without the noise's sd. Raises ComparisonError."""
    if not isinstance(problem.meaning, d.Predictions) or problem.data is None:
        raise ComparisonError("This problem compares no predictions with data.")
    found = []
    for match in problem.meaning.matches:
        sizes = error_sizes(match, problem.meaning.noise, problem.data)
        found.append(compare_match(match, problem.data, outputs, sizes))
    return found


def predictions(
    problem: d.Problem, outputs: Mapping[str, ArrayLike], values: Mapping[str, float] | None = None
) -> list[Comparison]:
    """Every match with the noise's sd, for plots. ``values``: all parameters, for noise models with inferred ones.

    Raises ComparisonError.
    """
    found = compare(problem, outputs)
    assert isinstance(problem.meaning, d.Predictions)
    measured = sum(int(c.present.sum()) for c in found if c.match.noise is None)
    first, result = 0, []
    for c in found:
        own, n = c.match.noise, int(c.present.sum())
        noise = own or problem.meaning.noise
        dense = isinstance(noise, d.CovarianceNoise) and len(noise.matrix) == (n if own else measured)
        sd = noise_sd(noise, c, values or {}, 0 if own else first, dense)
        result.append(replace(c, sd=sd))
        first += 0 if own else n if dense else len(c.data)
    return result


def noise_sd(
    noise: d.NoiseModel, c: Comparison, values: Mapping[str, float], first: int = 0, dense: bool = False
) -> Array | None:
    """Standard deviation of each measured value (n,) under the noise model; None if it is not known or infinite.

    ``first``: how many data rows with the same noise model come before this match (rows of a covariance matrix).
    ``dense``: a covariance matrix is of the measured values only, not of missing ones too.
    """
    n, f = len(c.data), c.prediction
    match noise:
        case d.GaussianKnown(sd=sd):
            return c.scale if c.scale is not None else _filled(n, sd)
        case d.GaussianIntegrated(shape=shape, scale=scale):
            # the expected variance of an inverse gamma; infinite up to shape 1
            return _filled(n, math.sqrt(scale / (shape - 1.0)) if shape > 1.0 else None)
        case d.GaussianInferred(parameter=parameter):
            return _filled(n, values.get(parameter))
        case d.LogNormalNoise(log_sd=log_sd, parameter=parameter):
            s = log_sd if log_sd is not None else values.get(parameter or "")
            return None if s is None else f * math.exp(0.5 * s * s) * math.sqrt(math.expm1(s * s))
        case d.PoissonNoise():
            return np.sqrt(np.maximum(f, 0.0))
        case d.NegativeBinomialNoise(size=size, parameter=parameter):
            k = size if size is not None else values.get(parameter or "")
            return None if not k else np.sqrt(np.maximum(f + f * f / k, 0.0))
        case d.StudentTNoise(dof=dof, scale=scale, parameter=parameter):
            if dof <= 2.0:
                return None
            given = scale if scale is not None else values.get(parameter or "")
            scales = c.scale if c.scale is not None else _filled(n, given)
            return None if scales is None else scales * math.sqrt(dof / (dof - 2.0))
        case d.Ar1Noise(sd=sd):
            return _filled(n, values.get(sd) if isinstance(sd, str) else sd)
        case d.CovarianceNoise(matrix=matrix):
            diagonal = np.array([row[i] for i, row in enumerate(matrix)])
            if dense:
                found = np.full(n, math.nan)
                found[c.present] = np.sqrt(np.maximum(diagonal[first : first + int(c.present.sum())], 0.0))
                return found
            diagonal = diagonal[first : first + n]
            return np.sqrt(np.maximum(diagonal, 0.0)) if len(diagonal) == n else None


def _filled(n: int, value: float | None) -> Array | None:
    return None if value is None else np.full(n, float(value))
