"""How far two stored posteriors are apart, in a number between 0 (the same) and 1 (nowhere together)."""

from __future__ import annotations

import numpy as np

from .posterior import StoredPosterior

POINTS = 400  # of each posterior's own grid


def marginal_distances(p: StoredPosterior, q: StoredPosterior) -> dict[str, float]:
    """Total variation between the marginals of every parameter that both have: half the integral of |p - q|."""
    found = {}
    for i, name in enumerate(p.names):
        if name in q.names:
            j = q.names.index(name)
            grid = np.union1d(p.marginal(i, POINTS)[0], q.marginal(j, POINTS)[0])
            gap = np.abs(p.density(i, grid) - q.density(j, grid))
            found[name] = float(min(1.0, 0.5 * np.trapezoid(gap, grid)))
    return found


def mmtv(p: StoredPosterior, q: StoredPosterior) -> float:
    """Mean marginal total variation (seed 001 eq S21) over the parameters that both have; NaN if there are none."""
    distances = list(marginal_distances(p, q).values())
    return float(np.mean(distances)) if distances else float("nan")
