"""Joint VBMC update (seed 001 A.5): the number of components grows while that improves the ELBO; light ones are pruned."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.variational.expectation import ExpectedLogJoint
from bayescope.engine.variational.families import FULL, Family
from bayescope.engine.variational.joint import fit_mixture, quick_elbo

Array = NDArray[np.float64]

PRUNE_BELOW = 0.01
LEAST_GAIN = 0.01  # nats of ELBO that must come with a larger mixture
COMPARISON_DRAWS = 4096


def split(q: GaussianMixture, rng: np.random.Generator) -> GaussianMixture:
    """One more component: a component, drawn by its weight, parts along one of its axes into two of half its weight."""
    k = int(rng.choice(q.components, p=q.weights / q.weights.sum()))
    values, vectors = np.linalg.eigh(q.covariances[k])
    values = np.maximum(values, 1e-300)  # rounding may leave a flat axis below zero
    axis = int(rng.choice(q.dimension, p=values / values.sum()))
    # The pair has the parent's mean and, along the axis, its variance: .5^2 of it moves into the separation.
    shift = 0.5 * np.sqrt(values[axis]) * vectors[:, axis]
    covariance = q.covariances[k] - np.outer(shift, shift)
    weights, means, covariances = q.weights.copy(), q.means.copy(), q.covariances.copy()
    weights[k] *= 0.5
    means[k], covariances[k] = q.means[k] - shift, covariance
    return GaussianMixture(
        np.append(weights, weights[k]),
        np.vstack([means, q.means[k] + shift]),
        np.concatenate([covariances, covariance[None, :, :]]),
    )


def grow(
    expected: ExpectedLogJoint,
    q: GaussianMixture,
    rng: np.random.Generator,
    *,
    family: Family = FULL,
    add: int = 1,
    max_components: int = 50,
    steps: int = 20,
    cancel: Callable[[], None] | None = None,
) -> tuple[GaussianMixture, bool]:
    """Refit ``q`` and, beside it, ``q`` with ``add`` more components; the larger one is kept if its ELBO is higher by
    ``LEAST_GAIN`` on fresh draws. Returns the mixture and whether it grew."""
    same = fit_mixture(expected, q, rng, family=family, steps=steps, cancel=cancel)
    add = min(add, max_components - q.components)
    if add <= 0:
        return prune(expected, same, rng), False
    larger = same
    for _ in range(add):
        larger = split(larger, rng)
    larger = fit_mixture(expected, larger, rng, family=family, steps=steps, cancel=cancel)
    gain = quick_elbo(expected, larger, rng, COMPARISON_DRAWS) - quick_elbo(expected, same, rng, COMPARISON_DRAWS)
    grew = gain > LEAST_GAIN
    return prune(expected, larger if grew else same, rng), grew


def prune(expected: ExpectedLogJoint, q: GaussianMixture, rng: np.random.Generator) -> GaussianMixture:
    """``q`` without components of weight below ``PRUNE_BELOW``, unless that costs more than ``LEAST_GAIN`` of ELBO."""
    if q.components == 1 or float(q.weights.min()) >= PRUNE_BELOW:
        return q
    pruned = q.pruned(PRUNE_BELOW)
    before = quick_elbo(expected, q, rng, COMPARISON_DRAWS)
    return pruned if quick_elbo(expected, pruned, rng, COMPARISON_DRAWS) > before - 2.0 * LEAST_GAIN else q
