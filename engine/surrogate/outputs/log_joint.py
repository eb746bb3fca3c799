"""The log joint through emulated outputs: prior + likelihood under an uncertain emulator (OUTPUTS; Kennedy and O'Hagan 2001)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...likelihood.batched import BatchedLikelihood
from ...likelihood.of_scores import Likelihood
from ...machine.devices import computing_on
from ...numerics.parts import in_parts
from ..evaluations import NOISE_VARIANCE, Evaluations
from ..frames import BoxFrame
from .emulator import Emulator, sd_far_off

Array = NDArray[np.float64]

STEPS, SETTLED = 5, 1e-3  # Newton steps to the mode of the scores, and the step, in their sds, below which it is reached
BELIEVED_SPREAD = 4.0  # emulator's variance in units of the noise, all scores together: the same for any number of cells
AT_ONCE = 128  # points: as quick as 256, in half the memory, and a matrix with 100 runs and 20 scores stays below 4 MB
SCORED_AT_ONCE = 1024  # points: the likelihood's matrices are small, and starting an operation costs as much as 100 of them
MOST_VALUES = 1_000_000  # predicted at once, where a likelihood needs them all: 8 MB for each matrix of them
DIFFERENCE = 1e-4  # box frame, for central differences of smooth transforms
FARTHEST_STEP = 3.0  # sds, per step, where the log-likelihood is not quadratic in the scores


class Cells(Protocol):
    """What is known of the problem; see ``likelihood.predicted.PredictedCells``."""

    @property
    def likelihood(self) -> BatchedLikelihood: ...

    @property
    def measured(self) -> Array: ...

    @property
    def units(self) -> Array: ...

    @property
    def outputs(self) -> tuple[slice, ...]: ...

    @property
    def places(self) -> Array: ...

    def into_inputs(self, u: Array) -> Array: ...

    def log_prior(self, u: Array) -> Array: ...

    def noise_values(self, u: Array) -> Array: ...


@dataclass(frozen=True)
class Marginal:
    """The log-likelihood (m,) with the emulator's uncertainty integrated out, its variance under the emulator (m,), its slope
    (m, K) with respect to the scores at their mean, and the emulator's variance in units of the noise, over all scores (m,)."""

    value: Tensor
    variance: Tensor
    slope: Tensor
    spread: Tensor


def marginal(likelihood: Likelihood, mean: Tensor, variance: Tensor, p: Tensor) -> Marginal:
    """By Laplace's method in the scores, exact where the log-likelihood is quadratic in them.

    mean, variance (m, K) of the scores, p (m, P) noise parameters. The variance is that of the second-order expansion.
    """
    sd = torch.sqrt(variance)
    slope, curvature = _expansion(likelihood, mean, p, sd)
    size = torch.diagonal(curvature, dim1=1, dim2=2).sum(1)
    spread_of_value = ((sd * slope) ** 2).sum(1) + 0.5 * (curvature**2).sum((1, 2))
    factor = _factor(curvature)
    if likelihood.quadratic:
        ahead: Tensor = torch.linalg.solve_triangular(factor, (sd * slope)[:, :, None], upper=False)
        top = likelihood.log_density(mean, p) + 0.5 * (ahead**2).sum((1, 2))
    else:
        top, factor = _mode(likelihood, mean, sd, p, (slope, factor))
    log_det = 2.0 * torch.log(torch.diagonal(factor, dim1=1, dim2=2)).sum(1)
    return Marginal(top - 0.5 * log_det, spread_of_value, slope, size)


def _mode(likelihood: Likelihood, mean: Tensor, sd: Tensor, p: Tensor, first: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Highest log density (m,) of scores less half of their squared distance from ``mean`` in sds, and the Cholesky factor
    (m, K, K) of its curvature there; ``first``: slope and factor at the mean."""
    away, rows = torch.zeros_like(mean), torch.arange(len(mean), device=mean.device)  # whose mode is still looked for
    slope, factor = first
    of_rows, here = factor, (mean, sd, p)
    for turn in range(STEPS):
        if turn > 0:
            slope, curvature = _expansion(likelihood, here[0] + here[1] * away[rows], here[2], here[1])
            of_rows = _factor(curvature)
            factor[rows] = of_rows
        step = torch.cholesky_solve((here[1] * slope - away[rows])[:, :, None], of_rows)[:, :, 0]
        length = torch.sqrt((step**2).sum(1, keepdim=True))
        step = step * (FARTHEST_STEP / length.clamp_min(FARTHEST_STEP))
        away[rows] += step
        going = ~(step.abs().amax(1) < SETTLED)
        if not going.all():
            rows, here = rows[going], (here[0][going], here[1][going], here[2][going])
        if len(rows) == 0:
            break
    return likelihood.log_density(mean + sd * away, p) - 0.5 * (away**2).sum(1), factor


def _factor(curvature: Tensor) -> Tensor:
    """Cholesky factor (m, K, K) of the curvature with that of the scores' own density, 1."""
    own = torch.eye(curvature.shape[1], dtype=curvature.dtype, device=curvature.device)
    factor: Tensor = torch.linalg.cholesky_ex(curvature + own)[0]
    return factor


def _expansion(likelihood: Likelihood, z: Tensor, p: Tensor, sd: Tensor) -> tuple[Tensor, Tensor]:
    """Slope (m, K) with respect to the scores at z, curvature (m, K, K) with respect to scores in units of their sd (m, K)."""
    return likelihood.slope(z, p), likelihood.curvature(z, p) * sd[:, :, None] * sd[:, None, :]


@dataclass(frozen=True)
class EmulatedLogJoint:
    """A surrogate of the log joint in the box frame, relative to ``top``: the outputs are learnt, their score is computed.

    b (n, D), y (n,): the evaluations, ``known`` what came of them; ``kept`` (r,): rows of those the emulator knows, ``noise``
    (n,) variances.
    """

    emulator: Emulator
    cells: Cells
    box: BoxFrame
    b: Array
    y: Array
    kept: NDArray[np.intp]
    top: float
    likelihood: Likelihood  # of the emulator's scores
    known: Evaluations | None = None

    @property
    def variance_is_free(self) -> bool:
        return True

    @property
    def dimension(self) -> int:
        return int(self.b.shape[1])

    @property
    def noise(self) -> Array:
        return np.full(len(self.y), NOISE_VARIANCE)

    @property
    def _at_once(self) -> int:
        return max(1, min(SCORED_AT_ONCE, MOST_VALUES // self.likelihood.widest))

    def inputs(self, b: Array) -> Tensor:
        """What the program sees of points b (n, D): (n, d)."""
        return torch.as_tensor(self.cells.into_inputs(self.box.back(b)), device=self.emulator.centre.device)

    def _parameters(self, b: Array) -> Tensor:
        return torch.as_tensor(self.cells.noise_values(self.box.back(b)), device=self.emulator.centre.device)

    def _scores(self, b: Array) -> tuple[Tensor, Tensor]:
        """Mean and variance (m, K) of the scores at b (m, D)."""
        x = self.inputs(b)
        parts = [self.emulator.predict(x[part]) for part in in_parts(len(x), AT_ONCE)]
        return torch.cat([mean for mean, _ in parts]), torch.cat([variance for _, variance in parts])

    def _marginal(self, b: Array, doubt: float = 1.0) -> Marginal:
        mean, variance = self._scores(b)
        return marginal(self.likelihood, mean, doubt * variance, self._parameters(b))

    def predict(self, b: Array) -> tuple[Array, Array]:
        """Mean and variance (m,) at b (m, D)."""
        mean, variance, _ = self._predict(b)
        return mean, variance

    def trusted(self, b: Array) -> Array:
        """The mean (m,) less half of the emulator's variance, in units of the noise, beyond what is believed (OUTPUTS)."""
        mean, _, spread = self._predict(b)
        return mean - 0.5 * np.maximum(spread - BELIEVED_SPREAD, 0.0)

    def upper(self, b: Array, mean: Array, sd: Array, sds: float) -> Array:
        """The log joint (m,) if the outputs are less certain than stated by that many sds: what may be hidden there."""
        return self._predict(b, 1.0 + sds**2)[0]

    def _predict(self, b: Array, doubt: float = 1.0) -> tuple[Array, Array, Array]:
        """Mean, variance and ``Marginal.spread`` (m,) of the log joint; the emulator's variances count ``doubt`` times."""
        mean, variance, spread = np.empty((3, len(b)))
        with torch.no_grad(), computing_on(self.emulator.centre.device):
            for part in in_parts(len(b), self._at_once):
                found = self._marginal(b[part], doubt)
                mean[part], variance[part] = found.value.cpu().numpy(), found.variance.cpu().numpy()
                spread[part] = found.spread.cpu().numpy()
        mean = np.where(np.isfinite(mean), mean, -np.inf) + self.cells.log_prior(self.box.back(b)) - self.top
        return mean, np.nan_to_num(variance, nan=np.inf), np.nan_to_num(spread, nan=np.inf)

    def mean_and_spread(self, b: Array) -> tuple[Array, Array]:
        """Mean of the log joint (m,) at b (m, D), and ``spread`` there."""
        mean, _, spread = self._predict(b)
        return mean, spread

    def mean(self, b: Array) -> Array:
        return self.predict(b)[0]

    def expected(self, b: Array, caution: float = 1.0) -> Array:
        """The log joint (m,) of what is predicted at b (m, D), less half of ``caution`` times its variance in units of the noise.

        To second order the expectation of the log joint where ``caution`` is 1.
        """
        value = np.empty(len(b))
        with torch.no_grad(), computing_on(self.emulator.centre.device):
            for part in in_parts(len(b), self._at_once):
                predicted = self._scores(b[part])
                value[part] = self._expected(*predicted, self._parameters(b[part]), caution).cpu().numpy()
        value = np.where(np.isfinite(value), value, -np.inf)
        return value + self.cells.log_prior(self.box.back(b)) - self.top

    def _expected(self, mean: Tensor, variance: Tensor, p: Tensor, caution: float) -> Tensor:
        """Log-likelihood (m,) for scores of mean and variance (m, K) and noise parameters p (m, P)."""
        curvature = torch.diagonal(self.likelihood.curvature(mean, p), dim1=1, dim2=2)
        return self.likelihood.log_density(mean, p) - 0.5 * caution * (curvature * variance).sum(1)

    def expected_slope(self, b: Array, caution: float = 1.0) -> Array:
        """Gradient (m, D) of ``expected``; 0 in coordinates where it is not a number.

        Through the emulator and the noise model analytically; what transforms and priors add, by differences: those cost nothing.
        """
        x, p, log_prior = self.inputs(b), self._parameters(b), self.cells.log_prior
        with computing_on(x.device):
            with torch.no_grad():
                predicted = self.emulator.predict(x)
            leaves = [t.detach().requires_grad_() for t in (*predicted, p)]
            with torch.enable_grad():
                total = self._expected(leaves[0], leaves[1], leaves[2], caution).sum()
            pulls = torch.autograd.grad(total, leaves, allow_unused=True, materialize_grads=True)
            with torch.no_grad():
                by_input, by_parameter = self.emulator.slope(x, pulls[0], pulls[1]).cpu().numpy(), pulls[2].cpu().numpy()
        found = np.einsum("mj,mjd->md", by_input, self._slopes_of(self.cells.into_inputs, b))
        found += np.einsum("mj,mjd->md", by_parameter, self._slopes_of(self.cells.noise_values, b))
        found += self._slopes_of(lambda u: log_prior(u)[:, None], b)[:, 0]
        return np.where(np.isfinite(found), found, 0.0)

    def _slopes_of(self, of: Callable[[Array], Array], b: Array) -> Array:
        """d / d b (m, q, D) at b (m, D) of a function of inference space, (m, D) -> (m, q), by central differences."""
        m, d = b.shape
        near = DIFFERENCE * np.eye(d)
        around = np.concatenate([b[:, None] + near, b[:, None] - near], 1).reshape(-1, d)
        found = of(self.box.back(around)).reshape(m, 2, d, -1)
        return np.asarray((found[:, 0] - found[:, 1]).transpose(0, 2, 1) / (2.0 * DIFFERENCE))

    def spread(self, b: Array) -> Array:
        """The emulator's variance in units of the noise (m,), over all scores."""
        found = np.empty(len(b))
        with torch.no_grad(), computing_on(self.emulator.centre.device):
            for part in in_parts(len(b), self._at_once):
                mean, variance = self._scores(b[part])
                curvature = torch.diagonal(self.likelihood.curvature(mean, self._parameters(b[part])), dim1=1, dim2=2)
                found[part] = (curvature * variance).sum(1).cpu().numpy()
        return np.nan_to_num(found, nan=np.inf)

    def variance(self, b: Array) -> Array:
        return self.predict(b)[1]

    def slopes(self, b: Array) -> Array:
        """d log-likelihood / d scores (m, K) at the scores predicted at b (m, D)."""
        with torch.no_grad():
            return np.asarray(self._marginal(b).slope.cpu().numpy())

    def mean_functional_variance(self, b: Array, weights: Array) -> float:
        """Variance of sum_j w_j f(b_j) for points b (m, D), weights (m,): first order, the variance of log Z."""
        x = self.inputs(b)
        with torch.no_grad():
            pull = self._marginal(b).slope * torch.as_tensor(weights, device=x.device)[:, None]
            return max(float(self.emulator.variance_of_sum(x, pull)), 0.0)

    def joint_covariance(self, b: Array) -> Array:
        """Covariance (m, m) of f at b (m, D): first order in the scores."""
        x = self.inputs(b)
        with torch.no_grad():
            return np.asarray(self.emulator.covariance_of_sums(x, self._marginal(b).slope).cpu().numpy())

    def leave_one_out(self) -> tuple[Array, Array]:
        """Residual y_i - m_(-i) and predictive variance of every evaluation the emulator knows; 0 and 1 for the others."""
        residual, spread = np.zeros(len(self.y)), np.ones(len(self.y))
        b = self.b[self.kept]
        with torch.no_grad():
            mean, variance = self.emulator.leave_one_out()
            found = marginal(self.likelihood, mean, variance, self._parameters(b))
        expected = found.value.cpu().numpy() + self.cells.log_prior(self.box.back(b)) - self.top
        residual[self.kept] = self.y[self.kept] - expected
        spread[self.kept] = np.maximum(found.variance.cpu().numpy(), NOISE_VARIANCE)
        return residual, spread

    def left_out(self) -> Array:
        """By how much the log joint of every run (n,) exceeds what its scores alone make of it: what the components leave out,
        of which no variance tells; 0 for runs the emulator does not know."""
        found, b = np.zeros(len(self.y)), self.b[self.kept]
        with torch.no_grad():
            by_scores = self.likelihood.log_density(self.emulator.scores, self._parameters(b)).cpu().numpy()
        missed = self.y[self.kept] - (by_scores + self.cells.log_prior(self.box.back(b)) - self.top)
        found[self.kept] = np.where(np.isfinite(missed), missed, 0.0)
        return found

    def outputs_errors(self) -> tuple[NDArray[np.intp], Array, Array]:
        """Of the runs the emulator knows, (r,) each: rows, ``outputs_error`` of each predicted without it."""
        with torch.no_grad():
            mean, variance = self.emulator.leave_one_out()
            return self.kept, *_mean_errors(self.emulator.scores - mean, variance, len(self.cells.measured))

    def outputs_error(self, b: Array, outputs: Array) -> tuple[float, float]:
        """Mean squared standardized error of the scores at b (D,), whose outputs are (L,), and its size: rms over the cells in
        noise units."""
        emulator = self.emulator
        with torch.no_grad():
            x = self.inputs(b[None])
            mean, variance = emulator.predict(x)
            told, measured, units = (
                torch.as_tensor(a, device=mean.device) for a in (outputs[None], self.cells.measured, self.cells.units)
            )
            misfit = torch.sqrt((((told - measured) / units) ** 2).mean(1))
            stated = variance + emulator.nugget(x) + sd_far_off(misfit)[:, None] ** 2
            squared, size = _mean_errors(emulator.components.scores(told) - mean, stated, outputs.shape[0])
        return float(squared[0]), float(size[0])

    def with_pending(self, b: Array) -> Self:
        """Conditioned on pending points (p, D), whose outputs are taken as predicted: only variances change."""
        return self if len(b) == 0 else replace(self, emulator=self.emulator.with_pending(self.inputs(b)))


def _mean_errors(error: Tensor, variance: Tensor, cells: int) -> tuple[Array, Array]:
    """Of scores (n, K): mean squared error in units of the variance (n,), and rms over so many cells in noise units (n,)."""
    squared = (error**2 / variance).mean(1)
    return squared.cpu().numpy(), torch.sqrt((error**2).sum(1) / cells).cpu().numpy()
