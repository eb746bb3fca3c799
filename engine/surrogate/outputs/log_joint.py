"""The log joint through emulated outputs: prior + likelihood under an uncertain emulator (OUTPUTS; Kennedy and O'Hagan 2001)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
from .marginal import Marginal, expansion, marginal, marginal_of_t, size_of, spread_of_value
from .misfit import distances

Array = NDArray[np.float64]

BELIEVED_SPREAD = 4.0  # emulator's variance in units of the noise, all scores together: the same for any number of cells
AT_ONCE, FEWEST_AT_ONCE = 300_000, 64  # covariances of runs with points, all scores (2.4 MB), and points, predicted at once
SCORED_AT_ONCE = 1024  # points: the likelihood's matrices are small, and starting an operation costs as much as 100 of them
MOST_VALUES = 1_000_000  # predicted at once, where a likelihood needs them all: 8 MB for each matrix of them
DIFFERENCE = 1e-4  # box frame, for central differences of smooth transforms


class Cells(Protocol):
    """What is known of the problem; see ``likelihood.predicted.PredictedCells``."""

    @property
    def likelihood(self) -> BatchedLikelihood: ...

    @property
    def measured(self) -> Array: ...

    @property
    def units(self) -> Array: ...

    @property
    def sides(self) -> Array: ...

    @property
    def outputs(self) -> tuple[slice, ...]: ...

    @property
    def places(self) -> Array: ...

    def into_inputs(self, u: Array) -> Array: ...

    def log_prior(self, u: Array) -> Array: ...

    def noise_values(self, u: Array) -> Array: ...


@dataclass(frozen=True)
class _Whole:
    """Variance of the log joint and the emulator's in units of the noise (m,), at draws b (m, D) that were all looked at."""

    b: Array
    variance: Array
    spread: Array


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
    _whole: list[_Whole] = field(default_factory=list, init=False, repr=False, compare=False)  # what was looked at last

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

    @property
    def _predicted_at_once(self) -> int:
        return max(FEWEST_AT_ONCE, AT_ONCE // self.emulator.processes.alpha.numel())

    def _scores(self, b: Array) -> tuple[Tensor, Tensor]:
        """Mean and variance (m, K) of the scores at b (m, D)."""
        x = self.inputs(b)
        parts = [self.emulator.predict(x[part]) for part in in_parts(len(x), self._predicted_at_once)]
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
        variance, spread = np.nan_to_num(variance, nan=np.inf), np.nan_to_num(spread, nan=np.inf)
        if doubt == 1.0 and len(b) > SCORED_AT_ONCE:  # an answer's draws, of which some are asked for again
            self._whole[:] = [_Whole(b, variance, spread)]
        return mean, variance, spread

    def with_tails(self, b: Array, unsure_above: float = 0.0, most: float = np.inf) -> tuple[Array, Array]:
        """Log joint (m,) at b (m, D) where errors of the emulator have long tails, and ``spread`` there; -inf where that is not
        ``unsure_above``. ``most``: what the log joint of any outputs counts for at most."""
        value, spread, prior = np.full(len(b), -np.inf), np.empty(len(b)), self.cells.log_prior(self.box.back(b)) - self.top
        with torch.no_grad(), computing_on(self.emulator.centre.device):
            for part in in_parts(len(b), self._at_once):
                (mean, variance), p = self._scores(b[part]), self._parameters(b[part])
                size = size_of(expansion(self.likelihood, mean, p, torch.sqrt(variance))[1])
                spread[part] = np.nan_to_num(size.cpu().numpy(), nan=np.inf)
                asked = np.flatnonzero(spread[part] > unsure_above)
                limit = torch.as_tensor(most - prior[part.start + asked], device=mean.device) if np.isfinite(most) else None
                found = marginal_of_t(self.likelihood, mean[asked], variance[asked], p[asked], limit)
                value[part.start + asked] = found.cpu().numpy()
        return np.where(np.isfinite(value), value, -np.inf) + prior, spread

    def log_bayes_factor(self, b: Array, told: Array | None = None) -> Array:
        """Of what the runs tell for outputs at b (m, D) as those measured, errors with long tails: (m,). At most a share e
        of the places where they are has one below log e. ``told``: the log joint of ``with_tails`` there, if it is known."""
        told = self.with_tails(b)[0] if told is None else told
        untold = np.empty(len(b))
        with torch.no_grad(), computing_on(self.emulator.centre.device):
            for part in in_parts(len(b), self._at_once):
                variance = self.emulator.prior_variance(self.inputs(b[part]))
                before = marginal_of_t(self.likelihood, torch.zeros_like(variance), variance, self._parameters(b[part]))
                untold[part] = before.cpu().numpy()
        untold += self.cells.log_prior(self.box.back(b)) - self.top
        return np.subtract(told, untold, out=np.zeros(len(b)), where=np.isfinite(untold))

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
        x, p = self.inputs(b), self._parameters(b)
        with computing_on(x.device):
            with torch.no_grad():
                predicted = self.emulator.predict(x)
            leaves = [t.detach().requires_grad_() for t in (*predicted, p)]
            with torch.enable_grad():
                total = self._expected(leaves[0], leaves[1], leaves[2], caution).sum()
            pulls = torch.autograd.grad(total, leaves, allow_unused=True, materialize_grads=True)
            with torch.no_grad():
                by_input, by_parameter = self.emulator.slope(x, pulls[0], pulls[1]).cpu().numpy(), pulls[2].cpu().numpy()
        m, d = b.shape
        near = DIFFERENCE * np.eye(d)
        around = self.box.back(np.concatenate([b[:, None] + near, b[:, None] - near], 1).reshape(-1, d))
        found = np.einsum("mj,mjd->md", by_input, _slopes_of(self.cells.into_inputs(around), m))
        found += np.einsum("mj,mjd->md", by_parameter, _slopes_of(self.cells.noise_values(around), m))
        found += _slopes_of(self.cells.log_prior(around)[:, None], m)[:, 0]
        return np.where(np.isfinite(found), found, 0.0)

    def spread(self, b: Array, rows: NDArray[np.intp] | None = None) -> Array:
        """The emulator's variance in units of the noise, over all scores: at b (m, D), or at its ``rows`` alone."""
        found = self._looked_at(b)
        return self._expanded(b if rows is None else b[rows])[1] if found is None else found.spread[_all_or(rows)]

    def variance(self, b: Array, rows: NDArray[np.intp] | None = None) -> Array:
        """At b (m, D), or at its ``rows`` alone."""
        found = self._looked_at(b)
        return self._expanded(b if rows is None else b[rows])[0] if found is None else found.variance[_all_or(rows)]

    def _looked_at(self, b: Array) -> _Whole | None:
        return next((whole for whole in self._whole if whole.b is b), None)

    def _expanded(self, b: Array) -> tuple[Array, Array]:
        """Variance and ``Marginal.spread`` (m,): the mode of the scores is not needed."""
        variance, spread = np.empty((2, len(b)))
        with torch.no_grad(), computing_on(self.emulator.centre.device):
            for part in in_parts(len(b), self._at_once):
                mean, of_scores = self._scores(b[part])
                sd = torch.sqrt(of_scores)
                slope, curvature = expansion(self.likelihood, mean, self._parameters(b[part]), sd)
                variance[part] = spread_of_value(sd * slope, curvature).cpu().numpy()
                spread[part] = size_of(curvature).cpu().numpy()
        return np.nan_to_num(variance, nan=np.inf), np.nan_to_num(spread, nan=np.inf)

    def slopes(self, b: Array) -> Array:
        """d log-likelihood / d scores (m, K) at the scores predicted at b (m, D)."""
        with torch.no_grad():
            return np.asarray(self._slopes(b).cpu().numpy())

    def _slopes(self, b: Array) -> Tensor:
        x = self.inputs(b)
        mean = torch.cat([self.emulator.mean(x[part]) for part in in_parts(len(x), AT_ONCE)])
        return self.likelihood.slope(mean, self._parameters(b))

    def mean_functional_variance(self, b: Array, weights: Array) -> float:
        """Variance of sum_j w_j f(b_j) for points b (m, D), weights (m,): first order, the variance of log Z."""
        x = self.inputs(b)
        with torch.no_grad():
            pull = self._slopes(b) * torch.as_tensor(weights, device=x.device)[:, None]
            return max(float(self.emulator.variance_of_sum(x, pull)), 0.0)

    def joint_covariance(self, b: Array) -> Array:
        """Covariance (m, m) of f at b (m, D): first order in the scores."""
        x = self.inputs(b)
        with torch.no_grad():
            return np.asarray(self.emulator.covariance_of_sums(x, self._slopes(b)).cpu().numpy())

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
            told, *data = (
                torch.as_tensor(a, device=mean.device)
                for a in (outputs[None], self.cells.measured, self.cells.units, self.cells.sides)
            )
            misfit = torch.sqrt((distances(told, data[0], data[1], data[2]) ** 2).mean(1))
            stated = variance + emulator.nugget(x) + sd_far_off(misfit)[:, None] ** 2
            squared, size = _mean_errors(emulator.components.scores(told) - mean, stated, outputs.shape[0])
        return float(squared[0]), float(size[0])

    def with_pending(self, b: Array) -> Self:
        """Conditioned on pending points (p, D), whose outputs are taken as predicted: only variances change."""
        return self if len(b) == 0 else replace(self, emulator=self.emulator.with_pending(self.inputs(b)))

    def with_all_runs(self) -> Self:
        """Conditioned on the runs besides that are too far from the data to be fitted to: what lies about them is known too."""
        assert self.known is not None
        assert self.known.outputs is not None
        told = np.flatnonzero(np.isfinite(self.known.outputs).all(1))
        far = np.setdiff1d(told, self.kept)
        if len(far) == 0:
            return self
        with torch.no_grad():
            f = torch.as_tensor(self.known.outputs[far], device=self.emulator.centre.device)
            more = self.emulator.with_scores(self.inputs(self.b[far]), self.emulator.components.scores(f))
        return replace(self, emulator=more)


def _slopes_of(around: Array, count: int) -> Array:
    """Central differences (m, q, D), from values (2 D m, q) of each of the m places moved up, then down, along every axis."""
    found = around.reshape(count, 2, len(around) // (2 * count), -1)
    return np.asarray((found[:, 0] - found[:, 1]).transpose(0, 2, 1) / (2.0 * DIFFERENCE))


def _all_or(rows: NDArray[np.intp] | None) -> NDArray[np.intp] | slice:
    return slice(None) if rows is None else rows


def _mean_errors(error: Tensor, variance: Tensor, cells: int) -> tuple[Array, Array]:
    """Of scores (n, K): mean squared error in units of the variance (n,), and rms over so many cells in noise units (n,)."""
    squared = (error**2 / variance).mean(1)
    return squared.cpu().numpy(), torch.sqrt((error**2).sum(1) / cells).cpu().numpy()
