"""Maximizing an acquisition function: the best of a cloud of candidates, refined together by gradients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize

from bayescope.engine.acquisition.functions import Acquisition
from bayescope.engine.numerics.linear_algebra import stable_factors
from bayescope.engine.sampling.mixture import GaussianMixture

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Found:
    """x (D,) and the log acquisition there."""

    x: Array
    value: float


def candidate_cloud(q: GaussianMixture, data: Array, rng: np.random.Generator, size: int = 400) -> Array:
    """(about ``size``, D): half from q, a quarter from q's overall Gaussian at 1.5 and 3 standard deviations, a quarter
    around the data points given (n, D; the best ones), at a tenth to half of q's scale."""
    wide = size // 8
    covariance = q.covariance() + 1e-12 * np.eye(q.dimension)
    factor = stable_factors(covariance)
    parts = [q.sample(size // 2, rng)]
    for scale in (1.5, 3.0):
        parts.append(q.mean() + scale * rng.standard_normal((wide, q.dimension)) @ factor.T)
    if data.shape[0]:
        picks = data[rng.integers(data.shape[0], size=size // 4)]
        scales = np.exp(rng.uniform(np.log(0.1), np.log(0.5), (picks.shape[0], 1)))
        parts.append(picks + scales * rng.standard_normal(picks.shape) @ factor.T)
    return np.concatenate(parts)


def maximize(
    acquisition: Acquisition,
    candidates: Array,
    *,
    box: tuple[Array, Array] | None = None,
    starts: int = 4,
    iterations: int = 20,
    device: torch.device | str = "cpu",
) -> Found:
    """The best point found: all candidates (n, D) are rated at once, the ``starts`` best refined by one L-BFGS-B run on the sum
    of their values (their problems are separate), within ``box`` (lower (D,), upper (D,))."""
    d = candidates.shape[1]
    lower, upper = box if box is not None else (candidates.min(axis=0), candidates.max(axis=0))
    cloud = np.clip(candidates, lower, upper)
    with torch.no_grad():
        values = acquisition(torch.as_tensor(cloud, dtype=torch.float64, device=device)).cpu().numpy()
    values = np.where(np.isfinite(values), values, -np.inf)
    order = np.argsort(-values, kind="stable")[:starts]
    begin = cloud[order]
    spread = np.maximum(cloud.std(axis=0), 1e-12)

    def negative(flat: Array) -> tuple[float, Array]:
        x = torch.as_tensor(flat.reshape(-1, d) * spread, dtype=torch.float64, device=device).requires_grad_(True)
        each = acquisition(x)
        total = each.sum()
        if not bool(torch.isfinite(total)):
            return 1e10, np.zeros_like(flat)
        gradient = torch.autograd.grad(total, x)[0].cpu().numpy() * spread
        if not np.all(np.isfinite(gradient)):
            return 1e10, np.zeros_like(flat)
        return -float(total.detach()), -gradient.ravel()

    bounds = list(zip(np.tile(lower / spread, len(order)), np.tile(upper / spread, len(order)), strict=True))
    result = minimize(
        negative, (begin / spread).ravel(), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"maxiter": iterations, "ftol": 1e-4},
    )  # fmt: skip
    refined = np.clip(np.asarray(result.x).reshape(-1, d) * spread, lower, upper)
    both = np.concatenate([refined, begin])
    with torch.no_grad():
        final = acquisition(torch.as_tensor(both, dtype=torch.float64, device=device)).cpu().numpy()
    final = np.where(np.isfinite(final), final, -np.inf)
    best = int(np.argmax(final))
    return Found(both[best], float(final[best]))
