"""What every surrogate of the log joint can do, whatever its kernel, mean, scaling or sparsity.

Tensors are float64 on one device. x: (n, D) in inference space. y: (n,) log joint. noise variance: (n,).
"""

from __future__ import annotations

from typing import Protocol

from torch import Tensor


class Surrogate(Protocol):
    """A Gaussian process posterior over the log joint, in the units of y (any output scaling undone)."""

    @property
    def train_inputs(self) -> Tensor:
        """(n, D)"""
        ...

    @property
    def train_targets(self) -> Tensor:
        """(n,)"""
        ...

    def predict(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Posterior mean (m,) and latent variance (m,) at x (m, D); differentiable in x."""
        ...

    def predict_mean(self, x: Tensor) -> Tensor:
        """Posterior mean (m,) alone, cheaper by O(n^2 m)."""
        ...

    def covariance(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Posterior covariance (m1, m2)."""
        ...

    def condition(self, x: Tensor, y: Tensor | None, noise_variance: Tensor | None = None) -> Surrogate:
        """A surrogate with points added by a block Cholesky update, hyperparameters fixed (seed 000 sec 3.6), O(n^2).

        ``y`` None: pending points; their value is taken as the current mean, so only variances change.
        """
        ...

    def log_marginal_likelihood(self) -> Tensor:
        """log p(y) () in the units of y, or the lower bound on it that a sparse surrogate maximizes."""
        ...

    def integrate(self, means: Tensor, covariances: Tensor) -> tuple[Tensor, Tensor]:
        """Bayesian Monte Carlo under Gaussians: mean (K,) and covariance (K, K) of int f(x) N(x; mu_k, Sigma_k) dx.

        means (K, D); covariances (K, D, D), or (K, D) for diagonal ones. Differentiable in both.
        """
        ...

    def integrate_mean(self, means: Tensor, covariances: Tensor) -> Tensor:
        """The mean (K,) of ``integrate`` alone, cheaper by O(n^2 K): what an ELBO needs at every step."""
        ...
