"""How far one run's predictions lie from the data, in standard deviations of the noise, and whether that is as it should be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...numerics.whitened import autoregressive, in_units
from ...problem import definition as d
from ...problem.checks.check_simulator import noise_parameters
from ...problem.data.errors.measured_spread import covariance_factor, measured_covariance
from ...problem.data.rows.across import keys_across, texts_across
from ...problem.data.rows.compared import predictions
from ...problem.data.rows.comparison import Comparison
from ...problem.data.rows.discrepancies import process_of
from ...problem.numbers.shown_digits import spoken
from ...problem.placeholders import normal
from ..usual_scatter import UsualScatter
from .at_limits import AtLimits
from .check_words import odds_among
from .judge import Level, chances, level_of

Array = NDArray[np.float64]

RAREST = 1e6  # odds beyond one in so many are not told apart


@dataclass(frozen=True, eq=False)  # holds arrays
class Misfit:
    """One comparison of an output with a data column, over its m measured values.

    ``residuals`` (m,): measured less predicted, independent and of standard deviation 1 if the model is right. ``size_known``:
    the noise's size was given, not fitted. ``rows`` (m,): of the data table, from 0. ``texts`` (m,): the labels or times of
    these rows; empty where there are none. ``limits``: the values of which only a limit is known, which have no residual.
    ``keys`` (m,): where each is paired by numbers, in words: Wavelength 650 nm; empty where it is not.
    """

    match: d.Match
    rows: NDArray[np.intp]
    measured: Array
    predicted: Array
    residuals: Array
    size_known: bool
    texts: tuple[str, ...] = ()
    limits: AtLimits | None = None
    keys: tuple[str, ...] = ()

    @property
    def column(self) -> str:
        return self.match.column

    @property
    def count(self) -> int:
        return len(self.residuals)

    @property
    def chi2(self) -> float:
        return float(self.residuals @ self.residuals)

    @property
    def with_limits(self) -> tuple[NDArray[np.intp], Array, Array, NDArray[np.int8]]:
        """Rows, what was measured or is a limit, what is predicted, and sides, in the order of the table."""
        none = np.zeros(len(self.rows), dtype=np.int8)
        if self.limits is None:
            return self.rows, self.measured, self.predicted, none
        also = self.limits
        order = np.argsort(rows := np.concatenate([self.rows, also.rows]), kind="stable")
        measured, predicted = np.concatenate([self.measured, also.limit]), np.concatenate([self.predicted, also.predicted])
        return rows[order], measured[order], predicted[order], np.concatenate([none, also.sides])[order]

    @property
    def farthest(self) -> int:
        """Which of the m values lies farthest off."""
        return int(np.argmax(np.abs(self.residuals)))


def misfits(problem: d.Problem, outputs: Mapping[str, ArrayLike], values: Mapping[str, float]) -> tuple[Misfit, ...]:
    """Of every comparison whose noise has a size; ``values``: all parameters in the user's units. Raises ComparisonError."""
    found = predictions(problem, outputs, values)
    assert isinstance(problem.meaning, d.Predictions)
    now = {normal(name): value for name, value in values.items()}
    together = [c for c in found if c.match.noise is None]
    residuals = {id(c): z for c, z in zip(together, _residuals(problem.meaning.noise, together, now), strict=True)}
    residuals |= {id(c): _residuals(c.match.noise, [c], now)[0] for c in found if c.match.noise is not None}
    off = [c for c in found if c.match.discrepancy is not None]
    residuals |= {id(c): _beside_discrepancy(problem, c, c.match.noise or problem.meaning.noise, now) for c in off}
    free = {normal(p.name) for p in problem.parameters if p.fixed is None}
    made = []
    for c in found:
        z, rows = residuals[id(c)], np.flatnonzero(c.present)
        if z is None or not len(z) or not np.isfinite(z).all():
            continue
        noise, limits, kept = c.match.noise or problem.meaning.noise, AtLimits.of(c, z), ~c.limited[rows]
        z, rows = z[kept], rows[kept]
        if not len(z):
            continue
        texts, known = texts_across(problem, c.match), c.match.discrepancy is None and _size_known(noise, free)
        shown = tuple(texts[i] for i in rows) if texts else ()
        keys = () if shown else keys_across(problem, c.match, rows)
        made.append(Misfit(c.match, rows, c.data[rows], c.prediction[rows], z, known, shown, limits, keys))
    return tuple(made)


def _size_known(noise: d.NoiseModel, free: set[str]) -> bool:
    """Whether the noise's size is given beforehand."""
    if isinstance(noise, d.GaussianIntegrated) and not noise.per_point:
        return False
    return not {normal(name) for name in _named(noise)} & free


def _named(noise: d.NoiseModel) -> list[str]:
    return [v for v in (getattr(noise, f, None) for f in ("parameter", "sd", "rho")) if isinstance(v, str)]


def _residuals(noise: d.NoiseModel, found: Sequence[Comparison], values: Mapping[str, float]) -> list[Array | None]:
    """Of each comparison with this noise, the residuals (m,); None where they have no size. Raises ComparisonError."""
    match noise:
        case d.Ar1Noise(sd=sd_or_name, rho=rho_or_name):
            sd, rho = (values[normal(v)] if isinstance(v, str) else v for v in (sd_or_name, rho_or_name))
            return [autoregressive(_plain(c), np.flatnonzero(c.present), sd, rho)[0] for c in found]
        case d.CovarianceNoise(matrix=matrix):
            return list(_whitened(matrix, found))
    return [_independent(noise, c, values) for c in found]


def _plain(c: Comparison) -> Array:
    return np.asarray((c.data - c.prediction)[c.present], dtype=float)


def _whitened(matrix: Sequence[Sequence[float]], found: Sequence[Comparison]) -> list[Array]:
    factor = covariance_factor(measured_covariance(matrix, np.concatenate([c.present for c in found])))
    z = in_units(factor, np.concatenate([_plain(c) for c in found]))
    return np.split(z, np.cumsum([int(c.present.sum()) for c in found])[:-1])


def _independent(noise: d.NoiseModel, c: Comparison, values: Mapping[str, float]) -> Array | None:
    rows = c.present
    with np.errstate(all="ignore"):
        match noise:
            case d.StudentTNoise(dof=dof, scale=given, parameter=parameter):
                scale = c.scale[rows] if c.scale is not None else _size(given, parameter, values)
                return None if scale is None else _normal_scores(_plain(c) / scale, dof)
            case d.GaussianIntegrated(shape=shape, scale=scale, per_point=True):
                return _normal_scores(_plain(c) / math.sqrt(scale / shape), 2.0 * shape)
            case d.LogNormalNoise(log_sd=given, parameter=parameter):
                size = _size(given, parameter, values)
                return None if size is None else (np.log(c.data[rows]) - np.log(c.prediction[rows])) / size
        if c.sd is None:
            return None
        away, sd = _plain(c), c.sd[rows]
        return np.where(away == 0.0, 0.0, away / sd)  # a count of nothing where nothing is predicted


def _beside_discrepancy(problem: d.Problem, c: Comparison, noise: d.NoiseModel, values: Mapping[str, float]) -> Array | None:
    """What is left beside the most probable amplitude and length of a program that may be off."""
    rows, size, away = np.flatnonzero(c.present), 1.0, _plain(c)
    if isinstance(noise, d.LogNormalNoise):
        found, units = _size(noise.log_sd, noise.parameter, values), np.ones(len(rows))
        if found is None or (c.prediction[rows] <= 0.0).any() or (c.data[rows] <= 0.0).any():
            return None
        size, away = found, np.log(c.data[rows]) - np.log(c.prediction[rows])
    elif isinstance(noise, d.GaussianInferred):
        size, units = values[normal(noise.parameter)], np.ones(len(rows))
    elif isinstance(noise, d.CovarianceNoise):
        units = measured_covariance(noise.matrix, c.present)
    elif c.sd is None:
        return None
    else:
        units = c.sd[rows]
    return process_of(problem, c.match, rows, units).whitened(away, size)


def _size(given: float | None, parameter: str | None, values: Mapping[str, float]) -> float | None:
    return given if parameter is None else values.get(normal(parameter))


def _normal_scores(t: Array, dof: float) -> Array:
    """What would be as far out of a standard normal as t (m,) is of Student's t (quantile residuals, Dunn and Smyth 1996)."""
    from scipy import special

    size = np.abs(t)
    return np.asarray(-np.sign(t) * special.ndtri(np.maximum(special.stdtr(dof, -size), np.finfo(float).tiny)))


@dataclass(frozen=True)
class Beside:
    """chi^2 of ``count`` data whose noise is fitted too (Pearson's of counts), or beside what a program misses, and how many
    ``parameters`` the noise has: near ``count`` for any curve, so no part of the judgement."""

    chi2: float
    count: int
    parameters: int


@dataclass(frozen=True)
class Fit:
    """chi^2 of ``count`` data of known noise, fitted by ``parameters`` parameters, against its expectation.

    ``scatters``: root mean square by which the values of one run scatter, in standard deviations of the noise; None: they do, and
    by how much is not known. One run is then no judge of the fit, unless it misses the data by more than both explain.
    ``beside``: the other data. ``limits``: values of which only a limit is known, which are in no chi^2.
    """

    chi2: float
    count: int
    parameters: int
    scatters: float | None = 0.0
    beside: Beside | None = None
    limits: int = 0

    @property
    def expected(self) -> int:
        return self.count - self.parameters

    @property
    def level(self) -> Level:
        """The one judgement of all data together."""
        return "unknown" if self.scatters is None else level_of(*self._chances)

    @property
    def _chances(self) -> tuple[float, float]:
        """As ``chances``; where values of one run scatter themselves none are too small."""
        larger, smaller = chances(self.chi2 / self._wider, self.count, self.parameters)
        return (larger, 1.0) if self.scatters else (larger, smaller)

    @property
    def _wider(self) -> float:
        """By how much a run's own scatter widens what is expected."""
        return 1.0 + (self.scatters or 0.0) ** 2

    @property
    def words(self) -> str:
        """Whether the fit is as good as the data allow."""
        if not self.limits:
            return self._judgement
        one = "One value more, of which only a limit is known, is" if self.limits == 1 else (
            f"{self.limits:,} values more, of which only limits are known, are"
        )  # fmt: skip
        return f"{self._judgement} {one} no part of χ²."

    @property
    def _judgement(self) -> str:
        data = _counted(self.count, self.parameters, " of given noise" if self.beside is not None else "")
        if self.scatters is None:
            return (
                f"χ² {_figure(self.chi2)} of {data}, in one run, whose values have a statistical error of their own: it tells no "
                "good fit from a bad one."
            )
        larger, smaller = self._chances
        match self.level:
            case "unknown":
                if self.beside is not None:
                    return self._too_few_known(self.beside)
                said = f"χ² {spoken(self.chi2, 3)} of {data}"
                return f"{said}: with no more data than parameters it cannot tell a good fit from a bad one."
            case "too large":
                return (
                    f"Not as good as the data allow: {self._figures(data)}; chance makes it so large {_times(larger)}. Either "
                    "there is a better fit, or the program, or the noise as stated, is not right for these data."
                )
            case "too small":
                return (
                    f"Closer to the data than their noise allows: {self._figures(data)}; chance makes it so small "
                    f"{_times(smaller)}. The noise may be stated too large."
                )
            case "fits":
                return f"As good as {'one run can tell' if self.scatters else 'the data allow'}: {self._figures(data)}."

    def _too_few_known(self, beside: Beside) -> str:
        """Of all data, most of which have noise that is fitted."""
        count, chi2 = self.count + beside.count, self.chi2 + beside.chi2
        return (
            f"χ² {_figure(chi2)} of {_counted(count, self.parameters + beside.parameters)}. To {beside.count:,} of these data "
            f"the noise is fitted; the other {self.count:,} are too few to tell a good fit from a bad one."
        )

    def _figures(self, data: str) -> str:
        """chi^2 beside what is expected of so many ``data``."""
        n, wider = self.expected, self._wider
        said = f"χ² {_figure(self.chi2)} of {data}, where"
        if n < 1:
            return f"{said} {_figure(self.count * wider)} at most would be expected"
        if not self.scatters:
            return f"{said} {n:,} ± {spoken(math.sqrt(2.0 * n), 2)} is expected"
        return (
            f"{said} {_figure(n * wider)} ± {spoken(math.sqrt(2.0 * n) * wider, 2)} is expected of one run, whose values "
            f"scatter by {spoken(self.scatters, 2)} of the noise themselves"
        )


def _counted(count: int, parameters: int, which: str = "") -> str:
    return f"{count:,} data{which} and {parameters} parameter{'s' if parameters != 1 else ''}"


def _times(share: float) -> str:
    """One of the tests of the data, with what that is worth among them all."""
    times, _, any_of = odds_among(share, RAREST).partition(" (")
    return f"{times} times ({any_of}"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else spoken(value, 3)


def _scatters(problem: d.Problem, known: Sequence[Misfit], scatter: UsualScatter | None) -> float | None:
    """``Fit.scatters`` over the comparisons ``known``."""
    assert isinstance(problem.meaning, d.Predictions)
    matches = problem.meaning.matches
    if scatter is None or len(scatter.size) != len(matches):
        return None if problem.meaning.random else 0.0
    squares = [m.count * scatter.relative(matches.index(m.match)) ** 2 for m in known]
    return math.sqrt(sum(squares) / sum(m.count for m in known))


def fit_of(
    problem: d.Problem, found: Sequence[Misfit], outputs: Mapping[str, Any], scatter: UsualScatter | None = None
) -> Fit | None:
    """Of all comparisons whose noise is of known size, or of a sum of squares; None where there is no chi^2. ``scatter``: of the
    values of one run, where it was learnt."""
    noise = noise_parameters(problem)
    fitted = sum(p.fixed is None and normal(p.name) not in noise for p in problem.parameters)
    match problem.meaning:
        case d.Predictions():
            known = [m for m in found if m.size_known]
            if not known:
                return None
            rest = [m for m in found if not m.size_known]
            free = sum(p.fixed is None for p in problem.parameters) - fitted
            beside = Beside(sum(m.chi2 for m in rest), sum(m.count for m in rest), free) if rest else None
            scatters, limits = _scatters(problem, known, scatter), sum(len(m.limits.rows) for m in found if m.limits is not None)
            return Fit(sum(m.chi2 for m in known), sum(m.count for m in known), fitted, scatters, beside, limits)
        case d.SumOfSquares(output=output, sd=sd, count=count):
            value = np.asarray(outputs.get(output, np.nan), dtype=float).ravel()
            if count > 0 and value.size == 1 and math.isfinite(float(value[0])):
                return Fit(float(value[0]) / sd**2, count, fitted)
    return None
