"""Gaussian particle flow on a density (seed 004 chapter 6 algorithm 2; METHODS 9.11): the best single Gaussian in free energy.

Particles follow dx = -eta mean(grad phi) - eta (M - I)(x - m) with M = mean(grad phi (x - m)') and phi = - log density. The mean
gradient is multiplied by the particles' covariance and M transposed: the free energy still falls, and the speed does not depend
on the target's condition number (as printed, steps below 2 / condition number are needed).

The free energy of finitely many particles is no bound on the evidence; it is not returned and must never be shown as an ELBO.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.linear_algebra import stable_cholesky

Array = NDArray[np.float64]

STEPS, STEP = 300, 0.1
TOLERANCE = 1e-3  # relative change of the cloud in one unit of time at which it has come to rest
LARGEST_CHANGE = 0.3  # relative change of the cloud in one step
DIFFERENCE = 0.05  # of the cloud's standard deviation, on either side of a point, for its gradient


@dataclass(frozen=True)
class Flowed:
    """The Gaussian (D,), (D, D) of the particles; ``settled`` False: they had not come to rest."""

    mean: Array
    covariance: Array
    settled: bool


def particle_flow(
    log_density: Callable[[Array], Array], mean: Array, covariance: Array, rng: np.random.Generator, particles: int | None = None
) -> Flowed:
    """``log_density``: (n, D) -> (n,), minus infinity where nothing is known. Particles (default 2 D + 8; a full covariance needs
    more than D) start as draws of a Gaussian of ``mean`` (D,) and ``covariance`` (D, D)."""
    d = len(mean)
    n = particles or 2 * d + 8
    x = mean + rng.standard_normal((n, d)) @ stable_cholesky(covariance).T
    settled = False
    for _ in range(STEPS):
        centre = x.mean(axis=0)
        centred = x - centre
        slope = -gradient(log_density, x, DIFFERENCE * np.sqrt(centred.var(axis=0) + 1e-300))
        spread = centred.T @ centred / n
        drift, stretch = -spread @ slope.mean(axis=0), (slope.T @ centred / n - np.eye(d)).T
        scale = np.sqrt(centred.var(axis=0) + 1e-300)
        moved = float(np.max(np.abs(drift) / scale))
        # limited relative to the cloud itself: stiff targets need it, others never notice
        step = min(STEP, LARGEST_CHANGE / max(moved, 1e-300))
        growth = min(STEP, LARGEST_CHANGE / max(float(np.linalg.norm(stretch, 2)), 1e-300))
        x = x + step * drift - growth * centred @ stretch.T
        if max(moved, float(np.abs(stretch).max())) < TOLERANCE:
            settled = True
            break
    centre = x.mean(axis=0)
    return Flowed(centre, (x - centre).T @ (x - centre) / n + 1e-12 * np.eye(d), settled)


def gradient(log_density: Callable[[Array], Array], x: Array, width: Array) -> Array:
    """(n, D) at x (n, D) by differences over ``width`` (D,) on either side; 0 where either side has no density."""
    n, d = x.shape
    steps = np.diag(width)
    both = np.concatenate([(x[:, None, :] + s * steps).reshape(n * d, d) for s in (1.0, -1.0)])
    up, down = log_density(both).reshape(2, n, d)
    with np.errstate(invalid="ignore"):
        found = (up - down) / (2.0 * width)
    return np.where(np.isfinite(found), found, 0.0)
