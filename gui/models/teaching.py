"""The mathematics of the two live help pages, small enough to read: a Gaussian process of one number, and a mixture of
Gaussians fitted to a density by its ELBO. (What answers are made with is ``engine.surrogate`` and ``engine.variational``.)"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

JITTER = 1e-8  # of the prior variance, so that two runs at one place do no harm
KERNELS = {"se": "Smooth (squared exponential)", "matern52": "Less smooth (Matérn 5/2)", "matern12": "Rough (Matérn 1/2)"}
DENSITIES = {"banana": "A banana", "hills": "Two hills", "slanted": "A slanted Gaussian"}
DRAWS = 128  # per component and step; half of them are the other half's mirror images
LARGEST_STEP = 0.5  # of a component's own size in one step
LEAST_SD = 0.03  # of a component: thinner ones would see one point only


# ------------------------------------------------------------------ a Gaussian process


@dataclass(frozen=True)
class Process:
    """``kernel``: a key of KERNELS; ``scale``: prior sd; ``noise``: sd of a value. Its mean is zero far from all runs."""

    kernel: str = "se"
    length: float = 1.0
    scale: float = 1.0
    noise: float = 0.0

    def covariance(self, a: Array, b: Array) -> Array:
        """(n, m) (seed 000 eqs 3.10, 3.12, 3.14)."""
        r = np.abs(a[:, None] - b[None, :]) / self.length
        if self.kernel == "se":
            shape = np.exp(-0.5 * r**2)
        elif self.kernel == "matern52":
            shape = (1 + np.sqrt(5) * r + 5 * r**2 / 3) * np.exp(-np.sqrt(5) * r)
        else:
            shape = np.exp(-r)
        return np.asarray(self.scale**2 * shape)

    def posterior(self, x: Array, y: Array, at: Array) -> tuple[Array, Array]:
        """Mean and sd (m,) at ``at`` given values y (n,) at x (n,) (seed 000 eqs 3.4 to 3.7)."""
        prior = np.full(len(at), self.scale**2)
        if not len(x):
            return np.zeros(len(at)), np.sqrt(prior)
        cross = self.covariance(x, at)
        solved = np.linalg.solve(self._noisy(x), np.column_stack([y, cross]))
        variance = prior - (cross * solved[:, 1:]).sum(0)
        return cross.T @ solved[:, 0], np.sqrt(np.maximum(variance, 0.0))

    def log_marginal(self, x: Array, y: Array) -> float:
        """Log probability of the values under these settings (seed 000 eq 3.8)."""
        noisy = self._noisy(x)
        return float(-0.5 * (y @ np.linalg.solve(noisy, y) + np.linalg.slogdet(noisy)[1] + len(x) * np.log(2 * np.pi)))

    def fitted(self, x: Array, y: Array, lengths: Array) -> Process:
        """With the length of the highest log marginal likelihood."""
        tried = [replace(self, length=float(length)) for length in lengths]
        return max(tried, key=lambda process: process.log_marginal(x, y))

    def _noisy(self, x: Array) -> Array:
        return self.covariance(x, x) + (self.noise**2 + JITTER * self.scale**2) * np.eye(len(x))


def truth(x: Array) -> Array:
    """What the runs of the lesson return: a log density in nats, with a main peak, a valley and a lower peak."""
    return np.asarray(6.0 * np.exp(-0.5 * ((x - 1.2) / 0.9) ** 2) + 3.6 * np.sin(1.3 * x + 2.2) - 0.5 * x)


def next_run(mean: Array, sd: Array, weight: float = 0.6) -> int:
    """Where log variance + weight * mean is highest (RECIPE 6, the rule of the recommended method): an index."""
    return int(np.argmax(2.0 * np.log(np.maximum(sd, 1e-9)) + weight * mean))


# ------------------------------------------------------------------ a mixture fitted to a density


def log_density(name: str, points: Array) -> tuple[Array, Array]:
    """Of the density ``name`` at points (n, 2): values (n,) and slopes (n, 2). Normalized: the log evidence is 0."""
    x, y = points.T
    if name == "banana":
        bend = y - 0.5 * (x**2 - 1.0)
        value = -0.5 * (x**2 + (bend / 0.4) ** 2) - np.log(2 * np.pi * 0.4)
        return value, np.column_stack([-x + bend * x / 0.16, -bend / 0.16])
    if name == "slanted":
        precision = np.linalg.inv(SLANTED)
        value = -0.5 * np.einsum("ni,ij,nj->n", points, precision, points) - 0.5 * np.linalg.slogdet(2 * np.pi * SLANTED)[1]
        return value, -points @ precision
    parts = np.stack([np.log(w) - np.square(points - c).sum(1) / (2 * s**2) - np.log(2 * np.pi * s**2) for w, c, s in HILLS])
    value = np.logaddexp(*parts)
    shares = np.exp(parts - value)
    return value, sum(share[:, None] * (c - points) / s**2 for share, (_, c, s) in zip(shares, HILLS, strict=True))


SLANTED = np.array([[1.0, 0.75], [0.75, 0.9]])
HILLS = ((0.65, np.array([-1.0, -0.4]), 0.55), (0.35, np.array([1.2, 0.8]), 0.4))  # weight, centre, sd


@dataclass(frozen=True)
class Mix:
    """Gaussians: logits of the weights (K,), means (K, 2), lower triangular factors of the covariances (K, 2, 2)."""

    logits: Array
    means: Array
    factors: Array

    @property
    def weights(self) -> Array:
        shares = np.exp(self.logits - self.logits.max())
        return np.asarray(shares / shares.sum())

    @classmethod
    def begin(cls, count: int) -> Mix:
        """``count`` round ones on a circle, one alone in the middle."""
        angle = 2 * np.pi * np.arange(count) / count + 0.6
        radius = 0.0 if count == 1 else 1.2
        means = radius * np.column_stack([np.cos(angle), np.sin(angle)])
        return cls(np.zeros(count), means, np.tile(0.5 * np.eye(2), (count, 1, 1)))

    def log_q(self, points: Array) -> tuple[Array, Array]:
        """Log density (n,) and slopes (n, 2) at points (n, 2)."""
        inverse = np.linalg.inv(self.factors)
        white = np.einsum("kij,nkj->nki", inverse, points[:, None, :] - self.means)
        size = np.log(np.diagonal(self.factors, axis1=1, axis2=2)).sum(1)
        parts = np.log(self.weights) - size - np.log(2 * np.pi) - 0.5 * np.square(white).sum(2)
        value = np.logaddexp.reduce(parts, axis=1)
        slopes = -np.einsum("kji,nkj->nki", inverse, white)
        return value, np.einsum("nk,nki->ni", np.exp(parts - value[:, None]), slopes)

    def elbo(self, name: str, base: Array) -> float:
        """E_q[log p - log q] over the base draws (n, 2), the same for each component (seed 003, Variational inference IV)."""
        return float(self.weights @ self._gains(name, base)[0])

    def step(self, name: str, base: Array, rate: float = 0.15) -> Mix:
        """One step uphill: means and factors along the reparameterized slope, in units of each component's own size."""
        gains, slopes = self._gains(name, base)
        pull = np.einsum("kji,ksj->ksi", self.factors, slopes)  # in whitened units
        shift, turn = pull.mean(1), np.tril(np.einsum("ksi,sj->kij", pull, base) / len(base))
        length = np.maximum(1.0, rate * np.abs(np.concatenate([shift[:, :, None], turn], axis=2)).max((1, 2)) / LARGEST_STEP)
        shift, turn = rate * shift / length[:, None], rate * turn / length[:, None, None]
        means = self.means + np.einsum("kij,kj->ki", self.factors, shift)
        factors = np.tril(self.factors @ (np.eye(2) + turn))
        diagonal = np.maximum(np.diagonal(factors, axis1=1, axis2=2), LEAST_SD)
        factors[:, [0, 1], [0, 1]] = diagonal
        weights = self.weights
        logits = self.logits + rate * np.clip(gains - weights @ gains, -2.0, 2.0)
        return Mix(np.maximum(logits - logits.max(), -8.0), means, factors)

    def _gains(self, name: str, base: Array) -> tuple[Array, Array]:
        """Of each component: mean of log p - log q (K,), and its slope at every draw (K, n, 2)."""
        points = self.means[:, None, :] + np.einsum("kij,sj->ksi", self.factors, base)
        flat = points.reshape(-1, 2)
        (p, p_slope), (q, q_slope) = log_density(name, flat), self.log_q(flat)
        return (p - q).reshape(len(self.means), -1).mean(1), (p_slope - q_slope).reshape(points.shape)


def base_draws(rng: np.random.Generator, count: int = DRAWS) -> Array:
    """(count, 2) standard normal, with their mirror images."""
    half = rng.standard_normal((count // 2, 2))
    return np.concatenate([half, -half])
