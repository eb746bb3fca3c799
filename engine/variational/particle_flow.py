"""Gaussian particle flow on the surrogate (seed 004 chapter 6 algorithm 2; METHODS 9.11): an initializer and baseline.

Particles follow dx = -eta1 mean(grad phi) - eta2 (M - I)(x - m) with M = mean(grad phi (x - m)') and phi = - log joint; the
fixed point is the best Gaussian in free energy. With ``affine_invariant`` the mean gradient is multiplied by the particles'
covariance and M transposed: the free energy still falls, and the speed no longer depends on the target's condition
number (algorithm 2 as printed needs steps below 2 / condition number).

The free energy of finitely many particles is no bound on the evidence; it is not returned and must never be shown as an ELBO.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.variational.mixture import GaussianMixture

Array = NDArray[np.float64]
LARGEST_CHANGE = 0.3  # relative change of the particle cloud in one step


def surrogate_gradient(surrogate: Surrogate) -> Callable[[Array], Array]:
    """x (n, D) -> gradient of the surrogate mean (n, D)."""

    def gradient(x: Array) -> Array:
        like = surrogate.train_inputs
        points = torch.as_tensor(x, dtype=like.dtype, device=like.device).requires_grad_(True)
        mean, _ = surrogate.predict(points)
        result: Array = torch.autograd.grad(mean.sum(), points)[0].cpu().numpy()
        return result

    return gradient


def particle_flow(
    log_joint_gradient: Callable[[Array], Array],
    start: GaussianMixture,
    rng: np.random.Generator,
    *,
    particles: int | None = None,
    steps: int = 300,
    step_size: float = 0.1,
    tolerance: float = 1e-4,
    affine_invariant: bool = True,
) -> GaussianMixture:
    """The Gaussian of ``particles`` (default 2 D + 8; at least D + 1 are needed for a full covariance) after the flow.

    log_joint_gradient: (n, D) -> (n, D). ``start``: particles are drawn from its overall mean and covariance.
    """
    d = start.dimension
    n = particles or 2 * d + 8
    x = rng.multivariate_normal(start.mean(), start.covariance(), size=n)
    for _ in range(steps):
        gradient = -log_joint_gradient(x)
        mean = x.mean(axis=0)
        centered = x - mean
        covariance = centered.T @ centered / n
        drift = -gradient.mean(axis=0)
        matrix = gradient.T @ centered / n - np.eye(d)
        if affine_invariant:
            drift, matrix = covariance @ drift, matrix.T
        # Both steps are limited relative to the cloud itself: stiff targets need it, others never notice.
        scale = np.sqrt(centered.var(axis=0) + 1e-300)
        drift_step = min(step_size, LARGEST_CHANGE / max(float(np.max(np.abs(drift) / scale)), 1e-300))
        stretch_step = min(step_size, LARGEST_CHANGE / max(float(np.linalg.norm(matrix, 2)), 1e-300))
        x = x + drift_step * drift - stretch_step * centered @ matrix.T
        if max(float(np.max(np.abs(drift) / scale)), float(np.abs(matrix).max())) < tolerance:
            break
    mean = x.mean(axis=0)
    covariance = (x - mean).T @ (x - mean) / n + 1e-12 * np.eye(d)
    return GaussianMixture.single(mean, covariance)
