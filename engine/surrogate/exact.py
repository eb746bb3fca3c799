"""Exact Gaussian process posterior with per-point noise variances (seed 000 ch. 3 with METHODS 9.1; seed 001 A.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from ..numerics.torch_linear_algebra import robust_cholesky
from ..quadrature.gaussians import check_shapes
from .linear_algebra import append_block, backward, forward
from .model import Model, check_data


@dataclass(frozen=True)
class ExactSurrogate:
    """Posterior of f given y = f(x) + noise. Build it with ``ExactSurrogate.build``.

    factor: lower Cholesky factor (n, n) of K + noise of the scaled targets; weights (n,): (K + noise)^-1 (y - m(x)).
    jitter: what had to be added to the diagonal, 0 when nothing.
    """

    model: Model
    train_inputs: Tensor
    train_targets: Tensor
    noise_variance: Tensor
    factor: Tensor
    weights: Tensor
    jitter: float = 0.0

    @classmethod
    def build(cls, model: Model, x: Tensor, y: Tensor, noise_variance: Tensor | None = None) -> ExactSurrogate:
        """x (n, D), y (n,), noise variance (n,) or () in units of y squared (1e-5 when None)."""
        x, y, noise_variance = check_data(x, y, noise_variance)
        model = model.to(x.device)
        noise = model.scaled_noise(noise_variance) * math.exp(2.0 * model.log_noise_scale)
        factor, jitter = robust_cholesky(model.kernel.matrix(x, x) + torch.diag(noise))
        return cls._solved(model, x, y, noise_variance, factor, jitter)

    @classmethod
    def _solved(
        cls, model: Model, x: Tensor, y: Tensor, noise_variance: Tensor, factor: Tensor, jitter: float
    ) -> ExactSurrogate:
        residual = model.scaling.scaled(y) - model.mean.value(x)
        weights = backward(factor, forward(factor, residual))
        return cls(model, x, y, noise_variance, factor, weights, jitter)

    def predict(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Posterior mean (m,) and latent variance (m,) at x (m, D); differentiable in x."""
        cross = self.model.kernel.matrix(self.train_inputs, x)
        moved = forward(self.factor, cross)
        squares = moved * moved if torch.is_grad_enabled() else moved.mul_(moved)
        prior = self.model.kernel.diagonal(x)
        variance = torch.maximum(prior - squares.sum(0), 1e-14 * prior)
        mean = self.model.mean.value(x) + self.weights @ cross
        return self.model.scaling.value(mean), self.model.scaling.covariance(variance)

    def predict_mean(self, x: Tensor) -> Tensor:
        """Posterior mean (m,) alone, O(n m)."""
        cross = self.model.kernel.matrix(x, self.train_inputs)
        return self.model.scaling.value(self.model.mean.value(x) + cross @ self.weights)

    def covariance(self, x1: Tensor, x2: Tensor) -> Tensor:
        """Posterior covariance (m1, m2)."""
        kernel = self.model.kernel
        moved1 = forward(self.factor, kernel.matrix(self.train_inputs, x1))
        moved2 = moved1 if x2 is x1 else forward(self.factor, kernel.matrix(self.train_inputs, x2))
        return self.model.scaling.covariance(kernel.matrix(x1, x2) - moved1.T @ moved2)

    def condition(self, x: Tensor, y: Tensor | None, noise_variance: Tensor | None = None) -> ExactSurrogate:
        """A surrogate with points added by a block Cholesky update, hyperparameters fixed (seed 000 sec 3.6), O(n^2).

        ``y`` None: pending points; their value is taken as the current mean, so only variances change.
        """
        values = self.predict_mean(x).detach() if y is None else y
        x, values, noise_variance = check_data(x, values, noise_variance)
        noise = self.model.scaled_noise(noise_variance) * math.exp(2.0 * self.model.log_noise_scale)
        kernel = self.model.kernel
        factor, jitter = append_block(
            self.factor, kernel.matrix(self.train_inputs, x), kernel.matrix(x, x) + torch.diag(noise)
        )
        return self._solved(
            self.model,
            torch.cat([self.train_inputs, x]),
            torch.cat([self.train_targets, values]),
            torch.cat([self.noise_variance, noise_variance]),
            factor,
            max(self.jitter, jitter),
        )

    def log_marginal_likelihood(self) -> Tensor:
        """log p(y) () in the units of y, so that different scalings can be compared."""
        n = self.train_targets.shape[0]
        residual = self.model.scaling.scaled(self.train_targets) - self.model.mean.value(self.train_inputs)
        constant = 0.5 * n * math.log(2 * math.pi) + n * math.log(self.model.scaling.scale)
        return -0.5 * (residual @ self.weights) - self.factor.diagonal().log().sum() - constant

    def integrate(self, means: Tensor, covariances: Tensor) -> tuple[Tensor, Tensor]:
        """Bayesian Monte Carlo under Gaussians: mean (K,) and covariance (K, K) (seed 000 eq 4.5 with METHODS 9.3).

        means (K, D); covariances (K, D, D), or (K, D) for diagonal ones. Differentiable in both.
        """
        check_shapes(means, covariances)
        kernel, scaling = self.model.kernel, self.model.scaling
        z = kernel.kernel_mean(self.train_inputs, means, covariances)
        mean = self.model.mean.integral(means, covariances) + z @ self.weights
        moved = forward(self.factor, z.T)
        covariance = kernel.double_integral(means, covariances) - moved.T @ moved
        return scaling.value(mean), scaling.covariance(covariance)

    def integrate_mean(self, means: Tensor, covariances: Tensor) -> Tensor:
        """The mean (K,) of ``integrate`` alone, without the O(n^2 K) covariance: for inner loops."""
        check_shapes(means, covariances)
        z = self.model.kernel.kernel_mean(self.train_inputs, means, covariances)
        return self.model.scaling.value(self.model.mean.integral(means, covariances) + z @ self.weights)

    def leave_one_out(self) -> tuple[Tensor, Tensor]:
        """Mean (n,) and variance (n,) of each target predicted from all the others, its own noise included."""
        identity = torch.eye(self.factor.shape[0], dtype=self.factor.dtype, device=self.factor.device)
        inverse = forward(self.factor, identity)
        precision = (inverse * inverse).sum(0)
        scaled = self.model.scaling.scaled(self.train_targets) - self.weights / precision
        return self.model.scaling.value(scaled), self.model.scaling.covariance(1.0 / precision)
