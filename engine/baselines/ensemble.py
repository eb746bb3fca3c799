"""Many Markov chains that learn their steps from each other, on a density that is cheap and takes many points at a time.

Independent ensembles of walkers. Each half of an ensemble moves by the other half: stretch moves (J. Goodman, J. Weare,
Communications in Applied Mathematics and Computational Science 5 (2010) 65) and differential evolution (C. J. F. ter Braak,
Statistics and Computing 16 (2006) 239), taken in turn at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LogDensity = Callable[[Array], Array]

STRETCH = 2.0
SHARE_OF_STRETCH = 0.5
SHARE_OF_JUMPS = 0.1  # differential evolution with factor 1, from one mode to another


@dataclass(frozen=True)
class Ensembles:
    """points (G, S, W, D) of G ensembles, S sweeps, W walkers, their log densities (G, S, W), share of moves accepted."""

    points: Array
    values: Array
    accepted: float

    @property
    def chains(self) -> Array:
        """(G W, S, D): each walker by itself."""
        g, s, w, d = self.points.shape
        return self.points.transpose(0, 2, 1, 3).reshape(g * w, s, d)


def sample(
    log_density: LogDensity,
    start: Array,
    sweeps: int,
    rng: np.random.Generator,
    *,
    burn_in: float = 0.5,
    cancelled: Callable[[], None] = lambda: None,
) -> Ensembles:
    """From ``start`` (G, W, D), W even and above 2 D; the first ``burn_in`` of the sweeps is thrown away.

    ``cancelled`` is called every sweep and may raise. Raises ValueError if no walker starts where there is a density.
    """
    g, w, d = start.shape
    x = start.copy()
    f = log_density(x.reshape(-1, d)).reshape(g, w)
    if not np.isfinite(f).any():
        raise ValueError("no chain starts where the density is not zero")
    half = w // 2
    kept_from = int(burn_in * sweeps)
    points, values = np.empty((g, sweeps - kept_from, w, d)), np.empty((g, sweeps - kept_from, w))
    accepted = 0.0
    for s in range(sweeps):
        cancelled()
        order = np.argsort(rng.random((g, w)), axis=1)
        for moving, others in ((order[:, :half], order[:, half:]), (order[:, half:], order[:, :half])):
            mine = np.take_along_axis(x, moving[:, :, None], axis=1)
            now = np.take_along_axis(f, moving, axis=1)
            proposed, log_factor = _proposal(mine, np.take_along_axis(x, others[:, :, None], axis=1), rng)
            then = log_density(proposed.reshape(-1, d)).reshape(now.shape)
            with np.errstate(invalid="ignore"):
                take = np.log(rng.random(now.shape)) < then - now + log_factor
            take |= np.isfinite(then) & ~np.isfinite(now)
            np.put_along_axis(x, moving[:, :, None], np.where(take[:, :, None], proposed, mine), axis=1)
            np.put_along_axis(f, moving, np.where(take, then, now), axis=1)
            accepted += float(take.mean()) / (2 * sweeps)
        if s >= kept_from:
            points[:, s - kept_from], values[:, s - kept_from] = x, f
    return Ensembles(points, values, accepted)


def _proposal(mine: Array, others: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """New places (G, H, D) and the log of what multiplies the ratio of densities (G, H)."""
    g, h, d = mine.shape
    count = others.shape[1]
    rows = np.arange(g)[:, None]
    first = rng.integers(count, size=(g, h))
    second = (first + 1 + rng.integers(count - 1, size=(g, h))) % count
    z = (
        np.square(1.0 + (STRETCH - 1.0) * rng.random((g, h))) / STRETCH
    )  # density proportional to 1 / sqrt(z) on [1/2, 2]
    stretched = others[rows, first] + z[:, :, None] * (mine - others[rows, first])
    gamma = np.where(rng.random((g, h)) < SHARE_OF_JUMPS, 1.0, 2.38 / np.sqrt(2.0 * d))
    gamma = gamma * (1.0 + 1e-4 * rng.standard_normal((g, h)))  # so that the walkers are not on a lattice
    evolved = mine + gamma[:, :, None] * (others[rows, first] - others[rows, second])
    use = rng.random((g, h)) < SHARE_OF_STRETCH
    return np.where(use[:, :, None], stretched, evolved), np.where(use, (d - 1) * np.log(z), 0.0)
