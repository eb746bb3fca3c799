"""An answer that was found in the box frame, in the form every loop gives it: see ``LoopSnapshot``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..answer.surrogate_peak import peak_place
from ..answer.words import tails_missed
from ..diagnostics.local_width import local_width
from ..diagnostics.metrics import mmtv_to_mixture
from ..diagnostics.possible import possible_marginals
from ..diagnostics.surrogate_checks import LeaveOneOut, calibration, weighted_rms
from ..diagnostics.surrogate_peak import LOOKED_AT, surrogate_peak
from ..feasibility.classifier import Feasibility
from ..feasibility.share import Share
from ..feasibility.shown import arrays_of as success_arrays
from ..loop_interface import LoopSnapshot, Mixture, WeightedDraws
from ..numerics.randomness import generator
from ..sampling.guarded_density import GuardedDensity, Hull
from ..sampling.pareto import pareto_k
from ..sampling.population_monte_carlo import PosteriorDraws
from ..sampling.proposal import Proposal
from ..surrogate.frames import BoxFrame
from ..surrogate.log_joint import LogJoint
from ..variational.fit_to_posterior import FittedMixture
from .default.answer import edge_mass, failing_diagnostics, shares_of, slices
from .default.words import Shares

Array = NDArray[np.float64]

ENOUGH_DRAWS = 500  # effective ones from which draws are the better posterior


@dataclass(frozen=True)
class BoxAnswer:
    """Draws and mixture in the box frame, the surrogate of y - ``top`` and where it is believed.

    ``elbo_gap``: log evidence less the mixture's ELBO, and its sd.
    """

    box: BoxFrame
    top: float
    surrogate: LogJoint
    hull: Hull
    possible: Feasibility
    draws: PosteriorDraws
    mixture: Proposal
    elbo_gap: tuple[float, float]

    @classmethod
    def of(
        cls, box: BoxFrame, top: float, density: GuardedDensity, draws: PosteriorDraws, fitted: FittedMixture
    ) -> BoxAnswer:
        """From draws of ``density`` and the mixture fitted to them."""
        gap = draws.log_z - fitted.elbo, fitted.elbo_sd
        return cls(box, top, density.surrogate, density.hull, density.possible, draws, fitted.components, gap)

    @property
    def shares(self) -> Shares:
        """Of the posterior: at the edge of the trusted region, where runs fail, behind walls."""
        points, weights = self.draws.points, self.draws.weights
        walled = self.possible.walled_mass(points, weights)
        return shares_of(edge_mass(self.hull, points, weights), self.failing, walled, self.log_evidence)

    @cached_property
    def failing(self) -> Share:
        """The share of the posterior where runs fail."""
        return self.possible.share_told(self.surrogate, self.draws.points, self.draws.weights)

    @property
    def log_evidence(self) -> float:
        """That of the draws."""
        return self.draws.log_z + self.top + self.box.log_volume

    def snapshot(self, state: AnswerState, log_evidence: float, log_evidence_sd: float) -> LoopSnapshot:
        points, weights = self.draws.points, self.draws.weights
        shares, (gap, gap_sd) = state.shares or self.shares, self.elbo_gap
        scale, best = self.box.scale, self.surrogate.b[int(np.argmax(self.surrogate.mean(self.surrogate.b)))]
        left_out = LeaveOneOut(*self.surrogate.leave_one_out())
        calibrated = calibration(left_out, self.surrogate.y)
        rng, other = (generator(0, what, state.n_evaluations) for what in ("possible", "peak"))
        some = points[self.draws.resample(LOOKED_AT, other)]
        k = pareto_k(self.draws.log_weights)
        region = self.hull, self.possible
        peak = surrogate_peak(self.surrogate, self.box, self.top, region, some, state.log_jacobian, calibrated)
        through = self.box.into(peak_place(peak, self.box.back(best)))
        return LoopSnapshot(
            n_evaluations=state.n_evaluations,
            mixture=Mixture(
                self.mixture.weights, self.box.back(self.mixture.means), self.mixture.covariances * np.outer(scale, scale)
            ),
            elbo=log_evidence - gap,
            elbo_sd=float(np.hypot(log_evidence_sd, gap_sd)),
            log_evidence=log_evidence,
            log_evidence_sd=log_evidence_sd,
            converged=state.converged,
            reasons=(*state.reasons, *tails_missed(k)),
            warm_up=self.draws.temperature < 1.0 or state.warm_up,
            draws=WeightedDraws(self.box.back(points), weights),
            preferred="draws" if self.draws.ess * len(weights) > ENOUGH_DRAWS else "mixture",
            agreement=mmtv_to_mixture(points, weights, self.mixture),
            diagnostics={
                "ess": self.draws.ess,
                "temperature": self.draws.temperature,
                "kl_mixture_surrogate": gap,
                "edge_mass": shares.edge,
                **failing_diagnostics(self.failing, log_evidence),
                "walled_mass": shares.walled,
                "pareto_k": k,
                "loo_rms": weighted_rms(left_out, self.surrogate.y),
                "loo_calibration": calibrated,
                **state.diagnostics,
            },
            possible=possible_marginals(self.surrogate, self.box, points, weights, rng).arrays(),
            slices=slices(self.surrogate, self.box, self.top, *self.draws.moments(), through),
            success=success_arrays(self.possible, self.box) | state.noise,
            width=local_width(self.surrogate, self.box, self.mixture, best, calibrated),
            peak=peak,
            activity=state.activity,
            doubted=state.doubted,
        )


@dataclass(frozen=True)
class AnswerState:
    """Where the loop stands with its answer: see ``LoopSnapshot``. ``shares``: if known already."""

    n_evaluations: int
    converged: bool = False
    reasons: tuple[str, ...] = ()
    warm_up: bool = False
    diagnostics: dict[str, float] = field(default_factory=dict)
    activity: str = ""
    doubted: tuple[int, ...] = ()
    shares: Shares | None = None
    noise: dict[str, Array] = field(default_factory=dict)  # as in ``session.noise_levels``
    log_jacobian: Callable[[Array], Array] | None = None  # as in ``LoopSettings``


def no_answer(box: BoxFrame, state: AnswerState) -> LoopSnapshot:
    """While nothing usable came back: the plausible box as a Gaussian, no evidence."""
    guess = Mixture(np.ones(1), box.middle[None].copy(), np.diag(np.square(box.scale))[None])
    nothing = float("nan")
    return LoopSnapshot(
        state.n_evaluations, guess, nothing, nothing, nothing, nothing, False, state.reasons, True, activity=state.activity
    )
