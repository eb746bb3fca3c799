"""The default loop (engine/METHODS.md, RECIPE): a quadratic-kernel surrogate, its posterior by importance sampling, checks.

ask:     design points, then argmax of log variance + .6 mean, given what is pending; certification draws when it is time
tell:    queued
catch up, one evaluation at a time, so that the answer depends on the order of arrival alone:
    residual of the new value against the surrogate that has not seen it
    hyperparameters (MAP), frames every 5 evaluations
    population Monte Carlo on the surrogate's mean -> posterior draws, log Z and its sd; kept and weighted anew while they will do
    every 5 evaluations the variational mixture and its ELBO; stop rule -> certification -> converged
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...acquisition.initial_design import design_point, scarce, search_point
from ...acquisition.variance_search import next_point
from ...feasibility.classifier import Feasibility
from ...feasibility.outcomes import refitted
from ...loop_interface import LoopSettings, LoopSnapshot, State, Tell
from ...numerics.randomness import generator
from ...sampling import population_monte_carlo as posterior
from ...sampling.guarded_density import GuardedDensity, Hull
from ...sampling.kept_draws import KeptDraws, PlainDraws
from ...sampling.proposal import Proposal, base_points, shifted
from ...sampling.tails import tails_unsure
from ...sampling.trusted_density import TrustedDensity
from ...sampling.walkers import search_and_walk
from ...surrogate.evaluations import Evaluations, outcome_of
from ...surrogate.frames import BoxFrame, Whitening
from ...surrogate.log_joint import LogJoint
from ...surrogate.quadratic.posterior import QuadraticSurrogate
from ...variational import fit_to_posterior as mixture
from ..ask_tell import EvaluationLog, go_on
from . import bordering, certified, hunting, stopping
from .answer import Portrait, empty_snapshot, portrait, snapshot
from .evidence import sd_of_mean
from .judging import aim_of_outputs, judge, unmet
from .memory import Memory
from .score import ScoreLearner
from .stage import LoopState

if TYPE_CHECKING:
    from .outputs import OutputsLearner

Array = NDArray[np.float64]

LEARNT_ROUND = 1024  # draws of a round of an answer's search, where outputs are learnt
LEARNT_DESIGN = 10  # first design where outputs are learnt: so many points, or 2 D + 2 (OUTPUTS)
KEPT_SHARE, KEPT_RANGE = 0.8, 0.1  # draws are kept with that share of their first effective number, and log Z within that
POOR = 0.25  # effective share of draws below which they are made anew now and then: with .2 nothing is converged


class DefaultMethod:
    """See ``ask_tell.Method``. Settings' options: ``DefaultOptions``."""

    def __init__(self, settings: LoopSettings) -> None:
        self.settings, self.check = settings, go_on
        self.options = stopping.options_of(settings)
        self.dimension = settings.dimension
        self.box = BoxFrame.of(np.asarray(settings.plausible_lower, float), np.asarray(settings.plausible_upper, float))
        self.memory = Memory(self.dimension, EvaluationLog(settings.max_evaluations))
        self.holding = False  # of ``ask_tell.ChecksItself``
        self._base = base_points(self.dimension, self.options.final_draws, settings.seed)
        self._forget()

    def _forget(self) -> None:
        """What can be rebuilt from the memory."""
        self.surrogate: LogJoint | None = None
        self.draws: posterior.PosteriorDraws | None = None
        self.kept_draws: KeptDraws | PlainDraws | None = None
        self.score = ScoreLearner(self.memory, self.settings.device, self.settings.log_prior, self.box)
        self.outputs = self._learner()
        self._portrait: Portrait | None = None
        self._taken: tuple[int, Evaluations] | None = None
        self.hull = Hull(np.full(self.dimension, -5.0), np.full(self.dimension, 5.0))
        self.top = 0.0

    def _learner(self) -> OutputsLearner | None:
        """Of the outputs, where there are some: it needs torch."""
        if self.settings.cells is None or self.options.learn == "score":
            return None
        from .outputs import OutputsLearner

        return OutputsLearner(self.settings, self.box, self.memory.outputs, self.options.learn)

    @property
    def log(self) -> EvaluationLog:
        return self.memory.log

    @property
    def satisfied(self) -> bool:
        m = self.memory
        return m.converged and self.options.stop and hunting.further_left(m) <= 0 and not m.doubts.open

    @property
    def _design_size(self) -> int:
        learnt, usual = max(LEARNT_DESIGN, 2 * self.dimension + 2), self.dimension + self.options.extra_design_points
        return learnt if self._learns_outputs else usual

    @property
    def _learns_outputs(self) -> bool:
        return self.outputs is not None and self.memory.outputs.used

    @property
    def _emulates(self) -> OutputsLearner | None:
        """The learner if the surrogate is one of the outputs now."""
        return None if isinstance(self.surrogate, QuadraticSurrogate) else self.outputs

    # ------------------------------------------------------------------ ask

    def choose(self) -> tuple[Array, str] | None:
        m, s = self.memory, self.settings
        index, first = m.log.next_index, self._design_size
        if index < first:
            lower, upper = np.asarray(s.plausible_lower, float), np.asarray(s.plausible_upper, float)
            return design_point(index, first, lower, upper, s.start, s.seed), "design"
        if self.surrogate is None or self.draws is None or scarce(m.log.told, self.dimension):
            return search_point(index, s, m.log.told), "design"
        if m.lookout is not None:
            place, m.lookout = m.lookout, None
            m.explored.append(index)
            return self.box.back(place), "exploration"
        if (c := m.certification) is not None:
            if c.asked >= c.wanted:
                return None
            m.certification_points.append(index)
            c.asked += 1
            return self.box.back(c.points[c.asked - 1]), "certification"
        if hunting.further_left(m) > 0:
            return self.box.back(hunting.look_further(self._now(), index)), "exploration"
        waiting = m.log.waiting(self.box.into, self.dimension)
        rng = generator(s.seed, "acquisition", index)
        far = self.options.tail_every > 0 and index % self.options.tail_every == 0
        if self._emulates is not None:
            known, aim = (self.surrogate, self.draws, self.hull, self._possible, waiting), aim_of_outputs(self._now(), far)
            return self.box.back(self._emulates.next_run(*known, m.log.pending, index, aim, rng)), "acquisition"
        weight = self.options.tail_exploration if far else self.options.exploration
        saturation = self.options.tail_saturation if far else 0.0
        near, border = (self.draws, self.hull, self._possible), bordering.run_due(self._now(), self._evidence)
        return self.box.back(next_point(self.surrogate, waiting, *near, weight, saturation, rng, border)), "acquisition"

    # ------------------------------------------------------------------ tell

    def take_in(self, tell: Tell) -> None:
        m = self.memory
        tell = tell if self.outputs is None else self.outputs.settled(self.surrogate, tell)
        residual = self._fresh_residual(tell)
        if self.outputs is not None:
            self.outputs.take(tell, residual, self.surrogate, self.top)
        c = m.certification
        if c is not None and tell.index in m.certification_points:
            certified.take_check(self._now(), tell, None if residual is None else residual[0])
        if self.holding or (c is not None and (m.doubts.open or not c.decided(self.dimension)) and not m.log.full):
            return  # the surrogate under test stays as it is until its checks have decided
        self._refit()
        if self.draws is None or self.surrogate is None:
            return
        if residual is not None:
            log_z, sd = self._evidence()
            sd = float(np.hypot(sd, self._possible.evidence_sd(self.draws.points, self.draws.log_weights)))
            newest = stopping.Fresh(*residual, log_z, sd, self.draws.ess, self.draws.temperature)
            m.history = stopping.kept([*m.history, newest], self.dimension)
        if self._emulates is not None:
            self._emulates.look_at(self.surrogate, self.draws, generator(self.settings.seed, "unsure", len(m.log.told)))
        self._judge()
        if m.log.full or self.satisfied or len(m.log.told) - m.mixture_at >= self.options.mixture_every:
            self._fit_mixture()

    def _judge(self) -> None:
        judge(self._now())

    def _fresh_residual(self, tell: Tell) -> tuple[float, float] | None:
        """(y - mean before adding, its weight), or None if there is no value or no surrogate yet."""
        if self.surrogate is None or outcome_of(tell, self.top) != "ok" or tell.y is None:
            return None
        mean = float(self.surrogate.mean(self.box.into(np.asarray(tell.u, float))[None])[0])
        y = tell.y - self.top
        looked = tell.index in self.memory.explored  # looking elsewhere and finding nothing is no surprise
        level = y if looked else max(mean, y)
        return y - mean, float(np.exp(min(0.0, level + 2.0)))

    def _evaluations(self) -> Evaluations:
        """Those the surrogate is built on, in the box frame."""
        n = self.memory.built_on
        if self._taken is None or self._taken[0] != n:
            self._taken = n, Evaluations.of(self.log.told[:n], self.dimension, self.box.into)
        return self._taken[1]

    def _refit(self) -> None:
        """Hyperparameters, surrogate and posterior draws from all evaluations taken into account."""
        m = self.memory
        m.built_on = len(m.log.told)
        known = self._evaluations()
        n = len(known.y)
        if n < 2:
            return
        moments = self.draws.moments() if self.draws is not None and m.last_ess > 0.02 else None
        usable = self.outputs is not None and self.outputs.usable(known)
        if self.outputs is not None and usable and self.outputs.due(n):
            self.outputs.fit(known)
            m.whitening = m.whitening if moments is None else Whitening.of_moments(*moments)
        if self._learns_outputs and not usable:
            return
        if not self._learns_outputs and self.score.due(n):
            self.kept_draws = None  # of other hyperparameters now: let go of before more is taken
            self.score.fit(known, moments)
        m.feasibility = refitted(known, m.feasibility)
        self._condition()
        self._find_posterior()

    def _condition(self) -> None:
        """The surrogate on all values with the hyperparameters in memory, and the density that it is trusted with."""
        m, known = self.memory, self._evaluations() if self.outputs is None else self.outputs.smoothed(self._evaluations())
        self._learnt, self.top = known, float(known.y.max())
        learner = self.outputs if self._learns_outputs else self.score
        assert learner is not None
        self.surrogate = learner.surrogate(known)
        self.hull = Hull.of(known.points, known.y.max() - known.y)
        self._possible = Feasibility.of(known, m.whitening, m.feasibility)
        self.guarded = GuardedDensity(self.surrogate, self.hull, self._possible)

    def log_density(self) -> TrustedDensity | None:
        return None if self.surrogate is None else self.guarded.trusted(self.box, self.top)

    def _find_posterior(self) -> None:
        m, b, y = self.memory, self._learnt.points, self._learnt.y
        last = m.log.full or m.certification is not None  # then what is drawn is certified and shown: tails are worth the time
        most = self.options.final_draws
        ripe = last or (self._learns_outputs and not unmet(m, self.options, self._possible))  # draws are the worst of it by then
        m.outputs.draws_weighed = m.outputs.afforded(most, len(y)) if self._learns_outputs and not ripe else most
        enough = m.outputs.draws_weighed if self._learns_outputs or ripe else most // 2
        if m.draws_wanted >= enough and self._still_good(b, last):
            return
        self.kept_draws = None
        due = ripe or len(m.log.told) - m.mixture_at >= self.options.mixture_every  # with fewer, whitening is learnt later
        start = posterior.start_of(m.proposal, m.last_ess, b, y)
        m.draws_wanted = m.outputs.draws_weighed if due else enough
        rng = generator(self.settings.seed, "posterior", m.built_on)
        walking = generator(self.settings.seed, "walk", m.built_on) if due else None
        searched = self.guarded, start, m.mended, self._round_base, rng, walking, self._draw, b, last
        found, m.mended, m.missed = search_and_walk(*searched, tails=self._emulates is not None and m.outputs.tails_matter)
        m.last_ess, m.drawn_log_z = found.ess, found.log_z + self.top
        m.unreached = [int(i) for i in posterior.overlooked(self.guarded, found, b)]

    @property
    def _round_base(self) -> Array:
        """For the search of a proposal; emulated outputs are dear."""
        return self._base[:LEARNT_ROUND] if self._learns_outputs else self._base

    def _still_good(self, b: Array, last: bool) -> bool:
        """Weights the draws there are anew; whether they will do: of the same hyperparameters, and, ``last``, with sure tails."""
        m = self.memory
        fitted = isinstance(self.kept_draws, KeptDraws) and m.fitted_at == len(b)
        if self.kept_draws is None or fitted or not self._weigh(self.kept_draws):
            return False
        assert self.draws is not None
        m.weighed_at.append(m.built_on)
        settled = abs(self.draws.log_z + self.top - m.drawn_log_z) < KEPT_RANGE and not (last and tails_unsure(self.draws))
        enough = settled and self.draws.temperature == 1.0 and self.draws.ess >= KEPT_SHARE * max(m.last_ess, 0.1)
        enough = enough and (self.draws.ess > POOR or m.built_on - m.drawn_at < self.options.mixture_every)
        return enough and set(posterior.overlooked(self.guarded, self.draws, b)) <= set(m.unreached)

    def _weigh(self, drawn: KeptDraws | PlainDraws) -> bool:
        """The kept draws with the weights that the surrogate gives them now; False if they are of other data."""
        known = self.surrogate
        alike = isinstance(known, QuadraticSurrogate) == isinstance(drawn, KeptDraws)
        drawn = drawn.first(self.memory.outputs.draws_weighed) if isinstance(drawn, PlainDraws) else drawn
        value = drawn.weighed_by(self.guarded) if known is not None and alike else None
        if value is None:
            return False
        self.draws = posterior.weighed(drawn.points, drawn.log_q, value, drawn.proposal)
        return True

    def _draw(self, proposal: Proposal) -> posterior.PosteriorDraws:
        """The answer's draws from ``proposal``, which is kept."""
        m = self.memory
        assert self.surrogate is not None
        m.proposal, m.drawn_at, m.weighed_at = proposal, m.built_on, []
        rng = generator(self.settings.seed, "answer", m.drawn_at)
        points, log_q, _ = proposal.draw(shifted(self._base[: m.draws_wanted], rng))
        self.kept_draws = None  # before there are others
        drawn, known = (points, log_q, proposal), self.surrogate
        self.kept_draws = KeptDraws.of(*drawn, known) if isinstance(known, QuadraticSurrogate) else PlainDraws(*drawn)
        self._weigh(self.kept_draws)
        assert self.draws is not None
        return self.draws

    # ------------------------------------------------------------------ evidence and mixture

    def _evidence(self) -> tuple[float, float]:
        """log Z and the GP's own sd of it."""
        assert self.draws is not None
        assert self.surrogate is not None
        rng = generator(self.settings.seed, "evidence", len(self.memory.log.told))
        sd = sd_of_mean(self.surrogate, self.draws, self._emulates is not None, rng)
        return self.draws.log_z + self.top + self.box.log_volume, sd

    def _fit_mixture(self) -> None:
        m = self.memory
        assert self.draws is not None
        assert self.surrogate is not None
        rng = generator(self.settings.seed, "mixture", len(m.log.told))
        fitted = mixture.fit_mixture(self.draws, m.mixture, self.options.mixture_components, self.guarded, self._base, rng)
        equal = np.full(len(fitted.points), 1.0 / len(fitted.points))
        variance = self.surrogate.mean_functional_variance(fitted.points, equal) + fitted.elbo_sd**2
        m.mixture = fitted.components
        m.elbo = (fitted.elbo + self.top + self.box.log_volume, float(np.sqrt(variance)))
        m.mixture_at = len(m.log.told)

    # ------------------------------------------------------------------ the answer

    def answer(self) -> LoopSnapshot | None:
        m = self.memory
        if len(m.log.told) == m.announced or (len(m.log.told) < self._design_size and not (self.satisfied or m.log.full)):
            return None
        m.announced = len(m.log.told)
        if self.surrogate is None or self.draws is None:
            return empty_snapshot(self.settings, self.options, m, self.box)
        self._portrait = portrait(self._now(), self._emulates, self._portrait)
        return snapshot(self._now(), self._portrait)

    def _now(self) -> LoopState:
        assert self.surrogate is not None
        assert self.draws is not None
        known = (self.surrogate, self.draws, self.hull, self._possible)
        return LoopState(self.settings, self.options, self.memory, self.box, *known, self.top)

    # ------------------------------------------------------------------ saving

    def state(self) -> State:
        return self.memory.to_state()

    def restore(self, state: State) -> None:
        self.memory = m = Memory.of_state(state)
        self._forget()
        if m.proposal is None:
            return
        proposal, weighed_at, built_on, m.built_on = m.proposal, m.weighed_at, m.built_on, m.drawn_at
        self._condition()
        self._draw(proposal)
        for m.built_on in weighed_at:  # the same steps again, so that every digit is the same
            self._condition()
            assert self.kept_draws is not None
            self._weigh(self.kept_draws)
        m.weighed_at, m.built_on = weighed_at, built_on
