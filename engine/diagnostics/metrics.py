"""How far two posteriors are apart: gsKL, MMTV, |dLML| (seed 001 appendix E.1).

gsKL: symmetrized Kullback-Leibler divergence of the Gaussians with the same mean and covariance (eq S22).
MMTV: mean over the parameters of the total variation between marginal densities (eq S21), in [0, 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import fft, linalg, ndimage, optimize, special

from ..numerics.linear_algebra import stable_cholesky

if TYPE_CHECKING:
    from ..sampling.mixture import MixtureLike

Array = NDArray[np.float64]
Rule = Literal["silverman", "improved"]
CELLS = 1000  # of the unit interval: far finer than any bandwidth there
UNIFORM_SD = 12.0**-0.5


def weighted_moments(points: Array, weights: Array | None = None) -> tuple[Array, Array]:
    """Mean (D,) and covariance (D, D) of points (n, D) with weights (n,) (None: equal)."""
    w = np.full(len(points), 1.0 / len(points)) if weights is None else weights / weights.sum()
    mean = w @ points
    centred = points - mean
    return mean, (centred * w[:, None]).T @ centred


def gaussian_kl(mean1: Array, cov1: Array, mean2: Array, cov2: Array) -> float:
    """KL(N1 || N2) for means (D,) and covariances (D, D)."""
    d = len(mean1)
    factor = stable_cholesky(cov2), True
    delta = mean2 - mean1
    trace = float(np.trace(linalg.cho_solve(factor, cov1)))
    maha = float(delta @ linalg.cho_solve(factor, delta))
    logdet2 = 2.0 * float(np.log(np.diag(factor[0])).sum())
    logdet1 = 2.0 * float(np.log(np.diag(stable_cholesky(cov1))).sum())
    return 0.5 * (trace + maha - d + logdet2 - logdet1)


def gskl(mean1: Array, cov1: Array, mean2: Array, cov2: Array) -> float:
    """Gaussianized symmetrized KL divergence (seed 001 eq S22)."""
    return 0.5 * (gaussian_kl(mean1, cov1, mean2, cov2) + gaussian_kl(mean2, cov2, mean1, cov1))


def effective_size(weights: Array) -> float:
    """Kish's effective number of draws, (sum w)^2 / sum w^2; 0 for no weight at all."""
    total = float(weights.sum())
    return total * total / float(np.square(weights).sum()) if total > 0 else 0.0


SMOOTHEST = 1e-300  # roughness of a flat density, whose bandwidth is as wide as can be


def kernel_density(x: Array, weights: Array | None, grid: Array, rule: Rule = "silverman") -> Array:
    """Density of draws x (n,) on an evenly spaced grid (m,): linear binning, then a Gaussian kernel.

    Bandwidth ``rule``: "silverman" is 0.9 min(sd, IQR / 1.34) n_eff^(-1/5), quick and right for one smooth peak; "improved"
    is the Sheather-Jones rule of Botev et al. 2010, for narrow and several peaks. Mass outside the grid is dropped.
    Raises ValueError if the grid has no width.
    """
    w = np.full(len(x), 1.0 / len(x)) if weights is None else weights / weights.sum()
    step = float(grid[1] - grid[0])
    if step <= 0:
        raise ValueError("the grid has no width")
    position = (x - grid[0]) / step
    inside = (position >= 0) & (position <= len(grid) - 1)
    left = np.minimum(position[inside].astype(int), len(grid) - 2)
    fraction = position[inside] - left
    mass = np.bincount(left, w[inside] * (1 - fraction), len(grid)).astype(float)
    mass += np.bincount(left + 1, w[inside] * fraction, len(grid))
    width = _silverman(x, w)
    if rule == "improved" and mass.sum() > 0:
        width = min(width, _improved_sheather_jones(mass, effective_size(w)) * step * len(grid))
    smooth = ndimage.gaussian_filter1d(mass, max(width / step, 1e-3), mode="constant", truncate=5.0)
    return np.asarray(smooth / step, dtype=float)


def _silverman(x: Array, w: Array) -> float:
    mean = float(w @ x)
    sd = float(np.sqrt(max(float(w @ np.square(x - mean)), 0.0)))
    order: NDArray[np.intp] = np.argsort(x)
    cumulative: Array = np.cumsum(w[order], dtype=float)
    iqr = float(np.interp(0.75, cumulative, x[order]) - np.interp(0.25, cumulative, x[order]))
    return 0.9 * min(sd, iqr / 1.34 if iqr > 0 else sd) * float(effective_size(w) ** -0.2)


def _improved_sheather_jones(mass: Array, n: float) -> float:
    """Bandwidth as a share of the grid's range, from binned mass (m,); inf where the fixed point is not found.

    Z. I. Botev, J. F. Grotowski, D. P. Kroese, Annals of Statistics 38 (2010), algorithm 1.
    """
    k2 = np.square(np.arange(1.0, len(mass)))
    a2 = np.square(fft.dct(mass / mass.sum())[1:] / 2.0)

    def norm(order: int, t: float) -> float:
        roughness = 2.0 * np.pi ** (2 * order) * np.sum(k2**order * a2 * np.exp(-k2 * np.pi**2 * t))
        return max(float(roughness), SMOOTHEST)

    def gap(t: float) -> float:
        f = norm(7, t)
        for order in range(6, 1, -1):
            odd = float(np.prod(np.arange(1.0, 2 * order, 2))) / float(np.sqrt(2 * np.pi))
            time = (2.0 * (1.0 + 0.5 ** (order + 0.5)) / 3.0 * odd / (n * f)) ** (2.0 / (3 + 2 * order))
            f = norm(order, time)
        return t - float((2.0 * n * np.sqrt(np.pi) * f) ** -0.4)

    times = np.logspace(-10, -1, 40)
    signs = np.sign([gap(float(t)) for t in times])
    for low, high, a, b in zip(times, times[1:], signs, signs[1:], strict=False):
        if a < 0 <= b:
            return float(np.sqrt(optimize.brentq(gap, low, high)))
    return float("inf")


def total_variation_on_grid(p: Array, q: Array, grid: Array) -> float:
    """Half the integral of |p - q| by the trapezoidal rule."""
    return 0.5 * float(np.trapezoid(np.abs(p - q), grid))


def mmtv(points1: Array, weights1: Array | None, points2: Array, weights2: Array | None, size: int = 512) -> float:
    """MMTV between two weighted sets of draws (n, D), (m, D), by kernel density on ``size`` grid points."""
    distances = []
    for i in range(points1.shape[1]):
        grid = _common_grid(points1[:, i], points2[:, i], size)
        p = kernel_density(points1[:, i], weights1, grid)
        q = kernel_density(points2[:, i], weights2, grid)
        distances.append(total_variation_on_grid(p, q, grid))
    return float(np.mean(distances))


def mmtv_to_densities(
    points: Array, weights: Array | None, marginals: Sequence[tuple[Array, Array]], rule: Rule = "silverman"
) -> float:
    """MMTV of draws (n, D) to exact marginals given as (even grid, density) per parameter."""
    distances = [
        total_variation_on_grid(kernel_density(points[:, i], weights, grid, rule), density, grid)
        for i, (grid, density) in enumerate(marginals)
    ]
    return float(np.mean(distances))


def mmtv_to_mixture(points: Array, weights: Array | None, mixture: MixtureLike) -> float:
    """MMTV of draws (n, D) to a Gaussian mixture (K, D), its marginals in closed form.

    Total variation does not change under a monotone map, so each parameter is mapped by the mixture's own distribution
    function: where both agree the draws become uniform on [0, 1], however narrow or far apart the modes are.
    """
    w = np.full(len(points), 1.0 / len(points)) if weights is None else weights / weights.sum()
    width = UNIFORM_SD * 0.9 * effective_size(w) ** -0.2 * CELLS
    sds = np.sqrt(np.diagonal(mixture.covariances, axis1=1, axis2=2))
    distances = []
    for i in range(points.shape[1]):
        below = special.ndtr((points[:, i, None] - mixture.means[:, i]) / sds[:, i]) @ mixture.weights
        cell = np.minimum((np.clip(below, 0.0, 1.0) * CELLS).astype(int), CELLS - 1)
        mass = np.bincount(cell, w, CELLS).astype(float)
        smooth = ndimage.gaussian_filter1d(mass, width, mode="reflect", truncate=5.0)
        distances.append(0.5 * float(np.abs(smooth - 1.0 / CELLS).sum()))
    return float(np.mean(distances))


def _common_grid(x1: Array, x2: Array, size: int) -> Array:
    low = min(float(x1.min()), float(x2.min()))
    high = max(float(x1.max()), float(x2.max()))
    pad = 0.05 * (high - low) + 1e-12 * (1.0 + abs(low) + abs(high))
    return np.linspace(low - pad, high + pad, size)
