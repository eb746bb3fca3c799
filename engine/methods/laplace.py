"""Laplace's approximation by simulator runs: a design, a climb, the curvature at the top, and fresh runs that test the Gaussian.

    evaluate a first design (with an archive: its best point)
    climb to a maximum of the log density from the best of them; Newton steps with the full curvature until they gain nothing
    draw fresh points from the Gaussian and evaluate them: how far is the posterior from it?

The last step is not part of the method: it is what lets the verdict be honest. See ``baselines/laplace.py``.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..acquisition.asked import same_point
from ..acquisition.initial_design import design_point
from ..baselines.laplace import LaplaceFit, search
from ..loop_interface import Ask, LoopSettings, LoopSnapshot, Mixture, State, Tell
from ..numerics.linear_algebra import stable_factors
from ..numerics.randomness import generator
from ..problem.method_options import LaplaceOptions, read_options
from ..problem.numbers.shown_digits import spoken

Array = NDArray[np.float64]
Batches = Generator[tuple[Array, str], Array, None]

GAUSSIAN_ENOUGH = 0.3  # nats: sd of log p - log q over fresh draws of q; half its square is about the divergence
ATTEMPTS = 4  # designs without any usable value before giving up


class LaplaceLoop:
    """Ask / tell. Whatever the order of arrival, points are planned batch by batch, so the state is the list of values.

    Raises ValueError for an option it does not have.
    """

    def __init__(self, settings: LoopSettings) -> None:
        self.settings = settings
        self.options = read_options(LaplaceOptions, settings.options)
        self.dimension = settings.dimension
        self.lower = np.asarray(settings.plausible_lower, dtype=float)
        self.upper = np.asarray(settings.plausible_upper, dtype=float)
        self._budget = settings.max_evaluations
        self._told: dict[int, tuple[float, str]] = {}  # index -> log density (-inf: none), outcome
        self._begin()

    @property
    def _runs(self) -> dict[int, tuple[float, str]]:
        """What was told of points that were asked: without the values found at a point that the plan comes back to."""
        return {i: told for i, told in self._told.items() if i not in self._repeats}

    def _begin(self) -> None:
        self._next = self._announced = 0
        self._first = 0  # index of the first point of the present batch
        self.fit: LaplaceFit | None = None
        self._checks: tuple[int, Array] | None = None  # index of the first, points
        self._stage = "Looking around"
        self._plan = self._batches()
        self._batch, self._purpose = next(self._plan)
        self._over = False
        self._planned = np.empty((0, self.dimension))  # all points so far, row = index
        self._repeats: dict[int, int] = {}  # index of a point planned again -> of the same point before
        self._enter_batch()

    def _enter_batch(self) -> None:
        """Points planned before are not asked again, unless values are random."""
        width = self.upper - self.lower
        for i, u in enumerate(self._batch, self._first):
            same = None if self.settings.noisy else same_point(u, self._planned, width)
            self._planned = np.concatenate([self._planned, u[None]])
            if same is not None:
                self._repeats[i] = same
                self._repeat(i)

    def _repeat(self, i: int) -> None:
        if self._repeats[i] in self._told:
            self._told[i] = self._told[self._repeats[i]]

    # ------------------------------------------------------------------ the plan

    def _batches(self) -> Batches:
        start = yield from self._starting_point()
        if start is None:
            return
        self._stage = "Climbing to the maximum of the posterior"
        steps = search(*start, self.upper - self.lower)
        try:
            points = next(steps)
            while True:
                points = steps.send((yield points, "acquisition"))
        except StopIteration as end:
            self.fit = end.value
        assert self.fit is not None
        self._stage = "Testing the Gaussian by fresh runs"
        rng = generator(self.settings.seed, "laplace checks")
        count = self.options.checks or max(20, 4 * self.dimension)
        root = stable_factors(self.fit.covariance)
        draws = self.fit.mode + rng.standard_normal((count, self.dimension)) @ root.T
        self._checks = (self._first + len(self._batch), draws)
        yield draws, "certification"

    def _starting_point(self) -> Generator[tuple[Array, str], Array, tuple[Array, float] | None]:
        s = self.settings
        if s.archive is not None and np.isfinite(s.archive.values).any():
            best = s.archive.points[
                [int(np.nanargmax(np.where(np.isfinite(s.archive.values), s.archive.values, -np.inf)))]
            ]
            values = yield best, "design"  # once more: the simulator decides, not the archive
            if np.isfinite(values[0]):
                return best[0], float(values[0])
        size = self.options.design_points or 4 + 2 * self.dimension
        for attempt in range(ATTEMPTS):
            net = size * (attempt + 1)
            points = np.array(
                [design_point(i, net, self.lower, self.upper, s.start, s.seed + attempt) for i in range(net)]
            )
            values = yield points, "design"
            if np.isfinite(values).any():
                return points[int(np.argmax(values))], float(values.max())
        return None

    # ------------------------------------------------------------------ ask and tell

    def ask(self, count: int = 1) -> list[Ask]:
        found: list[Ask] = []
        while len(found) < count and not self._over and self._next < self._first + len(self._batch):
            if self._next not in self._repeats:
                if self._next - sum(i < self._next for i in self._repeats) >= self._budget:
                    break
                found.append(Ask(self._next, self._batch[self._next - self._first], self._purpose))
            self._next += 1
        return found

    def tell(self, outcome: Tell) -> None:
        known = outcome.y is not None and np.isfinite(outcome.y) and not outcome.impossible
        kind = "ok" if known else "impossible" if outcome.impossible or outcome.y == -np.inf else "failed"
        value = float(outcome.y) if known and outcome.y is not None else -np.inf
        self._told[outcome.index] = (value, kind)
        for i, same in self._repeats.items():
            if same == outcome.index:
                self._repeat(i)
        self._advance()

    def _advance(self) -> None:
        """On to the next batch when this one is complete."""
        while not self._over:
            end = self._first + len(self._batch)
            indices = range(self._first, end)
            if any(i not in self._told for i in indices):
                return
            values = np.array([self._told[i][0] for i in indices])
            try:
                batch, purpose = self._plan.send(values)
            except StopIteration:
                self._over = True
            else:
                self._first, self._batch, self._purpose = end, batch, purpose
                self._enter_batch()

    @property
    def finished(self) -> bool:
        return self._over or len(self._runs) >= self._budget

    def extend(self, max_evaluations: int) -> None:
        self._budget = max(self._budget, int(max_evaluations))

    # ------------------------------------------------------------------ the answer

    def update(self) -> LoopSnapshot | None:
        """When the Gaussian is known, when it has been tested, and when the budget ends."""
        step = 3 if self._over else 2 if self.finished else 1 if self.fit is not None else 0
        if step <= self._announced:
            return None
        self._announced = step
        return self._empty() if self.fit is None else self._answer(self.fit)

    def _answer(self, fit: LaplaceFit) -> LoopSnapshot:
        gaps, impossible = self._gaps(fit)
        tested = self._over and len(gaps) >= 5
        spread = float(np.std(gaps, ddof=1)) if len(gaps) > 1 else float("nan")
        log_z = fit.log_evidence
        elbo, elbo_sd, sd = log_z, 1.0, 1.0
        if tested:
            elbo, elbo_sd = float(gaps.mean()), spread / float(np.sqrt(len(gaps)))
            weights = np.exp(gaps - gaps.max())
            sampled = float(special.logsumexp(gaps) - np.log(len(gaps) + impossible))
            chance = float(weights.std() / weights.mean() / np.sqrt(len(gaps)))
            sd = float(np.hypot(chance, abs(sampled - log_z)))
        good = tested and spread < GAUSSIAN_ENOUGH and not impossible
        converged = good and fit.definite and fit.settled and not self.settings.noisy
        return LoopSnapshot(
            n_evaluations=len(self._runs),
            mixture=Mixture(np.ones(1), fit.mode[None].copy(), fit.covariance[None].copy()),
            elbo=elbo,
            elbo_sd=elbo_sd,
            log_evidence=log_z,
            log_evidence_sd=sd,
            converged=converged,
            reasons=self._reasons(fit, gaps, impossible, spread),
            warm_up=False,
            diagnostics={"gaussian_misfit": spread, "checks": float(len(gaps)), **self._failures()},
            activity=self._stage,
        )

    def _gaps(self, fit: LaplaceFit) -> tuple[Array, int]:
        """log p - log q at the fresh draws that have a value, and how many are impossible."""
        if self._checks is None:
            return np.empty(0), 0
        first, draws = self._checks
        told = [(self._told[first + i], u) for i, u in enumerate(draws) if first + i in self._told]
        root = stable_factors(fit.covariance)
        norm = float(np.log(np.diag(root)).sum()) + 0.5 * self.dimension * float(np.log(2 * np.pi))
        gaps = [
            y + 0.5 * float(np.square(np.linalg.solve(root, u - fit.mode)).sum()) + norm
            for (y, kind), u in told
            if kind == "ok"
        ]
        return np.array(gaps), sum(kind == "impossible" for (_, kind), _ in told)

    def _failures(self) -> dict[str, float]:
        kinds = [kind for _, kind in self._runs.values()]
        return {k: float(kinds.count(k)) for k in ("failed", "impossible")}

    def _reasons(self, fit: LaplaceFit, gaps: Array, impossible: int, spread: float) -> tuple[str, ...]:
        said = []
        if not fit.settled:
            said.append("The climb did not end at a clear maximum; the point may not be the best one.")
        if not fit.definite:
            said.append(
                "Along some direction the log density does not fall away from the best point: the data do not limit the "
                "parameters there, and the width in that direction is only assumed."
            )
        if not self._over:
            said.append(
                "The Gaussian has not been tested yet: the budget ended before the fresh runs."
                if self.finished
                else "The Gaussian is being tested by fresh runs."
            )
        elif impossible:
            said.append(f"{impossible} fresh draws of the Gaussian were impossible values: the posterior is cut off.")
        elif len(gaps) >= 2 and spread >= GAUSSIAN_ENOUGH:
            said.append(
                f"The posterior is not the Gaussian: at {len(gaps)} fresh draws the log density differs from it by "
                f"{spoken(spread, 2)} "
                f"(sd; below {GAUSSIAN_ENOUGH:g} would be good). Use another method."
            )
        elif len(gaps) >= 2:
            said.append(
                f"At {len(gaps)} fresh draws the log density agrees with the Gaussian (sd of the difference {spoken(spread, 2)})."
            )
        if self.settings.noisy:
            said.append(
                "The values are noisy: curvature taken from them cannot be trusted. Use the recommended method."
            )
        said.append(
            "Laplace believes that the posterior is one Gaussian around the best point; it cannot see another maximum."
        )
        failed = int(self._failures()["failed"])
        if failed:
            said.append(f"{failed} of {len(self._runs)} runs failed; nothing is known of the density there.")
        return tuple(said)

    def _empty(self) -> LoopSnapshot:
        usable = any(kind == "ok" for _, kind in self._told.values())
        why = (
            f"The {len(self._runs)} runs were not enough to find the maximum and the curvature there. Allow more."
            if usable
            else f"None of {len(self._runs)} runs gave a usable value. Check one run of the simulator at a point you know."
        )
        nan = float("nan")
        width = self.upper - self.lower
        return LoopSnapshot(
            n_evaluations=len(self._runs),
            mixture=Mixture(np.ones(1), 0.5 * (self.lower + self.upper)[None], np.diag(np.square(0.25 * width))[None]),
            elbo=nan, elbo_sd=nan, log_evidence=nan, log_evidence_sd=nan, converged=False, reasons=(why,), warm_up=True,
            diagnostics=self._failures(), activity=self._stage,
        )  # fmt: skip

    # ------------------------------------------------------------------ saving

    def state(self) -> State:
        order = sorted(self._told)
        return {
            "budget": self._budget,
            "next": self._next,
            "announced": self._announced,
            "indices": list(order),
            "values": np.array([self._told[i][0] for i in order], dtype=float),
            "kinds": [self._told[i][1] for i in order],
        }

    def restore(self, state: State) -> None:
        """The plan is a function of the values, so it is made again from them."""
        values = np.asarray(state["values"], dtype=float)
        self._told = {}
        self._begin()
        self._budget = int(state["budget"])
        rows = zip(state["indices"], values, state["kinds"], strict=True)
        self._told = {int(i): (float(v), str(k)) for i, v, k in rows}
        self._next, self._announced = int(state["next"]), int(state["announced"])
        self._advance()
