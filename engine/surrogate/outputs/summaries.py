"""The synthetic log-likelihood at any inputs: means of the summaries emulated, their covariance smoothed over places.

A point gives the mean (k,) of the summaries of R runs, with the error S / R, and their covariance S (k, k). The means are smooth
in the inputs, where the score spans many thousand nats. With m(x), V(x) the emulated means and the variance of those, and C(x)
the log-Euclidean mean (Arsigny et al. 2007) of the covariances of the points nearest to x, s has the density N(s; m, C + V).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...likelihood.synthetic import log_det_bias
from ...numerics.torch_linear_algebra import robust_factors
from .emulator import Emulator, Form, Runs
from .log_joint import BELIEVED_SPREAD

Array = NDArray[np.float64]

NEIGHBOURS = 4  # points whose covariances are averaged, by the inverse of their squared distances
CLOSE = 1e-3  # squared distance, in sds of the points, below which they are alike
OFF = 2.0  # sds by which emulated means, and logarithms of spreads, may be off where a place is excluded
MARGIN = 1.0  # nats that summaries which are not normal may add there
LEAST = 1e-9  # of an eigenvalue of a covariance, in units of the typical spread


@dataclass(frozen=True)
class Summaries:
    """Of points x (n, d): numbers of ``runs`` (n,), ``means`` (n, k) and ``covariances`` (n, k, k) of the summaries of those.

    ``measured`` (k,) with the further covariance ``error`` (k, k).
    """

    x: Array
    runs: Array
    means: Array
    covariances: Array
    measured: Array
    error: Array


@dataclass(frozen=True)
class EmulatedSummaries:
    """All in units of the typical spread (k,) of the summaries; ``places`` standardized."""

    emulator: Emulator
    measured: Tensor  # (k,)
    places: Tensor  # (r, d) whose covariances are known
    logarithms: Tensor  # (r, k, k) of those
    log_units: float  # sum of the logarithms of the units
    runs: float  # at a point, their median
    error: Tensor  # (k, k) of the measured summaries, a part of every covariance

    @classmethod
    def of(cls, known: Summaries) -> Self:
        """Hyperparameters are searched."""
        spreads = np.diagonal(known.covariances, axis1=1, axis2=2) + np.diag(known.error)
        unit = np.exp(0.5 * np.log(np.maximum(spreads, np.finfo(float).tiny)).mean(0))
        units, errors = torch.as_tensor(unit), known.covariances / known.runs[:, None, None]
        x, k = torch.as_tensor(known.x), len(unit)
        means, measured = torch.as_tensor(known.means), torch.as_tensor(known.measured)
        groups = tuple(torch.tensor([j]) for j in range(k))
        learnt = Runs(x, means, measured, units, groups, errors=torch.as_tensor(errors))
        emulator = Emulator.of(learnt, Form(), None, search=True)
        low = np.array([log_det_bias(r, k) / k if r > k + 1 else 0.0 for r in known.runs.tolist()])  # of estimated logarithms
        own = (known.covariances / np.exp(low)[:, None, None] + known.error) / np.outer(unit, unit)
        places = (x[emulator.kept] - emulator.centre) / emulator.width
        runs, error = float(np.median(known.runs)), torch.as_tensor(known.error / np.outer(unit, unit))
        logarithms = _of_values(torch.as_tensor(own)[emulator.kept], torch.log)
        return cls(emulator, measured / units, places, logarithms, float(np.log(unit).sum()), runs, error)

    def covariance(self, x: Tensor) -> Tensor:
        """C (m, k, k) at x (m, d)."""
        distance = torch.cdist((x - self.emulator.centre) / self.emulator.width, self.places) ** 2
        near = torch.topk(distance, min(NEIGHBOURS, len(self.places)), largest=False)
        weights = 1.0 / (near.values + CLOSE)
        weights = weights / weights.sum(1, keepdim=True)
        return _of_values(torch.einsum("mj,mjkl->mkl", weights, self.logarithms[near.indices]), torch.exp)

    def predict(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Means m (q, k) and their covariance V (q, k, k) at x (q, d)."""
        scores, variances = self.emulator.predict(x)
        mean, slope = self.emulator.components.about(scores)
        return mean, torch.einsum("qs,qsk,qsl->qkl", variances, slope, slope)

    def log_likelihood(self, points: Array) -> Array:
        """(m,) at points (m, d), less half of tr(C^-1 V) beyond what is believed of an emulator (OUTPUTS)."""
        x = torch.as_tensor(points)
        mean, unsure = self.predict(x)
        own = self.covariance(x)
        spread = torch.cholesky_solve(unsure, robust_factors(own)).diagonal(dim1=1, dim2=2).sum(1)
        factor = robust_factors(own + unsure)
        gap = torch.linalg.solve_triangular(factor, (self.measured - mean)[:, :, None], upper=False)[:, :, 0]
        logs = torch.log(torch.diagonal(factor, dim1=1, dim2=2)).sum(1) + self.log_units
        density = -0.5 * ((gap**2).sum(1) + len(self.measured) * math.log(2.0 * math.pi)) - logs
        believed: Array = (density - 0.5 * (spread - BELIEVED_SPREAD).clamp_min(0.0)).numpy()
        return np.nan_to_num(believed, nan=-math.inf)

    def most(self, points: Array) -> Array:
        """The log-likelihood (m,) that there may be at points (m, D): means and spreads OFF of their sds nearer to the data,
        and the density no lower for being unsure, nor by MARGIN."""
        x, of_spread = torch.as_tensor(points), OFF / math.sqrt(2.0 * self._estimated)
        mean, unsure = self.predict(x)
        own, k = self.covariance(x), len(self.measured)
        wide = robust_factors(math.exp(2.0 * of_spread) * own + OFF**2 * unsure)
        gap = torch.linalg.solve_triangular(wide, (self.measured - mean)[:, :, None], upper=False)[:, :, 0]
        logs = torch.log(torch.diagonal(robust_factors(own), dim1=1, dim2=2)).sum(1) + self.log_units
        density = -0.5 * ((gap**2).sum(1) + k * math.log(2.0 * math.pi)) - logs
        found: Array = (density + math.sqrt(k) * of_spread + MARGIN).numpy()
        return np.nan_to_num(found, nan=math.inf)

    @property
    def _estimated(self) -> float:
        """Degrees of freedom of the spreads."""
        return NEIGHBOURS * max(self.runs - 1.0, 1.0)

    def standard_errors(self, points: Array, runs: Array) -> Array:
        """Of synthetic log-likelihoods (m,) by ``runs`` (m,) runs at points (m, D): the formula of ``likelihood.synthetic``, with
        what is emulated in place of the point's own estimates, whose errors its value has too."""
        x, count = torch.as_tensor(points), torch.as_tensor(runs)
        z, of_spread, own = self._slopes(x)
        of_mean = torch.einsum("mk,mkl,ml->m", z, own, z)
        found: Array = torch.sqrt((of_spread / (count - 1.0) + of_mean / count).clamp_min(0.0)).numpy()
        return found

    def sds(self, points: Array) -> Array:
        """Of ``log_likelihood`` (m,), to first order: by the errors of what is emulated."""
        x = torch.as_tensor(points)
        z, of_spread, _ = self._slopes(x)
        found: Array = torch.sqrt(
            (of_spread / self._estimated + torch.einsum("mk,mkl,ml->m", z, self.predict(x)[1], z)).clamp_min(0.0)
        ).numpy()
        return found

    def _slopes(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of the log-likelihood at x (m, d) with respect to the means (m, k); its variance (m,) by spreads that were estimated
        with one degree of freedom; those (m, k, k)."""
        own, gap = self.covariance(x), (self.measured - self.predict(x)[0])[:, :, None]
        factor, spread = robust_factors(own), own - self.error
        share, z = torch.cholesky_solve(spread, factor), torch.cholesky_solve(gap, factor)
        moved = spread @ z
        of_gap, mixed = (z * moved).sum((1, 2)), (moved * (share @ z)).sum((1, 2))
        squared = (share @ share).diagonal(dim1=1, dim2=2).sum(1)
        return z[:, :, 0], 0.5 * (of_gap**2 - 2.0 * mixed + squared), spread


def _of_values(matrices: Tensor, function: Callable[[Tensor], Tensor]) -> Tensor:
    """The function of symmetric matrices (m, k, k) by their eigenvalues; those to a logarithm are at least LEAST."""
    values, vectors = torch.linalg.eigh(matrices)
    values = function(values.clamp_min(LEAST) if function is torch.log else values)
    found: Tensor = (vectors * values[:, None, :]) @ vectors.transpose(1, 2)
    return found
