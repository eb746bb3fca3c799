"""A classifier two-sample test: can a classifier tell the draws of two distributions apart?

D. Lopez-Paz, M. Oquab, Revisiting classifier two-sample tests, ICLR 2017; the classifier's logit is the log density ratio
(seed 002 sec 2.2). Logistic regression on linear, squared and mixed terms and on random Fourier features of a Gaussian kernel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, optimize, special

from ..numerics.linear_algebra import stable_cholesky

Array = NDArray[np.float64]

FOLDS = 5
FEATURES = 100  # random Fourier features: a Gaussian kernel of length sqrt D in whitened coordinates
RIDGE = 1.0  # penalty on the squared coefficients, for standardized features
FAR = 8.0  # whitened coordinates beyond are compressed: one far draw must not rule the fit


def classified_rightly(one: Array, other: Array, rng: np.random.Generator) -> tuple[float, float]:
    """Share of draws that a classifier which has not seen them assigns to the right one of ``one`` (n, D) and ``other`` (m, D),
    each counting half, and its standard error: 0.5 where they are the same, 1 where they have nothing in common.

    Folds are runs of neighbours in the order given, so that draws of a Markov chain do not stand on both sides.
    """
    x, label = np.concatenate([one, other]), np.repeat([0.0, 1.0], [len(one), len(other)])
    fold = np.concatenate([np.arange(len(s)) * FOLDS // max(len(s), 1) for s in (one, other)])
    features = _features(x, rng)
    share = np.where(label == 1.0, 0.5 / len(other), 0.5 / len(one)) * len(x)
    right = np.empty(len(x))
    for k in range(FOLDS):
        seen, left = fold != k, fold == k
        logit = features[left] @ _fit(features[seen], label[seen], share[seen])
        right[left] = np.where(logit == 0.0, 0.5, (logit > 0.0) == (label[left] == 1.0))
    means = np.array([right[label == k].mean() for k in (0.0, 1.0)])
    variance = sum(float(m * (1.0 - m)) / n for m, n in zip(means, (len(one), len(other)), strict=True))
    return float(means.mean()), 0.5 * float(np.sqrt(max(variance, 0.25 / len(x))))


def _features(x: Array, rng: np.random.Generator) -> Array:
    """(n, F) standardized, with a constant."""
    d = x.shape[1]
    centred = x - x.mean(0)
    z = linalg.solve_triangular(stable_cholesky(np.atleast_2d(np.cov(centred.T))), centred.T, lower=True).T
    z = FAR * np.tanh(z / FAR)
    i, j = np.triu_indices(d)
    angles = z @ rng.standard_normal((d, FEATURES)) / np.sqrt(d) + rng.uniform(0.0, 2.0 * np.pi, FEATURES)
    found = np.concatenate([z, z[:, i] * z[:, j], np.cos(angles)], axis=1)
    found = (found - found.mean(0)) / np.maximum(found.std(0), 1e-12)
    return np.concatenate([np.ones((len(x), 1)), found], axis=1)


def _fit(features: Array, label: Array, share: Array) -> Array:
    """Coefficients (F,) of the penalized logistic regression; draws count as ``share`` (n,) says."""

    def loss(beta: Array) -> tuple[float, Array]:
        logit = features @ beta
        value = share @ (np.logaddexp(0.0, logit) - label * logit) + 0.5 * RIDGE * float(beta[1:] @ beta[1:])
        gradient = features.T @ (share * (special.expit(logit) - label))
        gradient[1:] += RIDGE * beta[1:]
        return float(value), gradient

    start = np.zeros(features.shape[1])
    return np.asarray(optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 100}).x)
