"""What learning a program's outputs needs to know of a problem: its cells, their noise, its inputs and its prior.

A cell is one measured value; the program's prediction of it is what a surrogate of the outputs learns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from ..problem import definition as d
from ..problem.checks.check_discrepancy import MUST_BE
from ..problem.checks.check_limits import NOT_WITH, OFF, why_not
from ..problem.checks.check_simulator import noise_parameters
from ..problem.checks.program_inputs import seen_by_program, smooth_inputs
from ..problem.data.errors.measured_spread import covariance_factor, measured_covariance
from ..problem.data.rows.censored import limits_in
from ..problem.data.rows.compared import compare, error_sizes
from ..problem.data.rows.comparison import ComparisonError, measured_cells
from ..problem.data.rows.discrepancies import key_of, process_of
from ..problem.data.rows.given_cells import given_cells
from ..problem.placeholders import normal
from ..problem.transforms import ParameterSpace
from . import batched, batched_noise
from .batched_discrepancy import GaussianAndDiscrepancy, LogNormalAndDiscrepancy
from .batched_limits import Limited
from .errors import LikelihoodError
from .limits import count_at
from .noise_units import Measured, size_of

Array = NDArray[np.float64]
COUNTS = d.PoissonNoise | d.NegativeBinomialNoise


@dataclass(frozen=True)
class PredictedCells:
    """``measured`` (L,), ``units`` (L,): about the noise's sd; ``positive`` (L,): predictions must be above zero there.

    ``inputs``: which of the D coordinates the program sees; the others are parameters of the noise alone.
    """

    problem: d.Problem
    space: ParameterSpace
    measured: Array
    units: Array
    positive: NDArray[np.bool_]
    inputs: tuple[int, ...]
    likelihood: batched.BatchedLikelihood
    noise_names: tuple[str, ...]
    outputs: tuple[slice, ...]  # of each comparison of an output with a column: its cells
    places: Array  # (L,) along the key, or in the order of the rows
    sides: Array  # (L,) -1 where a value lies below what is ``measured``, 1 above, 0 where it was measured
    noises: tuple[Measured, ...]  # of each comparison

    @classmethod
    def of(cls, problem: d.Problem, space: ParameterSpace) -> PredictedCells | None:
        """None where the problem compares no predictions with data, or nothing that is varied reaches the program.

        Raises LikelihoodError or ComparisonError for data that no likelihood can be made of.
        """
        meaning, data = problem.meaning, problem.data
        if not isinstance(meaning, d.Predictions) or data is None:
            return None
        inputs = seen_by_program(problem, space)
        names = tuple(sorted(noise_parameters(problem)))
        builder = _Builder(problem, space, names)
        for match in meaning.matches:
            builder.add(match)
        blocks = builder.blocks()
        if not inputs or builder.count == 0:
            return None
        return cls(
            problem, space, np.concatenate(builder.measured), np.concatenate([n.units(builder.typical) for n in builder.noises]),
            np.concatenate(builder.positive), inputs, batched.BatchedLikelihood(blocks), names, builder.outputs,
            np.concatenate(builder.places), np.concatenate(builder.sides), tuple(builder.noises),
        )  # fmt: skip

    def cells(self, outputs: Mapping[str, ArrayLike]) -> Array:
        """The predictions (L,) of a run. Raises ComparisonError where they cannot be compared with the data."""
        return np.concatenate([c.prediction[c.present] for c in compare(self.problem, outputs)])

    def given(self, outputs: Mapping[str, ArrayLike]) -> Array:
        """Those (L,) of a run that lacks some outputs, NaN where it gave none. Raises ComparisonError for other data."""
        return given_cells(self.problem, outputs)

    def into_inputs(self, u: Array) -> Array:
        """What the outputs are smooth in (n, d)."""
        return smooth_inputs(self.space, self.inputs, u)

    def log_prior(self, u: Array) -> Array:
        """In inference space (n,)."""
        return np.asarray(self.space.log_prior_in_inference(u))

    def noise_values(self, u: Array) -> Array:
        """Noise parameters (n, P) in the user's units at u (n, D), in the order of ``noise_names``."""
        if not self.noise_names or len(u) == 0:
            return np.zeros((len(u), len(self.noise_names)))
        theta, names = self.space.to_user(u), [normal(n) for n in self.space.names]
        fixed = {normal(k): v for k, v in self.space.values(u[0]).items()}
        return np.stack(
            [theta[:, names.index(n)] if n in names else np.full(len(u), fixed[n]) for n in self.noise_names], 1
        )

    def units_at(self, u: Array, f: Array) -> Array:
        """About the noise's sd (L,) with the noise parameters of u (D,) and predictions f (L,)."""
        sizes = {normal(k): v for k, v in self.space.values(u).items()}
        parts = zip(self.noises, self.outputs, strict=True)
        return np.concatenate([noise.units(sizes, f[part]) for noise, part in parts])

    def with_units(self, factors: Array) -> PredictedCells:
        """The same cells with units times ``factors``, one of each comparison."""
        return replace(self, units=self.units * np.repeat(factors, [part.stop - part.start for part in self.outputs]))


@dataclass(frozen=True)
class _Series:
    """The values y (m,) of one comparison that were measured, or those of which limits are known (``sides`` (m,)): their cells,
    sizes of their errors, and rows of the ``count`` of the table; ``common``: with the noise of the whole problem."""

    noise: d.NoiseModel
    cells: NDArray[np.intp]
    y: Array
    scale: Array | None
    rows: NDArray[np.intp]
    count: int
    common: bool
    sides: Array | None


class _Builder:
    """Blocks of cells with one noise each, match by match."""

    def __init__(self, problem: d.Problem, space: ParameterSpace, names: tuple[str, ...]) -> None:
        assert isinstance(problem.meaning, d.Predictions)
        self.problem, self.names, self.common = problem, names, problem.meaning.noise
        low, high = space.plausible_box()
        self.typical = {normal(k): v for k, v in space.values(0.5 * (low + high)).items()}
        self.measured: list[Array] = []
        self.noises: list[Measured] = []
        self.positive: list[NDArray[np.bool_]] = []
        self.places: list[Array] = []
        self.sides: list[Array] = []
        self.count = 0
        self.outputs: tuple[slice, ...] = ()
        self._matches: list[d.Match] = []
        self._series: list[_Series] = []

    def add(self, match: d.Match) -> None:
        assert self.problem.data is not None
        noise = match.noise or self.common
        measured = measured_cells(match, self.problem.data)
        rows = np.flatnonzero(~np.isnan(measured))
        sizes = error_sizes(match, self.common, self.problem.data)
        scale = None if sizes is None else sizes[rows]
        if scale is not None and not np.all(np.isfinite(scale) & (scale > 0.0)):
            raise LikelihoodError(f"The errors of “{match.column}” have sizes that are missing or not above zero.")
        cells = np.arange(self.count, self.count + len(rows))
        self.outputs = (*self.outputs, slice(self.count, self.count + len(rows)))
        self.count += len(rows)
        y, key = measured[rows], key_of(self.problem, match)
        self.measured.append(y)
        self.places.append(rows.astype(float) if key is None else key[0][rows])
        self.noises.append(Measured(noise, y, scale))
        above = isinstance(noise, d.LogNormalNoise | d.PoissonNoise | d.NegativeBinomialNoise)
        self.positive.append(np.full(len(rows), above))
        limits = limits_in(self.problem.data, match.column)[1].at(rows)
        sides = limits.sides.astype(float)
        self.sides.append(sides)
        why = OFF if match.discrepancy is not None else why_not(noise)
        if why and limits.any:
            raise LikelihoodError(NOT_WITH.format(match.column, why))
        ends = count_at(y, limits.sides, limits.closed) if isinstance(noise, COUNTS) else y
        for part, of, beyond in ((~limits.there, y, None), (limits.there, ends, sides)):
            if not part.any() and (beyond is not None or limits.any):
                continue
            own, its = (None if a is None else a[part] for a in (scale, beyond))
            self._matches.append(match)
            self._series.append(_Series(noise, cells[part], of[part], own, rows[part], len(measured), match.noise is None, its))

    def blocks(self) -> tuple[batched.Block, ...]:
        found: list[batched.Block] = []
        together: dict[type, list[int]] = {}
        for k, series in enumerate(self._series):
            noise, common = series.noise, series.common
            joint = isinstance(noise, d.CovarianceNoise) or (isinstance(noise, d.GaussianIntegrated) and not noise.per_point)
            if joint and common and self._matches[k].discrepancy is None:
                together.setdefault(type(noise), []).append(k)
            else:
                found.append(self._block([k]))
        return (*found, *(self._block(ks) for ks in together.values()))

    def _parameter(self, given: float | str | None, parameter: str | None = None) -> float | batched_noise.Parameter:
        name = parameter if parameter is not None else given
        if isinstance(name, str):
            return batched_noise.Parameter(self.names.index(normal(name)))
        if name is None:
            raise LikelihoodError("The size of the noise is not given.")
        return float(name)

    def _block(self, series: list[int]) -> batched.Block:
        first = self._series[series[0]]
        noise = first.noise
        cells = np.concatenate([self._series[k].cells for k in series])
        y = torch.as_tensor(np.concatenate([self._series[k].y for k in series]))
        scale = None if first.scale is None else torch.as_tensor(first.scale)
        match = self._matches[series[0]]
        made = self._noise(noise, y, scale, series) if match.discrepancy is None else self._off(match, noise, y, series[0])
        if first.sides is not None:
            made = Limited(made, torch.as_tensor(first.sides))  # type: ignore[arg-type]
        return batched.Block(torch.as_tensor(cells), made)

    def _off(self, match: d.Match, noise: d.NoiseModel, y: torch.Tensor, series: int) -> batched_noise.Noise:
        """Where the program itself may be off."""
        scale, rows = self._series[series].scale, self._series[series].rows
        size: float | batched_noise.Parameter
        match noise:
            case d.GaussianKnown(sd=sd):
                units, size = (np.full(len(y), size_of(self.typical, sd)) if scale is None else scale), 1.0
            case d.GaussianInferred(parameter=parameter):
                units, size = np.ones(len(y)), self._parameter(parameter)
            case d.LogNormalNoise(log_sd=log_sd, parameter=name):
                size, ones = self._parameter(log_sd, name), np.ones(len(y))
                logarithms = GaussianAndDiscrepancy.of(torch.log(y), process_of(self.problem, match, rows, ones), size)
                return LogNormalAndDiscrepancy(y, logarithms)
            case d.CovarianceNoise(matrix=matrix):
                units, size = self._kept(matrix, [series]), 1.0
            case _:
                raise LikelihoodError(f"{MUST_BE}.")
        return GaussianAndDiscrepancy.of(y, process_of(self.problem, match, rows, units), size)

    def _noise(self, noise: d.NoiseModel, y: torch.Tensor, scale: torch.Tensor | None, series: list[int]) -> batched_noise.Noise:
        match noise:
            case d.GaussianKnown(sd=sd):
                return batched_noise.Gaussian(y, scale if scale is not None else self._parameter(sd))
            case d.GaussianInferred(parameter=parameter):
                return batched_noise.Gaussian(y, self._parameter(parameter))
            case d.GaussianIntegrated(shape=a, scale=b, per_point=per_point):
                if per_point:
                    return batched_noise.StudentT(y, math.sqrt(b / a), 2.0 * a)
                return batched_noise.SharedVariance(y, a, b)
            case d.StudentTNoise(dof=dof, scale=s, parameter=parameter):
                return batched_noise.StudentT(y, scale if scale is not None else self._parameter(s, parameter), dof)
            case d.LogNormalNoise(log_sd=s, parameter=parameter):
                return batched_noise.LogNormal(y, self._parameter(s, parameter))
            case d.PoissonNoise():
                return batched_noise.Poisson(y)
            case d.NegativeBinomialNoise(size=k, parameter=parameter):
                return batched_noise.NegativeBinomial(y, self._parameter(k, parameter))
            case d.Ar1Noise(sd=sd, rho=rho):
                gaps = torch.as_tensor(np.diff(self._series[series[0]].rows).astype(float))
                return batched_noise.Autoregressive(y, gaps, self._parameter(sd), self._parameter(rho))
            case d.CovarianceNoise(matrix=matrix):
                return batched_noise.Covariance(y, torch.as_tensor(covariance_factor(self._kept(matrix, series))))

    def _kept(self, matrix: Sequence[Sequence[float]], series: list[int]) -> Array:
        """Rows of the covariance matrix that belong to measured values. Raises ComparisonError."""
        present = [np.isin(np.arange(self._series[k].count), self._series[k].rows) for k in series]
        return measured_covariance(matrix, np.concatenate(present))


__all__ = ["ComparisonError", "PredictedCells"]
