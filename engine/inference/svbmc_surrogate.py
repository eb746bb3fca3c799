"""The surrogate of an archive: exact or sparse, first fit and later tuning (seed 001 3.3, B.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from bayescope.engine.surrogate import inducing
from bayescope.engine.surrogate.choice import Choice
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.fit import fit, maximize
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.priors import HyperPrior
from bayescope.engine.surrogate.sparse import SparseSurrogate
from bayescope.engine.surrogate.sparse_fit import bound, fit_sparse

Array = NDArray[np.float64]

FIRST_STEPS, TUNING_STEPS = 25, 4  # L-BFGS iterations on the GP-ELBO
TUNED_UP_TO = 8_000  # points; beyond, a few steps on the bound cost more than they bring


@dataclass(frozen=True)
class Data:
    """x (n, D) working coordinates, y (n,), noise variance (n,)."""

    x: Tensor
    y: Tensor
    noise: Tensor

    def subset(self, rng: np.random.Generator) -> Data:
        """About 300 points like the whole in space and in value."""
        chosen = inducing.stratified_subset(self.x, self.y, rng)
        return Data(self.x[chosen], self.y[chosen], self.noise[chosen])


def first_fit(choice: Choice, model: Model, data: Data, rng: np.random.Generator) -> Array:
    """Hyperparameters (p,) without an earlier guess."""
    if choice.kind == "sparse":
        found = fit_sparse(
            model,
            data.x,
            data.y,
            data.noise,
            rng,
            most_inducing=choice.most_inducing,
            fewest_inducing=choice.most_inducing,
            max_iterations=FIRST_STEPS,
        )
        return _flat(found.surrogate.model)
    prior = HyperPrior.default(model, data.x, data.y)
    return _flat(fit(model, data.x, data.y, data.noise, prior, rng, restarts=2, max_iterations=60, warm=False).model)


def tuned(choice: Choice, model: Model, data: Data) -> Array:
    """Hyperparameters (p,) a few steps on from those of ``model``."""
    prior = HyperPrior.default(model, data.x, data.y)
    if choice.kind == "exact":
        return _flat(fit(model, data.x, data.y, data.noise, prior, restarts=0, max_iterations=20, warm=True).model)
    if len(data.x) > TUNED_UP_TO:
        return _flat(model)
    z = data.x[_chosen(choice, model, data)]
    likelihood = bound(model, z, data.x, data.y, data.noise)

    def objective(theta: Array) -> tuple[float, Array]:
        value, gradient = likelihood(theta)
        prior_value, prior_gradient = prior.log_density(theta)
        return value + prior_value, gradient + prior_gradient

    start = np.clip(_flat(model), prior.lower, prior.upper)
    theta, _, _ = maximize(objective, [start], prior, TUNING_STEPS)
    return theta


def built(choice: Choice, model: Model, data: Data) -> ExactSurrogate | SparseSurrogate:
    """The posterior for these hyperparameters; inducing points follow from them and the data alone."""
    if choice.kind == "exact":
        return ExactSurrogate.build(model, data.x, data.y, data.noise)
    return SparseSurrogate.build(model, data.x[_chosen(choice, model, data)], data.x, data.y, data.noise)


def _chosen(choice: Choice, model: Model, data: Data) -> Tensor:
    # All of them: a fraction of the prior trace says little when the kernel has a wide constant and quadratic part.
    noise = model.scaled_noise(data.noise).clamp_min(1e-12)
    return inducing.select(model.kernel, data.x, noise, choice.most_inducing, choice.most_inducing).indices


def _flat(model: Model) -> Array:
    found: Array = model.hyperparameters().cpu().numpy().copy()
    return found
