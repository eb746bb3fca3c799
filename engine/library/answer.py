"""What ``infer`` gives back: the posterior as it stood after so many evaluations, in the user's units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.numerics.linear_algebra import stable_factors
from bayescope.engine.problem.transforms import ParameterSpace

from ..answer.failures.far_off import FarOff
from ..answer.modes import Modes, find_modes
from ..answer.posterior import StoredPosterior
from ..answer.unseen import Claim, claim_of, unseen_in_inference
from ..loop_interface import LoopSettings, LoopSnapshot, Mixture, Tell
from ..numerics.randomness import generator
from .arguments import whole

if TYPE_CHECKING:
    from ..numerics.unseen_modes import UnseenModes

Array = NDArray[np.float64]
SPREAD = 0.15  # of a component's sd: adds 2 % to local variances


@dataclass(frozen=True)
class Answer:
    """The posterior as it stood after ``n_evaluations``. ``cpu_seconds``: of the inference so far, the target's own not counted.

    ``log_evidence`` (best estimate) is of the density given, in the user's units; ``elbo`` belongs to the mixture. Where there is
    no posterior, since no evaluation was usable, they are nan, ``converged`` is False, ``reasons`` say why and ``sample`` raises.
    """

    n_evaluations: int
    log_evidence: float
    log_evidence_sd: float
    elbo: float
    elbo_sd: float
    converged: bool
    reasons: tuple[str, ...]
    cpu_seconds: float
    snapshot: LoopSnapshot
    space: ParameterSpace
    told: Sequence[Tell] = field(default=(), repr=False, compare=False)  # of the run, archive first; later answers' too
    archived: int = 0  # of them

    def unseen(self, width: float, mass: float = 0.1) -> float:
        """The probability that another mode of the posterior was missed by all evaluations, if there is one.

        It is normal, at a random place of the plausible box, its sd is ``width`` of the box's sides (in inference space), and it
        holds ``mass`` of the posterior. Where outputs are learnt, what they tell of places without a run counts. 1 where nothing
        is known. Raises ValueError for a width or mass that makes no sense.
        """
        found = self._unseen
        if not (width > 0 and 0 < mass < 1):
            raise ValueError("width must be above 0 and mass between 0 and 1.")
        return 1.0 if found is None else found.unseen(width, mass)

    @property
    def claim(self) -> Claim | None:
        """What could have been missed in words (``claim.words``); None where nothing is known."""
        m = self.snapshot.mixture
        mixture = m.weights, m.means, m.covariances
        return None if self._unseen is None else claim_of(self._unseen, mixture, self.log_evidence_sd)

    @property
    def modes(self) -> Modes | None:
        """The separate modes, the heaviest first: each with ``name``, ``mass``, ``mass_sd``, ``mean``, ``sd``, ``best``; their
        ``words`` say where they differ and which are the same answer. None where there is no posterior."""
        if not math.isfinite(self.log_evidence):
            return None
        m, draws = self.snapshot.mixture, self.snapshot.draws
        points, weights = (None, None) if draws is None else (draws.points, draws.weights)
        posterior = StoredPosterior(
            self.space, m.weights, m.means, m.covariances, points, weights, self.snapshot.preferred, self.log_evidence_sd
        )
        u, y, _ = self._seen
        return find_modes(posterior, self.space.to_user(u), y - self.space.log_jacobian(u))

    @property
    def _seen(self) -> tuple[Array, Array, Array]:
        """u (n, d) and log joint (n,) of inference space with the sds (n,) of its noise, of the usable evaluations."""
        lies = FarOff.of(self.snapshot.far_off).not_counted
        seen = [t for t in self.told[: self.archived + self.n_evaluations] if t.y is not None and not t.impossible]
        seen = [t for t in seen if t.index not in lies]
        u, y, sds = (np.array([getattr(t, name) for t in seen], dtype=float) for name in ("u", "y", "sd"))
        return u.reshape(-1, self.space.dimension), y, sds

    @property
    def _unseen(self) -> UnseenModes | None:
        u, y, sds = self._seen
        if not len(y):
            return None
        evidence = self.log_evidence, self.log_evidence_sd
        return unseen_in_inference(self.space, u, y, sds, *evidence, self.snapshot.emulated)

    def sample(self, n: int, seed: int = 0) -> Array:
        """(n, d) draws in the user's units: from the weighted draws of the surrogate or the mixture, whichever is better.

        Raises ValueError where there is no posterior, and for a wrong argument.
        """
        n, seed = whole(n, "n", 0), whole(seed, "seed", 0)
        if not math.isfinite(self.log_evidence):
            raise ValueError(f"There is no posterior to sample from. {' '.join(self.reasons)}")
        rng = generator(seed, "sample")
        s = self.snapshot
        if s.preferred == "draws" and s.draws is not None:
            positions = (rng.permutation(n) + rng.random(n)) / n
            order = np.minimum(np.searchsorted(np.cumsum(s.draws.weights), positions), len(s.draws.weights) - 1)
            return self.space.to_user(self._spread(s.draws.points[order], rng))
        which = rng.choice(len(s.mixture.weights), size=n, p=s.mixture.weights / s.mixture.weights.sum())
        factors = stable_factors(s.mixture.covariances)
        z = rng.standard_normal((n, s.mixture.means.shape[1]))
        return self.space.to_user(s.mixture.means[which] + np.einsum("nij,nj->ni", factors[which], z))

    def _spread(self, points: Array, rng: np.random.Generator) -> Array:
        """Draws that repeat are moved a little, by the covariance of the mixture component they belong to."""
        m = self.snapshot.mixture
        inverse = np.linalg.inv(stable_factors(m.covariances))
        z = np.einsum("kij,nkj->nki", inverse, points[:, None, :] - m.means)
        log_part = np.log(m.weights + 1e-300) + np.log(np.diagonal(inverse, axis1=1, axis2=2)).sum(1)
        which = np.argmax(log_part - 0.5 * np.square(z).sum(-1), axis=1)
        factors = SPREAD * stable_factors(m.covariances)
        return np.asarray(points + np.einsum("nij,nj->ni", factors[which], rng.standard_normal(points.shape)))


@dataclass(frozen=True)
class Result(Answer):
    """The last answer, and all those before it."""

    history: tuple[Answer, ...] = ()
    failures: tuple[str, ...] = ()  # what the log density raised or returned where it gave no number


def answer_of(
    snapshot: LoopSnapshot, cpu_seconds: float, space: ParameterSpace, told: Sequence[Tell] = (), archived: int = 0
) -> Answer:
    s = snapshot
    return Answer(
        s.n_evaluations,
        s.log_evidence,
        s.log_evidence_sd,
        s.elbo,
        s.elbo_sd,
        s.converged,
        s.reasons,
        cpu_seconds,
        s,
        space,
        told,
        archived,
    )


def nothing_yet(settings: LoopSettings, evaluations: int) -> LoopSnapshot:
    """Before there is an answer: the plausible box as a Gaussian, no evidence."""
    lower, upper, nan = settings.plausible_lower, settings.plausible_upper, float("nan")
    guess = Mixture(np.ones(1), 0.5 * (lower + upper)[None], np.diag(np.square(0.25 * (upper - lower)))[None])
    why = f"{evaluations} evaluations were too few for an answer."
    return LoopSnapshot(evaluations, guess, nan, nan, nan, nan, False, (why,), warm_up=True)
