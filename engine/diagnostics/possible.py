"""Functions drawn from the surrogate, and the marginals of their posteriors: what else the runs allow.

The functions are drawn jointly at draws of the answer, exactly (RECIPE, noisy log densities), where seed 002 appendix A draws
them anywhere with random features; each weighs the draws by how far it lies above or below the mean there.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..answer.possible import Possible
from ..numerics.linear_algebra import stable_cholesky
from ..sampling.importance import systematic

Array = NDArray[np.float64]

POINTS, FUNCTIONS = 400, 16
GRID, REACH = 48, 4.0  # places of a marginal, over so many standard deviations on either side
MOST_RISE = 2.0  # nats of one draw above the mean of all: beyond, a single wild place would be the whole posterior
WIDTH = 0.3  # of a standard deviation: the kernel's of the distance
OF_RANKS = 0.08  # of the draws: the kernel's of the ratio, so that it rests on as many draws beside a bound as anywhere


class _Surrogate(Protocol):
    def joint_covariance(self, b: Array) -> Array: ...


class _Frame(Protocol):
    def back(self, b: Array) -> Array: ...


def possible_marginals(surrogate: _Surrogate, box: _Frame, points: Array, weights: Array, rng: np.random.Generator) -> Possible:
    """From draws (n, D) with weights (n,) summing to one, both in the surrogate's frame, which ``box`` brings back."""
    b = points[systematic(weights, min(POINTS, len(points)), rng)]
    root = stable_cholesky(surrogate.joint_covariance(b))
    rise = root @ rng.standard_normal((len(b), FUNCTIONS))
    share = special.softmax(np.minimum(rise - rise.mean(0), MOST_RISE), axis=0)
    u = box.back(b)
    mean, sd = u.mean(0), np.maximum(u.std(0), 1e-12 * (1.0 + np.abs(u).max(0)))
    grid = mean[:, None] + sd[:, None] * np.linspace(-REACH, REACH, GRID)
    bumps = np.exp(-0.5 * np.square((grid[:, :, None] - u.T[:, None, :]) / (WIDTH * sd[:, None, None])))  # (D, G, m)
    answer, drawn = bumps.mean(2), bumps @ share  # (D, G), (D, G, F)
    apart = 0.5 * np.abs(drawn - answer[:, :, None]).sum(1) / np.maximum(answer.sum(1), 1e-300)[:, None]
    ratio = np.stack([_ratio(v, places, share) for v, places in zip(u.T, grid, strict=True)], axis=1)
    return Possible(grid, np.ascontiguousarray(ratio), np.minimum(apart.mean(0), 1.0))


def _ratio(v: Array, places: Array, share: Array) -> Array:
    """(F, G): how much of each function's posterior, draws v (m,) with weights ``share`` (m, F), lies around the places (G,)
    to how many of the draws do: a normal kernel of their ranks, reflected at both ends.
    """
    middles = (np.arange(len(v)) + 0.5) / len(v)
    order = np.argsort(v)
    rank = np.interp(places, v[order], middles)
    away = np.stack([rank[:, None] - middles, rank[:, None] + middles, 2.0 - rank[:, None] - middles])
    kernel = np.exp(-0.5 * np.square(away / OF_RANKS)).sum(0)  # (G, m)
    return np.asarray((kernel @ share[order] / kernel.mean(1, keepdims=True)).T)
