"""What an answer to noisy values is judged by, beside its surrogate's own doubt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...sampling.guarded_density import Hull
from ...sampling.population_monte_carlo import PosteriorDraws
from ...surrogate.noisy.shape_correction import marginal_variation
from ...surrogate.quadratic.posterior import QuadraticSurrogate

Array = NDArray[np.float64]

FAR_OFF = 4.0  # leave-one-out residuals in sd above which a value is called far off
LEAP = 100.0  # nats; a surrogate that explodes far from the runs claims thousands
COUNTS_LESS = 0.3  # Student-t weight below which a value is said to count less


def frame_variation(surrogate: QuadraticSurrogate, other: QuadraticSurrogate | None, points: Array, log_w: Array) -> float:
    """How far the posterior of the other frame's surrogate is from the plug-in, where it explains the values as well (else None).

    The check's functions all share one set of hyperparameters; this is the part of the doubt about those that costs nothing.
    """
    if other is None:
        return 0.0
    moved = other.mean(points) - surrogate.mean(points)
    return marginal_variation(points, np.stack([log_w, log_w + moved], axis=1))


def explodes(draws: PosteriorDraws, hull: Hull) -> bool:
    """Whether the surrogate claims, on average over the hull, LEAP nats above every evaluated place: nothing that runs show."""
    return bool(draws.log_z > np.log(hull.upper - hull.lower).sum() + LEAP)


def far_off(surrogate: QuadraticSurrogate, index: NDArray[np.intp], lambdas: Array | None) -> tuple[int, ...]:
    """Asks ``index`` (n,) whose values lie much further off than their noise explains; with Student-t weights ``lambdas``: those
    that count less."""
    if lambdas is not None:
        off = lambdas[: len(index)] < COUNTS_LESS
    else:
        residual, variance = surrogate.leave_one_out()
        off = np.abs(residual) > FAR_OFF * np.sqrt(variance)
    return tuple(int(i) for i in index[: len(off)][off])
