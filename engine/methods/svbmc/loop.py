"""Sparse variational Bayesian Monte Carlo: a posterior from an archive of evaluations (seed 001 algorithm 1).

    trim the archive; whiten the coordinates by a rough posterior
    seed hyperparameters by an exact GP on a subset; sparse GP with shaped noise, or as given if that predicts what is held out
    build-up: components are added to the mixture until its KL divergence stops falling, at most 30
    each iteration, until stable or out of budget:
        5 evaluations, each at the argmax of k exp(m) q (noisy targets: VIQR), rank-one updates of the GP in between
        choose inducing points anew, tune the hyperparameters
        refit the mixture

Few evaluations get the exact GP instead; the reason is part of the answer. A budget of 0 makes the first answer the last.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.acquisition.functions import (
    Acquisition,
    IntegrationPoints,
    integrated_interquartile_range,
    prospective,
    tempered,
)
from bayescope.engine.loop_interface import Cancelled, LoopSnapshot, State, Tell
from bayescope.engine.methods.default.words import name_of
from bayescope.engine.methods.surrogate_answer import Answer, snapshot
from bayescope.engine.methods.surrogate_loop import INTERQUARTILE_DRAWS
from bayescope.engine.methods.surrogate_memory import Memory
from bayescope.engine.methods.svbmc.archive_error import SHOWN, UNSEEN, UNTESTED, archive_error, untold_words
from bayescope.engine.methods.svbmc.buildup import build_up
from bayescope.engine.methods.svbmc.draws import GOOD_ESS, PILOT, evidence_error, final_draws, noisy_surprise, weighted
from bayescope.engine.methods.svbmc.fitted import FittedMethod
from bayescope.engine.methods.svbmc.surrogate import likely_drop
from bayescope.engine.methods.svbmc.trust import CEILING, UNTOLD_DRAWS
from bayescope.engine.methods.svbmc.untold import telling_place, untold, untold_error
from bayescope.engine.numerics.randomness import generator
from bayescope.engine.sampling.importance import systematic
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.evaluations import outcome_of
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.sparse import SparseSurrogate
from bayescope.engine.variational.growth import grow
from bayescope.engine.variational.joint import fit_mixture
from bayescope.engine.variational.mixture_draws import widened

Array = NDArray[np.float64]

GROW_EVERY = 4  # iterations between proposals of one more component
REFIT_STEPS = 12
SURPRISE = 3.0  # nats off beyond 3 sds of noise, weighted by the density: the first fit took the archive for something else
MOST_ANEW = 3  # times that hyperparameters are searched for from the start, 2 to 4 s each


class SvbmcMethod(FittedMethod):
    """Settings' options: ``SvbmcOptions``; ``LoopSettings.archive`` holds the evaluations to start from.

    Raises ValueError for an option it does not have or an archive whose arrays do not fit.
    """

    @property
    def name(self) -> str:
        return "SVBMC"

    @property
    def diagonal(self) -> bool:
        return False

    def _design_size(self) -> int:
        """Evaluations wanted before the first surrogate: none with an archive worth the name."""
        usable, needed = len(self._whole.y), self.dimension + 2
        return 0 if usable >= needed else max(10, needed) - usable

    @property
    def satisfied(self) -> bool:
        return self.options.stop and bool(self.memory.count("stable"))

    # ------------------------------------------------------------------ the first posterior

    def _begin(self) -> None:
        """Trimmed archive to mixture, once, as soon as there is enough to build a surrogate from."""
        m = self.memory
        if m.mixture is not None or len(m.log.told) < self._design_size():
            return
        self.values = self._values()
        if self.values.count < self.dimension + 2:
            return
        saved = m.to_state()
        try:
            self.check()
            self._rough_frame()
            self.check()
            self._fit_surrogate(fresh=True)
            self.check()
            q = build_up(
                self.expected, self._start(), self._rng("build-up"), family=self._family,
                max_components=self.options.max_components, least_gain=self.options.least_gain, cancel=self.check,
            )  # fmt: skip
            self._keep(q)
        except Cancelled:
            self.restore(saved)
            raise

    # ------------------------------------------------------------------ active refinement

    def choose(self) -> tuple[Array, str] | None:
        self._begin()
        place = self._untold_place() if self._untold > SHOWN else None
        return super().choose() if place is None else (place, "exploration")

    @property
    def _untold(self) -> float:
        """The share of the posterior, as it was last refitted, of which no evaluation tells."""
        return self.memory.count("untold") / 100.0

    def _untold_place(self) -> Array | None:
        """Inference space (D,); None: by now something tells of nearly all. However sure the surrogate is there: the other
        acquisitions go where it is not."""
        m = self.memory
        if m.mixture is None or self.surrogate is None or self.design_left:
            return None
        rng = generator(self.settings.seed, "untold", m.log.next_index)
        drawn = weighted(self.guarded_mean, widened(m.mixture), rng, UNTOLD_DRAWS)
        if not np.isfinite(drawn.log_z):
            return None
        told = self.surrogate.train_inputs.numpy()
        if m.log.pending:
            told = np.concatenate([told, m.frame.into(np.array([u for u, _ in m.log.pending.values()]))])
        x = drawn.points[systematic(drawn.weights, UNTOLD_DRAWS, rng)]
        left = untold(m.mixture, x, told)
        return None if left.mean() <= SHOWN else m.frame.back(telling_place(m.mixture, x[left])[None, :])[0]

    def _absorb(self, told: Tell) -> None:
        m = self.memory
        if m.mixture is None:
            self._begin()
            return
        before = m.frame.mixture_back(m.mixture)
        residual, weight = self._fresh_residual(told)
        m.counts["surprises"] = m.count("surprises") + int(weight * abs(residual) > SURPRISE + 3.0 * told.sd)
        self.values = self._values()
        refitted = False
        if outcome_of(told) == "ok":
            m.counts["active"] = m.count("active") + 1
            refitted = self._improve()
        elif self._last:
            self._iterate()
            refitted = True
        if refitted or not m.steps:
            self._record(residual, weight, before)
            found = self._proposal()
            if found.pilot.ess > GOOD_ESS:  # the evidence that is reported then
                m.steps[-1] = replace(m.steps[-1], elbo=found.pilot.log_z + m.frame.log_volume)
        else:  # the mixture is the same: so is what is known of it
            m.steps.append(replace(m.steps[-1], evaluations=len(m.log.told), residual=residual, weight=weight, divergence=0.0))
        m.counts["stable"] = int(not self._against_stability())

    def _improve(self) -> bool:
        if self.memory.count("active") >= self.options.active_points or self._last:
            self._iterate()
            return True
        self._condition(len(self.memory.log.told) - 1)
        return False

    def _iterate(self) -> None:
        m = self.memory
        assert m.mixture is not None
        m.counts["active"], m.counts["iteration"] = 0, m.count("iteration") + 1
        anew = m.count("surprises") > 0 and m.count("begun anew") < MOST_ANEW
        m.counts["surprises"], m.counts["begun anew"] = 0, m.count("begun anew") + anew
        self._fit_surrogate(fresh=anew)
        self.check()
        if m.count("iteration") % GROW_EVERY == 0 and m.mixture.components < self.options.max_components:
            q, _ = grow(
                self.expected, m.mixture, self._rng("grow"), family=self._family, max_components=self.options.max_components,
                steps=REFIT_STEPS, cancel=self.check,
            )  # fmt: skip
        else:
            q = fit_mixture(
                self.expected, m.mixture, self._rng("refit"), family=self._family, steps=REFIT_STEPS, cancel=self.check
            )  # fmt: skip
        self._keep(q)

    def _acquisition(self, surrogate: Surrogate, q: GaussianMixture, index: int) -> Acquisition:
        """In turn: PROP (seed 001 eq 1); its square root, k (exp(m) q)^1/2, for tails, where a point stands for more volume than
        in the bulk; and k exp(m)^0.6, for what the archive does not know of, where the mixture has no mass."""
        power = self.options.density_power
        if index % 3 == 0:
            return prospective(surrogate, q, power)
        if index % 3 == 1:
            return prospective(surrogate, q, 0.5 * power, 0.5)
        assert self.values is not None
        return tempered(surrogate, ceiling=self.values.top + CEILING)

    def _noisy_acquisition(self, surrogate: Surrogate, q: GaussianMixture, rng: np.random.Generator) -> Acquisition:
        """In turn: VIQR over draws of the guarded surrogate, where the mixture's own tails of huge sd would be all that counts,
        and as for exact values towards tails and where the archive does not know."""
        assert self.values is not None
        if self.noisy_acquisition == "imiqr":  # as published
            return super()._noisy_acquisition(surrogate, q, rng)
        noise, turn = float(np.median(self.values.noise)), self.memory.log.next_index % 3
        if turn == 1:
            return prospective(surrogate, q, 0.5 * self.options.density_power, 0.5, noise)
        drawn = weighted(self.guarded_mean, widened(q), rng, PILOT)  # anew, since it must be the same after a restart
        if turn == 2 or not np.isfinite(drawn.log_z):
            return tempered(surrogate, ceiling=self.values.top + CEILING, noise=noise)
        points = torch.as_tensor(drawn.points[systematic(drawn.weights, INTERQUARTILE_DRAWS, rng)])
        range_after = integrated_interquartile_range(surrogate, IntegrationPoints(points, torch.ones(len(points))), noise)
        lowest = self.values.top - likely_drop(self.dimension)

        def near(x: torch.Tensor) -> torch.Tensor:
            """From far below, a run would tell of the posterior only what the kernel makes of it."""
            return range_after(x) - torch.relu(lowest - surrogate.predict_mean(x))

        return near

    # ------------------------------------------------------------------ the answer

    def answer(self) -> LoopSnapshot | None:
        self._begin()
        m, ready = self.memory, self.surrogate is not None and self.memory.mixture is not None
        failures = sum(outcome_of(t) != "ok" for t in m.log.told)
        news = 1 + 2 * (m.count("iteration") + failures + m.count("batches")) + int(self.over)  # between, the mixture is the same
        if news == m.announced or (len(m.log.told) < self._design_size() and not self.over):
            return None
        m.announced = news
        drawn = final_draws(self.guarded_mean, self._proposal(), self._rng("draws")) if ready else None
        error, against, needed = evidence_error(m.steps), self._against_stability(), None
        if error is not None and ready and self._noisy is None:
            error = float(np.linalg.norm([error, self._unseen, untold_error(self._untold)]))
        elif drawn is not None and self.surrogate is not None:
            found = archive_error(
                self.surrogate, drawn, (self.lower, self.upper), m.frame, self._rng("archive error"),
                None if self._noisy is None else self._noisy.level, self._untold,
            )  # fmt: skip
            words = found.words([name_of(self.settings, i) for i in range(self.dimension)])
            surprise = 0.0 if self._noisy is None else noisy_surprise(m.steps, self._noises())
            error = float(np.hypot(found.sd, surprise))
            against = against if m.log.told else tuple(words)
            needed = None if m.log.told else found.needed
        answer = snapshot(
            Answer(
                name=self.name, seed_draws=self._rng("sample"), lower=self.lower, upper=self.upper, map=self.map,
                memory=m, values=self.values,
                surrogate=self.surrogate if ready else None, elbo=self.elbo(draws=2048) if ready else None,
                guarded=self.guarded_mean if ready else None, log_jacobian=self.settings.log_jacobian, stable=against,
                activity=self._activity(), drawn=drawn, evidence_error=error,
            )
        )  # fmt: skip
        if not ready:
            reasons = (self.archive.too_few(self.dimension + 2), *self.archive.notes)
            return replace(answer, reasons=reasons, activity="The archive gives no posterior yet")
        assert self.values is not None
        sizes = {"archive": len(self.archive.y), "points": self.values.count, "inducing": self._inducing}
        diagnostics = {**answer.diagnostics, **{name: float(size) for name, size in sizes.items()}}
        reasons = (*answer.reasons, self.why_surrogate, *self.archive.notes)
        return replace(answer, reasons=reasons, diagnostics=diagnostics, needed=needed.arrays() if needed else {})

    @property
    def _inducing(self) -> int:
        return len(self.surrogate.inducing) if isinstance(self.surrogate, SparseSurrogate) else 0

    def _noises(self) -> dict[int, float]:
        """The sd of each evaluation of this run where it is known, by its place among them."""
        return {n: t.sd for n, t in enumerate(self.memory.log.told, 1) if np.isfinite(t.sd)}

    def _activity(self) -> str:
        if self.surrogate is None or self.values is None:
            return "Reading the archive"
        sparse = f"sparse surrogate: N = {self.values.count:,}, M = {self._inducing}"
        return f"Refining the posterior ({sparse if self._inducing else 'exact surrogate'})"

    def _against_stability(self) -> tuple[str, ...]:
        if not self.memory.log.told:
            return (UNTESTED,)
        against = super()._against_stability()
        if against or not self.memory.mixture:
            return against
        if self._untold > SHOWN:
            return (untold_words(self._untold),)
        return (UNSEEN,) if self._unseen > SHOWN else ()

    # ------------------------------------------------------------------ saving

    def restore(self, state: State) -> None:
        self.memory = Memory.of_state(state)
        self._forget()
        self.archive = self._whole
        if self.memory.theta is not None:
            self._drop_crowded()
            self._build()
            self.values = self._values()
