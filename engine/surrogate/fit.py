"""Maximum a posteriori hyperparameters of the exact GP: L-BFGS-B from warm and fresh starts, analytic gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..numerics.minimization import MOST_EVALUATIONS, lowest
from ..numerics.torch_linear_algebra import robust_cholesky
from .exact import ExactSurrogate
from .model import Model, check_data
from .priors import HyperPrior

Array = NDArray[np.float64]
Objective = Callable[[Array], tuple[float, Array]]

LEAST_GAIN, FLAT = 1e-9, 1e-5  # of a descent's steps, see ``lowest``: scipy's own slope
_REFUSED = 1e25  # what the search is told where the objective is not finite


@dataclass(frozen=True)
class Fit:
    """model: with its best hyperparameters; objective: log marginal likelihood + log prior there (scaled targets)."""

    model: Model
    objective: float
    evaluations: int

    def surrogate(self, x: Tensor, y: Tensor, noise_variance: Tensor | None = None) -> ExactSurrogate:
        return ExactSurrogate.build(self.model, x, y, noise_variance)


def log_marginal_likelihood(model: Model, x: Tensor, y: Tensor, noise_variance: Tensor) -> Objective:
    """A function of the flat vector: log p(scaled y) and its gradient (p,) (seed 000 eq 3.16, seed 001 eq S6 with 9.9).

    With G = (a a' - C^-1) / 2, C = K + noise, a = C^-1 (y - m): d/dK is G and d/dm is a.
    """
    bound_kernel, bound_mean = model.kernel.bind(x), model.mean.bind(x)
    target, noise = model.scaling.scaled(y), model.scaled_noise(noise_variance)
    n = y.shape[0]
    fixed_noise = math.exp(2.0 * model.log_noise_scale)

    def evaluate(theta: Array) -> tuple[float, Array]:
        with torch.no_grad():
            kernel_part, mean_part, noise_part = model.split(torch.as_tensor(theta, dtype=x.dtype, device=x.device))
            k, kernel_pullback = bound_kernel(kernel_part)
            value, mean_pullback = bound_mean(mean_part)
            diagonal = noise * (torch.exp(2.0 * noise_part[0]) if model.fit_noise_scale else fixed_noise)
            covariance = k.clone()
            covariance.diagonal().add_(diagonal)
            factor, _ = robust_cholesky(covariance)
            residual = target - value
            weights = torch.cholesky_solve(residual.unsqueeze(1), factor).squeeze(1)
            likelihood = -0.5 * (residual @ weights) - factor.diagonal().log().sum() - 0.5 * n * math.log(2 * math.pi)
            g = torch.cholesky_inverse(factor).neg_()
            g.addr_(weights, weights).mul_(0.5)
            gradient = [kernel_pullback(g), mean_pullback(weights)]
            if model.fit_noise_scale:
                gradient.append((2.0 * (g.diagonal() @ diagonal)).reshape(1))
            return float(likelihood), torch.cat(gradient).cpu().numpy()

    return evaluate


def log_posterior(model: Model, x: Tensor, y: Tensor, noise_variance: Tensor, prior: HyperPrior) -> Objective:
    """Log marginal likelihood of the scaled targets plus log prior, with gradient."""
    likelihood = log_marginal_likelihood(model, x, y, noise_variance)

    return with_prior(likelihood, prior)


def with_prior(likelihood: Objective, prior: HyperPrior) -> Objective:
    """The sum of the two, and of their gradients (p,)."""

    def evaluate(theta: Array) -> tuple[float, Array]:
        value, gradient = likelihood(theta)
        prior_value, prior_gradient = prior.log_density(theta)
        return value + prior_value, gradient + prior_gradient

    return evaluate


def fit(
    model: Model,
    x: Tensor,
    y: Tensor,
    noise_variance: Tensor | None = None,
    prior: HyperPrior | None = None,
    rng: np.random.Generator | None = None,
    restarts: int = 2,
    max_iterations: int = 100,
    warm: bool = True,
) -> Fit:
    """MAP hyperparameters.

    Starts: the model's own hyperparameters when ``warm``, then ``restarts`` others: the prior's centre first, then draws
    from the prior with ``rng``. A start that ends where the covariance is not finite is passed over.
    """
    x, y, noise_variance = check_data(x, y, noise_variance)
    model = model.to(x.device)
    prior = HyperPrior.default(model, x, y) if prior is None else prior
    starts: list[Array] = []
    if warm:
        starts.append(np.clip(model.hyperparameters().cpu().numpy(), prior.lower, prior.upper))
    if restarts or not warm:
        starts.append(prior.centre())
    generator = np.random.default_rng(0) if rng is None else rng
    starts += [prior.draw(generator) for _ in range(restarts - 1)]
    objective = log_posterior(model, x, y, noise_variance, prior)
    theta, value, count = maximize(objective, starts, prior, max_iterations)
    return Fit(model.with_hyperparameters(torch.as_tensor(theta, dtype=x.dtype, device=x.device)), value, count)


def maximize(
    objective: Objective, starts: Sequence[Array], prior: HyperPrior, max_iterations: int, max_evaluations: int = MOST_EVALUATIONS
) -> tuple[Array, float, int]:
    """Best point, its value and the number of evaluations: see ``minimization.lowest``, within the prior's box. A point whose
    covariance is not finite is refused."""
    def negative(theta: Array) -> tuple[float, Array]:
        try:
            value, gradient = objective(theta)
        except (ValueError, RuntimeError):  # torch's linear algebra errors are RuntimeErrors
            return _REFUSED, np.zeros_like(theta)
        if not (math.isfinite(value) and bool(np.isfinite(gradient).all())):
            return _REFUSED, np.zeros_like(theta)
        return -value, -gradient

    found = lowest(negative, starts, prior.lower, prior.upper, max_iterations, LEAST_GAIN, FLAT, max_evaluations)
    return found.x, -found.value, found.evaluations
