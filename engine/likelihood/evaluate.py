"""Outputs of a finished run -> log-likelihood and the standard deviation of its noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..problem import definition as d
from ..problem.checks.check_discrepancy import MUST_BE
from ..problem.data.dates.clock_zones import check_zones
from ..problem.data.errors.measured_spread import measured_covariance
from ..problem.data.rows.compared import compare, predictions
from ..problem.data.rows.comparison import Comparison, ComparisonError, vector
from ..problem.data.rows.discrepancies import process_of
from ..problem.numbers.shown_digits import spoken
from . import (
    abc,
    ar1,
    covariance,
    gaussian,
    gaussian_integrated,
    inverse_binomial,
    limits,
    log_normal,
    negative_binomial,
    poisson,
    repeats,
    student_t,
    summaries,
    synthetic,
)
from .errors import LikelihoodError
from .given import given, positive, scales
from .given import value as value_of

__all__ = ["Comparison", "LikelihoodError", "log_likelihood", "predictions"]

Array = NDArray[np.float64]


def log_likelihood(
    problem: d.Problem,
    outputs: Mapping[str, ArrayLike],
    values: Mapping[str, float],
    texts: Mapping[str, Sequence[str]] | None = None,
) -> tuple[float, float]:
    """(log-likelihood, standard deviation of its noise); both finite, the second 0 for an exact program.

    ``outputs``: name -> number or vector (L,), or (R, L) of R repeated runs for meanings that need them; ``values``: all
    parameters in the user's units (noise models may use some); ``texts``: outputs of labels, times or dates as they were read,
    whose zones are looked at. For a log-posterior the value is the program's own, prior
    included. Raises LikelihoodError with a sentence; its ``impossible`` is True where the likelihood is exactly zero rather
    than the run at fault.
    """
    meaning, noise_sd = problem.meaning, 0.0
    try:
        match meaning:
            case d.LogLikelihoodOutput(repeats=r) | d.LogPosteriorOutput(repeats=r) if r > 1:
                value, noise_sd = _repeated(meaning, outputs)
            case d.SyntheticLikelihood():
                value, noise_sd = _synthetic(problem, meaning, outputs)
            case d.ApproximateBayes():
                c = summaries.compared(problem, meaning, outputs)
                value, noise_sd = abc.log_likelihood(
                    c.simulated, c.measured, c.scales, meaning.kernel, meaning.width, meaning.quantile, c.error
                )
            case d.InverseBinomial(column=column, rounds=rounds):
                runs = summaries.stacked(outputs, meaning.output)
                value, noise_sd = inverse_binomial.log_likelihood(runs, measured_responses(problem, column), rounds)
            case d.LogLikelihoodOutput(output=output, noise_sd=sd) | d.LogPosteriorOutput(output=output, noise_sd=sd):
                value = _scalar(outputs, output)
                noise_sd = 0.0 if sd is None else _noise(outputs, sd)
                if value == math.inf:
                    raise LikelihoodError(f"The output “{output}” is infinite; no likelihood is.")
            case d.MinusTwoLogLikelihood(output=output):
                value = -0.5 * _scalar(outputs, output)
                if value == math.inf:
                    raise LikelihoodError(f"The output “{output}” is minus infinity; no likelihood is infinite.")
            case d.SumOfSquares(output=output, sd=sum_sd, count=count):
                squares = _scalar(outputs, output)
                if squares < 0.0:
                    raise LikelihoodError(f"The sum of squares “{output}” is {spoken(squares)}; it cannot be negative.")
                value = gaussian.from_sum_of_squares(squares, sum_sd, count)
            case d.Predictions(noise=noise):
                check_zones(problem, texts or {})
                with np.errstate(over="ignore"):
                    found = compare(problem, outputs)
                    right = [c for c in found if c.match.discrepancy is None]
                    common = [c for c in right if c.match.noise is None]
                    value = _compared(noise, common, values) if common else 0.0
                    value += sum(_compared(c.match.noise, [c], values) for c in right if c.match.noise is not None)
                    off = [c for c in found if c.match.discrepancy is not None]
                    value += sum(_off(problem, c.match.noise or noise, c, values) for c in off)
    except ComparisonError as error:
        raise LikelihoodError(str(error)) from error
    if math.isnan(value):
        raise LikelihoodError("The log-likelihood is not a number (NaN).")
    if value == -math.inf:
        raise LikelihoodError("The likelihood is zero here (its logarithm is minus infinity).", impossible=True)
    return value, noise_sd


def _scalar(outputs: Mapping[str, ArrayLike], name: str) -> float:
    found = vector(outputs, name)
    if len(found) != 1:
        raise LikelihoodError(f"The output “{name}” has {len(found)} values; a single number is needed.")
    if math.isnan(found[0]):
        raise LikelihoodError(f"The output “{name}” is not a number (NaN).")
    return float(found[0])


def _noise(outputs: Mapping[str, ArrayLike], name: str) -> float:
    found = _scalar(outputs, name)
    if not 0.0 <= found < math.inf:
        raise LikelihoodError(f"The standard error “{name}” is {spoken(found)}; it must be zero or greater.")
    return found


# --------------------------------------------------------------------------- random simulators


def measured_responses(problem: d.Problem, column: str) -> Array:
    """The measured response of every trial (T,), NaN where missing. Raises LikelihoodError."""
    if problem.data is None or column not in problem.data.columns:
        raise LikelihoodError(f"The data have no column “{column}”.")
    return np.array([math.nan if v is None else float(v) for v in problem.data.columns[column]])


def _repeated(
    meaning: d.LogLikelihoodOutput | d.LogPosteriorOutput, outputs: Mapping[str, ArrayLike]
) -> tuple[float, float]:
    values = _scalars(outputs, meaning.output)
    if np.any(values == math.inf):
        raise LikelihoodError(f"The output “{meaning.output}” is infinite; no likelihood is.")
    reported = None if meaning.noise_sd is None else _scalars(outputs, meaning.noise_sd)
    if reported is not None and not np.all((reported >= 0.0) & np.isfinite(reported)):
        raise LikelihoodError(f"A standard error “{meaning.noise_sd}” is negative or infinite.")
    return repeats.combined(values, meaning.average, reported)


def _scalars(outputs: Mapping[str, ArrayLike], name: str) -> Array:
    """A single number from each run (R,)."""
    found = summaries.stacked(outputs, name)
    if found.shape[1] != 1:
        raise LikelihoodError(f"The output “{name}” has {found.shape[1]} values per run; a single number is needed.")
    if np.any(np.isnan(found)):
        raise LikelihoodError(f"The output “{name}” is not a number (NaN) in some run.")
    return np.asarray(found[:, 0], dtype=float)


def _synthetic(problem: d.Problem, meaning: d.SyntheticLikelihood, outputs: Mapping[str, ArrayLike]) -> tuple[float, float]:
    value, by_formula, bootstrap = synthetic_estimate(problem, meaning, outputs)
    return value, bootstrap() if meaning.standard_error == "bootstrap" else by_formula


def synthetic_estimate(
    problem: d.Problem, meaning: d.SyntheticLikelihood, outputs: Mapping[str, ArrayLike]
) -> tuple[float, float, Callable[[], float]]:
    """The synthetic log-likelihood, its standard error by the formula, and by bootstrap. Raises LikelihoodError."""
    c = summaries.compared(problem, meaning, outputs)
    estimator, shrinkage = meaning.estimator, meaning.shrinkage
    simulated, measured = c.simulated / c.scales, c.measured / c.scales
    error = None if c.error is None else c.error / np.outer(c.scales, c.scales)
    value, sd = synthetic.log_likelihood(simulated, measured, estimator, shrinkage, c.names, error)

    def bootstrap() -> float:
        rng = np.random.default_rng(problem.settings.seed)
        return synthetic.bootstrap_error(simulated, measured, estimator, shrinkage, rng, error=error)

    return value - float(np.log(c.scales).sum()), sd, bootstrap


# --------------------------------------------------------------------------- predictions


def _compared(noise: d.NoiseModel, found: list[Comparison], values: Mapping[str, float]) -> float:
    limits.require(noise, found)
    return _measured(noise, found, values) + sum(limits.log_probability(noise, c, values) for c in found)


def _measured(noise: d.NoiseModel, found: list[Comparison], values: Mapping[str, float]) -> float:
    """Of the values that were measured; limits are apart."""
    present = [c.present & ~c.limited for c in found]
    y = [c.data[p] for c, p in zip(found, present, strict=True)]
    f = [c.prediction[p] for c, p in zip(found, present, strict=True)]
    pairs = list(zip(y, f, strict=True))
    match noise:
        case d.GaussianKnown(sd=sd):
            sizes = [scales(c, p, sd) for c, p in zip(found, present, strict=True)]
            return sum(gaussian.log_density(a, b, size) for (a, b), size in zip(pairs, sizes, strict=True))
        case d.GaussianInferred(parameter=parameter):
            learnt = positive(values, parameter)
            return sum(gaussian.log_density(a, b, learnt) for a, b in pairs)
        case d.GaussianIntegrated(shape=shape, scale=scale, per_point=per_point):
            if per_point:
                return sum(gaussian_integrated.per_point(a, b, shape, scale) for a, b in pairs)
            return gaussian_integrated.shared(np.concatenate(y), np.concatenate(f), shape, scale)
        case d.StudentTNoise(dof=dof, scale=scale_or_none, parameter=parameter_or_none):
            common = scale_or_none if parameter_or_none is None else positive(values, parameter_or_none)
            sizes = [scales(c, p, common) for c, p in zip(found, present, strict=True)]
            return sum(student_t.log_density(a, b, size, dof) for (a, b), size in zip(pairs, sizes, strict=True))
        case d.LogNormalNoise(log_sd=log_sd, parameter=parameter_or_none):
            spread = given(values, log_sd, parameter_or_none, "log-normal noise")
            _require_positive(found)
            return sum(log_normal.log_density(a, b, spread) for a, b in pairs)
        case d.PoissonNoise():
            _require_counts(found)
            return sum(poisson.log_density(a, b) for a, b in pairs)
        case d.NegativeBinomialNoise(size=size, parameter=parameter_or_none):
            dispersion = given(values, size, parameter_or_none, "negative binomial noise")
            _require_counts(found)
            return sum(negative_binomial.log_density(a, b, dispersion) for a, b in pairs)
        case d.Ar1Noise(sd=sd_or_name, rho=rho_or_name):
            sd_now = positive(values, sd_or_name) if isinstance(sd_or_name, str) else sd_or_name
            rho = value_of(values, rho_or_name) if isinstance(rho_or_name, str) else rho_or_name
            if not -1.0 < rho < 1.0:
                raise LikelihoodError(
                    f"The correlation of neighbouring residuals is {spoken(rho)}; it must lie between -1 and 1."
                )
            rows = [np.flatnonzero(p) for p in present]
            return sum(ar1.log_density(a - b, r, sd_now, rho) for (a, b), r in zip(pairs, rows, strict=True))
        case d.CovarianceNoise(matrix=matrix):
            mine = measured_covariance(matrix, np.concatenate(present))
            return covariance.log_density(np.concatenate(y) - np.concatenate(f), mine)


def _require_positive(found: list[Comparison]) -> None:
    """For log-normal noise. Raises LikelihoodError."""
    _require(found, lambda a, b: b > 0.0, "is {f}; log-normal noise needs predictions greater than zero", limits=True)
    _require(found, lambda a, b: a > 0.0, "is compared with {y}; log-normal noise needs data greater than zero")


def _off(problem: d.Problem, noise: d.NoiseModel, c: Comparison, values: Mapping[str, float]) -> float:
    """Where the program itself may be off: see ``numerics.discrepancy``."""
    limits.require(None, [c])
    rows = np.flatnonzero(c.present)
    match noise:
        case d.GaussianKnown(sd=sd):
            units, size = np.broadcast_to(scales(c, c.present, sd), rows.shape), 1.0
        case d.GaussianInferred(parameter=parameter):
            units, size = np.ones(len(rows)), positive(values, parameter)
        case d.LogNormalNoise(log_sd=log_sd, parameter=name):
            _require_positive([c])
            logs, size = np.log(c.data[rows]), given(values, log_sd, name, "log-normal noise")
            process = process_of(problem, c.match, rows, np.ones(len(rows)))
            return process.log_density(logs - np.log(c.prediction[rows]), size) - float(logs.sum())
        case d.CovarianceNoise(matrix=matrix):
            units, size = measured_covariance(matrix, c.present), 1.0
        case _:
            raise LikelihoodError(f"{MUST_BE}.")
    return process_of(problem, c.match, rows, units).log_density((c.data - c.prediction)[rows], size)


def _require(
    found: list[Comparison], allowed: Callable[[Array, Array], NDArray[np.bool_]], sentence: str, impossible: bool = False,
    limits: bool = False,
) -> None:  # fmt: skip
    """Raise, naming the first row where ``allowed(data, prediction)`` is False; ``limits``: where only a limit is known too."""
    for c in found:
        rows = np.flatnonzero(c.present if limits else c.present & ~c.limited)
        bad = ~allowed(c.data[rows], c.prediction[rows])
        if np.any(bad):
            row = int(rows[np.argmax(bad)])
            words = sentence.format(y=spoken(c.data[row]), f=spoken(c.prediction[row]))
            raise LikelihoodError(f"The prediction “{c.match.output}” for data row {row + 1} {words}.", impossible)


def _require_counts(found: list[Comparison]) -> None:
    _require(found, lambda a, b: b >= 0.0, "is {f}; the mean of a count cannot be negative", limits=True)
    _require(found, lambda a, b: (a >= 0.0) & (a == np.floor(a)), "is compared with {y}, which is not a count")
    never = "is zero, but {y} were counted: these data are impossible here"
    _require(found, lambda a, b: (b > 0.0) | (a == 0.0), never, impossible=True)
