"""The loop for noisy log densities (engine/METHODS.md, RECIPE, last part): every value is an estimate with a standard error.

ask:     design points, then batches by IMIQR over posterior draws, each point aware of those before it; ``climbing`` comes first
tell:    queued
catch up, ``batch`` evaluations at a time, in order of arrival:
    hyperparameters and noise scale (MAP), in the box frame and in the whitened one; the better is kept
    population Monte Carlo on the surrogate's mean -> draws, plug-in log Z
    posterior shape and log Z corrected for the surrogate's uncertainty; variational mixture and its ELBO
    every ``check_every`` evaluations: expected total variation of posteriors that fit as well; three good ones, and no other
        answer by the ``emulated`` summaries of a synthetic likelihood -> converged
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...acquisition import unexplored
from ...acquisition.initial_design import design_point, scarce, search_point
from ...acquisition.interquantile_range import next_batch
from ...answer import noise_levels
from ...answer import words as answer_words
from ...answer.where_known import told_in_part
from ...feasibility.classifier import Feasibility
from ...feasibility.outcomes import refitted
from ...loop_interface import LoopSettings, LoopSnapshot, State, Tell
from ...numerics.randomness import generator
from ...problem.method_options import NoisyOptions, read_options
from ...sampling import population_monte_carlo as posterior
from ...sampling.guarded_density import NEGLIGIBLE, GuardedDensity, Hull
from ...sampling.importance import log_mean, normalized
from ...sampling.proposal import Proposal, base_points
from ...sampling.trusted_density import TrustedDensity
from ...sampling.walkers import search_and_walk
from ...surrogate.evaluations import counted
from ...surrogate.frames import BoxFrame, Whitening
from ...surrogate.noisy.shape_correction import ShapeCorrection, expected_variation
from ...surrogate.quadratic.posterior import QuadraticSurrogate
from ...variational import fit_to_posterior as mixture
from ..ask_tell import EvaluationLog, go_on
from ..box_answer import AnswerState, BoxAnswer, no_answer
from ..default.answer import goes_too_far
from ..default.audit import where_runs_succeed
from ..default.bordering import border_left_open, border_matters, open_words
from . import climbing, judging, stopping, words
from .emulated import EmulatedPosterior, difference
from .fitting import NoisyFits
from .memory import NoisyMemory

Array = NDArray[np.float64]
SHAPE_DRAWS = 100  # posterior draws over which the surrogate's covariance is averaged
CHECK_POINTS, CHECK_FUNCTIONS = 700, 40
EVIDENCE_FLOOR = 0.02
CEILING = 3.0  # nats above every place evaluated that are not believed where runs fail


class NoisyMethod:
    """See ``ask_tell.Method``. Settings' options: ``NoisyOptions``."""

    def __init__(self, settings: LoopSettings) -> None:
        self.settings, self.check = settings, go_on
        self.options = read_options(NoisyOptions, settings.options)
        self.dimension = settings.dimension
        self.box = BoxFrame.of(np.asarray(settings.plausible_lower, float), np.asarray(settings.plausible_upper, float))
        self.design_size = 10 + 2 * self.dimension
        self.memory = NoisyMemory(self.dimension, EvaluationLog(settings.max_evaluations))
        self._base = base_points(self.dimension, self.options.final_draws, settings.seed)
        self._forget()

    def _forget(self) -> None:
        """What can be rebuilt from the memory."""
        self.surrogate: QuadraticSurrogate | None = None
        self.plug_in: posterior.PosteriorDraws | None = None  # of the guarded mean
        self.draws: posterior.PosteriorDraws | None = None  # ... with the shape correction
        self.shape: ShapeCorrection | None = None
        self.fits = NoisyFits(self.memory, self.options, self.box, self.settings.device, self.settings.summaries)
        self.emulated: EmulatedPosterior | None = None
        self.hull = Hull(np.full(self.dimension, -5.0), np.full(self.dimension, 5.0))

    @property
    def log(self) -> EvaluationLog:
        return self.memory.log

    @property
    def satisfied(self) -> bool:
        return self.memory.converged and self.options.stop

    # ------------------------------------------------------------------ ask

    def choose(self) -> tuple[Array, str] | None:
        m, s = self.memory, self.settings
        lower, upper = np.asarray(s.plausible_lower, float), np.asarray(s.plausible_upper, float)
        if m.log.next_index < self.design_size:
            return design_point(m.log.next_index, self.design_size, lower, upper, s.start, s.seed), "design"
        if self.surrogate is None or self.draws is None or scarce(m.log.told, self.dimension):
            return search_point(m.log.next_index, s, m.log.told), "design"
        if not m.planned:
            m.planned, m.plans = self._plan(), m.plans + 1
        return self.box.back(m.planned.pop(0)), "acquisition"

    def _plan(self) -> list[Array]:
        """The next batch, aware of everything asked or told that the surrogate does not know yet."""
        m = self.memory
        assert self.surrogate is not None
        assert self.draws is not None
        late = [t.u for t in m.log.told[m.built_on :]] + [u for u, _ in m.log.pending.values()]
        waiting = np.array([self.box.into(np.asarray(u, float)) for u in late]).reshape(-1, self.dimension)
        rng = generator(self.settings.seed, "noisy acquisition", m.plans)
        if m.climbing:
            assert self.emulated is not None
            return climbing.places(self.emulated, self._base, len(late) == 0, rng)
        _, _, variance = self.fits.data(robust=False)
        return list(next_batch(
            self.surrogate, self.draws, self.hull, self._possible, np.sqrt(variance), waiting,
            self.options.batch, self.options.flank_share, rng, m.mixture if self.options.viqr else None,
            border_matters(self._possible, self.draws),
        ))  # fmt: skip

    # ------------------------------------------------------------------ tell

    def take_in(self, tell: Tell) -> None:
        n, batch = len(self.log.told), climbing.BATCH if self.memory.climbing else self.options.batch
        if (n >= self.design_size and n - self.memory.built_on >= batch) or self.log.full:
            self._build()

    def _build(self) -> None:
        """Surrogate, posterior and checks from all evaluations told."""
        m = self.memory
        before = m.built_on
        m.built_on = len(m.log.told)
        m.planned = []
        if len(self.fits.evaluations().y) < 3:
            return
        if self.draws is not None and m.last_ess > 0.02:
            m.whitening = Whitening.of_moments(*self.draws.moments())
        self.fits.fit()
        m.feasibility = refitted(self.fits.evaluations(), m.feasibility)
        self._condition()
        m.climbing = climbing.climbs(self.emulated, self.fits.evaluations(), self.design_size, self.dimension)
        checked = m.built_on // self.options.check_every > before // self.options.check_every
        self._find_posterior(shown=checked or m.log.full)
        self._fit_mixture()
        doubtful = self._not_excluded() if m.checks and stopping.is_good(m.checks[-1], self.options) else []
        m.doubtful = bool(doubtful)
        if checked:
            self._check()
        m.planned = m.planned or doubtful

    # ------------------------------------------------------------------ posterior

    def _condition(self) -> None:
        """The surrogate on all values with the hyperparameters in memory."""
        self.surrogate = self.fits.surrogate()
        mean = self.surrogate.mean(self.surrogate.b)
        self.hull = Hull.of(self.surrogate.b, mean.max() - mean)
        self._possible = Feasibility.of(self.fits.evaluations(), self.memory.whitening, self.memory.feasibility)
        where = self.settings, self.box, self.hull, self._possible
        self.emulated = EmulatedPosterior.of(self.fits.summaries, self.fits.evaluations(), *where)
        self.guarded = GuardedDensity(self.surrogate, self.hull, self._possible, CEILING, self._most)

    def _most(self, points: Array, unsure: float = 0.0) -> Array:
        """What the emulated summaries leave possible of the surrogate's mean at points (n, D)."""
        top = self.memory.top
        return np.full(len(points), np.inf) if self.emulated is None or top is None else self.emulated.most(points, unsure) - top

    def log_density(self) -> TrustedDensity | None:
        """The answer's own: with its shape correction, and of its evidence."""
        if self.draws is None or self.shape is None:
            return None
        evidence = self._evidence()[0] - self.box.log_volume - self.draws.log_z
        return self.guarded.trusted(self.box, evidence, self.shape.log_correction)

    def _log_density(self, points: Array, log_q: Array) -> Array:
        """Guarded mean and shape correction: the answer's log density."""
        return self._with_shape(self.guarded(points, log_q), points, log_q)

    def _with_shape(self, value: Array, points: Array, log_q: Array) -> Array:
        assert self.shape is not None
        value = value.copy()
        weight = value - log_q
        heavy = np.flatnonzero(np.isfinite(value) & (weight > weight.max() - NEGLIGIBLE))
        value[heavy] += self.shape.log_correction(points[heavy])
        return value

    def _find_posterior(self, shown: bool) -> None:
        """``shown``: what its draws miss is looked for."""
        m, s = self.memory, self.surrogate
        assert s is not None
        start = posterior.start_of(m.proposal, m.last_ess, s.b, s.mean(s.b))
        rng = generator(self.settings.seed, "posterior", m.built_on)
        walking = generator(self.settings.seed, "walk", m.built_on) if shown else None
        found, m.mended, m.missed = search_and_walk(self.guarded, start, m.mended, self._base, rng, walking, self._draw, s.b)
        m.last_ess = found.ess

    def _draw(self, proposal: Proposal) -> posterior.PosteriorDraws:
        """Plug-in draws from ``proposal``, which is kept; the answer's have the shape correction in their weights."""
        m = self.memory
        m.proposal = proposal
        assert self.surrogate is not None
        last = m.built_on >= m.log.budget or m.converged
        wanted = self.options.final_draws if last else self.options.final_draws // 4
        rng = generator(self.settings.seed, "answer", m.built_on)
        p = posterior.sample(self.guarded, proposal, self._base[:wanted], rng)
        self.plug_in = p
        self.shape = ShapeCorrection.of(self.surrogate, p.points[p.resample(SHAPE_DRAWS, rng)], self.fits.climbed)
        log_q = p.proposal.log_density(p.points)
        log_density = self._with_shape(p.log_density, p.points, log_q)
        log_w = log_density - log_q
        _, ess = normalized(log_w)
        self.draws = replace(p, log_weights=log_w, log_density=log_density, log_z=log_mean(log_w), ess=ess / len(log_w))
        return p

    def _evidence(self) -> tuple[float, float]:
        """log Z where runs succeed, its sd: between the plug-in P and the draw-corrected E = P + (mean k - vZ) / 2 (RECIPE)."""
        m = self.memory
        assert self.plug_in is not None
        assert self.shape is not None
        assert m.top is not None
        half = 0.25 * (self.shape.mean_variance - self.shape.variance_of_mean)  # (E - P) / 2
        sd = np.sqrt(self.shape.variance_of_mean + half**2 + EVIDENCE_FLOOR**2 + m.missed**2)
        sd = np.hypot(sd, self._possible.evidence_sd(self.plug_in.points, self.plug_in.log_weights))
        return self.plug_in.log_z + half + m.top + self.box.log_volume, float(sd)

    def _fit_mixture(self) -> None:
        m, most = self.memory, self.options.mixture_components
        assert self.draws is not None
        rng = generator(self.settings.seed, "mixture", m.built_on)
        fitted = mixture.fit_mixture(self.draws, m.mixture, most, self._log_density, self._base, rng)
        m.mixture = fitted.components
        m.elbo_gap, m.elbo_gap_sd = self.draws.log_z - fitted.elbo, fitted.elbo_sd

    # ------------------------------------------------------------------ judging

    def _check(self) -> None:
        """A stop check; three good ones in a row and the answer is converged."""
        m, d = self.memory, self.draws
        assert d is not None
        assert self.surrogate is not None
        assert self.plug_in is not None
        chosen, points = slice(0, CHECK_POINTS), d.points[:CHECK_POINTS]
        log_q = d.proposal.log_density(points)
        known = where_runs_succeed(d, self._possible)[0]  # elsewhere more runs tell nothing
        usable = np.isfinite(self.plug_in.log_density[chosen]) & np.isfinite(known.log_weights[chosen])
        if usable.sum() < CHECK_POINTS // 10:
            return
        rng = generator(self.settings.seed, "check", m.built_on)
        variation = expected_variation(
            self.surrogate, points[usable], self.plug_in.log_density[chosen][usable], d.log_density[chosen][usable],
            log_q[usable], CHECK_FUNCTIONS, rng,
        )  # fmt: skip
        log_w = self.plug_in.log_density[chosen][usable] - log_q[usable]
        frames = judging.frame_variation(self.surrogate, self.fits.other_frame(), points[usable], log_w)
        m.checks.append(stopping.Check(m.built_on, float(np.hypot(variation, frames)), *self._evidence(), d.ess))
        if not m.looked_around and stopping.is_good(m.checks[-1], self.options):
            m.looked_around = True
            m.planned = self._unexplored()
        self._compare()
        share = self._possible.share_told(self.surrogate, d.points, d.weights)
        m.border = border_left_open(self._possible, self.plug_in)
        against = stopping.unmet(m.checks, self.options, self.dimension, None, m.missed, m.differs) or open_words(m.border)
        m.converged = not (goes_too_far(self.hull, share, d.points, d.weights) or m.doubtful or against)

    def _compare(self) -> None:
        """With the emulated posterior; where the two differ too much, the next runs are made there."""
        m = self.memory
        if self.emulated is None or self.draws is None or m.climbing:
            return
        rng = generator(self.settings.seed, "emulated", m.built_on)
        m.differs, places = difference(self.draws, self._log_density, self.emulated, self._base, rng)
        if stopping.differ(m.differs, self.options):
            m.planned = [*m.planned, *places][: self.options.batch]

    def _unexplored(self) -> list[Array]:
        assert self.surrogate is not None
        assert self.draws is not None
        told = np.array([self.box.into(np.asarray(t.u, float)) for t in self.log.told])
        rng = generator(self.settings.seed, "elsewhere", self.memory.built_on)
        return unexplored.unexplored(self.surrogate.mean, self.draws, self._possible, told, rng)[: self.options.batch]

    def _not_excluded(self) -> list[Array]:
        assert self.surrogate is not None
        assert self.draws is not None
        rng = generator(self.settings.seed, "not excluded", self.memory.built_on)
        return unexplored.not_excluded(self.surrogate, self.draws, self.hull, self._possible, rng, self._most)

    # ------------------------------------------------------------------ the answer

    def answer(self) -> LoopSnapshot | None:
        m = self.memory
        if m.built_on == m.announced:
            return None
        m.announced = m.built_on
        if m.shown and self.plug_in is not None and judging.explodes(self.plug_in, self.hull):
            return None  # the answer before stays on show, as of fewer runs
        m.shown = self.plug_in is not None
        return self._snapshot()

    def _snapshot(self) -> LoopSnapshot:
        m, counts = self.memory, counted(self.memory.log.told)
        if self.surrogate is None or self.draws is None or m.mixture is None or m.top is None:
            reasons = (answer_words.nothing_usable(counts.ok, counts.failed, counts.impossible),)
            return no_answer(self.box, AnswerState(m.built_on, reasons=reasons, activity=words.activity(m)))
        known = (self.box, m.top, self.surrogate, self.hull, self._possible, self.draws)
        found = BoxAnswer(*known, m.mixture, (m.elbo_gap, m.elbo_gap_sd))
        doubted = judging.far_off(self.surrogate, self.fits.evaluations().index, m.lambdas)
        shares = replace(found.shares, border=m.border)
        log_scale, log_slope = (float(s) for s in self.fits.fitted()[1][:2])
        repeated = len(self.surrogate.b) - len(np.unique(self.surrogate.b, axis=0))
        notes = words.notes(
            self.fits.reported(), log_scale, len(m.log.told), self.options, counts.ok, repeated, len(doubted),
            m.lambdas is not None, m.levels,
        )  # fmt: skip
        log_z, sd = stopping.stated(*self._evidence(), m.checks, m.converged)
        sd = float(np.hypot(sd, found.failing.spread))
        figures = words.figures(self.settings, self.options, m, counts, *self.draws.moments(), shares, notes, sd)
        state = AnswerState(
            n_evaluations=m.built_on,
            converged=figures.converged,
            reasons=answer_words.reasons(figures),
            warm_up=len(m.log.told) < self.design_size + 10,
            diagnostics={
                **told_in_part(figures.in_part),
                "expected_variation": m.checks[-1].variation if m.checks else 1.0,
                **({"emulated_variation": m.differs} if self.emulated is not None and m.checks else {}),
                "noise_scale": float(np.exp(log_scale)),
                "shaping_slope": float(np.exp(log_slope)),
                "noise_sd": float(np.sqrt(np.median(self.surrogate.noise))),
                "failed": float(counts.failed),
                "impossible": float(counts.impossible),
                "repeated": float(repeated),
                "far_off": float(len(doubted)),
            },
            activity=words.activity(m, figures.in_part), doubted=doubted, shares=shares, log_jacobian=self.settings.log_jacobian,
            noise={} if m.levels is None else noise_levels.arrays(self.fits.evaluations().index, np.sqrt(self.fits.data()[2])),
        )  # fmt: skip
        return found.snapshot(state, log_z, sd)

    # ------------------------------------------------------------------ saving

    def state(self) -> State:
        return self.memory.to_state()

    def restore(self, state: State) -> None:
        self.memory = NoisyMemory.of_state(state)
        self._forget()
        if self.memory.proposal is not None:
            self._condition()
            self._draw(self.memory.proposal)
