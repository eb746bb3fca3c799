"""Which run tells most of a border: stepwise uncertainty reduction (Bect, Ginsbourger, Li, Picheny and Vazquez 2012, sec 3.2).

For indicators s_k of being inside at draws k, C their covariance over functions drawn from the map: a run at j splits the
functions by s_j, and what lies between the halves, C_jk^2 / C_jj, is the variance of s_k that it takes away; of their sum,
(sum over k of C_jk)^2 / C_jj.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST_VARIANCE = 1e-3  # of an indicator, below which its place is as good as known


def telling(inside: NDArray[np.bool_], waiting: int = 0) -> Array:
    """Variance (k,) of all indicators that a run at each takes away, from functions (s, waiting + k) > 0; the first ``waiting``
    are places asked already, whose outcomes count as known (by linear regression on them)."""
    away = inside - inside.mean(0)
    for i in range(waiting):
        own = float(away[:, i] @ away[:, i])
        if own > LEAST_VARIANCE * len(away):
            away = away - np.outer(away[:, i] / own, away[:, i] @ away)
    c = away[:, waiting:].T @ away[:, waiting:] / len(away)
    variance = np.diag(c)
    known = variance < LEAST_VARIANCE
    return np.where(known, 0.0, np.square(c).sum(1) / np.where(known, 1.0, variance))


def telling_of_share(inside: NDArray[np.bool_]) -> Array:
    """Variance (k,) of the share of functions (s, k) > 0 that a run at each takes away: where explanations of the runs that
    differ most in the share, as a disk and a shell do, say different things, however sure the most of them are."""
    away = inside - inside.mean(0)
    with_share, variance = away.T @ away.mean(1) / len(away), np.square(away).mean(0)
    known = variance < LEAST_VARIANCE
    return np.where(known, 0.0, np.square(with_share) / np.where(known, 1.0, variance))


@dataclass(frozen=True)
class Borders:
    """At draws of the posterior as it would be without a border: being possible (k, m) by functions of the map, the probability
    (m,) that the answer holds, and by how much more of it is impossible, in ``excess``, by the runs than by the map."""

    inside: NDArray[np.bool_]
    held: Array
    excess: float = 0.0

    def sd(self, borderless: float) -> float:
        """Of log Z: over functions of the map, with what the mean border takes away or leaves beside them, what has no border
        (``borderless``), and what the runs say beyond it."""
        least = 1.0 / len(self.held)
        logs, said = (np.log(np.maximum(share, least)) for share in (self.inside.mean(1), self.held.mean()))
        return float(np.linalg.norm([logs.std(), logs.mean() - said, borderless, self.excess]))

    @property
    def wrong(self) -> float:
        """Posterior mass, of that where the density is not zero, expected on the wrong side of the border."""
        inside = self.inside.mean(0)
        expected = float(np.abs(inside - (self.held > 0.5)).clip(0.0, 0.5).sum() / max(inside.sum(), 1.0))
        return max(expected, self.excess)
