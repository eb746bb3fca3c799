"""The highest point of a log density by few evaluations: where to run next, and how much higher the peak may still be.

Near the peak p of the surrogate's mean its fall is quadratic, with curvature H; its doubt about the slope has covariance S. A
peak of the true density then lies E[rise] = tr(H^-1 S) / 2 above p (Newton's step on a random slope), and a draw of where it is
lies at p + H^-1 g with g ~ N(0, S): a pathwise draw to second order (002 appendix A), of which Thompson sampling makes the next
run (002 2.5). Both need the surrogate's variances of differences alone, so they hold for learnt outputs and scores alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..feasibility.classifier import FAILS_BELOW, Feasibility
from ..numerics.curvature import Density, second_derivatives
from ..numerics.linear_algebra import stable_factors
from ..sampling.guarded_density import Hull
from ..sampling.proposal import regularized
from ..surrogate.log_joint import LogJoint
from .batched_ascent import maxima

Array = NDArray[np.float64]

BEST_STARTS, OTHER_STARTS, DRAWN_STARTS = 4, 4, 4  # of the ascents: the best runs, any others, posterior draws
STENCIL = 0.5  # posterior sds: differences over that are slopes which matter, not ripples of the kernel
FLATTEST = 0.1  # of the posterior's curvature: flatter directions count as that flat
LONGEST = 2.0  # steps of a draw, per square root of the dimension
SHORTEST = 0.5  # ... and no fewer: of nearer runs the differences drown in what the surrogate takes for noise


@dataclass(frozen=True)
class Peak:
    """``place`` (D,) in the box frame, ``value`` of the density there, relative to the top of the runs.

    ``steps`` (D, D): columns from ``place`` along which the density falls by half a nat; ``slopes`` (D,): sds of its slope along
    them, in nats per step. ``rise``: what the density is expected to reach above ``value``, in nats.
    """

    place: Array
    value: float
    steps: Array
    slopes: Array

    @property
    def rise(self) -> float:
        return 0.5 * float(np.square(self.slopes).sum())

    def draw(self, rng: np.random.Generator) -> Array:
        """A place (D,) where the peak may be."""
        step = self.slopes * rng.standard_normal(len(self.slopes))
        length = max(float(np.linalg.norm(step)), 1e-12)
        wanted = np.clip(length, SHORTEST, LONGEST * np.sqrt(len(step)))
        return np.asarray(self.place + self.steps @ step * (wanted / length))


def allowed(b: Array, hull: Hull, possible: Feasibility) -> NDArray[np.bool_]:
    """(n,) whether b (n, D) lies where the surrogate is trusted and runs do not fail."""
    return np.asarray(hull.contains(b) & (possible.log_runs(b) + possible.log_possible(b) > FAILS_BELOW))


def starts(known: Array, values: Array, drawn: Array, rng: np.random.Generator) -> Array:
    """Where to climb from: the best of the runs ``known`` (n, D) by ``values`` (n,), some others, and posterior draws (m, D)."""
    order = np.argsort(-values)
    others = rng.permutation(order[BEST_STARTS:])[:OTHER_STARTS]
    some = drawn[rng.permutation(len(drawn))[:DRAWN_STARTS]]
    return np.concatenate([known[order[:BEST_STARTS]], known[others], some])


def highest(
    density: Density, places: Array, hull: Hull, possible: Feasibility, metric: Array | None = None
) -> tuple[Array, float] | None:
    """The highest maximum (D,) of ``density`` that ascents from ``places`` (m, D) reach, and its value; None: none is allowed.
    ``metric``: see ``batched_ascent.maxima``."""
    ends, values = maxima(density, places, hull.lower, hull.upper, metric=metric)
    values = np.where(allowed(ends, hull, possible), values, -np.inf)
    best = int(np.argmax(values))
    return (ends[best], float(values[best])) if np.isfinite(values[best]) else None


def peak_at(surrogate: LogJoint, density: Density, place: Array, value: float, covariance: Array, inflation: float = 1.0) -> Peak:
    """What is known of the peak at ``place`` (D,); ``covariance`` (D, D) of the posterior: the scale of the differences;
    ``inflation``: what the surrogate's variances are multiplied by."""
    d = len(place)
    axes = stable_factors(regularized(covariance))
    steps = axes @ _half_nat(density, place, STENCIL * axes)
    slopes = np.empty(d)
    for i in range(d):
        ends = place + STENCIL * np.array([1.0, -1.0])[:, None] * steps[:, i]
        slopes[i] = np.sqrt(inflation * surrogate.mean_functional_variance(ends, np.array([0.5, -0.5]) / STENCIL))
    return Peak(place, value, steps, slopes)


def _half_nat(density: Density, place: Array, stencil: Array) -> Array:
    """(D, D) in units of the stencil's columns / STENCIL: the inverse root of minus the curvature at ``place``."""
    size, turn = np.linalg.eigh(-second_derivatives(density, place, 2.0 * stencil) / (2.0 * STENCIL) ** 2)
    return np.asarray(turn / np.sqrt(np.maximum(size, FLATTEST)))
