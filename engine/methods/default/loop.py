"""The default loop (engine/METHODS.md, RECIPE): a quadratic-kernel surrogate, its posterior by importance sampling, checks.

ask:     design points, then argmax of log variance + .6 mean, given what is pending; certification draws when it is time
tell:    queued
catch up, one evaluation at a time, so that the answer depends on the order of arrival alone:
    residual of the new value against the surrogate that has not seen it
    hyperparameters (MAP), frames every 5 evaluations
    population Monte Carlo on the surrogate's mean -> posterior draws, log Z and its sd; kept and weighted anew while they will do
    every 5 evaluations the variational mixture and its ELBO
    stop rule -> certification -> converged
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...acquisition.asked import next_asks
from ...acquisition.initial_design import design_point, far_point
from ...acquisition.variance_search import next_point
from ...feasibility.classifier import Feasibility
from ...loop_interface import Ask, Cancelled, LoopSettings, LoopSnapshot, State, Tell
from ...numerics.randomness import generator
from ...sampling import population_monte_carlo as posterior
from ...sampling.kept_draws import FollowedDraws
from ...sampling.proposal import Proposal, base_points, shifted
from ...sampling.trusted_density import TrustedDensity
from ...surrogate.evaluations import NOISE_VARIANCE, compressed, outcome_of, shaping_variance
from ...surrogate.frames import BoxFrame, Whitening
from ...surrogate.quadratic import hyperparameters
from ...surrogate.quadratic.kernel import Frames, Kernel, prior_of
from ...surrogate.quadratic.posterior import QuadraticSurrogate
from ...variational import fit_to_posterior as mixture
from . import stopping
from .answer import Portrait, empty_snapshot, portrait, snapshot
from .judging import judge
from .memory import KEPT_HISTORY, Memory
from .options import DefaultOptions
from .stage import LoopState as Standing

Array = NDArray[np.float64]

FRAME_EVERY = 5  # evaluations between choices of the variant, or a fifteenth of them all if that is more
FEW = 40  # values up to which every variant is also fitted from the prior mean; with more, the best, at every other choice
VARIANTS = ("box", "white", "rough")  # SE in the box frame, SE and Matern 5/2 in the whitened one; the best MAP is kept
KEPT_SHARE, KEPT_RANGE = 0.8, 0.1  # draws are kept with that share of their first effective number, and log Z within that
SECOND_ORDER_DRAWS = 300  # posterior draws over which the GP's covariance is averaged for the sd of log Z


class DefaultLoop:
    """Ask / tell; see ``loop_interface.py``. ``cancel``, when set, ends a long computation with ``Cancelled``."""

    def __init__(self, settings: LoopSettings) -> None:
        self.settings = settings
        self.options = DefaultOptions.of(settings.options)
        self.dimension = settings.dimension
        self.box = BoxFrame.of(np.asarray(settings.plausible_lower, float), np.asarray(settings.plausible_upper, float))
        self.cancel: threading.Event | None = None
        self.memory = Memory(self.dimension, settings.max_evaluations)
        self._base = base_points(self.dimension, self.options.final_draws, settings.seed)
        self._forget()

    def _forget(self) -> None:
        """What can be rebuilt from the memory."""
        self.surrogate: QuadraticSurrogate | None = None
        self.draws: posterior.PosteriorDraws | None = None
        self.followed: FollowedDraws | None = None
        self._portrait: tuple[tuple[int, int], Portrait] | None = None
        self.hull = posterior.Hull(np.full(self.dimension, -5.0), np.full(self.dimension, 5.0))
        self.top = 0.0

    # ------------------------------------------------------------------ ask

    def ask(self, count: int = 1) -> list[Ask]:
        self._catch_up()
        s = self.settings
        width = np.asarray(s.plausible_upper - s.plausible_lower, dtype=float)
        return next_asks(self.memory, count, lambda: self.finished, self._choose, width, s.noisy)

    def _choose(self) -> tuple[Array, str] | None:
        """The next point in inference space and its purpose; None: wait for outcomes."""
        m, s = self.memory, self.settings
        lower, upper = np.asarray(s.plausible_lower, float), np.asarray(s.plausible_upper, float)
        index, first = m.next_index, self.dimension + self.options.extra_design_points
        if index < first:
            return design_point(index, first, lower, upper, s.start, s.seed), "design"
        if self.surrogate is None or self.draws is None:
            return far_point(index, lower, upper, s.seed), "design"
        if m.certification is not None:
            c = m.certification
            if c.asked >= len(c.points):
                return None
            m.certification_points.append(index)
            c.asked += 1
            return self.box.back(c.points[c.asked - 1]), "certification"
        if m.lookout is not None:
            place, m.lookout = m.lookout, None
            m.explored.append(index)
            return self.box.back(place), "exploration"
        waiting = np.array([self.box.into(u) for u, _ in m.pending.values()]).reshape(-1, self.dimension)
        rng = generator(s.seed, "acquisition", index)
        far = self.options.tail_every > 0 and index % self.options.tail_every == 0
        weight = self.options.tail_exploration if far else self.options.exploration
        saturation = self.options.tail_saturation if far else 0.0
        point = next_point(self.surrogate, waiting, self.draws, self.hull, self._possible, weight, saturation, rng)
        return self.box.back(point), "acquisition"

    # ------------------------------------------------------------------ tell

    def tell(self, outcome: Tell) -> None:
        self.memory.pending.pop(outcome.index, None)
        self.memory.queue.append(outcome)

    @property
    def finished(self) -> bool:
        m = self.memory
        return (m.converged and self.options.stop) or len(m.told) + len(m.queue) >= m.budget

    def extend(self, max_evaluations: int) -> None:
        self.memory.budget = max(self.memory.budget, int(max_evaluations))

    # ------------------------------------------------------------------ catching up

    def _catch_up(self) -> None:
        while self.memory.queue:
            if self.cancel is not None and self.cancel.is_set():
                raise Cancelled
            self._absorb(self.memory.queue[0])
            del self.memory.queue[0]

    def _absorb(self, tell: Tell) -> None:
        """Take one evaluation into account."""
        m = self.memory
        residual = self._fresh_residual(tell)
        m.told.append(tell)
        c = m.certification
        if c is not None and tell.index in m.certification_points:
            impossible = -np.inf if outcome_of(tell, self.top) == "impossible" else None
            c.add(m.certification_points.index(tell.index), impossible if residual is None else residual[0])
        if c is not None and not c.decided(self.dimension) and len(m.told) < m.budget:
            return  # the surrogate under test stays as it is until its checks have decided
        self._refit()
        if self.draws is None or self.surrogate is None:
            return
        if residual is not None:
            log_z, sd = self._evidence()
            sd = float(np.hypot(sd, self._possible.evidence_sd(self.draws.points, self.draws.log_weights)))
            m.history.append(stopping.Fresh(*residual, log_z, sd, self.draws.ess, self.draws.temperature))
            del m.history[:-KEPT_HISTORY]
        judge(self._standing())
        last = len(m.told) >= m.budget or (m.converged and self.options.stop)
        if last or len(m.told) - m.mixture_at >= self.options.mixture_every:
            self._fit_mixture()

    def _fresh_residual(self, tell: Tell) -> tuple[float, float] | None:
        """(y - mean before adding, its weight), or None if there is no value or no surrogate yet."""
        if self.surrogate is None or outcome_of(tell, self.top) != "ok" or tell.y is None:
            return None
        mean = float(self.surrogate.mean(self.box.into(np.asarray(tell.u, float))[None])[0])
        y = tell.y - self.top
        looked = tell.index in self.memory.explored  # looking elsewhere and finding nothing is no surprise
        level = y if looked else max(mean, y)
        return y - mean, float(np.exp(min(0.0, level + 2.0)))

    def _values(self) -> tuple[Array, Array, Array]:
        """b (n, D), y (n,), sd (n,) of the evaluations that count as values."""
        top = self._wall_top()
        ok = [t for t in self.memory.told[: self.memory.built_on] if outcome_of(t, top) == "ok"]
        y = np.array([t.y for t in ok], dtype=float)
        b = np.array([self.box.into(np.asarray(t.u, float)) for t in ok]).reshape(-1, self.dimension)
        return b, y, np.array([t.sd for t in ok], dtype=float)

    def _wall_top(self) -> float:
        """The best value taken into account: what lies too far below it counts as impossible."""
        told = self.memory.told[: self.memory.built_on]
        return max((t.y for t in told if t.y is not None and np.isfinite(t.y)), default=-np.inf)

    def _feasibility(self) -> Feasibility:
        m, top = self.memory, self._wall_top()
        places: dict[str, list[Array]] = {"ok": [], "impossible": [], "failed": []}
        for t in m.told[: m.built_on]:
            places[outcome_of(t, top)].append(self.box.into(np.asarray(t.u, float)))
        good, impossible, failed = (
            np.array(places[k]).reshape(-1, self.dimension) for k in ("ok", "impossible", "failed")
        )
        return Feasibility(m.whitening or Whitening.none(self.dimension), good, impossible, failed)

    def _refit(self) -> None:
        """Hyperparameters, surrogate and posterior draws from all evaluations taken into account."""
        m = self.memory
        m.built_on = len(m.told)
        b, y, sd = self._values()
        if len(y) < 2:
            return
        shaped, _ = compressed(y, self.dimension)
        noise = NOISE_VARIANCE + np.square(sd) + shaping_variance(shaped, self.dimension)
        n = len(y)
        if not m.thetas or n - m.fitted_at >= max(1, n // 20):
            self.followed = None  # of other hyperparameters now: let go of before more is taken
            self._fit_hyperparameters(b, shaped, noise)
        self._condition()
        self._find_posterior()

    def _fit_hyperparameters(self, b: Array, y: Array, noise: Array) -> None:
        m, n = self.memory, len(y)
        mean = prior_of(self.dimension)[0]
        fresh = n - m.framed_at >= max(FRAME_EVERY, n // 15)
        if fresh and self.draws is not None and m.last_ess > 0.02:
            m.whitening = Whitening.of_moments(*self.draws.moments())
        fits: dict[str, hyperparameters.MapFit] = {}
        for variant in VARIANTS if fresh else (m.variant,):
            frames = self._frames(variant)
            if frames is None:
                continue
            warm = m.thetas.get(variant)
            starts = [mean] if warm is None else ([warm, mean] if fresh and n < FEW else [warm])
            fits[variant] = hyperparameters.fit_in(frames, b, y, noise, starts)
        best = min(fits, key=lambda v: fits[v].value)
        if fresh and n >= FEW and n % 2 == 0:
            again = self._frames(best)
            assert again is not None
            fits[best] = min(fits[best], hyperparameters.fit_in(again, b, y, noise, [mean]), key=lambda f: f.value)
        m.thetas.update({variant: found.theta for variant, found in fits.items()})
        m.variant = best
        m.fitted_at = n
        if fresh:
            m.framed_at = n

    def _frames(self, variant: str) -> Frames | None:
        """Frames of a variant of the surrogate; None while no posterior is known to whiten by."""
        whitening = self.memory.whitening
        if variant == "box":
            return Frames(None, whitening or Whitening.none(self.dimension))
        if whitening is None:
            return None
        return Frames(whitening, whitening, "rough" if variant == "rough" else "smooth")

    def _condition(self) -> None:
        """The surrogate on all values with the hyperparameters in memory."""
        m = self.memory
        b, y, sd = self._values()
        shaped, self.top = compressed(y, self.dimension)
        frames = self._frames(m.variant)
        assert frames is not None
        kernel = Kernel(m.thetas[m.variant], frames)
        noise = NOISE_VARIANCE + np.square(sd) + shaping_variance(shaped, self.dimension)
        self.surrogate = QuadraticSurrogate(kernel, b, shaped, noise)
        self.hull = posterior.Hull.of(b, y.max() - y)
        self._possible = self._feasibility()

    def _log_density(self, points: Array, log_q: Array) -> Array:
        """The guarded surrogate mean: less where it is unsure, nothing outside the hull or where runs are impossible."""
        assert self.surrogate is not None
        return self._guarded(points, log_q, self.surrogate.mean(points), lambda which: self._sd(points[which]))

    def _sd(self, points: Array) -> Array:
        assert self.surrogate is not None
        return np.asarray(np.sqrt(self.surrogate.variance(points)))

    def _guarded(self, points: Array, log_q: Array, mean: Array, sd: Callable[[NDArray[np.intp]], Array]) -> Array:
        value = np.where(self.hull.contains(points), self._believed(points, mean), -np.inf)
        return posterior.guarded(value, log_q, sd)

    def _believed(self, points: Array, mean: Array) -> Array:
        return mean + self._possible.log_possible(points)

    @property
    def log_density(self) -> TrustedDensity | None:
        known = self.surrogate
        return None if known is None else TrustedDensity(self.box, known, self.hull, self._believed, self.top)

    def _find_posterior(self) -> None:
        m = self.memory
        b, y, _ = self._values()
        full = self.options.final_draws
        last = len(m.told) >= m.budget or m.certification is not None
        if m.draws_wanted >= (full if last else full // 2) and self._still_good(b):
            return
        self.followed = None
        due = last or len(m.told) - m.mixture_at >= self.options.mixture_every  # with fewer, whitening is learnt later
        start = m.proposal or posterior.first_proposal(b, y)
        if m.last_ess < 0.1:
            start = posterior.with_fresh_components(start, b, y)
        rng = generator(self.settings.seed, "posterior", m.built_on)
        m.draws_wanted = full if due else full // 2
        found = posterior.search(self._log_density, start, self._base, rng, self._draw, b)
        m.last_ess, m.drawn_log_z = found.ess, found.log_z + self.top
        m.unreached = [int(i) for i in posterior.overlooked(self._log_density, found, b)]

    def _still_good(self, b: Array) -> bool:
        """Weights the draws there are anew; whether they will do. Only with the hyperparameters they were drawn with."""
        m = self.memory
        if self.followed is None or m.fitted_at == len(b) or not self._weigh(self.followed):
            return False
        assert self.draws is not None
        m.weighed_at.append(m.built_on)
        settled = abs(self.draws.log_z + self.top - m.drawn_log_z) < KEPT_RANGE
        enough = settled and self.draws.temperature == 1.0 and self.draws.ess >= KEPT_SHARE * max(m.last_ess, 0.1)
        return enough and set(posterior.overlooked(self._log_density, self.draws, b)) <= set(m.unreached)

    def _weigh(self, drawn: FollowedDraws) -> bool:
        """The followed draws with the weights that the surrogate gives them now; False if they are of other data."""
        known = self.surrogate
        mean = None if known is None else drawn.mean(known)
        if known is None or mean is None:
            return False
        value = self._guarded(drawn.points, drawn.log_q, mean, lambda which: drawn.sd(known, which))
        self.draws = posterior.weighed(drawn.points, drawn.log_q, value, drawn.proposal)
        return True

    def _draw(self, proposal: Proposal) -> posterior.PosteriorDraws:
        """The answer's draws from ``proposal``, which is kept."""
        m = self.memory
        assert self.surrogate is not None
        m.proposal, m.drawn_at, m.weighed_at = proposal, m.built_on, []
        rng = generator(self.settings.seed, "answer", m.drawn_at)
        points, log_q, _ = proposal.draw(shifted(self._base[: m.draws_wanted], rng))
        self.followed = None  # before there are others
        self.followed = FollowedDraws.of(points, log_q, proposal, self.surrogate)
        self._weigh(self.followed)
        assert self.draws is not None
        return self.draws

    # ------------------------------------------------------------------ evidence and mixture

    def _evidence(self) -> tuple[float, float]:
        """log Z and the GP's own sd of it."""
        assert self.draws is not None
        assert self.surrogate is not None
        rng = generator(self.settings.seed, "evidence", len(self.memory.told))
        chosen = self.draws.points[self.draws.resample(SECOND_ORDER_DRAWS, rng)]
        equal = np.full(SECOND_ORDER_DRAWS, 1.0 / SECOND_ORDER_DRAWS)
        sd = float(np.sqrt(self.surrogate.mean_functional_variance(chosen, equal)))
        return self.draws.log_z + self.top + self.box.log_volume, sd

    def _fit_mixture(self) -> None:
        m = self.memory
        assert self.draws is not None
        assert self.surrogate is not None
        rng = generator(self.settings.seed, "mixture", len(m.told))
        fitted = mixture.fit_mixture(
            self.draws, m.mixture, self.options.mixture_components, self._log_density, self._base, rng
        )  # fmt: skip
        equal = np.full(len(fitted.points), 1.0 / len(fitted.points))
        variance = self.surrogate.mean_functional_variance(fitted.points, equal) + fitted.elbo_sd**2
        m.mixture = fitted.components
        m.elbo = (fitted.elbo + self.top + self.box.log_volume, float(np.sqrt(variance)))
        m.mixture_at = len(m.told)

    # ------------------------------------------------------------------ the answer

    def update(self) -> LoopSnapshot | None:
        self._catch_up()
        m = self.memory
        first = self.dimension + self.options.extra_design_points
        if len(m.told) == m.announced or (len(m.told) < first and not self.finished):
            return None
        m.announced = len(m.told)
        if self.surrogate is None or self.draws is None:
            return empty_snapshot(self.settings, self.options, m, self.box)
        made_of = (m.built_on, m.mixture_at)  # while checks are under way the answer stays the same
        if self._portrait is None or self._portrait[0] != made_of:
            self._portrait = made_of, portrait(self._standing())
        return snapshot(self._standing(), self._portrait[1])

    def _standing(self) -> Standing:
        assert self.surrogate is not None
        assert self.draws is not None
        known = (self.surrogate, self.draws, self.hull, self._possible)
        return Standing(self.settings, self.options, self.memory, self.box, *known, self.top)

    # ------------------------------------------------------------------ saving

    def state(self) -> State:
        return self.memory.to_state()

    def restore(self, state: State) -> None:
        self.memory = m = Memory.of_state(state)
        self._forget()
        if m.proposal is None:
            return
        proposal, weighed_at, built_on = m.proposal, m.weighed_at, m.built_on
        m.built_on = m.drawn_at
        self._condition()
        self._draw(proposal)
        for m.built_on in weighed_at:  # the same steps again, so that every digit is the same
            self._condition()
            assert self.followed is not None
            self._weigh(self.followed)
        m.weighed_at, m.built_on = weighed_at, built_on
