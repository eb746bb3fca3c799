"""Minibatch training of hyperparameters, for ``large_archives.py`` to compare with: SVGP (gpytorch) with natural gradients.

gpytorch's variational strategy and ELBO work on this package's kernels and means; the q(u) it ends with is discarded,
since for given hyperparameters and Gaussian noise the best q(u) has a closed form (engine/surrogate/sparse.py).
"""

from __future__ import annotations

import gpytorch
import numpy as np
import torch
from torch import Tensor

from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.priors import HyperPrior

STEPS = 150
BATCH = 1024


class _Kernel(gpytorch.kernels.Kernel):  # type: ignore[misc]
    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self.flat = torch.nn.Parameter(model.kernel.hyperparameters().clone())

    def forward(self, x1: Tensor, x2: Tensor, diag: bool = False, **_: object) -> Tensor:
        kernel = self.model.kernel.replace(self.flat)
        return kernel.diagonal(x1) if diag else kernel.matrix(x1, x2)


class _Mean(gpytorch.means.Mean):  # type: ignore[misc]
    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self.flat = torch.nn.Parameter(model.mean.hyperparameters().clone())

    def forward(self, x: Tensor) -> Tensor:
        return self.model.mean.replace(self.flat).value(x)


class _Process(gpytorch.models.ApproximateGP):  # type: ignore[misc]
    def __init__(self, model: Model, z: Tensor) -> None:
        q = gpytorch.variational.NaturalVariationalDistribution(z.shape[0]).to(z)
        super().__init__(gpytorch.variational.VariationalStrategy(self, z, q, learn_inducing_locations=False))
        self.mean_module, self.covar_module = _Mean(model), _Kernel(model)

    def forward(self, x: Tensor) -> gpytorch.distributions.MultivariateNormal:
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def train(
    model: Model,
    z: Tensor,
    x: Tensor,
    y: Tensor,
    noise_variance: Tensor,
    prior: HyperPrior,
    rng: np.random.Generator,
    steps: int = STEPS,
    batch: int = BATCH,
) -> Model:
    """The model with hyperparameters from stochastic maximization of ELBO + log prior; the noise scale is kept."""
    process = _Process(model, z).to(x)
    noise = model.scaled_noise(noise_variance).clamp_min(1e-12) * float(np.exp(2.0 * model.log_noise_scale))
    likelihood = gpytorch.likelihoods.FixedNoiseGaussianLikelihood(noise=noise[:1])
    elbo = gpytorch.mlls.VariationalELBO(likelihood, process, num_data=x.shape[0])
    target = model.scaling.scaled(y)
    hyperparameters = [process.covar_module.flat, process.mean_module.flat]
    adam = torch.optim.Adam(hyperparameters, lr=0.02)
    natural = gpytorch.optim.NGD(process.variational_parameters(), num_data=x.shape[0], lr=0.2)
    p = sum(len(h) for h in hyperparameters)
    mean, sd, lower, upper = (torch.as_tensor(a[:p]).to(x) for a in (prior.mean, prior.sd, prior.lower, prior.upper))
    process.train()
    with gpytorch.settings.cholesky_jitter(double_value=1e-8):
        for _ in range(steps):
            index = torch.as_tensor(rng.integers(0, x.shape[0], batch), device=x.device)
            adam.zero_grad()
            natural.zero_grad()
            theta = torch.cat(hyperparameters)
            log_prior = -0.5 * (((theta - mean) / sd) ** 2).sum()
            loss = -elbo(process(x[index]), target[index], noise=noise[index]) - log_prior / x.shape[0]
            loss.backward()
            natural.step()
            adam.step()
            with torch.no_grad():
                start = 0
                for h in hyperparameters:
                    h.copy_(torch.minimum(torch.maximum(h, lower[start : start + len(h)]), upper[start : start + len(h)]))
                    start += len(h)
    flat = torch.cat([h.detach() for h in hyperparameters])
    tail = model.hyperparameters()[p:]
    return model.with_hyperparameters(torch.cat([flat, tail]))
