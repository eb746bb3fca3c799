"""Build-up of the variational posterior on a surrogate of an archive (seed 001 section 3.3).

The start is found by short chains on the surrogate that begin at the archive's good points wherever they lie, so that no
mode the archive knows of is lost; the ELBO then puts weights right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.methods.svbmc.data import farthest
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.variational.expectation import ExpectedLogJoint
from bayescope.engine.variational.families import FULL, Family
from bayescope.engine.variational.growth import grow
from bayescope.engine.variational.joint import fit_mixture
from bayescope.engine.variational.weighted_em import fit_to_draws

Array = NDArray[np.float64]
LogDensity = Callable[[Array], Array]

WALKERS, STEPS = 120, 150
FIRST_COMPONENTS = 10
ADD = 5  # components per round of the build-up


def start_of(
    log_density: LogDensity, good: Array, rng: np.random.Generator, components: int = FIRST_COMPONENTS
) -> GaussianMixture:
    """A mixture for exp(log_density), from chains begun at ``good`` (n, D), spread out over them."""
    draws = chains(log_density, spread(good, WALKERS, rng), rng, steps=STEPS)
    return fit_to_draws(draws, np.ones(len(draws)), components, rng, iterations=15)


def spread(points: Array, count: int, rng: np.random.Generator) -> Array:
    """``count`` of the points (n, D) by farthest-point choice, jittered copies when there are fewer."""
    if len(points) > 3000:
        points = points[rng.choice(len(points), 3000, replace=False)]
    scale = points.std(axis=0) + 1e-12
    found: Array = points[farthest(points / scale, count)]
    if len(found) < count:
        copies = found[rng.integers(len(found), size=count - len(found))]
        found = np.concatenate([found, copies + 0.05 * scale * rng.standard_normal(copies.shape)])
    return found


def chains(
    log_density: LogDensity, start: Array, rng: np.random.Generator, *, steps: int, burn: float = 0.5, every: int = 5
) -> Array:
    """Draws (m, D) of affine-invariant ensemble chains (Goodman and Weare 2010) from ``start`` (W, D), less the first part; one
    step in ``every`` is kept."""
    x = start.copy()
    n, d = x.shape
    half = n // 2
    value = log_density(x)
    kept: list[Array] = []
    for step in range(steps):
        for part, other in ((slice(0, half), slice(half, n)), (slice(half, n), slice(0, half))):
            mine, others = x[part], x[other]
            stretch = (1.0 + rng.random(len(mine))) ** 2 / 2.0  # density 1 / sqrt(z) on [1/2, 2]
            partner = others[rng.integers(len(others), size=len(mine))]
            proposal = partner + stretch[:, None] * (mine - partner)
            new = log_density(proposal)
            with np.errstate(invalid="ignore"):
                accept = np.log(rng.random(len(mine))) < (d - 1) * np.log(stretch) + new - value[part]
            x[part] = np.where(accept[:, None], proposal, mine)
            value[part] = np.where(accept, new, value[part])
        if step >= burn * steps and step % every == 0:
            kept.append(x.copy())
    return np.concatenate(kept)


def build_up(
    expected: ExpectedLogJoint,
    start: GaussianMixture,
    rng: np.random.Generator,
    *,
    family: Family = FULL,
    max_components: int = 30,
    least_gain: float = 0.01,
    cancel: Callable[[], None] | None = None,
) -> GaussianMixture:
    """Components are added, five at a time, until they gain no more KL divergence or there are ``max_components``."""
    q = fit_mixture(expected, start, rng, family=family, steps=40, cancel=cancel)
    while q.components < max_components:
        before = q.components
        q, grew = grow(expected, q, rng, family=family, add=ADD, max_components=max_components, steps=20, cancel=cancel)
        if not grew or q.components <= before:
            break
    return fit_mixture(expected, q, rng, family=family, steps=20, cancel=cancel)
