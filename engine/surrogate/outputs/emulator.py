"""The program's cells at any inputs: principal components of the runs near the data, each with a Gaussian process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...numerics.radial import Profile
from .components import Components, Pull, Scale
from .gaussian_processes import GaussianProcesses, Objective, Standardized, fit
from .incomplete import Given, Incomplete
from .misfit import distances
from .scatter import Scatter

Array = NDArray[np.float64]

NEAREST, NEAREST_PER_INPUT = 24, 6  # runs that are kept however far they are from the data, or so many for each input
WITHIN = 4.0  # times (misfit of the best + 1): runs up to there are kept
HALF_WEIGHT = 3.0  # misfit at which a run counts half for the components, which must serve runs near the data
FAR_FROM, FAR_SLOPE = 4.0, 0.05  # misfit beyond which a run has a nugget of its own, and its sd per unit beyond
NUGGET = 0.02  # noise units: prior median of the nugget
LEAST_ERROR = 1e-3  # noise units: smaller errors of a run are alike
SMALLEST_WIDTH = 1e-9  # of an input that does not vary


@dataclass(frozen=True)
class Form:
    """What is chosen by leave-one-out: the kernel, and whether logarithms of positive outputs are learnt, or sizes and shapes."""

    kernel: Profile = "smooth"
    logarithms: bool = False
    sizes: bool = False


@dataclass(frozen=True)
class Runs:
    """Inputs x (n, d) and cells f (n, L) of finished runs; measured (L,), units (L,) of the noise.

    ``incomplete``: runs without some of their cells. ``sides`` (L,): of cells of which only a limit is known; None: of none.
    ``errors`` (n, L, L): covariance of an error that each run's cells are known to have; None: of none.
    """

    x: Tensor
    f: Tensor
    measured: Tensor
    units: Tensor
    groups: tuple[Tensor, ...]  # cells that share one noise model: logarithms are taken of all or none
    incomplete: Incomplete | None = None
    pull: Pull | None = None
    sides: Tensor | None = None
    errors: Tensor | None = None

    @property
    def misfit(self) -> Tensor:
        """Root mean square distance (n,) of each run from the data, in noise units."""
        return torch.sqrt(self._squares(self.f).mean(1))

    def misfit_of(self, some: Incomplete) -> Tensor:
        """The same (q,) of incomplete runs, over the cells given."""
        return torch.sqrt(self._squares(some.f).nanmean(1))

    def _squares(self, f: Tensor) -> Tensor:
        sides = torch.zeros_like(self.units) if self.sides is None else self.sides
        return distances(f, self.measured, self.units, sides) ** 2

    @property
    def weights(self) -> Tensor:
        """By how much each run counts (n,)."""
        return _weights(self.misfit)

    def near(self) -> Tensor:
        """Rows (r,) of those that decide the posterior."""
        misfit = self.misfit
        rank = torch.argsort(torch.argsort(misfit))
        nearest = max(NEAREST, NEAREST_PER_INPUT * self.x.shape[1])
        return torch.nonzero((rank < nearest) | (misfit <= WITHIN * (misfit.min() + 1.0)))[:, 0]

    def some(self, count: int) -> Runs:
        """At most ``count`` of them: a half nearest to the data, others of every distance; itself if it has no more."""
        if len(self.f) <= count:
            return self
        order = torch.argsort(self.misfit, stable=True)
        rest = order[count // 2 :]
        others = rest[torch.linspace(0, len(rest) - 1, count - count // 2, device=rest.device).round().long()]
        return self.rows(torch.cat([order[: count // 2], others]).sort().values)

    def without_far(self) -> Runs:
        """Without incomplete ones that are farther from the data than all the others."""
        if self.incomplete is None:
            return self
        own = self.misfit_of(self.incomplete)
        near = (own <= self.misfit.max()) & torch.isfinite(own)
        return replace(self, incomplete=self.incomplete.rows(near) if bool(near.any()) else None)

    def components(self, form: Form) -> Components:
        """Of all of them, the incomplete ones as they are completed."""
        f, weights, some = self.f, self.weights, self.incomplete
        if some is not None and some.guess is not None:
            f, weights = torch.cat([f, some.guess]), torch.cat([weights, _weights(self.misfit_of(some))])
        return Components.of(f, weights, self.scale(form), form.sizes, self.pull)

    def rows(self, which: Tensor) -> Runs:
        return replace(self, x=self.x[which], f=self.f[which], errors=None if self.errors is None else self.errors[which])

    @property
    def logarithms_possible(self) -> bool:
        """Whether there are cells that are positive in all runs and in the data."""
        return bool(self._positive().any())

    def _positive(self) -> Tensor:
        """Cells (L,) of outputs all of whose cells are positive, in the data too."""
        positive = (self.f > 0.0).all(0) & (self.measured > 0.0)
        for block in self.groups:
            positive[block] = positive[block].all()
        return positive

    def scale(self, form: Form) -> Scale:
        log = self._positive() if form.logarithms else torch.zeros_like(self.measured, dtype=torch.bool)
        return Scale.of(self.measured, self.units, log)


@dataclass(frozen=True)
class Emulator:
    """Scores have mean and variance in noise units. ``inflation``: what variances are multiplied by.

    The processes know of incomplete runs besides those kept, after them.
    """

    components: Components
    processes: GaussianProcesses
    centre: Tensor  # (d,) of the inputs
    width: Tensor  # (d,)
    size: Tensor  # (K,) of the scores
    theta: Tensor  # (K, d + 4)
    kept: Tensor  # (r,) rows of the complete runs it knows
    inflation: float = 1.0
    scatter: Scatter | None = None

    @classmethod
    def of(
        cls, runs: Runs, form: Form, theta: Tensor | None, search: bool, also: Sequence[int] = (), scatter: Scatter | None = None
    ) -> Emulator:
        """From all runs. ``theta``: hyperparameters known before, searched on from there; ``search`` False: used as they are.

        ``also``: rows that are kept however far they are from the data. ``scatter``: what the nugget is, and how it changes from
        place to place.
        """
        kept = runs.near()
        further = sorted(set(also) - set(kept.tolist()))
        kept = torch.cat([kept, torch.tensor(further, dtype=kept.dtype, device=kept.device)])
        near = runs.rows(kept).without_far()
        misfit = near.misfit
        components = near.components(form)
        scores = components.scores(near.f)
        size = torch.sqrt((scores**2).mean(0)).clamp_min(1e-6)
        centre, width = near.x.mean(0), near.x.std(0, unbiased=False).clamp_min(SMALLEST_WIDTH)
        extra = (sd_far_off(misfit) / size[:, None]) ** 2
        if near.errors is not None:
            extra = extra + components.variance(near.errors).T / size[:, None] ** 2
        level = None if scatter is None else scatter.level(near.x)
        nugget = NUGGET if scatter is None else max(NUGGET, scatter.size)
        data = Standardized((near.x - centre) / width, scores / size, extra, torch.log(nugget / size).clamp_max(0.0), level)
        objective = Objective(data, form.kernel)
        start = _extended(theta, objective)
        some = near.incomplete
        again = some is not None and some.guess is not None
        found = start if start is not None and (again or not search) else fit(objective, start)[0]
        processes = GaussianProcesses(data, found, form.kernel)
        if some is not None:
            given = Given(some.f, (some.x - centre) / width, sd_far_off(runs.misfit_of(some)), components, size)
            processes = given.taught(processes, search and again)
            if not again:  # components of these runs too, now that they can be completed
                guessed = replace(runs, incomplete=replace(some, guess=given.guess(processes)))
                return cls.of(guessed, form, processes.theta, search, also)
        return cls(components, processes, centre, width, size, processes.theta, kept, scatter=scatter)

    def thought_near(self, runs: Runs) -> list[int]:
        """Rows of the runs left out whose predicted cells are as near to the data as those of runs that are kept."""
        left_out = torch.ones(len(runs.f), dtype=torch.bool, device=runs.f.device)
        left_out[self.kept] = False
        rows = torch.nonzero(left_out)[:, 0]
        if len(rows) == 0:
            return []
        predicted = replace(runs, x=runs.x[rows], f=self.components.cells(self.predict(runs.x[rows])[0]))
        return [int(row) for row in rows[predicted.misfit <= WITHIN * (runs.misfit.min() + 1.0)]]

    def _inputs(self, x: Tensor) -> Tensor:
        return (x - self.centre) / self.width

    def predict(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and variance (m, K) of the scores at inputs x (m, d)."""
        mean, variance = self.processes.predict(self._inputs(x))
        return mean * self.size, variance * self.size**2 * self.inflation

    def prior_variance(self, x: Tensor) -> Tensor:
        """Variance (m, K) of the scores at inputs x (m, d) before any run; their mean is 0 then."""
        return self.processes.variance(self._inputs(x)).T * self.size**2 * self.inflation

    def mean(self, x: Tensor) -> Tensor:
        """Mean (m, K) of the scores at inputs x (m, d)."""
        return self.processes.mean(self._inputs(x)) * self.size

    def slope(self, x: Tensor, by_mean: Tensor, by_variance: Tensor) -> Tensor:
        """Gradient (m, d) at inputs (m, d) of a function with these derivatives (m, K) with respect to what is predicted."""
        scaled = by_mean * self.size, by_variance * self.size**2 * self.inflation
        return self.processes.slope(self._inputs(x), *scaled) / self.width

    def covariance(self, x: Tensor, other: Tensor) -> Tensor:
        """Covariance (K, n, m) of the scores."""
        found = self.processes.covariance(self._inputs(x), self._inputs(other))
        return found * (self.size**2 * self.inflation)[:, None, None]

    def variance_of_sum(self, x: Tensor, weights: Tensor) -> Tensor:
        """Variance of sum_jk w_jk z_k(x_j), scores z at inputs x (m, d), weights (m, K)."""
        return self.processes.variance_of_sum(self._inputs(x), weights * self.size).sum() * self.inflation

    def covariance_of_sums(self, x: Tensor, weights: Tensor) -> Tensor:
        """Covariance (m, m) of sum_k w_jk z_k(x_j), scores z at inputs x (m, d), weights (m, K)."""
        return self.processes.covariance_of_sums(self._inputs(x), weights * self.size) * self.inflation

    @property
    def incomplete(self) -> bool:
        """Whether it knows of incomplete runs."""
        return len(self.processes.data.x) > len(self.kept)

    @property
    def scores(self) -> Tensor:
        """(r, K) of the runs kept."""
        return self.processes.data.z[: len(self.kept)] * self.size

    def nugget(self, x: Tensor) -> Tensor:
        """Variance (m, K) of the scores of runs at x (m, d) about the surface."""
        usual = (torch.exp(2.0 * self.theta[:, -1]) * self.size**2).expand(len(x), -1)
        return usual if self.scatter is None else usual * self.scatter.level(x)[:, None]

    def leave_one_out(self) -> tuple[Tensor, Tensor]:
        """Mean and variance (n, K) of the scores of every run kept, without it."""
        mean, variance = (t[: len(self.kept)] for t in self.processes.leave_one_out())
        return mean * self.size, variance * self.size**2 * self.inflation

    def missed(self, runs: Runs) -> float:
        """Geometric mean over the runs kept, those near the data counting most, of the size over all cells of the error of what
        is predicted without them, in noise units. Comparable between forms, and not led by a few bad or lucky runs."""
        near = runs.rows(self.kept)
        error = (self.components.cells(self.leave_one_out()[0]) - near.f) / near.units
        share = near.weights / near.weights.sum()
        return float(torch.exp(0.5 * share @ torch.log((error**2).sum(1) + LEAST_ERROR**2)))

    def with_pending(self, x: Tensor) -> Self:
        """Conditioned on inputs (p, d) whose scores are taken as predicted: only variances change."""
        return self._with(x, self.processes.predict(self._inputs(x))[0])

    def with_scores(self, x: Tensor, scores: Tensor) -> Self:
        """Conditioned on scores (p, K) at inputs (p, d) besides, with the same hyperparameters."""
        return self._with(x, scores / self.size)

    def _with(self, x: Tensor, standardized: Tensor) -> Self:
        data = self.processes.data
        level = None if self.scatter is None or data.level is None else torch.cat([data.level, self.scatter.level(x)])
        more = Standardized(
            torch.cat([data.x, self._inputs(x)]), torch.cat([data.z, standardized]),
            torch.cat([data.extra, torch.zeros(len(data.extra), len(x), dtype=x.dtype, device=x.device)], 1), data.nugget, level,
        )  # fmt: skip
        return replace(self, processes=GaussianProcesses(more, self.theta, self.processes.kind))


def _weights(misfit: Tensor) -> Tensor:
    """By how much runs of such a misfit (n,) count (n,)."""
    return 1.0 / (1.0 + (misfit / HALF_WEIGHT) ** 2)


def sd_far_off(misfit: Tensor) -> Tensor:
    """Of the nugget (n,) that the scores of runs of such a misfit (n,) have besides."""
    return FAR_SLOPE * (misfit - FAR_FROM).clamp_min(0.0)


def _extended(theta: Tensor | None, objective: Objective) -> Tensor | None:
    """Hyperparameters known before for as many scores as there are now, the others at the prior mean; None: nothing known."""
    if theta is None or theta.shape[1] != objective.mean.shape[1]:
        return None
    count = min(len(theta), len(objective.mean))
    return torch.cat([theta[:count], objective.mean[count:]])
