"""Where to look next under noise: IMIQR, the integrated median interquantile range after one more noisy value (seed 001 eq 2).

    minimize over x the mean over posterior draws x' (VIQR: draws of the variational mixture) of sinh(.6745 s*(x'; x)),
    s*^2(x'; x) = k(x', x') - k(x', x)^2 / (k(x, x) + noise(x)), the variance at x' once x has been evaluated.

Part of a batch minimizes the same over the posterior to a power below one: the flanks, where the density has fallen by about
twice the noise. There the signal exceeds the noise, so the shape of the surrogate is learned there, and a bulk believed too
narrow is found out (correlated Gaussian 6-D with sd 5, MMTV at 200 evaluations: .22 without, .10 with; two seeds).

Exact, since variances do not depend on values; the points of a batch are chosen one after another with rank-1 updates.
Places that have been evaluated are candidates too: under noise a second look is worth as much as the first.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..feasibility.classifier import SURELY, Feasibility
from ..numerics.linear_algebra import stable_cholesky
from ..sampling.guarded_density import Hull
from ..sampling.population_monte_carlo import PosteriorDraws
from ..sampling.proposal import Proposal, regularized
from ..surrogate.noisy.noise import sd_at
from ..surrogate.quadratic.posterior import QuadraticSurrogate
from .variance_search import border_point

Array = NDArray[np.float64]

QUARTILE = 0.6745
TARGETS, CANDIDATES, REPEATED = 200, 240, 40
FLANK_NOISE, FLANK_LEAST = 2.0, 3.0  # the flanks lie this many noise sds, and at least this many nats, below the bulk


def tempered(draws: PosteriorDraws, beta: float, count: int, rng: np.random.Generator) -> Array:
    """(count, D) draws of the posterior to the power ``beta``: flatter, so that its flanks are looked at too."""
    log_q = draws.proposal.log_density(draws.points)
    log_w = np.where(np.isfinite(draws.log_density), beta * draws.log_density - log_q, -np.inf)
    return np.asarray(draws.points[replace(draws, log_weights=log_w).resample(count, rng)], dtype=float)


def flank_power(dimension: int, noise_sd: float) -> float:
    """Power of a Gaussian-like posterior whose draws lie D / 2 + max(3, 2 sd) below its top on average; 1 would give D / 2."""
    return dimension / (dimension + 2.0 * max(FLANK_LEAST, FLANK_NOISE * noise_sd))


def candidates(draws: PosteriorDraws, evaluated: Array, hull: Hull, beta: float, rng: np.random.Generator) -> Array:
    """(m, D): half tempered draws, a quarter proposal, a quarter Gaussian at 1 to 2 scales, and evaluated places."""
    quarter = CANDIDATES // 4
    own = tempered(draws, beta, 2 * quarter, rng)
    start = int(rng.integers(0, max(len(draws.points) - quarter, 1)))
    mean, covariance = draws.moments()
    step = stable_cholesky(regularized(covariance))
    wide = mean + rng.standard_normal((quarter, len(mean))) @ step.T * rng.uniform(1.0, 2.0, (quarter, 1))
    again = evaluated[rng.permutation(len(evaluated))[:REPEATED]]
    found = np.concatenate([own, draws.points[start : start + quarter], wide, again])
    inside = hull.contains(found)
    return found[inside] if inside.any() else own


def next_batch(
    surrogate: QuadraticSurrogate,
    draws: PosteriorDraws,
    hull: Hull,
    feasibility: Feasibility,
    noise_sd: Array,
    waiting: Array,
    count: int,
    flank_share: float,
    rng: np.random.Generator,
    variational: Proposal | None = None,
    border: bool = False,
) -> Array:
    """(count, D) points in the box frame. ``noise_sd`` (n,): of the surrogate's points; ``waiting`` (p, D): pending points.

    ``border``: the first where the density may end, if that is in doubt anywhere.
    ``variational``: a mixture whose draws are the bulk's targets instead of the posterior's, which makes it VIQR.
    """
    bulk = count - int(flank_share * count + rng.random())  # points that serve the bulk
    in_bulk = sd_at(feasibility.whitening, surrogate.b, noise_sd, tempered(draws, 1.0, REPEATED, rng))
    beta = flank_power(surrogate.dimension, float(np.median(in_bulk)))
    x = candidates(draws, surrogate.b, hull, 1.0, rng)
    if bulk < count:
        x = np.concatenate([x, candidates(draws, surrogate.b, hull, beta, rng)])
    allowed = feasibility.may_give_value(x)
    x = x[allowed] if allowed.any() else x
    worth = np.exp(feasibility.log_worth(x) / SURELY)  # a run without a value tells nothing of the density
    if variational is None:
        targets = tempered(draws, 1.0, TARGETS, rng)
    else:
        targets = variational.from_uniforms(rng.random((TARGETS, surrogate.dimension + 1)))
    targets = np.concatenate([targets, tempered(draws, beta, TARGETS, rng)])
    where = np.concatenate([waiting.reshape(-1, x.shape[1]), x])
    noise = np.square(sd_at(feasibility.whitening, surrogate.b, noise_sd, where))
    p, m = len(waiting), len(where)
    cov, left = _covariances(surrogate, where, targets)

    def condition(j: int) -> None:
        row = cov[j].copy()
        scale = 1.0 / (max(row[j], 0.0) + noise[j])
        cov[:] -= np.outer(row[:m] * scale, row)
        left[:] -= np.square(row[m:]) * scale

    for j in range(p):
        condition(j)
    edge = border_point(draws, hull, feasibility, waiting, rng) if border else None
    chosen = [] if edge is None else [edge]
    for k in range(len(chosen), count):
        served = slice(0, TARGETS) if k < bulk else slice(TARGETS, 2 * TARGETS)
        gain = np.square(cov[p:, m:][:, served]) / (np.maximum(np.diag(cov)[p:m], 0.0) + noise[p:])[:, None]
        after = left[served] - gain
        now, then = (np.sinh(np.minimum(QUARTILE * np.sqrt(np.maximum(v, 0.0)), 30.0)) for v in (left[served], after))
        j = int(np.argmax(worth * (now.mean() - then.mean(1))))
        chosen.append(x[j])
        condition(p + j)
    return np.array(chosen)


def _covariances(surrogate: QuadraticSurrogate, where: Array, targets: Array) -> tuple[Array, Array]:
    """Posterior covariance (m, m + t) of f at ``where`` (m, D) with itself and ``targets`` (t, D), and the targets' variances."""
    near, far = surrogate.conditioned(where), surrogate.conditioned(targets)
    return np.concatenate([surrogate.covariance(near, near), surrogate.covariance(near, far)], axis=1), far.variance
