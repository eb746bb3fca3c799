"""A small posterior sample of hyperparameters, by slice sampling, and the surrogate that averages over it.

RECIPE found no gain from averaging in the default loop; the published VBMC averages, so it is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .exact import ExactSurrogate
from .fit import Array, fit, log_posterior
from .interface import Surrogate
from .model import Model, check_data
from .priors import HyperPrior


def slice_sample(
    log_density: object, start: Array, widths: Array, count: int, rng: np.random.Generator, prior: HyperPrior
) -> list[Array]:
    """``count`` states of a coordinate-wise slice sampler with shrinkage (Neal 2003), kept inside the prior's box."""
    assert callable(log_density)

    def value(theta: Array) -> float:
        if bool((theta < prior.lower).any() or (theta > prior.upper).any()):
            return -np.inf
        return float(log_density(theta)[0])

    current, height = start.copy(), value(start)
    states: list[Array] = []
    free = np.flatnonzero(prior.upper > prior.lower)
    for _ in range(count):
        for i in rng.permutation(free):
            level = height + np.log(rng.uniform())
            low = current[i] - widths[i] * rng.uniform()
            high = low + widths[i]
            for _ in range(100):
                proposal = current.copy()
                proposal[i] = rng.uniform(low, high)
                proposed = value(proposal)
                if proposed > level:
                    current, height = proposal, proposed
                    break
                low, high = (proposal[i], high) if proposal[i] < current[i] else (low, proposal[i])
        states.append(current.copy())
    return states


def fit_averaged(
    model: Model,
    x: Tensor,
    y: Tensor,
    noise_variance: Tensor | None,
    rng: np.random.Generator,
    samples: int = 8,
    prior: HyperPrior | None = None,
) -> AveragedSurrogate:
    """MAP first, then ``samples`` draws of the hyperparameters started there; the slice width is the prior's sd."""
    x, y, noise_variance = check_data(x, y, noise_variance)
    prior = HyperPrior.default(model, x, y) if prior is None else prior
    best = fit(model, x, y, noise_variance, prior, rng).model
    start = np.clip(best.hyperparameters().cpu().numpy(), prior.lower, prior.upper)
    widths = prior.sd[: len(prior.lower)]
    density = log_posterior(model, x, y, noise_variance, prior)
    states = slice_sample(density, start, widths, 2 * samples, rng, prior)[1::2]
    models = [best.with_hyperparameters(torch.as_tensor(s, dtype=x.dtype, device=x.device)) for s in states]
    return AveragedSurrogate(tuple(ExactSurrogate.build(m, x, y, noise_variance) for m in models))


@dataclass(frozen=True)
class AveragedSurrogate:
    """The equal mixture of several surrogates of the same data, by its first two moments."""

    members: Sequence[Surrogate]

    @property
    def train_inputs(self) -> Tensor:
        return self.members[0].train_inputs

    @property
    def train_targets(self) -> Tensor:
        return self.members[0].train_targets

    def predict(self, x: Tensor) -> tuple[Tensor, Tensor]:
        pairs = [member.predict(x) for member in self.members]
        means, variances = torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])
        return means.mean(0), variances.mean(0) + means.var(0, correction=0)

    def predict_mean(self, x: Tensor) -> Tensor:
        return torch.stack([member.predict_mean(x) for member in self.members]).mean(0)

    def covariance(self, x1: Tensor, x2: Tensor) -> Tensor:
        within = torch.stack([member.covariance(x1, x2) for member in self.members]).mean(0)
        first = torch.stack([member.predict_mean(x1) for member in self.members])
        second = torch.stack([member.predict_mean(x2) for member in self.members])
        return within + (first - first.mean(0)).T @ (second - second.mean(0)) / len(self.members)

    def condition(self, x: Tensor, y: Tensor | None, noise_variance: Tensor | None = None) -> AveragedSurrogate:
        return AveragedSurrogate(tuple(member.condition(x, y, noise_variance) for member in self.members))

    def log_marginal_likelihood(self) -> Tensor:
        return torch.stack([member.log_marginal_likelihood() for member in self.members]).mean()

    def integrate(self, means: Tensor, covariances: Tensor) -> tuple[Tensor, Tensor]:
        pairs = [member.integrate(means, covariances) for member in self.members]
        values = torch.stack([p[0] for p in pairs])
        spread = values - values.mean(0)
        return values.mean(0), torch.stack([p[1] for p in pairs]).mean(0) + spread.T @ spread / len(self.members)

    def integrate_mean(self, means: Tensor, covariances: Tensor) -> Tensor:
        return torch.stack([member.integrate_mean(means, covariances) for member in self.members]).mean(0)
