"""What outcomes say of log odds whose failures are all by place, by expectation propagation (Minka 2001; Rasmussen and Williams
2006, sec. 3.6), all sites at once.

f = G v + e, v ~ N(0, 1), e_i ~ N(0, left_i); a run succeeds with probability Phi(f / s), nearly the logistic function. Each
site is a normal factor of f_i; it is set so that replacing it by the outcome leaves mean and variance as they are.
Mean-field updates of Polya-Gamma variables have much the same means and far too small sds (tests/benchmarks/README.md).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .causes import Flags
from .laplace import posterior_root

Array = NDArray[np.float64]

LINK = 8.0 / np.pi  # variance s^2 of the normal whose distribution function is nearest to the logistic one
SWEEPS, SETTLED = 40, 1e-2  # at most, and the change of the log odds, in sds, below which they end
DAMPING = 0.7  # of the way to a site's new value: all at once they overshoot
LEAST = 1e-9  # of a precision


def moments(features: Array, left: Array, good: Flags, odds: Array, variance: Array) -> tuple[Array, Array]:
    """Mean (M,) and covariance (M, M) of v from outcomes ``good`` (n,): features (n, M), ``left`` (n,), beginning with the log
    odds' means and variances (n,)."""
    sign, noise = np.where(good, 1.0, -1.0), LINK + left
    tau, nu = np.zeros(len(good)), np.zeros(len(good))
    mean, spread, damping = odds, np.maximum(variance, LEAST), 1.0
    centre, root = np.zeros(features.shape[1]), np.eye(features.shape[1])
    for _ in range(SWEEPS):
        without = np.maximum(1.0 / spread - tau, LEAST)  # precision without the site
        cavity = (mean / spread - nu) / without
        wide = noise + 1.0 / without
        z = sign * cavity / np.sqrt(wide)
        ratio = np.exp(-0.5 * np.square(z) - 0.5 * np.log(2.0 * np.pi) - special.log_ndtr(z))
        # the outcome pulls the mean by g / without and leaves 1 - h / without of the variance: the site that does the same
        g, h = sign * ratio / np.sqrt(wide), ratio * (z + ratio) / wide
        own = h / np.maximum(1.0 - h / without, LEAST)
        tau += damping * (np.maximum(own, LEAST) - tau)
        nu += damping * (own * (cavity + g / np.maximum(h, LEAST)) - nu)
        root = posterior_root(features, tau)
        centre = root @ (root.T @ (features.T @ nu))
        before, mean = mean, features @ centre
        spread = np.maximum(np.square(features @ root).sum(1), LEAST)
        if damping < 1.0 and float((np.abs(mean - before) / np.sqrt(spread + LINK)).max()) < SETTLED:
            break
        damping = DAMPING
    return centre, root @ root.T
