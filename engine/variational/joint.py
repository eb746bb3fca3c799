"""The joint update: all parameters of a mixture at once, on the surrogate ELBO (seed 001 A.5; seed 000 section 6.1.1.6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from bayescope.engine.sampling.mixture import GaussianMixture, MixtureLike, base_draws
from bayescope.engine.variational.entropy import ValueAndGradient, entropy, entropy_estimate, entropy_lower_bound
from bayescope.engine.variational.expectation import ExpectedLogJoint
from bayescope.engine.variational.families import FULL, Factored, Family, Full
from bayescope.engine.variational.natural import natural_ascent

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Fit:
    """A fitted mixture and the objective it reached. ``objective`` is optimistic: it was maximized on one set of draws."""

    mixture: GaussianMixture
    objective: float
    evaluations: int


def elbo_and_gradient(
    expected: ExpectedLogJoint, state: Factored, entropy_part: Callable[[Factored], ValueAndGradient]
) -> ValueAndGradient:
    """sum_k w_k E_k[f] + entropy (seed 000 eq 5.47) and its gradients in log weights, means and factors."""
    weights = np.exp(state.log_weights)
    values, d_means, d_cov = expected(state.means, state.covariances)
    h = entropy_part(state)
    return ValueAndGradient(
        float(weights @ values) + h.value,
        h.log_weights + weights * values,
        h.means + weights[:, None] * d_means,
        h.factors + 2.0 * weights[:, None, None] * np.matmul(d_cov, state.factors),
    )


def fit_mixture(
    expected: ExpectedLogJoint,
    start: MixtureLike,
    rng: np.random.Generator,
    *,
    family: Family = FULL,
    method: Literal["natural", "lbfgs"] = "natural",
    steps: int = 20,
    draws: int | None = None,
    prune_below: float = 0.0,
    cancel: Callable[[], None] | None = None,
) -> GaussianMixture:
    """Maximize the ELBO over every weight, mean and covariance, from ``start``: the joint update.

    "natural": natural-gradient steps with new entropy draws at each (``natural.py``); the default for full and diagonal
    covariances. "lbfgs": the entropy by one fixed set of draws per call and L-BFGS (``steps`` iterations), the only way for
    the families that tie parameters together. Give a new generator to every call. The better of start and result, compared
    on draws of their own, is returned. ``cancel`` is called at every step and may raise to stop.
    """
    begin = GaussianMixture.of(start)
    try:
        fitted = _fitted(expected, begin, rng, family, method, steps, draws, cancel).pruned(prune_below)
        # A wide safety margin: the comparison has an error of its own (about .02), real collapses are far larger.
        worse = quick_elbo(expected, fitted, rng) < quick_elbo(expected, begin, rng) - 0.1
    except np.linalg.LinAlgError:  # a component without a bound on its width: the start stays
        return begin
    return begin if worse else fitted


def _fitted(
    expected: ExpectedLogJoint,
    begin: GaussianMixture,
    rng: np.random.Generator,
    family: Family,
    method: Literal["natural", "lbfgs"],
    steps: int,
    draws: int | None,
    cancel: Callable[[], None] | None,
) -> GaussianMixture:
    if method == "natural" and family.kind in ("full", "diagonal"):
        return natural_ascent(expected, begin, rng, steps=steps, draws=draws or 16, diagonal=family.diagonal, cancel=cancel)
    # A few rounds, each with new draws, so that none of them is fitted too closely.
    rounds = 3 if steps >= 15 else 1
    for _ in range(rounds):
        begin = fit_by_lbfgs(
            expected, begin, rng, family=family, draws=draws, iterations=max(1, steps // rounds), cancel=cancel
        ).mixture
    return begin


def quick_elbo(expected: ExpectedLogJoint, mixture: MixtureLike, rng: np.random.Generator, draws: int = 1024) -> float:
    """The ELBO by fresh draws, for comparisons inside an update."""
    values, _, _ = expected(mixture.means, mixture.covariances)
    return float(mixture.weights @ values) + entropy_estimate(mixture, rng, draws)[0]


def fit_by_lbfgs(
    expected: ExpectedLogJoint,
    start: MixtureLike,
    rng: np.random.Generator,
    *,
    family: Family = FULL,
    draws: int | None = None,
    iterations: int = 40,
    entropy_by: Literal["draws", "bound"] = "draws",
    cancel: Callable[[], None] | None = None,
) -> Fit:
    """Maximize the ELBO by L-BFGS, entropy by one fixed set of draws or by its deterministic lower bound.

    The entropy's base draws come from ``rng`` and are fixed during this one call; give a new generator to every call, and
    judge the result by ``elbo.elbo_estimate`` with draws of its own: the value reached here is too high by up to 1 nat when
    draws are few. ``draws`` per component: default 1024 / K within [64, 256].
    """
    k, d = start.means.shape
    if isinstance(family, Full):
        family = Full.relative_to(start)
    base = base_draws(k, draws or int(np.clip(1024 // k, 64, 256)), family.base_dimension(d), rng)
    entropy_part = (lambda s: entropy(s, base)) if entropy_by == "draws" else entropy_lower_bound

    def negative(vector: Array) -> tuple[float, Array]:
        if cancel is not None:
            cancel()
        try:
            state = family.unpack(vector, k, d)
            total = elbo_and_gradient(expected, state, entropy_part)
        except np.linalg.LinAlgError:  # a trial step to a singular covariance: a wall for the line search
            return 1e10, np.zeros_like(vector)
        gradient = family.pull_back(vector, state, total.log_weights, total.means, total.factors)
        if not (np.isfinite(total.value) and np.all(np.isfinite(gradient))):
            return 1e10, np.zeros_like(vector)
        return -total.value, -gradient

    first = family.pack(start)
    result = minimize(
        negative, first, jac=True, method="L-BFGS-B", options={"maxiter": iterations, "ftol": 1e-6, "gtol": 1e-3, "maxcor": 15}
    )
    mixture = family.unpack(np.asarray(result.x), k, d).mixture()
    return Fit(mixture, -float(result.fun), int(result.nfev))
