"""The posterior implied by the surrogate: population Monte Carlo on its guarded mean (RECIPE 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .importance import log_mean, systematic
from .importance import normalized as normalized
from .proposal import MOST_COMPONENTS, Proposal, em_step, joined, shifted, weighted_covariance
from .reduction import reduced

Array = NDArray[np.float64]

COMPONENTS = 6
ROUND_DRAWS, ROUNDS = 2048, 6
BAD_FIT, MORE_ROUNDS = 0.25, 4
LOST_FIT = 0.1  # effective share of the draws below which a proposal no longer fits
SEARCHES = 3  # of a proposal, as long as it does not reach every evaluated place that matters
LOCAL_SHARE = (0.1, 0.9)  # of the draws that a mode gets which was looked for by itself
HEAVY = 12.0  # times the mean weight, from which a draw stands for a place that the proposal hardly reaches
REFINEMENTS = 4  # rounds for such places: each halves the largest weight or so
HEAVY_SHARE, MOST_HEAVY = 0.2, 8  # of the proposal, for components at the heaviest draws, and so many of them
OVERLOOKED = 5.0  # nats by which the weight of an evaluated place may exceed the mean weight of the draws
OUTERMOST = 0.01  # of the posterior: what lies lower is no part of its bulk


LogDensity = Callable[[Array, Array], Array]  # (points (n, D), log proposal (n,)) -> guarded log density (n,)


@dataclass(frozen=True)
class PosteriorDraws:
    """Weighted draws of exp(surrogate), box frame. ``log_z`` relative to ymax; ``ess`` a fraction; ``temperature`` 1: plain."""

    points: Array  # (n, D)
    log_weights: Array  # (n,)
    log_density: Array  # (n,) guarded surrogate mean
    log_z: float
    ess: float
    temperature: float
    proposal: Proposal

    @property
    def weights(self) -> Array:
        return normalized(self.log_weights)[0]

    @property
    def level(self) -> float:
        """The log density, relative to ymax, above which an evaluated place matters."""
        return float(self.log_density.max() + lowest_level(self.points.shape[1]))

    @property
    def heavy(self) -> bool:
        """Whether single draws stand for places that the proposal hardly reaches."""
        return bool(len(self.points) * self.weights.max() >= HEAVY)

    def moments(self) -> tuple[Array, Array]:
        return weighted_covariance(self.points, self.weights)

    def tempered(self, power: float) -> Array:
        """Weights (n,) of the draws for the density to the ``power``."""
        log_weights = np.full(len(self.points), -np.inf)
        possible = np.isfinite(self.log_weights)
        log_weights[possible] = self.log_weights[possible] - (1.0 - power) * self.log_density[possible]
        return normalized(log_weights)[0]

    def squares(self) -> Array:
        """Squared distances from the mean along every axis (n, D), in variances."""
        mean, covariance = self.moments()
        return np.asarray(np.square(self.points - mean) / np.diag(covariance))

    @property
    def bulk_level(self) -> float:
        """The log density, relative to ymax, above which all but OUTERMOST of the posterior lies."""
        order, weights = np.argsort(self.log_density), self.weights
        return float(self.log_density[order[int(np.searchsorted(np.cumsum(weights[order]), OUTERMOST))]])

    def holds(self, points: Array, values: Array) -> NDArray[np.bool_]:
        """(n,) whether evaluated places (n, D) with log densities (n,), relative to ymax, lie in the bulk that the draws show:
        as high as all but OUTERMOST of the posterior, and not overlooked."""
        excess = values - self.proposal.log_density(points) - self.log_z
        return np.asarray((values > self.bulk_level) & (excess < OVERLOOKED))

    def resample(self, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Indices (count,) drawn in proportion to the weights (systematic)."""
        return systematic(self.weights, count, rng)


def lowest_level(dimension: int) -> float:
    """The log density, relative to the top, above which a place matters."""
    return -5.0 - dimension


def temperature_for(log_weights: Array, wanted: float) -> float:
    """The largest power beta <= 1 with ESS of weights^beta at least ``wanted``."""
    if normalized(log_weights)[1] >= wanted:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        if normalized(middle * log_weights)[1] >= wanted:
            low = middle
        else:
            high = middle
    return max(low, 1e-6)


def first_proposal(b: Array, y: Array) -> Proposal:
    """From the evaluations alone: one component on the box, the others on the best points."""
    d = b.shape[1]
    order = np.argsort(-y)[: COMPONENTS - 1]
    means = np.concatenate([np.zeros((1, d)), b[order]])
    scales = np.concatenate([[1.0], np.full(len(order), 0.5 * COMPONENTS ** (-1.0 / d))])
    return Proposal(np.full(len(means), 1.0 / len(means)), means, np.square(scales)[:, None, None] * np.eye(d))


def with_fresh_components(proposal: Proposal, b: Array, y: Array) -> Proposal:
    """Components added at the best evaluations, after an update whose proposal fitted badly."""
    return with_components_at(proposal, b[np.argsort(-y)])


def start_of(known: Proposal | None, ess: float, b: Array, y: Array) -> Proposal:
    """Where a search begins: at the proposal of the last one, with components added where a share ``ess`` of its draws was worth
    less than LOST_FIT; without one at the evaluations b (n, D), y (n,)."""
    start = first_proposal(b, y) if known is None else reduced(known, MOST_COMPONENTS)
    return with_fresh_components(start, b, y) if ess < LOST_FIT else start


def with_components_at(proposal: Proposal, places: Array, share: float = 0.3) -> Proposal:
    """Components added at the first three of ``places`` (n, D), each with .3 of the whole proposal's covariance."""
    best = places[:3]
    order = np.argsort(-proposal.weights)[: COMPONENTS - len(best)]
    weights = proposal.weights[order] / proposal.weights[order].sum()
    kept = Proposal(weights, proposal.means[order], proposal.covariances[order])
    return joined(kept, best, np.repeat((proposal.covariance() * 0.3)[None], len(best), axis=0), share)


def overlooked(log_density: LogDensity, draws: PosteriorDraws, b: Array) -> NDArray[np.intp]:
    """Indices of the evaluated places b (n, D), worst first, that matter and that the draws' proposal does not reach.

    A proposal that has lost a mode has no draws there to show it: weights and their effective number look perfect (two moons:
    a third of the mass missing at an effective share of .9).
    """
    log_q = draws.proposal.log_density(b)
    value = log_density(b, log_q)
    excess = np.where(value > draws.level, value - log_q - draws.log_z, -np.inf)
    order = np.argsort(-excess)
    return order[excess[order] > OVERLOOKED]


def replenished(proposal: Proposal, count: int = COMPONENTS) -> Proposal:
    """A proposal that has lost components splits its heaviest ones again along their longest axis."""
    while len(proposal.weights) < count:
        j = int(np.argmax(proposal.weights))
        values, vectors = np.linalg.eigh(proposal.covariances[j])
        step = 0.6 * np.sqrt(values[-1]) * vectors[:, -1]
        shrunk = proposal.covariances[j] - 0.5 * np.outer(step, step)
        weights = np.append(proposal.weights, proposal.weights[j] / 2)
        weights[j] /= 2
        means = np.concatenate([proposal.means, (proposal.means[j] + step)[None]])
        means[j] -= step
        covariances = np.concatenate([proposal.covariances, shrunk[None]])
        covariances[j] = shrunk
        proposal = Proposal(weights, means, covariances)
    return proposal


def move(
    log_density: LogDensity, start: Proposal, base: Array, rng: np.random.Generator, rounds: int = ROUNDS
) -> Proposal:
    """Population Monte Carlo: moves ``start`` to the posterior. ``base``: (n, D + 2) low-discrepancy points.

    Each round tempers the weights until ESS >= min(100 + 20 D, 200), then takes one EM step (two at temperature 1); it
    ends at temperature 1 with ESS > .5, or after ``rounds``. A posterior that six components fit badly (ESS < .25: thin
    crescents and ridges) gets twice as many, again and again up to MOST_COMPONENTS, from twice the draws, in 4 rounds more each.
    """
    components, thin = COMPONENTS, len(start.weights) > 2 * COMPONENTS  # it was found to be thin before
    proposal, ess = _rounds(log_density, start, base[:ROUND_DRAWS], rng, rounds, components, thin)
    while 0.0 < ess < BAD_FIT and components < MOST_COMPONENTS:
        components *= 2
        proposal, ess = _rounds(log_density, proposal, base[: 2 * ROUND_DRAWS], rng, MORE_ROUNDS, components, thin=True)
    return proposal


def _rounds(
    log_density: LogDensity,
    proposal: Proposal,
    base: Array,
    rng: np.random.Generator,
    rounds: int,
    components: int,
    thin: bool = False,
) -> tuple[Proposal, float]:
    """The moved proposal, and the share of effective draws before its last step."""
    wanted = float(min(100 + 20 * proposal.dimension, 200))
    share = 0.0
    for _ in range(rounds):
        points, log_q, parts = proposal.draw(shifted(base, rng))
        log_w = log_density(points, log_q) - log_q
        _, ess = normalized(log_w)
        share = ess / len(points)
        if ess == 0.0:
            break
        beta = temperature_for(log_w, wanted)
        w, _ = normalized(beta * log_w)
        proposal = replenished(em_step(proposal, points, w, parts, thin=thin), components)
        if share > 0.5:
            break
        if beta == 1.0:
            proposal = replenished(em_step(proposal, points, w, thin=thin), components)
    return proposal, share


def search(
    log_density: LogDensity,
    start: Proposal,
    base: Array,
    rng: np.random.Generator,
    draw: Callable[[Proposal], PosteriorDraws],
    evaluated: Array,
) -> PosteriorDraws:
    """``move`` and ``draw``, again as long as the draws do not reach every evaluated place (n, D) that matters."""
    draws = draw(move(log_density, start, base, rng))
    lost = overlooked(log_density, draws, evaluated)
    if len(lost) == 0:
        return draws
    draws = draw(move(log_density, with_components_at(draws.proposal, evaluated[lost]), base, rng))
    return with_modes_at(log_density, draws, evaluated, base, rng, draw)


def with_modes_at(
    log_density: LogDensity,
    draws: PosteriorDraws,
    evaluated: Array,
    base: Array,
    rng: np.random.Generator,
    draw: Callable[[Proposal], PosteriorDraws],
) -> PosteriorDraws:
    """Drawn again, from the same proposal and a mode at the worst place, as long as there are evaluated places (n, D) that the
    draws do not reach though they matter: narrow modes lose a component that has to compete from its first draws on."""
    for _ in range(SEARCHES - 1):
        lost = overlooked(log_density, draws, evaluated)
        if len(lost) == 0:
            break
        draws = draw(with_mode_at(log_density, draws, evaluated[lost[0]], base, rng))
    return draws


def refined(
    log_density: LogDensity,
    draws: PosteriorDraws,
    base: Array,
    rng: np.random.Generator,
    draw: Callable[[Proposal], PosteriorDraws],
) -> PosteriorDraws:
    """Drawn again as long as single draws are heavy: from a proposal with components there, after two EM steps whose weights are
    truncated at sqrt(n) times their mean (Ionides 2008), lest one draw moves them."""
    for _ in range(REFINEMENTS):
        if not draws.heavy:
            break
        proposal = with_components_at_heaviest(draws)
        for _ in range(2):
            points, log_q, parts = proposal.draw(shifted(base[:ROUND_DRAWS], rng))
            log_w = log_density(points, log_q) - log_q
            w, _ = normalized(np.minimum(log_w, log_mean(log_w) + 0.5 * np.log(len(log_w))))
            proposal = em_step(proposal, points, w, parts, thin=True)
        draws = draw(proposal)
    return draws


def with_components_at_heaviest(draws: PosteriorDraws) -> Proposal:
    """The draws' proposal with components added at the heaviest draws, each with the covariance of the component it came from."""
    p, order = draws.proposal, np.argsort(-draws.weights)[:MOST_HEAVY]
    places = draws.points[order[len(draws.points) * draws.weights[order] >= HEAVY]]
    near = p.log_parts(places).argmax(1)
    return joined(p, places, p.covariances[near], HEAVY_SHARE)


def with_mode_at(
    log_density: LogDensity, draws: PosteriorDraws, place: Array, base: Array, rng: np.random.Generator
) -> Proposal:
    """The draws' proposal and one that began at ``place`` (D,) alone, each with the share that its own draws say."""
    covariance = 0.3 * draws.proposal.covariance()
    return with_mode_from(log_density, draws, Proposal(np.ones(1), place[None], covariance[None]), base, rng)


def with_mode_from(
    log_density: LogDensity, draws: PosteriorDraws, start: Proposal, base: Array, rng: np.random.Generator
) -> Proposal:
    """The draws' proposal and one moved from ``start`` alone along ``log_density``, which may be of a region only."""
    local = move(log_density, start, base, rng)
    found = sample(log_density, local, base, rng)
    share = float(np.clip(1.0 / (1.0 + np.exp(np.clip(draws.log_z - found.log_z, -50.0, 50.0))), *LOCAL_SHARE))
    return joined(draws.proposal, local.means, local.covariances, share, local.weights)


def posterior_of(log_density: LogDensity, b: Array, y: Array, base: Array, rng: np.random.Generator) -> PosteriorDraws:
    """``search`` from evaluations b (n, D), y (n,) alone, ``refined``: one draw for each base point."""

    def draw(proposal: Proposal) -> PosteriorDraws:
        return sample(log_density, proposal, base, rng)

    return refined(log_density, search(log_density, first_proposal(b, y), base, rng, draw, b), base, rng, draw)


def sample(log_density: LogDensity, proposal: Proposal, base: Array, rng: np.random.Generator) -> PosteriorDraws:
    """Weighted draws from ``proposal``, one per base point."""
    points, log_q, _ = proposal.draw(shifted(base, rng))
    return weighed(points, log_q, log_density(points, log_q), proposal)


def weighed(points: Array, log_q: Array, value: Array, proposal: Proposal) -> PosteriorDraws:
    """Points (n, D) drawn from ``proposal`` with log density ``log_q`` (n,), and the guarded surrogate mean (n,) there."""
    log_w = value - log_q
    _, ess = normalized(log_w)
    wanted = float(min(100 + 20 * proposal.dimension, 200))
    return PosteriorDraws(points, log_w, value, log_mean(log_w), ess / len(points), temperature_for(log_w, wanted), proposal)
