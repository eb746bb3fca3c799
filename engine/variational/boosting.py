"""Boosting a mixture one Gaussian at a time (seed 000 sections 5.4.2 and 6.1; METHODS 9.6, 9.7).

f-step: the new component maximizes the stabilized RELBO E_N[f] - E_N[log(q + delta)] + (lambda / 2) log|Sigma|.
w-step: its weight maximizes the ELBO of (1 - w) q + w N, a concave problem in one variable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from bayescope.engine.numerics.linear_algebra import stable_factors, stable_inverse
from bayescope.engine.sampling.mixture import GaussianMixture, base_draws, log_determinants
from bayescope.engine.variational.expectation import ExpectedLogJoint
from bayescope.engine.variational.families import DIAGONAL, FULL, Factored, Family, Full

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BoostingOptions:
    """``log_delta``: log of the stabilizer delta_D (seed 000: -20), a density in the coordinates boosted in.

    ``entropy_weight``: lambda; 1 is the plain entropy, 0 stands for the decaying 1 / sqrt(i + 1) of seed 000 section 5.4.2.
    ``starts``: f-steps tried per boosting step; ``draws``: entropy draws per f-step and w-step.
    """

    log_delta: float = -20.0
    entropy_weight: float = 1.0
    starts: int = 2
    draws: int = 128
    iterations: int = 25

    def weight_at(self, components: int) -> float:
        return self.entropy_weight if self.entropy_weight > 0 else 1.0 / float(np.sqrt(components + 1))


def stabilized_log_density(q: GaussianMixture, x: Array, log_delta: float) -> tuple[Array, Array]:
    """log(q(x) + delta) (n,) and its gradient (n, D), for x (n, D)."""
    precision = stable_inverse(q.covariances)
    log_parts = q.log_parts(x).T
    top = np.maximum(log_parts.max(axis=0), log_delta)
    parts = np.exp(log_parts - top)
    total = parts.sum(axis=0) + np.exp(log_delta - top)
    pulled = np.matmul(x[None, :, :] - q.means[:, None, :], precision)
    return np.log(total) + top, -np.einsum("kn,knd->nd", parts / total, pulled)


def relbo_and_gradient(
    expected: ExpectedLogJoint, q: GaussianMixture, state: Factored, base: Array, log_delta: float, weight: float
) -> tuple[float, Array, Array]:
    """RELBO (seed 000 eq 6.6 with (lambda / 2) log|Sigma|) of a one-component state; gradients in mean (D,), A (D, D).

    base (S, D): standard normal draws for E_N[log(q + delta)].
    """
    mean, factor = state.means[0], state.factors[0]
    values, d_mean, d_cov = expected(state.means, state.covariances)
    log_q, slope = stabilized_log_density(q, mean + base @ factor.T, log_delta)
    log_det = float(log_determinants(factor))
    value = float(values[0] - log_q.mean() + weight * log_det)
    d_factor = 2.0 * d_cov[0] @ factor - slope.T @ base / base.shape[0] + weight * stable_inverse(factor).T
    return value, d_mean[0] - slope.mean(axis=0), d_factor


def f_step(
    expected: ExpectedLogJoint,
    q: GaussianMixture,
    starts: list[GaussianMixture],
    rng: np.random.Generator,
    *,
    options: BoostingOptions,
    diagonal: bool = False,
) -> GaussianMixture:
    """The new component (a one-component mixture): the best RELBO over L-BFGS runs from ``starts``.

    Standard deviations stay within [exp(-4), exp(1)] and means within 6 standard deviations of their start: over a surrogate with
    a constant mean the RELBO grows without limit as a component spreads out to where nothing is known.
    """
    d = q.dimension
    base = base_draws(1, options.draws, d, rng)[0]
    weight = options.weight_at(q.components)
    best: tuple[float, GaussianMixture] | None = None
    for start in starts:
        family: Family = DIAGONAL if diagonal else Full.relative_to(start)
        first = family.pack(start)
        bounds = _box(first, d, FULL if not diagonal else DIAGONAL, start)

        def negative(vector: Array, family: Family = family) -> tuple[float, Array]:
            state = family.unpack(vector, 1, d)
            try:
                value, d_mean, d_factor = relbo_and_gradient(expected, q, state, base, options.log_delta, weight)
            except np.linalg.LinAlgError:  # a trial step to a width without end: a wall for the line search
                return 1e10, np.zeros_like(vector)
            gradient = family.pull_back(vector, state, np.zeros(1), d_mean[None, :], d_factor[None, :, :])
            return (-value, -gradient) if np.isfinite(value) else (1e10, np.zeros_like(vector))

        result = minimize(
            negative, first, jac=True, method="L-BFGS-B", bounds=bounds,
            options={"maxiter": options.iterations, "ftol": 1e-6, "maxcor": 15},
        )  # fmt: skip
        if best is None or -float(result.fun) > best[0]:
            best = (-float(result.fun), family.unpack(np.asarray(result.x), 1, d).mixture())
    assert best is not None, "f_step needs at least one start"
    return best[1]


def _box(first: Array, d: int, family: Family, start: GaussianMixture) -> list[tuple[float, float]]:
    deviations = np.sqrt(np.diagonal(start.covariances[0]))
    if family.diagonal:
        reach, logs = 6.0 * deviations, np.log(deviations)
        means = [(m - r, m + r) for m, r in zip(start.means[0], reach, strict=True)]
        return [(0.0, 0.0), *means, *[(float(s) - 4.0, float(s) + 1.0) for s in logs]]
    rows, cols = np.tril_indices(d)
    own = [(-4.0, 1.0) if i == j else (-5.0, 5.0) for i, j in zip(rows, cols, strict=True)]
    return [(0.0, 0.0), *[(-6.0, 6.0)] * d, *own]


def w_step(
    expected: ExpectedLogJoint, q: GaussianMixture, component: GaussianMixture, rng: np.random.Generator, draws: int = 256
) -> float:
    """The weight in [0, 1] that maximizes the ELBO of (1 - w) q + w f (seed 000 eqs 6.2, 6.3, entropy with a minus sign).

    L'(w) = E_f[g] - E_q[g] - int log((1 - w) q + w f) (f - q). Draws come from h = (q + f) / 2, so that the sampled L' falls
    monotonically in w (its derivative is - E_h[(f - q)^2 / (mix h)]) and has at most one zero.
    """
    gain = float(component.weights @ expected(component.means, component.covariances)[0])
    gain -= float(q.weights @ expected(q.means, q.covariances)[0])
    x = np.concatenate([_stratified(component, draws, rng), _stratified(q, draws, rng)])
    log_f, log_q = component.log_density(x), q.log_density(x)
    top = np.maximum(log_f, log_q)
    f, g = np.exp(log_f - top), np.exp(log_q - top)
    contrast = (f - g) / (0.5 * (f + g))
    contrast = contrast - contrast.mean()  # its true mean is zero

    def slope(w: float) -> float:
        return gain - float((np.log((1.0 - w) * g + w * f + 1e-300) + top) @ contrast) / len(x)

    low, high = 1e-6, 1.0 - 1e-6
    if slope(low) <= 0.0:
        return 0.0
    if slope(high) >= 0.0:
        return high
    for _ in range(20):  # bisection: the slope falls monotonically
        middle = 0.5 * (low + high)
        low, high = (middle, high) if slope(middle) > 0.0 else (low, middle)
    return 0.5 * (low + high)


def _stratified(mixture: GaussianMixture, draws: int, rng: np.random.Generator) -> Array:
    """``draws`` points of a mixture, each component's share by systematic sampling of its weight."""
    edges = np.cumsum(mixture.weights / mixture.weights.sum())
    labels = np.minimum(np.searchsorted(edges, (np.arange(draws) + rng.random()) / draws), mixture.components - 1)
    base = base_draws(1, draws, mixture.dimension, rng)[0][:draws]
    base = base[rng.permutation(draws)]
    factors = stable_factors(mixture.covariances)
    result: Array = mixture.means[labels] + np.einsum("nij,nj->ni", factors[labels], base)
    return result


def component_starts(
    mean_function: Callable[[Array], Array],
    q: GaussianMixture,
    candidates: Array,
    options: BoostingOptions,
) -> list[GaussianMixture]:
    """Where to begin an f-step: the candidates (n, D) at which log r - log(q + delta) is largest, each with the covariance of the
    component responsible there, at half its scale; a second start keeps away from the first."""
    log_q, _ = stabilized_log_density(q, candidates, options.log_delta)
    excess = mean_function(candidates) - log_q
    owner = q.log_parts(candidates).argmax(axis=1)
    starts: list[GaussianMixture] = []
    allowed = np.isfinite(excess)
    for _ in range(options.starts):
        if not np.any(allowed):
            break
        i = int(np.argmax(np.where(allowed, excess, -np.inf)))
        covariance = 0.25 * q.covariances[owner[i]]
        starts.append(GaussianMixture.single(candidates[i], covariance))
        away = np.linalg.solve(stable_factors(4.0 * covariance), (candidates - candidates[i]).T)
        allowed &= (away**2).sum(axis=0) > q.dimension
    return starts or [GaussianMixture.single(q.mean(), q.covariance())]


def boost(
    expected: ExpectedLogJoint,
    mean_function: Callable[[Array], Array],
    q: GaussianMixture,
    candidates: Array,
    rng: np.random.Generator,
    *,
    options: BoostingOptions,
    diagonal: bool = False,
) -> tuple[GaussianMixture, float]:
    """One boosting step: f-step, w-step, weights rescaled. The new mixture and the new component's weight."""
    starts = component_starts(mean_function, q, candidates, options)
    component = f_step(expected, q, starts, rng, options=options, diagonal=diagonal)
    weight = w_step(expected, q, component, rng, 2 * options.draws)
    if weight <= 0.0:
        return q, 0.0
    return q.with_component(weight, component.means[0], component.covariances[0]), weight
