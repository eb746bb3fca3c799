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

from ...numerics.torch_linear_algebra import robust_factors
from .emulator import Emulator, Form, Runs
from .log_joint import BELIEVED_SPREAD

Array = NDArray[np.float64]

NEIGHBOURS = 4  # points whose covariances are averaged, by the inverse of their squared distances
CLOSE = 1e-3  # squared distance, in sds of the points, below which they are alike
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

    @classmethod
    def of(cls, known: Summaries) -> Self:
        """Hyperparameters are searched."""
        spreads = np.diagonal(known.covariances, axis1=1, axis2=2) + np.diag(known.error)
        unit = np.exp(0.5 * np.log(np.maximum(spreads, np.finfo(float).tiny)).mean(0))
        units, errors = torch.as_tensor(unit), known.covariances / known.runs[:, None, None]
        x, k = torch.as_tensor(known.x), len(unit)
        means, measured = torch.as_tensor(known.means), torch.as_tensor(known.measured)
        groups = tuple(torch.tensor([j]) for j in range(k))
        runs = Runs(x, means, measured, units, groups, errors=torch.as_tensor(errors))
        emulator = Emulator.of(runs, Form(), None, search=True)
        own = torch.as_tensor((known.covariances + known.error) / np.outer(unit, unit))[emulator.kept]
        places = (x[emulator.kept] - emulator.centre) / emulator.width
        return cls(emulator, measured / units, places, _of_values(own, torch.log), float(np.log(unit).sum()))

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


def _of_values(matrices: Tensor, function: Callable[[Tensor], Tensor]) -> Tensor:
    """The function of symmetric matrices (m, k, k) by their eigenvalues; those to a logarithm are at least LEAST."""
    values, vectors = torch.linalg.eigh(matrices)
    values = function(values.clamp_min(LEAST) if function is torch.log else values)
    found: Tensor = (vectors * values[:, None, :]) @ vectors.transpose(1, 2)
    return found
