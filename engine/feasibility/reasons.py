"""Why a run fails, by its place: classification by Gaussian processes made conjugate for several classes (seed 004 ch. 4, 7.4.1).

    a run that fails at x does so for reason k with probability sigma(f_k(x)) / sum_c sigma(f_c(x)),    f_k ~ GP(0, k)

With counts n ~ NM(1, p), p_k = sigma(-f_k) / K, and the Polya-Gamma variables of each run every f_k is Gaussian (algorithm 5):

    p_k = E sigma(-f_k) / K;    E n_k = p_k / (1 - sum_c p_c);    c_k^2 = E f_k^2;
    pseudo-values (y_k - E n_k) / 2 of precision (y_k + E n_k) tanh(c_k / 2) / (2 c_k)

The seed's p_k, exp E log of the augmented sigma, is next to nothing while f_k is wide: the counts stay there, nothing is learnt
(tests/benchmarks/README.md). The kernel is that of where runs fail; a run that failed by chance counts less, as that is likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..numerics.success_kernel import SuccessKernel
from .laplace import polya_gamma_mean, posterior_root
from .success_process import SETTLED, LogOdds, pivoted

Array = NDArray[np.float64]

LEAST = 1e-6  # chance that no other reason would have done
FEWEST = 0.5  # runs that failed for a reason, less those by chance: one that has a place is not taken for its neighbours'
STEPS, BEGIN = 100, 2.0  # updates at most, and the log odds from which they start


@dataclass(frozen=True)
class Reasons:
    """``kinds`` (K,) and the process of each, in the kernel's coordinates."""

    kinds: tuple[str, ...]
    parts: tuple[LogOdds, ...]

    @classmethod
    def of(cls, kernel: SuccessKernel, points: Array, said: Sequence[str], weights: Array) -> Reasons | None:
        """From runs that failed (n, D), why, and how much each counts (n,); None where none is known."""
        why = np.array(said, dtype=object)
        kinds = tuple(k for k in dict.fromkeys(said) if k and weights[why == k].sum() >= FEWEST)
        if not kinds:
            return None
        known = np.isin(why, kinds)
        x, w, own = points[known], weights[known][:, None], why[known][:, None] == np.array(kinds, dtype=object)
        features, chosen, factor = pivoted(kernel, x)
        left = np.maximum(kernel.diagonal(x) - np.square(features).sum(1), 0.0)
        f, variance = np.where(own, BEGIN, -BEGIN), np.zeros(own.shape)
        for _ in range(STEPS):
            p = special.expit(-f / np.sqrt(1.0 + np.pi * variance / 8.0)) / len(kinds)
            counts = p / np.maximum(1.0 - p.sum(1, keepdims=True), LEAST)
            precisions = (w * (own + counts) * polya_gamma_mean(np.sqrt(np.square(f) + variance))).T
            roots = [posterior_root(features, row) for row in precisions]
            pulls = features.T @ (w * (own - counts) / 2.0)
            means = [root @ (root.T @ pull) for root, pull in zip(roots, pulls.T, strict=True)]
            before, f = f, np.stack([features @ mean for mean in means], axis=1)
            variance = left[:, None] + np.stack([np.square(features @ root).sum(1) for root in roots], axis=1)
            if np.abs(f - before).max() < SETTLED:
                break
        ends = zip(means, roots, strict=True)
        return cls(kinds, tuple(LogOdds(kernel, x[chosen], factor, mean, root @ root.T) for mean, root in ends))

    def probabilities(self, x: Array) -> Array:
        """(m, K) at x (m, D), of a run that fails there."""
        found = np.exp([part.log_allowed(x) for part in self.parts]).T
        return np.asarray(found / found.sum(1, keepdims=True))
