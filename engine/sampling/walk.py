"""Walkers: moves from places along a density, and a proposal fitted to the places that they came to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .population_monte_carlo import COMPONENTS, LogDensity, replenished
from .proposal import Proposal, em_step, joined

Array = NDArray[np.float64]

NEIGHBOURS = 10  # walkers near one, whose differences it moves along
STEPS = (1.0, 0.4, 0.1)  # of differences, times 2.38 / sqrt(2 D) (ter Braak 2006), and of sds along an axis
TOUCH = 1e-3  # sds: so that walkers do not stay in the span of the others
ADDED, EM_STEPS = 4, 4  # components begun at places, and steps of their fit to all places


def walk(log_density: LogDensity, start: Array, sweeps: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Places (sweeps W, D) of walkers from ``start`` (W, D), W even, and their log density; sweep after sweep.

    A third of the moves goes along differences of two others (ter Braak 2006), a third along one axis, as the arm of a ridge cut
    off by a bound does, a third along differences of two near ones, as a bent ridge does. Nearly invariant: for finding places.
    """
    x = start.copy()
    f = log_density(x, np.zeros(len(x)))
    places, values = [], []
    half = np.arange(len(x)) < len(x) // 2
    for _ in range(sweeps):
        for movers in (np.flatnonzero(half), np.flatnonzero(~half)):
            others = np.delete(x, movers, axis=0)
            to = x[movers] + _steps(x[movers], others, rng)
            there = log_density(to, np.zeros(len(to)))
            taken = np.log(rng.random(len(to))) < there - f[movers]
            x[movers[taken]], f[movers[taken]] = to[taken], there[taken]
        places.append(x.copy())
        values.append(f.copy())
    return np.concatenate(places), np.concatenate(values)


def _steps(x: Array, others: Array, rng: np.random.Generator) -> Array:
    """Of walkers at x (W, D), by where the ``others`` (V, D) are: (W, D)."""
    w, d = x.shape
    sd = others.std(0) + 1e-12
    one, two = rng.integers(len(others), size=(2, w))
    size = rng.choice(STEPS, size=(w, 1))
    far = 2.38 / np.sqrt(2.0 * d) * size * (others[one] - others[two])
    axis = np.zeros((w, d))
    which = rng.integers(d, size=w)
    axis[np.arange(w), which] = size[:, 0] * sd[which] * rng.standard_normal(w)
    apart = np.square((x[:, None] - others) / sd).sum(2)
    count = min(NEIGHBOURS, len(others))
    near = np.argpartition(apart, count - 1, axis=1)[:, :count]
    one, two = (near[np.arange(w), rng.integers(count, size=w)] for _ in range(2))
    local = (others[one] - others[two]) * rng.standard_normal((w, 1))
    kind = rng.integers(3, size=(w, 1))
    chosen = np.where(kind == 0, far, np.where(kind == 1, axis, local))
    return np.asarray(chosen + TOUCH * sd * rng.standard_normal((w, d)))


def fitted(proposal: Proposal, places: Array, begun: Array, rng: np.random.Generator) -> Proposal:
    """The proposal with components at some of ``begun`` (m, D), places it misses, fitted to all ``places`` (n, D) of walkers."""
    count = min(ADDED, len(begun))
    if count > 0:
        added = begun[rng.choice(len(begun), count, replace=False)]
        width = np.einsum("k,kde->de", proposal.weights, proposal.covariances)
        share = count / (2.0 * (len(proposal.weights) + count))
        proposal = joined(proposal, added, np.repeat(width[None], count, axis=0), share)
    alike = np.full(len(places), 1.0 / len(places))
    for _ in range(EM_STEPS):
        proposal = em_step(proposal, places, alike, thin=True)
    return replenished(proposal, COMPONENTS)
