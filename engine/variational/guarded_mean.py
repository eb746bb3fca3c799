"""The surrogate mean as far as it can be trusted: less where the surrogate is unsure, nothing outside the region of the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from bayescope.engine.numerics.parts import in_parts
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.tail_penalty import tail_penalty
from bayescope.engine.variational.mixture_draws import LogDensity, surrogate_draws
from bayescope.engine.variational.weighted_em import fit_to_draws

Array = NDArray[np.float64]

TRUSTED_SD = 1.5  # surrogate sd beyond which its mean is held against it
GUARD = 3.0  # nats per unit of sd beyond (RECIPE 5: 2 beyond 2; steeper where mixtures follow the mean)
NEGLIGIBLE = 20.0  # nats below the best; the sd there is not looked at
TRUST_DRAWS = 1000
UNTRUSTED = 0.3  # nats by which an ELBO may exceed the guarded log evidence


@dataclass(frozen=True)
class GuardedMean:
    """x (n, D) -> (n,), working coordinates. ``box``: outside, minus infinity. ``log_possible``: log probability (n,) that the
    density at x is not zero; None where it nowhere was.

    ``steepening``: nats per squared unit of sd beyond the trusted one. ``inflation``: what the surrogate's sd is multiplied by
    first, for a surrogate that is known to be too sure. ``ceiling``: a mean above it counts as far below as it is above.
    ``best``: a bound on the best value, where the largest of the targets is mostly noise.
    """

    surrogate: Surrogate
    box: tuple[Array, Array]
    log_possible: LogDensity | None = None
    steepening: float = 0.0
    inflation: float = 1.0
    ceiling: float = np.inf
    best: float = np.inf

    def __call__(self, x: Array) -> Array:
        inside = np.all((x >= self.box[0]) & (x <= self.box[1]), axis=1)
        value = np.empty(len(x))
        with torch.no_grad():
            for part in in_parts(len(x)):
                value[part] = self.surrogate.predict_mean(torch.as_tensor(x[part])).numpy()
            # Against the best value seen: the largest mean may itself be one that cannot be trusted.
            relevant = inside & (value > min(self.best, float(self.surrogate.train_targets.max())) - NEGLIGIBLE)
            if np.any(relevant):
                _, variance = self.surrogate.predict(torch.as_tensor(x[relevant]))
                sd = self.inflation * np.sqrt(variance.numpy())
                value[relevant] -= tail_penalty(sd, TRUSTED_SD, GUARD, self.steepening)
        value = np.minimum(value, 2.0 * self.ceiling - value)
        value = np.where(inside, value, -np.inf)
        return value if self.log_possible is None else value + self.log_possible(x)


def on_trusted_ground(
    q: GaussianMixture, claimed: float, guarded: LogDensity, x: Array, y: Array, rng: np.random.Generator
) -> GaussianMixture:
    """q, unless its ELBO (``claimed``) exceeds the guarded log evidence: a mixture that followed the mean to where the surrogate
    only extrapolates is refitted to weighted draws of the guarded mean, or to the better data x (n, D), y (n,)."""
    d = x.shape[1]
    temperature = max(1.0, float(np.sort(y.max() - y)[min(len(y) - 1, 2 * d + 2)]))
    around_data = fit_to_draws(x, np.exp((y - y.max()) / temperature), 1, rng)
    both = GaussianMixture(
        np.concatenate([0.5 * q.weights, 0.5 * around_data.weights]),
        np.concatenate([q.means, around_data.means]),
        np.concatenate([q.covariances, around_data.covariances]),
    )
    draws = surrogate_draws(guarded, both, rng, draws=TRUST_DRAWS, rounds=2)
    if draws.ess * TRUST_DRAWS < 2 * d:  # the mixture is of no use as a proposal
        draws = surrogate_draws(guarded, around_data, rng, draws=TRUST_DRAWS, rounds=3)
    if claimed <= draws.log_z + UNTRUSTED:
        return q
    effective = draws.ess * TRUST_DRAWS
    if effective < 2 * d:
        return around_data
    return fit_to_draws(draws.points, draws.weights, int(np.clip(effective / (10 * d), 1, 6)), rng)
