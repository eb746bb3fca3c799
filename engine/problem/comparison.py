"""Predictions beside the data: which output value belongs to which measured row.

Numpy only and in the problem room, so that the likelihood and the window's plots pair rows in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import definition as d
from .errors import ProblemError
from .findings import shorten

Array = NDArray[np.float64]


class ComparisonError(ProblemError):
    """An output cannot be compared with the data; the words say why. Usually the run failed quietly."""


@dataclass(frozen=True)
class Comparison:
    """One match of an output with a data column; arrays (n,) over the rows of the data table.

    ``x``: the key column, or the row number from 1. ``data`` is NaN where nothing was measured, ``prediction`` NaN where the
    program printed nothing for a row without data. ``scale``: the sd (or scale) column. ``sd``: the noise's standard deviation
    as far as the noise model knows it. ``curve_x``, ``curve``: the whole output against its key, where there is one.
    """

    match: d.Match
    x: Array
    x_label: str
    data: Array
    prediction: Array
    scale: Array | None = None
    sd: Array | None = None
    curve_x: Array | None = None
    curve: Array | None = None

    @property
    def present(self) -> NDArray[np.bool_]:
        """Rows with a measured value (n,)."""
        return ~np.isnan(self.data)


def compare(problem: d.Problem, outputs: Mapping[str, ArrayLike]) -> list[Comparison]:
    """Every match of ``problem``, without the noise's sd. Raises ComparisonError."""
    if not isinstance(problem.meaning, d.Predictions) or problem.data is None:
        raise ComparisonError("This problem compares no predictions with data.")
    found = []
    for match in problem.meaning.matches:
        noise = match.noise or problem.meaning.noise
        own = getattr(noise, "sd_column", None) or getattr(noise, "scale_column", None)
        found.append(_compare(match, problem.data, outputs, match.sd_column or own))
    return found


def predictions(
    problem: d.Problem, outputs: Mapping[str, ArrayLike], values: Mapping[str, float] | None = None
) -> list[Comparison]:
    """Every match with the noise's sd, for plots. ``values``: all parameters, for noise models with inferred ones.

    Raises ComparisonError.
    """
    found = compare(problem, outputs)
    assert isinstance(problem.meaning, d.Predictions)
    first, result = 0, []
    for c in found:
        own = c.match.noise
        sd = noise_sd(own or problem.meaning.noise, c, values or {}, 0 if own else first)
        result.append(replace(c, sd=sd))
        first += 0 if own else len(c.data)
    return result


def noise_sd(noise: d.NoiseModel, c: Comparison, values: Mapping[str, float], first: int = 0) -> Array | None:
    """Standard deviation of each measured value (n,) under the noise model; None if it is not known or infinite.

    ``first``: how many data rows with the same noise model come before this match (rows of a covariance matrix).
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
            diagonal = np.array([row[i] for i, row in enumerate(matrix)])[first : first + n]
            return np.sqrt(np.maximum(diagonal, 0.0)) if len(diagonal) == n else None


def _filled(n: int, value: float | None) -> Array | None:
    return None if value is None else np.full(n, float(value))


def vector(outputs: Mapping[str, ArrayLike], name: str) -> Array:
    """The output ``name`` as a vector. Raises ComparisonError if it was not read."""
    if name not in outputs:
        raise ComparisonError(f"The output '{shorten(name)}' was not read from the program.")
    return np.atleast_1d(np.asarray(outputs[name], dtype=float)).ravel()


def column(data: d.DataTable, name: str) -> Array:
    """A data column (n,), NaN where missing. Raises ComparisonError if there is none of that name."""
    if name not in data.columns:
        raise ComparisonError(f"The data have no column '{shorten(name)}'.")
    return np.array([math.nan if v is None else float(v) for v in data.columns[name]])


def _compare(match: d.Match, data: d.DataTable, outputs: Mapping[str, ArrayLike], scale: str | None) -> Comparison:
    measured, output = column(data, match.column), vector(outputs, match.output)
    scales = None if scale is None else column(data, scale)
    n = len(measured)
    if scales is not None and len(scales) != n:
        raise ComparisonError(f"The data columns '{shorten(match.column)}' and '{shorten(scale or '')}' differ in length.")
    if match.key_output is None or match.key_column is None:
        if len(output) != n:
            raise ComparisonError(
                f"The output '{shorten(match.output)}' has {len(output)} values, but the data column "
                f"'{shorten(match.column)}' has {n} rows.", "", "Check how the output is read, or pair rows by a key column.",
            )  # fmt: skip
        x, label, predicted = np.arange(1.0, n + 1.0), "row", output
        curve_x = curve = None
    else:
        x, label = column(data, match.key_column), match.key_column
        curve_x, curve = vector(outputs, match.key_output), output
        if len(x) != n:
            raise ComparisonError(f"The data columns '{shorten(match.column)}' and '{shorten(label)}' differ in length.")
        if len(curve_x) != len(output):
            raise ComparisonError(
                f"The output '{shorten(match.output)}' has {len(output)} values, its key '{shorten(match.key_output)}' has "
                f"{len(curve_x)}.", "", "Check how the two are read.",
            )  # fmt: skip
        measured = np.where(np.isnan(x), math.nan, measured)  # a row without a key cannot be paired
        predicted = _by_key(match, x, curve_x, output, ~np.isnan(measured))
    bad = ~np.isnan(measured) & ~np.isfinite(predicted)
    if np.any(bad):
        row = int(np.argmax(bad))
        raise ComparisonError(
            f"The output '{shorten(match.output)}' is {predicted[row]} where the data column '{shorten(match.column)}' has its "
            f"row {row + 1}.", "", "The program may have failed at these parameter values.",
        )  # fmt: skip
    return Comparison(match, x, label, measured, predicted, scales, None, curve_x, curve)


def _by_key(match: d.Match, keys: Array, found: Array, output: Array, needed: NDArray[np.bool_]) -> Array:
    """The output at the row whose key is nearest to each data key, which must be within the tolerance."""
    predicted = np.full(len(keys), math.nan)
    usable = np.flatnonzero(np.isfinite(found))
    order = usable[np.argsort(found[usable], kind="stable")]
    ordered = found[order]
    nearest = _nearest(ordered, keys)
    paired = nearest >= 0
    paired[paired] = np.abs(ordered[nearest[paired]] - keys[paired]) <= _tolerance(match, keys)[paired]
    if np.any(needed & ~paired):
        row = int(np.argmax(needed & ~paired))
        raise ComparisonError(
            f"The output has no row where '{shorten(match.key_output or '')}' is {keys[row]:g}, as row {row + 1} of the data "
            f"needs ('{shorten(match.key_column or '')}').", "", "Let the program print that row, or set a tolerance.",
        )  # fmt: skip
    predicted[paired] = output[order[nearest[paired]]]
    twice = np.flatnonzero(np.diff(ordered) == 0.0)  # the same key in two rows, and not the same output
    doubtful = set(ordered[twice[output[order[twice]] != output[order[twice + 1]]]].tolist())
    for i in np.flatnonzero(needed & paired) if doubtful else ():
        if float(ordered[nearest[i]]) in doubtful:
            raise ComparisonError(
                f"The output has several rows where '{shorten(match.key_output or '')}' is {keys[i]:g}; they cannot be told "
                "apart.", "", "Read fewer rows, or choose a key that is different in every row.",
            )  # fmt: skip
    return predicted


def _nearest(ordered: Array, keys: Array) -> NDArray[np.intp]:
    """For each key the position of the nearest of the ``ordered`` numbers, -1 where there is none."""
    if len(ordered) == 0:
        return np.full(len(keys), -1)
    right = np.clip(np.searchsorted(ordered, keys), 0, len(ordered) - 1)
    left = np.maximum(right - 1, 0)
    nearest = np.where(np.abs(ordered[left] - keys) <= np.abs(ordered[right] - keys), left, right)
    return np.where(np.isfinite(keys), nearest, -1)


def _tolerance(match: d.Match, keys: Array) -> Array:
    if match.key_tolerance is not None:
        return np.full(len(keys), match.key_tolerance)
    distinct = np.unique(keys[np.isfinite(keys)])
    step = float(np.min(np.diff(distinct))) if len(distinct) > 1 else 0.0
    # programs print few digits: a thousandth of the step between data keys cannot hit a wrong row
    return np.maximum(1e-3 * step, 1e-6 * np.abs(keys) if step == 0.0 else 1e-12 * np.abs(keys))
