"""The evaluations as a surrogate may see them, and where runs failed: failed and impossible ones are never numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.loop_interface import Tell

Array = NDArray[np.float64]

NOISELESS_VARIANCE = 1e-5
COMPRESS_BEYOND = 40.0  # times D: drops below the maximum larger than this count logarithmically (RECIPE 3)
SHAPE_BEYOND, SHAPED_VARIANCE, SHAPE_SLOPE = 10.0, 0.1, 0.05  # seed 001 B.3: 10 D, slope .05
WALL = 1e8  # a value this far below the maximum is a wall, not a tail


@dataclass(frozen=True)
class Values:
    """u (n, D), y (n,) true log joint, shaped (n,) the same with very low values compressed, noise variance (n,)."""

    u: Array
    y: Array
    shaped: Array
    noise: Array
    failed: Array  # (f, D) nothing is known there
    impossible: Array  # (i, D) the density is zero there

    @property
    def count(self) -> int:
        return int(self.y.shape[0])

    @property
    def top(self) -> float:
        return float(self.y.max())

    @staticmethod
    def of(told: Sequence[Tell], dimension: int) -> Values:
        points: dict[str, list[Array]] = {"ok": [], "failed": [], "impossible": []}
        rows: list[tuple[float, float]] = []
        known = [t.y for t in told if outcome(t) == "ok" and t.y is not None]
        floor = max(known) - WALL if known else -math.inf
        for t in told:
            kind = outcome(t)
            if kind == "ok" and t.y is not None and t.y < floor:
                kind = "impossible"
            points[kind].append(np.asarray(t.u, dtype=float))
            if kind == "ok" and t.y is not None:
                rows.append((t.y, t.sd))
        u, failed, impossible = (np.array(points[k], dtype=float).reshape(-1, dimension) for k in ("ok", "failed", "impossible"))
        y = np.array([r[0] for r in rows], dtype=float)
        noise = shaping(y, dimension) + np.square(np.array([r[1] for r in rows], dtype=float))
        return Values(u, y, compressed(y, dimension), noise, failed, impossible)


def outcome(t: Tell) -> str:
    """'ok', 'impossible' (density zero) or 'failed' (nothing known)."""
    if t.impossible or (t.y is not None and t.y == -math.inf):
        return "impossible"
    return "ok" if t.y is not None and math.isfinite(t.y) and math.isfinite(t.sd) else "failed"


def shaping(y: Array, dimension: int) -> Array:
    """Variance (n,) of artificial noise that grows as the value falls (after seed 001 eq S17), so that cliffs far below the
    maximum do not bend the surrogate near it: 1e-5 at the maximum, sd .3 at 10 D below it, 5 % of the drop beyond that more."""
    if y.size == 0:
        return y
    drop, threshold = y.max() - y, SHAPE_BEYOND * dimension
    base = NOISELESS_VARIANCE * (SHAPED_VARIANCE / NOISELESS_VARIANCE) ** np.minimum(drop / threshold, 1.0)
    return np.asarray(base + np.square(SHAPE_SLOPE * np.maximum(drop - threshold, 0.0)), dtype=float)


def compressed(y: Array, dimension: int) -> Array:
    """y with drops delta > B = 40 D below the maximum replaced by B (1 + ln(delta / B)) (RECIPE 3)."""
    if y.size == 0:
        return y
    limit = COMPRESS_BEYOND * dimension
    drop = y.max() - y
    far = limit * (1.0 + np.log(np.maximum(drop, limit) / limit))
    return np.asarray(y.max() - np.where(drop > limit, far, drop), dtype=float)
