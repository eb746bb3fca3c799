"""Evidence by WSABI (seed 000 sec 4.3): a Gaussian process of the square root of the integrand, from the evaluations themselves.

The integrand is the density over a Gaussian twice as wide as the answer (importance reweighting, T. Gunter et al., NIPS 2014): it
is smooth and bounded where the posterior lies. No surrogate of the log density takes part, so it can contradict one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize
from scipy.stats import chi2

from ..numerics.linear_algebra import stable_cholesky
from ..sampling.mixture import GaussianMixture

Array = NDArray[np.float64]
Rule = Literal["linear", "moments"]

WIDER = 2.0  # times the answer's covariance
INSIDE = 0.9999  # of that Gaussian: evaluations farther out tell nothing of the integral
MOST = 300  # evaluations used, the largest ones: the integrals take n^2 terms
LENGTH, LENGTH_SD = 2.0, 1.0  # prior of the lengthscales, in standard deviations of the Gaussian: median, sd of the logarithm
JITTER = 1e-6  # variance, of roots at most sqrt 2


@dataclass(frozen=True)
class Wsabi:
    """``log_evidence`` and its sd; ``added``: nats of it that are the process's own variance between runs (rule "moments");
    ``left_out``: root mean square of leave-one-out errors in their sds; of ``used`` evaluations.
    draws (n, D) of the Gaussian, with weights (n,) summing to one that make them draws of the posterior."""

    log_evidence: float
    sd: float
    added: float
    left_out: float
    used: int
    draws: Array
    weights: Array


def wsabi(
    points: Array, values: Array, sds: Array, mean: Array, covariance: Array, rule: Rule, rng: np.random.Generator, draws: int
) -> Wsabi:
    """points (n, D), log densities (n,) and their noise's sds (n,); mean (D,), covariance (D, D) of the answer.

    Raises ValueError with fewer than D + 2 evaluations where the answer lies.
    """
    d = len(mean)
    base = GaussianMixture.single(mean, WIDER * covariance)
    root = stable_cholesky(WIDER * covariance)
    white = linalg.solve_triangular(root, (points - mean).T, lower=True).T
    near = np.flatnonzero((np.square(white).sum(1) < chi2.ppf(INSIDE, d)) & np.isfinite(values))
    if len(near) < d + 2:
        raise ValueError(f"only {len(near)} runs lie where the posterior is")
    ratio = values[near] - base.log_density(points[near])
    order = np.argsort(-ratio)[:MOST]
    x, ratio, noise = white[near][order], ratio[order], sds[near][order]
    top = float(ratio.max())
    g = np.sqrt(2.0) * np.exp(0.5 * (ratio - top))
    variances = JITTER + np.square(0.5 * g * noise)
    variance, lengths = _fit(x, g, variances)
    k = _kernel(x, x, variance, lengths)
    factor = stable_cholesky(k + np.diag(variances))
    alpha = linalg.cho_solve((factor, True), g)
    precision = np.square(linalg.solve_triangular(factor, np.eye(len(g)), lower=True)).sum(0)
    found, doubt = _evidence(x, g, variance, lengths, factor, rule)
    plain = found if rule == "linear" else _evidence(x, g, variance, lengths, factor, "linear")[0]
    z = rng.standard_normal((draws, d))
    cross = _kernel(z, x, variance, lengths)
    weight = np.square(cross @ alpha)
    if rule == "moments":
        weight += variance - np.square(linalg.solve_triangular(factor, cross.T, lower=True)).sum(0)
    if not (found > 0.0 and plain > 0.0 and weight.sum() > 0.0):
        raise ValueError("the integral came out as zero")
    left_out = float(np.sqrt(np.mean(np.square(alpha / np.sqrt(precision)))))
    return Wsabi(
        top + float(np.log(found)), float(np.sqrt(doubt)) / found, float(np.log(found / plain)), left_out, len(g),
        mean + z @ root.T, weight / weight.sum(),
    )  # fmt: skip


def _evidence(x: Array, g: Array, variance: float, lengths: Array, factor: Array, rule: Rule) -> tuple[float, float]:
    import torch

    from ..quadrature.wsabi import evidence

    d = x.shape[1]
    tensor = torch.as_tensor
    with torch.no_grad():
        found = evidence(
            tensor(x), tensor(g), 0.0, tensor(variance), tensor(lengths), tensor(factor), torch.ones(1, dtype=torch.float64),
            torch.zeros((1, d), dtype=torch.float64), torch.eye(d, dtype=torch.float64)[None], rule,
        )  # fmt: skip
    return float(found.mean), float(found.variance)


def _kernel(x: Array, y: Array, variance: float, lengths: Array) -> Array:
    a, b = x / lengths, y / lengths
    return np.asarray(variance * np.exp(-0.5 * np.maximum((a**2).sum(1)[:, None] + (b**2).sum(1) - 2.0 * a @ b.T, 0.0)))


def _fit(x: Array, g: Array, noise: Array) -> tuple[float, Array]:
    """Variance and lengthscales (D,) at the maximum of their posterior density."""
    n, d = x.shape
    squares = np.square(x[:, None, :] - x[None, :, :])

    def loss(theta: Array) -> tuple[float, Array]:
        lengths = np.exp(theta[1:])
        k = np.exp(2.0 * theta[0] - 0.5 * squares @ lengths**-2.0)
        factor = stable_cholesky(k + np.diag(noise))
        alpha = linalg.cho_solve((factor, True), g)
        inner = linalg.cho_solve((factor, True), np.eye(n)) - np.outer(alpha, alpha)
        value = 0.5 * float(g @ alpha) + float(np.log(np.diag(factor)).sum())
        weighed = inner * k
        slope = np.concatenate([[weighed.sum()], 0.5 * np.einsum("ij,ijd->d", weighed, squares) * lengths**-2.0])
        away = np.concatenate([[theta[0]], (theta[1:] - np.log(LENGTH)) / LENGTH_SD])
        away[1:] /= LENGTH_SD
        prior = 0.5 * float(theta[0] ** 2 + np.sum(np.square((theta[1:] - np.log(LENGTH)) / LENGTH_SD)))
        return value + prior, slope + away

    start = np.concatenate([[0.0], np.full(d, np.log(LENGTH))])
    bounds = [(-5.0, 5.0), *[(np.log(0.05), np.log(50.0))] * d]
    best = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 80}).x
    return float(np.exp(2.0 * best[0])), np.exp(best[1:])
