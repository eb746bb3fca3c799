"""Runs that gave some of their cells: each says of every score what those cells do, as a value with a variance of its own.

The cells given condition the scores predicted at a run without it: Gaussian, since cells are linear in the scores. The condition
is kept as one factor for each score, of the same marginals, found anew with the others' (Minka 2001, expectation propagation).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from ...numerics.parts import in_parts
from ...numerics.torch_linear_algebra import robust_factors
from .components import MISSED, Components
from .gaussian_processes import JITTER, GaussianProcesses, Objective, Standardized, fit

ROUNDS = 3  # of the runs' predictions without each of them: a fourth changes nothing
MOST_VALUES = 1_000_000  # slopes of cells along scores at once: 8 MB
STEPS = 8  # in which a size e**8 times as large, or a shape beside it, is found
MOST_SIZE = 20.0  # logarithm of a size beside the typical one beyond which nothing is made linear: nobody measured such a thing
LEAST = 1e-4  # what a run adds to the precision of a score, as a share of it, where its cells say nothing of that score


@dataclass(frozen=True)
class Incomplete:
    """Inputs x (q, d) and cells f (q, L) of runs, NaN where they gave none. ``guess`` (q, L): what is predicted for those."""

    x: Tensor
    f: Tensor
    guess: Tensor | None = None

    def rows(self, which: Tensor) -> Incomplete:
        return Incomplete(self.x[which], self.f[which], None if self.guess is None else self.guess[which])


@dataclass(frozen=True)
class Given:
    """Cells f (q, L) beside inputs (q, d) in standardized coordinates, ``sd`` (q,) of what components do not say of each cell."""

    f: Tensor
    x: Tensor
    sd: Tensor
    components: Components
    size: Tensor  # (K,) of the scores

    def guess(self, known: GaussianProcesses) -> Tensor:
        """The cells (q, L), where there are none as they are predicted by processes that know of these runs; no score goes beyond
        those of the complete runs by more than their range: a guess tells little of how cells change together."""
        seen = known.data.z[: len(known.data.x) - len(self.x)]
        (low, high), mean = torch.aminmax(seen, dim=0), known.predict(self.x)[0]
        predicted = self.components.cells(mean.clamp(2.0 * low - high, 2.0 * high - low) * self.size)
        return torch.where(usable(self.f, self.components), self.f, predicted)

    def taught(self, known: GaussianProcesses, search: bool) -> GaussianProcesses:
        """``known``, and these runs as further ones; ``search``: hyperparameters are fitted to them all."""
        complete, theta, processes = known.data, known.theta, known
        mean, variance = known.predict(self.x)
        variance = variance + torch.exp(2.0 * theta[:, -1])
        for turn in range(ROUNDS):
            if turn > 0:
                without = processes.leave_one_out()
                left = (without[1] - processes.data.extra.T).clamp_min(JITTER)  # of nearly the same: else below 0
                mean, variance = (t[len(complete.x) :] for t in (without[0], left))
            value, extra = self._factors(mean * self.size, variance * self.size**2)
            data = Standardized(
                torch.cat([complete.x, self.x]), torch.cat([complete.z, value / self.size]),
                torch.cat([complete.extra, (extra / self.size**2).T], 1), complete.nugget,
            )  # fmt: skip
            if search and turn == ROUNDS - 2:
                theta = fit(Objective(data, known.kind), theta)[0]
            processes = GaussianProcesses(data, theta, known.kind)
        return processes

    def _factors(self, mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor]:
        """A few runs at a time."""
        parts = in_parts(len(mean), max(1, MOST_VALUES // (mean.shape[1] * self.f.shape[1])))
        found = [factors(self.f[p], self.components, mean[p], variance[p], self.sd[p]) for p in parts]
        return torch.cat([value for value, _ in found]), torch.cat([extra for _, extra in found])


def factors(f: Tensor, components: Components, mean: Tensor, variance: Tensor, sd: Tensor) -> tuple[Tensor, Tensor]:
    """Values and variances (q, K): scores predicted with ``mean`` and ``variance`` (q, K), each combined with its own factor,
    have the means and variances that the cells f (q, L) give them, known to ``sd`` (q,) and what components leave out.

    Sizes and shapes are made linear where the cells then leave the scores, step by step (an iterated Kalman update, Bell and
    Cathey 1993), each at most a size ``e`` times as large: about a mean far off they would lead anywhere.
    """
    given, at, step = usable(f, components), mean, components.typical
    wanted = components.scale.into(torch.where(given, f, 1.0))
    root, noise = variance.sqrt(), torch.sqrt(MISSED**2 + sd**2)[:, None]
    for _ in range(STEPS if step else 1):
        at = torch.cat([at[:, :1].clamp(-MOST_SIZE * step, MOST_SIZE * step), at[:, 1:]], 1) if step else at
        t, slope = components.about(at)
        off = torch.where(given, wanted - t + ((at - mean)[:, None] @ slope)[:, 0], 0.0) / noise
        slope = torch.where(given[:, None], slope, 0.0) / noise[:, None] * root[:, :, None]
        precision = slope @ slope.transpose(1, 2) + torch.eye(mean.shape[1], dtype=mean.dtype, device=mean.device)
        factor = robust_factors(precision)
        moved = torch.cholesky_solve(slope @ off[:, :, None], factor)[:, :, 0]
        change = mean + root * moved - at
        at = at + change * (step / change[:, :1].abs().clamp_min(step) if step else 1.0)
    precision = 1.0 / torch.diagonal(torch.cholesky_inverse(factor), dim1=1, dim2=2)
    gained = (precision - 1.0).clamp_min(LEAST)
    return mean + (at - mean) * precision / gained, variance / gained


def usable(f: Tensor, components: Components) -> Tensor:
    """Which of the cells f (q, L) say something (q, L)."""
    return torch.isfinite(f) & (~components.scale.log | (f > 0.0))
