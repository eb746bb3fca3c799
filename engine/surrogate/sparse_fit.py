"""Hyperparameters of the sparse GP: the GP-ELBO with an analytic gradient, maximized by L-BFGS-B (seed 001 3.3, B.2, C.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..numerics.torch_linear_algebra import robust_cholesky
from . import inducing
from .fit import Array, Objective, fit, maximize, with_prior
from .model import Model, check_data
from .priors import HyperPrior
from .sparse import RELATIVE_JITTER, SparseSurrogate, Variant, inducing_factor


@dataclass(frozen=True)
class SparseFit:
    """surrogate: the fitted one; trace_error: of the inducing points; reason: a sentence with N and M for people."""

    surrogate: SparseSurrogate
    trace_error: float
    reason: str


def bound(model: Model, z: Tensor, x: Tensor, y: Tensor, noise_variance: Tensor, variant: Variant = "vfe") -> Objective:
    """A function of the flat vector: the bound on log p(scaled y) and its gradient (p,); variants "vfe" and "dtc".

    With K_ZZ = L L', P = L^-1 K_ZX D^-1/2, S = I + P P', r = D^-1/2 (y - m) and h = S^-1 P r, the derivatives of the bound are
    d/dP: G = P - S^-1 P + h (r - P' h)' (P from the trace), d/dK_ZX: L^-T G D^-1/2, d/dK_ZZ: -L^-T G P' L^-1 / 2, where
    G P' = P P' - I + S^-1 + h h' (P P' from the trace), d/dm: D^-1/2 (r - P' h).
    """
    if variant == "fitc":
        raise ValueError("FITC is there for comparison at fixed hyperparameters; fit with 'vfe' or 'dtc'.")
    bound_zz, bound_zx = model.kernel.bind(z), model.kernel.bind(z, x)
    bound_diagonal, bound_mean = model.kernel.bind_diagonal(x), model.mean.bind(x)
    target, base_noise = model.scaling.scaled(y), model.scaled_noise(noise_variance).clamp_min(1e-12)
    fixed, n, m = math.exp(2.0 * model.log_noise_scale), y.shape[0], z.shape[0]
    with_trace = variant == "vfe"
    identity = torch.eye(m, dtype=x.dtype, device=x.device)

    def evaluate(theta: Array) -> tuple[float, Array]:
        with torch.no_grad():
            kernel_part, mean_part, noise_part = model.split(torch.as_tensor(theta, dtype=x.dtype, device=x.device))
            noise = base_noise * (torch.exp(2.0 * noise_part[0]) if model.fit_noise_scale else fixed)
            root = noise.rsqrt()
            (kzz, pull_zz), (kzx, pull_zx) = bound_zz(kernel_part), bound_zx(kernel_part)
            diagonal, pull_diagonal = bound_diagonal(kernel_part)
            value, pull_mean = bound_mean(mean_part)
            r = (target - value) * root
            factor = inducing_factor(kzz)
            projected = torch.linalg.solve_triangular(factor, kzx * root, upper=False)
            gram = projected @ projected.T
            inner, _ = robust_cholesky(gram + identity)
            b = projected @ r
            half = torch.cholesky_solve(b.unsqueeze(1), inner).squeeze(1)  # S^-1 b
            explained = gram.diagonal().sum()
            whole = (diagonal * root * root).sum()
            total = n * math.log(2 * math.pi) + noise.log().sum() + 2.0 * inner.diagonal().log().sum() + r @ r - b @ half
            if with_trace:
                total = total + whole - explained

            # By solves alone: products with an explicit L^-1 leave nothing of a gradient that is a small difference.
            inverse_inner = torch.cholesky_inverse(inner)
            left = r - projected.T @ half
            to_projected = torch.outer(half, left) - torch.cholesky_solve(projected, inner)
            through_factor = identity - inverse_inner - torch.outer(half, half)
            if with_trace:
                to_projected += projected
                through_factor -= gram
            zx = torch.linalg.solve_triangular(factor.T, to_projected, upper=True) * root
            zz = _both_sides(factor, 0.5 * through_factor)
            # The jitter is a fraction of the mean diagonal, so it has a gradient too.
            zz_with_jitter = zz + identity * (RELATIVE_JITTER * zz.diagonal().sum() / m)
            gradient = pull_zz(zz_with_jitter) + pull_zx(zx)
            if with_trace:
                gradient = gradient + pull_diagonal(-0.5 * root * root)
            parts = [gradient, pull_mean(left * root)]
            if model.fit_noise_scale:
                explained_inner = m - inverse_inner.diagonal().sum() + half @ gram @ half
                slope = r @ r - n - 2.0 * (b @ half) + explained_inner
                parts.append((slope + (whole - explained if with_trace else 0.0)).reshape(1))
            return float(-0.5 * total), torch.cat(parts).cpu().numpy()

    return evaluate


def _both_sides(factor: Tensor, middle: Tensor) -> Tensor:
    """L^-T middle L^-1 for a symmetric middle (m, m)."""
    once = torch.linalg.solve_triangular(factor.T, middle, upper=True)
    found: Tensor = torch.linalg.solve_triangular(factor.T, once.T, upper=True)
    return 0.5 * (found + found.T)


def bounded_by(variant: Variant) -> Variant:
    """The bound that hyperparameters of a posterior of this kind are searched for with: fitc has none here."""
    return "dtc" if variant == "dtc" else "vfe"


def fit_sparse(
    model: Model,
    x: Tensor,
    y: Tensor,
    noise_variance: Tensor | None = None,
    rng: np.random.Generator | None = None,
    most_inducing: int = 300,
    fewest_inducing: int = inducing.FEWEST,
    max_iterations: int = 30,
    warm: bool = False,
    seed_points: int = inducing.SEED_POINTS,
    variant: Variant = "vfe",
    restarts: int = 2,
) -> SparseFit:
    """Seed hyperparameters from an exact GP on a stratified subset, select inducing points, then maximize the GP-ELBO.

    ``warm``: the model's own hyperparameters compete with the seed; the higher GP-ELBO wins (B.2). No ``restarts``: the seed is
    searched for from the model's own alone. O(n M) memory: give it a selection of a large archive
    (``tests/benchmarks/README.md``: the whole archive, or minibatches of it, predict no better).
    """
    x, y, noise_variance = check_data(x, y, noise_variance)
    model = model.to(x.device)
    rng = np.random.default_rng(0) if rng is None else rng
    prior = HyperPrior.default(model, x, y)
    subset = inducing.stratified_subset(x, y, rng, seed_points)
    few = x[subset], y[subset], noise_variance[subset]
    seeded = fit(model, *few, prior, rng, restarts=restarts, max_iterations=60, warm=warm or not restarts).model

    def chosen(current: Model) -> inducing.Selection:
        noise = current.scaled_noise(noise_variance).clamp_min(1e-12)
        return inducing.select(current.kernel, x, noise, most_inducing, fewest_inducing)

    selection = chosen(seeded)
    if warm:
        rival = SparseSurrogate.build(model, x[selection.indices], x, y, noise_variance)
        best = SparseSurrogate.build(seeded, x[selection.indices], x, y, noise_variance)
        if float(rival.log_marginal_likelihood()) > float(best.log_marginal_likelihood()):
            seeded, selection = model, chosen(model)
    z = x[selection.indices]
    start = np.clip(seeded.hyperparameters().cpu().numpy(), prior.lower, prior.upper)
    objective = with_prior(bound(seeded, z, x, y, noise_variance, bounded_by(variant)), prior)
    theta, _, _ = maximize(objective, [start], prior, max_iterations)
    tuned = seeded.with_hyperparameters(torch.as_tensor(theta, dtype=x.dtype, device=x.device))
    surrogate = SparseSurrogate.build(tuned, z, x, y, noise_variance, variant)
    n, m = x.shape[0], z.shape[0]
    reason = (
        f"A sparse surrogate with {m} inducing points stands for {n} evaluations, because an exact one "
        f"would need a {n} x {n} matrix at every step."
    )
    return SparseFit(surrogate, selection.trace_error, reason)
