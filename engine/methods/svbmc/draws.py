"""Weighted draws of the guarded surrogate for SVBMC, and the proposal they come from.

The variational mixture is a good proposal when it knows every mode and tail. Scouts (narrow components at the archive's good
points) find out whether it does; where it does not, short chains of the guarded surrogate, begun at the scouts' draws, give a
proposal that does. Quasi-random draws, since quadrature is what they are for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from bayescope.engine.methods.surrogate_memory import Step
from bayescope.engine.methods.svbmc.buildup import chains, spread
from bayescope.engine.sampling.importance import WeightedPoints, systematic
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.variational.mixture_draws import LogDensity, widened
from bayescope.engine.variational.weighted_em import fit_to_draws

Array = NDArray[np.float64]

SCOUTS, SCOUT_SHARE, SCOUT_SIZE = 40, 0.1, 0.15  # number, share of the draws, width in sds of the mixture
PILOT = 2048
GOOD_ESS = 0.25  # of the pilot: above, the mixture serves as it is
WALKERS, CHAIN_STEPS = 200, 50
COMPONENTS = 20
DRAWS, DRAWS_UP_TO_3_D = 4096, 16_384  # powers of two; more where surrogates are exact enough for it to show
CHUNK = 1024
FOUND = 1.0  # nats: an error by more than a factor e of the density is no typical one
NOT_REFITTED = 0.6  # nats: the movement of an ELBO that no refit has tested


@dataclass(frozen=True)
class Proposal:
    """``mixture`` to draw from, ``core`` without its wide and narrow copies, and a ``pilot`` of its draws.

    ``rebuilt``: the core was fitted to chains, since the mixture given missed mass or put it where there is none.
    """

    mixture: GaussianMixture
    core: GaussianMixture
    pilot: WeightedPoints
    rebuilt: bool = False

    def refitted(self, rng: np.random.Generator) -> GaussianMixture:
        """A mixture for the pilot's weighted draws. Chains do not mix between modes: a rebuilt core gets its weights here."""
        points, weights = self.pilot.points, self.pilot.weights
        d, effective = points.shape[1], self.pilot.ess * len(points)
        if effective < 5 * d:
            return self.core
        if self.rebuilt:
            return fit_to_draws(points, weights, self.core.components, rng, iterations=3, start=self.core)
        return fit_to_draws(points, weights, int(np.clip(effective / (5 * d), 1, COMPONENTS)), rng)


def propose(log_density: LogDensity, q: GaussianMixture, good: Array, rng: np.random.Generator) -> Proposal:
    """A proposal for exp(log_density) from the mixture q and the good points (n, D) that the archive has."""
    scouts = _scouts(q, good, rng)
    first = _joined((widened(q), 1.0 - SCOUT_SHARE), (scouts, SCOUT_SHARE))
    best = Proposal(first, q, weighted(log_density, first, rng, PILOT))
    for _ in range(2):
        if best.pilot.ess >= GOOD_ESS:
            break
        begin = scouts.means
        if best.pilot.ess > 0.0:
            again = systematic(best.pilot.weights, WALKERS - len(begin), rng)
            begin = np.concatenate([best.pilot.points[again], begin])
        draws = chains(log_density, spread(begin, WALKERS, rng), rng, steps=CHAIN_STEPS, every=2)
        core = fit_to_draws(draws, np.ones(len(draws)), COMPONENTS, rng, iterations=10)
        both = _joined((widened(core), 0.7), (widened(best.core), 0.2), (scouts, 0.1))
        found = Proposal(both, core, weighted(log_density, both, rng, PILOT), rebuilt=True)
        if found.pilot.ess <= best.pilot.ess:
            break
        best = found
    return best


def final_draws(log_density: LogDensity, proposal: Proposal, rng: np.random.Generator) -> WeightedPoints:
    """The weighted draws of an answer."""
    n = DRAWS if proposal.mixture.dimension > 3 else DRAWS_UP_TO_3_D
    return weighted(log_density, proposal.mixture, rng, n)


def weighted(log_density: LogDensity, q: GaussianMixture, rng: np.random.Generator, n: int) -> WeightedPoints:
    """Quasi-random draws of q (n of them)."""
    points = quasi_draws(q, n, rng)
    parts = [points[i : i + CHUNK] for i in range(0, len(points), CHUNK)]  # large matrices cost more than their arithmetic
    return WeightedPoints(points, np.concatenate([log_density(x) - q.log_density(x) for x in parts]))


def quasi_draws(q: GaussianMixture, n: int, rng: np.random.Generator) -> Array:
    """(n, D): a scrambled Sobol net, its first coordinate choosing the component. ``n`` is best a power of two."""
    net = qmc.Sobol(q.dimension + 1, scramble=True, rng=rng).random_base2(max(1, int(np.ceil(np.log2(n)))))[:n]
    return q.from_uniforms(net)


def _scouts(q: GaussianMixture, good: Array, rng: np.random.Generator) -> GaussianMixture:
    means = spread(good, min(SCOUTS, len(good)), rng)
    covariance = SCOUT_SIZE**2 * (q.covariance() + 1e-12 * np.eye(q.dimension))
    return GaussianMixture(np.full(len(means), 1.0 / len(means)), means, np.repeat(covariance[None], len(means), axis=0))


def _joined(*parts: tuple[GaussianMixture, float]) -> GaussianMixture:
    return GaussianMixture(
        np.concatenate([share * q.weights for q, share in parts]),
        np.concatenate([q.means for q, _ in parts]),
        np.concatenate([q.covariances for q, _ in parts]),
    )


def evidence_error(steps: Sequence[Step]) -> float | None:
    """What the last evaluations say of the error of the log evidence beyond the surrogate's own sd and the sampling (nats).

    Residuals at points the surrogate had not seen, chosen where it was least sure, hence an upper bound of its typical error;
    one of them far off is a place found and mended, so each counts for at most three times the median; but where so few runs
    find a place that is off by more than ``FOUND`` there are likely others, and it counts for that. The ELBO's movement is that
    of the last refit. None: too few new evaluations, see ``archive_error``.
    """
    recent = [s.weighted_residual for s in steps[-10:] if np.isfinite(s.residual)]
    if len(recent) < 3:
        return None
    limited = np.minimum(recent, 3.0 * np.median(recent))
    limited = np.where(np.asarray(recent) > FOUND, np.maximum(limited, FOUND), limited)
    elbos = [s.elbo for s in steps]
    moves = [abs(b - a) for a, b in pairwise(elbos) if a != b]
    moved = moves[-1] if moves else NOT_REFITTED
    return float(np.sqrt(np.square(limited).mean() / 6.0 + moved**2 / 4.0 + 1e-4))


def noisy_surprise(steps: Sequence[Step], noise: Mapping[int, float]) -> float:
    """What noisy new evaluations say of the error of the log evidence beyond what the archive lets one expect (nats).

    ``noise``: the sd of each, by its number. Their mean residual, weighted by where the density is, as far as its own standard
    error does not explain it, and the ELBO's movement at the last refit. Beside ``archive_error``: a few noisy values tell
    little, and that they disagree with nothing makes no archive surer. The archive counts as one run that came out as predicted.
    """
    known = [s for s in steps if np.isfinite(s.residual) and s.weight > 0.0 and s.evaluations in noise]
    elbos = [s.elbo for s in steps]
    moves = [abs(b - a) for a, b in pairwise(elbos) if a != b]
    moved = moves[-1] if moves else 0.0
    if not known:
        return 0.5 * moved
    w, r, sd = (np.array(v) for v in zip(*((s.weight, s.residual, noise[s.evaluations]) for s in known), strict=True))
    whole = 1.0 + w.sum()
    mean, variance = float(w @ r / whole), float((w**2) @ (sd**2) / whole**2)
    return float(np.sqrt(max(mean**2 - variance, 0.0) + moved**2 / 4.0))
