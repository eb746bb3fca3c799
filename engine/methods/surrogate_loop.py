"""What BVBMC and VBMC share: ask and tell, catching up one evaluation at a time, the answer, saving and restoring.

A subclass is its algorithm box: ``_design_size``, ``_absorb`` (take in one evaluation), ``_acquisition``. Everything is keyed by
(seed, purpose, counter), so the answer depends on settings and the order of ask and tell alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import qmc

from bayescope.engine.acquisition.functions import (
    Acquisition,
    IntegrationPoints,
    integrated_interquartile_range,
    with_exclusions,
)
from bayescope.engine.acquisition.maximize import candidate_cloud, maximize
from bayescope.engine.loop_interface import Cancelled, LoopSettings, LoopSnapshot, Mixture, State, Tell
from bayescope.engine.methods.ask_tell import EvaluationLog, go_on
from bayescope.engine.methods.surrogate_answer import Answer, snapshot
from bayescope.engine.methods.surrogate_map import MapOfRuns
from bayescope.engine.methods.surrogate_memory import Memory, Step
from bayescope.engine.methods.surrogate_stability import symmetrized_divergence, unstable
from bayescope.engine.numerics.linear_algebra import stable_factors
from bayescope.engine.numerics.randomness import generator
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.fit import fit
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.priors import HyperPrior
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.elbo import ElboEstimate, elbo_estimate
from bayescope.engine.variational.expectation import Confinement, ExpectedLogJoint, Together, expected_log_joint
from bayescope.engine.variational.families import Family
from bayescope.engine.variational.guarded_mean import GuardedMean, on_trusted_ground
from bayescope.engine.variational.joint import fit_mixture, quick_elbo
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

ELBO_TOLERANCE = 0.05  # nats by which two ELBO estimates may differ by chance
INTERQUARTILE_DRAWS = 200
EXCLUSION_RADIUS = 0.3  # around failed runs, in whitened units
HULL_MARGIN = 1.0  # of the good points' extent, added on both sides of the search box
INTERIM_DRAWS, FINAL_DRAWS = 3000, 20_000  # weighted draws of an answer; heavy tails need many
LEAST_SHARE = 0.05  # a refit of hyperparameters every 5 % more values


class SurrogateMethod(ABC):
    """See ``ask_tell.Method``."""

    def __init__(self, settings: LoopSettings) -> None:
        self.settings = settings
        self.dimension = settings.dimension
        self.lower, self.upper = (np.asarray(end, float) for end in (settings.plausible_lower, settings.plausible_upper))
        self.check: Callable[[], None] = go_on
        self.memory = Memory(EvaluationLog(settings.max_evaluations), Frame.of_box(self.lower, self.upper))
        self.surrogate: Surrogate | None = None
        self.values: Values | None = None
        self.map = MapOfRuns(self.lower, self.upper)
        self.noisy_acquisition = "viqr"  # or "imiqr"

    # ------------------------------------------------------------------ what a subclass is

    @property
    @abstractmethod
    def diagonal(self) -> bool:
        """Whether components must have diagonal covariances in the working coordinates."""

    @abstractmethod
    def _design_size(self) -> int: ...

    @abstractmethod
    def _model(self, values: Values) -> Model:
        """The surrogate's model in the working coordinates, hyperparameters at their start."""

    @abstractmethod
    def _improve(self) -> bool:
        """Take in the evaluation just added: the body of the algorithm's loop. False: only the surrogate changed."""

    @abstractmethod
    def _acquisition(self, surrogate: Surrogate, q: GaussianMixture, index: int) -> Acquisition: ...

    @property
    @abstractmethod
    def _family(self) -> Family: ...
    @property
    @abstractmethod
    def name(self) -> str: ...

    def _against_stability(self) -> tuple[str, ...]:
        """What speaks against calling the answer stable, in words; empty: nothing."""
        return unstable(self.memory.steps)

    # ------------------------------------------------------------------ ask

    @property
    def log(self) -> EvaluationLog:
        return self.memory.log

    @property
    def design_left(self) -> int:  # of ``HasDesign``
        return max(self._design_size() - self.log.next_index, 0)

    def choose(self) -> tuple[Array, str] | None:
        m, index = self.memory, self.memory.log.next_index
        if self.design_left or self.surrogate is None or m.mixture is None or self.values is None:
            return self._design_point(index), "design"
        rng, surrogate, q = generator(self.settings.seed, "acquisition", index), self.surrogate, m.mixture
        if m.log.pending:
            waiting = m.frame.into(np.array([u for u, _ in m.log.pending.values()]))
            surrogate = surrogate.condition(torch.as_tensor(waiting), None)
        bad = m.frame.into(np.concatenate([self.values.failed, self.values.impossible]))
        scale = np.linalg.inv(stable_factors(q.covariance()))
        wanted = self._noisy_acquisition(surrogate, q, rng) if self.settings.noisy else self._acquisition(surrogate, q, index)
        acquisition = with_exclusions(wanted, torch.as_tensor(bad), torch.as_tensor(scale), EXCLUSION_RADIUS)
        x, box = self._good_points()
        found = maximize(acquisition, self.map.worth_a_look(self.values, m.frame, candidate_cloud(q, x, rng)), box=box)
        return m.frame.back(found.x), "acquisition"

    def _noisy_acquisition(self, surrogate: Surrogate, q: GaussianMixture, rng: np.random.Generator) -> Acquisition:
        """VIQR or IMIQR over draws of q (seed 001 eq 2): functions of a single point fail when values are noisy."""
        assert self.values is not None
        points, by_density = torch.as_tensor(q.sample(INTERQUARTILE_DRAWS, rng)), self.noisy_acquisition == "imiqr"
        where, noise = IntegrationPoints.drawn_from(q, points, by_density), float(np.median(self.values.noise))
        return integrated_interquartile_range(surrogate, where, noise, by_density=by_density)

    def _design_point(self, index: int) -> Array:
        """Scrambled Sobol in the plausible box (the user's own guess first), then wider and wider normal draws around it."""
        size, start = self._design_size(), self.settings.start
        if start is not None and index < len(given := np.atleast_2d(start)):
            return np.array(given[index], dtype=float)
        if index < size:
            net = qmc.Sobol(self.dimension, scramble=True, rng=generator(self.settings.seed, "design"))
            where = net.random_base2(int(np.ceil(np.log2(max(size, 2)))))[index]
            return np.asarray(self.lower + (self.upper - self.lower) * where, dtype=float)
        normal = generator(self.settings.seed, "far design", index).standard_normal(self.dimension)
        spread = (0.25 + 0.0125 * (index - size)) * (self.upper - self.lower)
        return np.asarray(0.5 * (self.lower + self.upper) + spread * normal, dtype=float)

    def _good_points(self) -> tuple[Array, tuple[Array, Array]]:
        """The better points in working coordinates (n, D), and the box around them in which to search."""
        assert self.values is not None
        m = self.memory
        x = m.frame.into(self.values.u)
        good = x[self.values.level >= self.values.top - (5.0 + 3.0 * self.dimension)]
        corners = m.frame.into(np.stack([self.lower, self.upper]))
        reach = 0.25 * np.abs(corners[1] - corners[0])  # few good points yet: at least half the plausible box
        middle = good.mean(axis=0)
        low, high = np.minimum(good.min(axis=0), middle - reach), np.maximum(good.max(axis=0), middle + reach)
        margin = HULL_MARGIN * (high - low)
        return good, (low - margin, high + margin)

    # ------------------------------------------------------------------ tell

    @property
    def satisfied(self) -> bool:
        return False

    def take_in(self, tell: Tell) -> None:
        if len(self.log.told) < self._design_size():
            return
        saved = self.memory.to_state()
        try:
            self._absorb(tell)
        except Cancelled:
            self.restore(saved)  # as if this evaluation had not been looked at
            raise

    def _absorb(self, told: Tell) -> None:
        before, values_before, frame_before = self.memory.mixture, self.values, self.memory.frame
        residual, weight = self._fresh_residual(told)
        values = Values.of(self.memory.log.told, self.dimension)
        if values.count < 2:
            return
        self.values = values
        if values_before is not None and values_before.count == values.count and not self._last:
            return  # a failed run: nothing new for the surrogate
        if self._improve():
            self._return_to_trusted_ground()
            self._record(residual, weight, None if before is None else frame_before.mixture_back(before))

    @property
    def _last(self) -> bool:
        return self.log.full

    @property
    def over(self) -> bool:
        return self.satisfied or self.log.full

    def _rng(self, purpose: str) -> np.random.Generator:
        return generator(self.settings.seed, purpose, len(self.memory.log.told))

    def _fresh_residual(self, told: Tell) -> tuple[float, float]:
        if self.surrogate is None or self.values is None or told.y is None or not np.isfinite(told.y):
            return float("nan"), 0.0
        x = torch.as_tensor(self.memory.frame.into(np.asarray(told.u, dtype=float)[None, :]))
        mean = float(self.surrogate.predict_mean(x)[0])
        weight = float(np.exp(min(0.0, max(mean, told.y) - self.values.top + 2.0)))
        return told.y - mean, weight

    def _record(self, residual: float, weight: float, before: Mixture | None) -> None:
        q, m = self.memory.mixture, self.memory
        assert q is not None
        estimate = self.elbo(draws=2048)
        now = m.frame.mixture_back(q)
        divergence = float("nan")
        if before is not None:
            rng = generator(self.settings.seed, "divergence", len(m.log.told))
            divergence = symmetrized_divergence(GaussianMixture.of(before), GaussianMixture.of(now), rng)
        m.steps.append(Step(len(m.log.told), estimate.value + m.frame.log_volume, estimate.sd, residual, weight, divergence))

    # ------------------------------------------------------------------ pieces of every algorithm

    def _fit_surrogate(self, *, fresh: bool = False) -> None:
        """MAP hyperparameters when the values have grown by 5 % since the last fit, else the last ones; then the posterior."""
        m, values = self.memory, self.values
        assert values is not None
        x, y = torch.as_tensor(m.frame.into(values.u)), torch.as_tensor(values.shaped)
        noise = torch.as_tensor(values.noise)
        model = self._model(values)
        if fresh or m.theta is None or values.count - m.count("fitted at") >= max(1.0, LEAST_SHARE * values.count):
            warm = m.theta is not None and not fresh
            if warm:
                model = model.with_hyperparameters(torch.as_tensor(m.theta))
            restart = not warm or m.count("fits") % 5 == 0
            fitted = fit(
                model, x, y, noise, HyperPrior.default(model, x, y), generator(self.settings.seed, "fit", len(m.log.told)),
                restarts=1 if restart else 0, max_iterations=30 if warm else 60, warm=warm,
            )  # fmt: skip
            m.theta = fitted.model.hyperparameters().numpy().copy()
            m.counts["fitted at"], m.counts["fits"] = values.count, m.count("fits") + 1
        self._build()

    def _build(self) -> None:
        """The surrogate from the values and hyperparameters in memory: the same after a restart."""
        m, values = self.memory, self.values
        assert values is not None
        assert m.theta is not None
        model = self._model(values).with_hyperparameters(torch.as_tensor(m.theta))
        x, y = torch.as_tensor(m.frame.into(values.u)), torch.as_tensor(values.shaped)
        self.surrogate = ExactSurrogate.build(model, x, y, torch.as_tensor(values.noise))

    def _first_component(self) -> None:
        """The single Gaussian of largest ELBO, from the best evaluation."""
        assert self.values is not None
        best = self.memory.frame.into(self.values.u[int(np.argmax(self.values.y))])
        start = GaussianMixture.single(best, 0.25 * np.eye(self.dimension))
        self.memory.mixture = fit_mixture(self.expected, start, self._rng("first"), family=self._family, steps=50)

    def _whiten(self, steps: int) -> bool:
        """New working coordinates in which the mixture has unit covariance, kept if the ELBO does not drop by them."""
        m = self.memory
        assert m.mixture is not None
        moved = GaussianMixture.of(m.frame.mixture_back(m.mixture))
        white = Frame.whitening(moved.mean(), moved.covariance())
        if white is None:
            return False
        old = m.frame, m.mixture, m.theta, self.surrogate
        before = quick_elbo(self.expected, m.mixture, self._rng("before")) + m.frame.log_volume
        m.frame, m.mixture = white, white.mixture_into(moved)
        self._fit_surrogate(fresh=True)
        m.mixture = fit_mixture(self.expected, m.mixture, self._rng("whitened"), family=self._family, steps=steps)
        after = quick_elbo(self.expected, m.mixture, self._rng("after")) + m.frame.log_volume
        if after < before - ELBO_TOLERANCE:
            m.frame, m.mixture, m.theta, self.surrogate = old
            return False
        return True

    @property
    def expected(self) -> ExpectedLogJoint:
        """Of the surrogate mean, with walls around the region that the data speak of."""
        assert self.surrogate is not None
        low, high = self._good_points()[1]
        walls = Confinement(0.5 * (low + high), 0.5 * (high - low))
        return Together(expected_log_joint(self.surrogate, diagonal=self.diagonal), walls)

    @property
    def guarded_mean(self) -> GuardedMean:
        assert self.surrogate is not None
        assert self.values is not None
        return GuardedMean(self.surrogate, self._good_points()[1], self.map.log_possible(self.values, self.memory.frame))

    def log_density(self) -> Callable[[Array], Array] | None:
        if self.surrogate is None or self.values is None:
            return None
        guarded, frame = self.guarded_mean, self.memory.frame
        return lambda u: np.asarray(guarded(frame.into(u)))

    def _return_to_trusted_ground(self) -> None:
        m = self.memory
        assert m.mixture is not None
        assert self.values is not None
        rng = self._rng("trust")
        claimed = quick_elbo(self.expected, m.mixture, rng)
        x = m.frame.into(self.values.u)
        m.mixture = on_trusted_ground(m.mixture, claimed, self.guarded_mean, x, self.values.level, rng).contiguous()

    def elbo(self, draws: int = 8192) -> ElboEstimate:
        """In working coordinates, with draws of its own."""
        assert self.surrogate is not None
        assert self.memory.mixture is not None
        rng = generator(self.settings.seed, "elbo", len(self.memory.log.told), draws)
        return elbo_estimate(self.surrogate, self.memory.mixture, rng, draws=draws, diagonal=self.diagonal)

    # ------------------------------------------------------------------ the answer

    def answer(self) -> LoopSnapshot | None:
        m = self.memory
        news = len(m.steps) if m.steps else len(m.log.told)
        if news == m.announced or (len(m.log.told) < self._design_size() and not self.over):
            return None
        m.announced = news
        ready = self.surrogate is not None and m.mixture is not None
        return snapshot(
            Answer(
                name=self.name,
                seed_draws=generator(self.settings.seed, "draws", len(m.log.told)),
                lower=self.lower, upper=self.upper, memory=m,
                values=self.values, map=self.map,
                surrogate=self.surrogate,
                elbo=self.elbo() if ready else None,
                guarded=self.guarded_mean if ready else None, log_jacobian=self.settings.log_jacobian,
                stable=self._against_stability(),
                warm_up=self._warming_up(),
                draws=FINAL_DRAWS if self.over else INTERIM_DRAWS, design=self._design_size(),
                activity="Looking for the bulk of the posterior" if self._warming_up() else "Refining the posterior",
            )
        )

    def _warming_up(self) -> bool:
        return len(self.memory.log.told) <= self._design_size()

    def state(self) -> State:
        return self.memory.to_state()

    def restore(self, state: State) -> None:
        self.memory = Memory.of_state(state)
        self.surrogate, self.values = None, None
        if self.memory.theta is not None:
            built_on = self.memory.counts.get("built on", len(self.memory.log.told))  # less while an answer is being checked
            self.values = Values.of(self.memory.log.told[:built_on], self.dimension)
            self._build()
