"""The evaluations as the surrogate sees them: never dropped, very low values compressed (RECIPE 3) and less binding (001 3.5)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..loop_interface import Tell

Array = NDArray[np.float64]

NOISE_VARIANCE = 1e-5  # of an exact target (RECIPE 3)
SHAPED_BEYOND, SHAPING_SLOPE = 5.0, 0.2  # nats per dimension below the top; sd per nat beyond
IMPOSSIBLE_BELOW = 1e8  # a value this far below the best is a wall, not a tail: the density there counts as zero


def outcome_of(tell: Tell, top: float = -math.inf) -> str:
    """'ok', 'impossible' (density zero, or so far below ``top`` that it is as good as zero) or 'failed' (nothing known)."""
    if tell.impossible or (tell.y is not None and tell.y == -math.inf):
        return "impossible"
    if tell.y is None or not math.isfinite(tell.y):
        return "failed"
    if tell.y < top - IMPOSSIBLE_BELOW:
        return "impossible"
    return "ok"


@dataclass(frozen=True)
class Evaluations:
    """Outcomes by what they say; points in one frame, in order of arrival.

    Values: ``points`` (n, D), log joint ``y`` (n,), its ``sd`` (n,), ``index`` (n,) of their asks. ``impossible`` (i, D): density
    zero; ``failed`` (f, D): nothing known. ``top``: the largest finite value told, minus infinity if there is none.
    """

    points: Array
    y: Array
    sd: Array
    index: NDArray[np.intp]
    impossible: Array
    failed: Array
    top: float

    @classmethod
    def of(cls, told: Sequence[Tell], dimension: int, into: Callable[[Array], Array]) -> Evaluations:
        """``into``: points (n, D) of inference space -> the frame."""
        top = best_of(told)
        kinds = np.array([outcome_of(t, top) for t in told], dtype=object)
        u = np.array([t.u for t in told], dtype=float).reshape(-1, dimension)
        points = into(u) if len(u) else u
        ok = [t for t, kind in zip(told, kinds, strict=True) if kind == "ok"]
        return cls(
            points[kinds == "ok"],
            np.array([t.y for t in ok], dtype=float),
            np.array([t.sd for t in ok], dtype=float),
            np.array([t.index for t in ok], dtype=np.intp),
            points[kinds == "impossible"],
            points[kinds == "failed"],
            top,
        )

    def counts(self) -> tuple[int, int, int]:
        """How many are values, failed, impossible."""
        return len(self.y), len(self.failed), len(self.impossible)


def best_of(told: Sequence[Tell]) -> float:
    """The largest finite value; minus infinity if there is none."""
    return max((t.y for t in told if t.y is not None and math.isfinite(t.y)), default=-math.inf)


def compressed(y: Array, dimension: int) -> tuple[Array, float]:
    """(shaped y - ymax (n,), ymax). Drops below B = 40 D grow only logarithmically (RECIPE 3)."""
    top = float(y.max())
    limit = 40.0 * dimension
    drop = top - y
    far = drop > limit
    shaped = drop.copy()
    shaped[far] = limit * (1.0 + np.log(drop[far] / limit))
    return -shaped, top


def shaping_variance(shaped: Array, dimension: int) -> Array:
    """Noise shaping (seed 001 section 3.5): variances (n,) that grow with the drop -shaped (n,) beyond 5 D nats.

    How low a place is that holds no mass need not be known exactly; fitted exactly, drops of hundreds of nats decide the
    hyperparameters, and the posterior is off by the misfit (measured: Lotka-Volterra 8-D, log evidence .15 to .35 low).
    """
    return np.asarray(np.square(SHAPING_SLOPE * np.maximum(0.0, -shaped - SHAPED_BEYOND * dimension)))
