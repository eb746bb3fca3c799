"""The maximum of the surrogate of an answer, in the user's units, and what is predicted of a run there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..acquisition.peak import highest
from ..answer.surrogate_peak import SurrogatePeak
from ..feasibility.classifier import Feasibility
from ..sampling.guarded_density import Hull
from ..sampling.proposal import regularized
from ..surrogate.frames import BoxFrame
from ..surrogate.log_joint import LogJoint

Array = NDArray[np.float64]

LOOKED_AT = 64  # draws of the answer, of which the highest are climbed from
RUNS, DRAWS = 2, 2  # that are climbed from: the highest of each
UNSURE = 1.0  # nats of variance of which half is held against a place, as the best-fit loop does


def surrogate_peak(
    surrogate: LogJoint, box: BoxFrame, top: float, region: tuple[Hull, Feasibility], draws: Array,
    log_jacobian: Callable[[Array], Array] | None, calibration: float, beside: float = 0.0,
) -> dict[str, Array]:
    """Arrays of a ``session.surrogate_peak.SurrogatePeak``; none where no run is possible at any maximum.

    ``draws`` (m, D) of the answer in the box frame, ``log_jacobian``: points (n, D) of inference space -> (n,), of the map to
    the user's units. ``calibration``: errors of predictions in units of those stated, which enlarge the sd. ``beside``: an sd in
    nats of what the surrogate's variance does not tell of.
    """
    hull, possible = region

    def jacobian(b: Array) -> Array | float:
        return 0.0 if log_jacobian is None else np.asarray(log_jacobian(box.back(b)), dtype=float)

    def density(b: Array) -> Array:
        mean, variance = surrogate.predict(b)
        believed = np.where(np.isfinite(mean), mean - held_against(variance), -np.inf)
        return np.asarray(believed + possible.log_possible(b) - jacobian(b))

    some = draws[:LOOKED_AT]
    runs = surrogate.b[np.argsort(-(surrogate.y - jacobian(surrogate.b)))[:RUNS]]
    places = np.concatenate([runs, some[np.argsort(-density(some))[:DRAWS]]])
    width = regularized(np.cov(draws, rowvar=False).reshape(len(hull.lower), -1))
    found = highest(density, places, hull, possible, width)
    if found is None:
        return {}
    mean, variance = surrogate.predict(found[0][None])
    return peak_arrays(box.back(found[0][None])[0], mean - jacobian(found[0][None]) + top, variance, calibration, beside)


def held_against(variance: Array) -> Array:
    """Nats by which a place of such a ``variance`` (n,) counts less as the maximum."""
    return np.asarray(0.5 - 0.5 * UNSURE / (UNSURE + variance))  # of an infinite one too


def peak_arrays(place: Array, mean: Array, variance: Array, calibration: float, beside: float = 0.0) -> dict[str, Array]:
    """Of ``place`` (D,) in inference space, ``mean`` and ``variance`` (1,) of the log density there in the user's units."""
    sd = float(np.hypot(max(calibration, 1.0) * np.sqrt(max(variance[0], 0.0)), beside))
    return SurrogatePeak(place, np.array([float(mean[0]), sd]), np.empty(0)).arrays()
