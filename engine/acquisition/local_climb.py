"""Steps up to a mode far from the answer, on a quadratic of its own: a surrogate of all values is shaped by the modes it knows.

Bayesian linear regression of the values near by on gradient and curvature; a step is Newton's on a draw from their posterior
(Thompson sampling), so that directions nothing is known of are tried while those that are known lead upwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.linear_algebra import stable_factors, stable_inverse

Array = NDArray[np.float64]

ROUGH, ROUGH_SHARE = (
    0.3,
    0.1,
)  # sd of a value about the quadratic: nats, and share of its distance in value from the best
CURVATURE_SD, TWIST_SD = 0.7, 0.3  # prior sds of the curvature along and between axes, of the answer's
FLATTEST = 0.1  # of the answer's curvature
NEAREST = 4  # times D values at most are fitted, the highest


def newton_draw(
    points: Array,
    values: Array,
    best: Array,
    value: float,
    fall: float,
    precision: float,
    radius: float,
    rng: np.random.Generator,
    rough_share: float = ROUGH_SHARE,
) -> Array:
    """A place (D,) within ``radius`` of ``best`` (D,), with ``value`` there; points (n, D), values (n,): of its mode.

    ``rough_share``: of a value's distance from the best, what is not quadratic in it.
    ``fall``: nats from ``best`` up to where a mode would be; ``precision``: the inverse variance of a mode, about.
    """
    d = len(best)
    chosen = np.argsort(-values)[: NEAREST * d]
    apart, rise = points[chosen] - best, values[chosen] - value
    rows, columns = np.triu_indices(d)
    diagonal = rows == columns
    products = apart[:, rows] * apart[:, columns] * np.where(diagonal, -0.5, -1.0)
    prior_mean = np.concatenate([np.zeros(d), np.where(diagonal, precision, 0.0)])
    steepness = np.sqrt(2.0 * max(fall, 1.0) * precision / d)
    curvature = precision * np.where(diagonal, CURVATURE_SD, TWIST_SD)
    prior_sd = np.concatenate([np.full(d, steepness), curvature])
    rough = ROUGH + rough_share * np.abs(rise)
    design = np.hstack([apart, products]) / rough[:, None]
    inverse = design.T @ design + np.diag(prior_sd**-2)
    covariance = stable_inverse(inverse)
    mean = prior_mean + covariance @ (design.T @ (rise / rough - design @ prior_mean))
    drawn = mean + stable_factors(covariance) @ rng.standard_normal(len(mean))
    bend = np.zeros((d, d))
    bend[rows, columns] = drawn[d:]
    bend = bend + np.triu(bend, 1).T
    size, axes = np.linalg.eigh(bend)
    step = axes @ ((axes.T @ drawn[:d]) / np.maximum(size, FLATTEST * precision))
    return np.asarray(best + step * min(1.0, radius / max(float(np.linalg.norm(step)), 1e-12)), dtype=float)
