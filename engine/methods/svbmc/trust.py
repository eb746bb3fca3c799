"""The posterior kept where a sparse surrogate can be trusted: what SVBMC adds to the loops it shares its frame with.

An archive's tails are thinly known, and a surrogate through a few hundred inducing points is too sure of itself there; its mean
may rise tens of nats above the best value seen. The mixture therefore never claims more mass than the guarded surrogate has,
and is built anew from draws of that where it has come to claim too much, or too little.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.surrogate_loop import SurrogateMethod
from bayescope.engine.methods.svbmc.archive_error import unseen_mass
from bayescope.engine.methods.svbmc.draws import Proposal, propose
from bayescope.engine.methods.svbmc.surrogate import Data, likely_drop, overconfidence
from bayescope.engine.methods.svbmc.untold import untold
from bayescope.engine.sampling.importance import systematic
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.levels import SURE_OF_TOP
from bayescope.engine.variational.guarded_mean import GuardedMean
from bayescope.engine.variational.joint import fit_mixture, quick_elbo

Array = NDArray[np.float64]

UNTRUSTED = 0.3  # nats by which an ELBO may exceed the guarded log evidence
CEILING = 3.0  # nats above the best evaluation that the posterior's maximum may lie
LARGEST_RESIDUAL = 1e3  # nats: the guarded mean has no lower bound
UNTOLD_DRAWS = 512
LACKING = 1.0  # nats by which it may fall short of it before the mixture is built anew


class TrustedMethod(SurrogateMethod):
    """A loop whose mixture passes ``_keep`` before it becomes the posterior."""

    def __init__(self, settings: LoopSettings) -> None:
        super().__init__(settings)
        self._forget()

    def _forget(self) -> None:
        """What follows from the memory is worked out again."""
        self.surrogate, self.values = None, None
        self._proposed: tuple[GaussianMixture, Proposal] | None = None
        self._guessed: tuple[GaussianMixture, float] | None = None
        self._too_sure: tuple[Surrogate, float] | None = None
        self._trained: Data | None = None  # what the surrogate was built from and conditioned on

    @property
    def guarded_mean(self) -> GuardedMean:
        """Stricter than the other loops': the archive's tails are sparsely known, its maximum well."""
        assert self.values is not None
        assert self.surrogate is not None
        if self._too_sure is None or self._too_sure[0] is not self.surrogate:
            self._too_sure = self.surrogate, overconfidence(self.surrogate, self.dimension, self._noisy)
        guard = super().guarded_mean
        top = self.values.top
        best = np.inf if self._noisy is None else top
        return replace(guard, steepening=1.0, inflation=self._too_sure[1], ceiling=top + CEILING, best=best)

    @property
    def _noisy(self) -> Data | None:
        """What the surrogate stands on, where its values are noisy enough for it to matter."""
        return None if self._trained is None or self._trained.measured is None else self._trained

    def _fresh_residual(self, told: Tell) -> tuple[float, float]:
        """Of the guarded mean: what the answer is made from. A tail that the guard has cut off does not surprise it."""
        if self.surrogate is None or self.values is None or told.y is None or not np.isfinite(told.y):
            return float("nan"), 0.0
        mean = float(self.guarded_mean(self.memory.frame.into(np.asarray(told.u, dtype=float)[None, :]))[0])
        mean = max(mean, told.y - LARGEST_RESIDUAL)
        weight = float(np.exp(min(0.0, max(mean, told.y - SURE_OF_TOP * told.sd) - self.values.top + 2.0)))
        return told.y - mean, weight

    def _keep(self, q: GaussianMixture) -> None:
        """q becomes the posterior, unless it claims mass that the guarded surrogate does not have or lacks mass that it has."""
        self.memory.mixture = q.contiguous()
        found = self._proposal()
        claimed = quick_elbo(self.expected, q, self._rng("claim"))
        beyond, lacking = claimed > found.pilot.log_z + UNTRUSTED, claimed < found.pilot.log_z - LACKING
        if beyond or lacking:
            self._mend(found, claimed, beyond=beyond)
        self.memory.counts["untold"] = round(100 * self._untold_share())

    def _mend(self, found: Proposal, claimed: float, *, beyond: bool) -> None:
        core = found.refitted(self._rng("core"))
        polished = fit_mixture(self.expected, core, self._rng("polish"), family=self._family, steps=20)
        value = quick_elbo(self.expected, polished, self._rng("polished"))
        better = polished if value <= found.pilot.log_z + UNTRUSTED else core
        if beyond or value > claimed:
            self.memory.mixture = better.pruned(1e-4).contiguous()

    def _proposal(self) -> Proposal:
        """For the posterior as it is; worked out once for each."""
        q = self.memory.mixture
        assert q is not None
        if self._proposed is None or self._proposed[0] is not q:
            good = self.memory.frame.into(self._likely())
            self._proposed = q, propose(self.guarded_mean, q, good, self._rng("proposal"))
        return self._proposed[1]

    def _untold_share(self) -> float:
        """Of the posterior: where no evaluation tells of it. Noise says so itself, by the surrogate's sd."""
        drawn, q = self._proposal().pilot, self.memory.mixture
        assert self.surrogate is not None
        assert q is not None
        if self._noisy is not None or not np.isfinite(drawn.log_z):
            return 0.0
        rows = systematic(drawn.weights, UNTOLD_DRAWS, self._rng("untold"))
        return float(untold(q, drawn.points[rows], self.surrogate.train_inputs.numpy()).mean())

    @property
    def _unseen(self) -> float:
        """See ``unseen_mass``, nats; worked out once for each posterior."""
        q = self.memory.mixture
        assert self.surrogate is not None
        assert q is not None
        if self._guessed is None or self._guessed[0] is not q:
            box, frame = (self.lower, self.upper), self.memory.frame
            self._guessed = q, unseen_mass(
                self.surrogate, self._proposal().pilot.log_z, box, frame, self._rng("unseen"), self.guarded_mean.best
            )
        return self._guessed[1]

    def _likely(self) -> Array:
        """Points (n, D) of inference space where the posterior is likely to have its mass; at least 5 D of the best."""
        assert self.values is not None
        y = self.values.level
        within = y >= self.values.top - likely_drop(self.dimension)
        if within.sum() < 5 * self.dimension:
            within = y >= np.sort(y)[-min(len(y), 5 * self.dimension)]
        return self.values.u[within]
