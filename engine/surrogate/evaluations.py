"""The evaluations as a surrogate may see them, and where runs failed: failed and impossible ones are never numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..loop_interface import Tell

Array = NDArray[np.float64]

NOISE_VARIANCE = 1e-5  # of an exact target (RECIPE 3)
IMPOSSIBLE_BELOW = 1e8  # a value this far below the best is a wall, not a tail: the density there counts as zero


def outcome_of(tell: Tell, top: float = -math.inf, wall: float = IMPOSSIBLE_BELOW) -> str:
    """'ok', 'impossible' (density zero, or ``wall`` below ``top``: as good as zero), 'failed' (nothing known),
    'gap' (a row of a table that lacks some outputs: not that runs fail there) or 'doubted' (a value that may be a lie: it counts
    as nothing at all)."""
    if tell.doubted:
        return "doubted"
    if tell.impossible or (tell.y is not None and tell.y == -math.inf):
        return "impossible"
    if tell.y is None or not math.isfinite(tell.y):
        return "gap" if tell.reason == "gap" else "failed"
    if tell.y < top - wall:
        return "impossible"
    return "ok"


@dataclass(frozen=True)
class Times:
    """Of the runs of which it is known, (n,) each: points (n, D), ``seconds`` they took, ``stopped`` by their limit."""

    points: Array
    seconds: Array
    stopped: NDArray[np.bool_]

    @classmethod
    def of(cls, told: Sequence[Tell], points: Array) -> Times | None:
        """None where none is. A run that failed at once says nothing of how long one takes."""
        known = [k for k, t in enumerate(told) if t.seconds is not None and (t.stopped or outcome_of(t) != "failed")]
        if not known:
            return None
        seconds = np.array([told[k].seconds for k in known], dtype=float)
        return cls(points[known], seconds, np.array([told[k].stopped for k in known], dtype=bool))


@dataclass(frozen=True)
class Evaluations:
    """Outcomes by what they say; points in one frame, in order of arrival.

    Values: ``points`` (n, D), log joint ``y`` (n,), its ``sd`` (n,), ``index`` (n,) of their asks. ``impossible`` (i, D): density
    zero; ``failed`` (f, D): nothing known, for ``reasons`` (f,). ``top``: the largest finite value told, −inf: there is
    none. ``outputs`` (n, L): cells of the values, NaN where none were told; None where none ever were. ``times``: of all runs.
    ``incomplete``: points (q, D) and outputs (q, L), NaN where there are none, of runs without a value that gave some.
    """

    points: Array
    y: Array
    sd: Array
    index: NDArray[np.intp]
    impossible: Array
    failed: Array
    top: float
    outputs: Array | None = None
    times: Times | None = None
    reasons: tuple[str, ...] = ()
    incomplete: tuple[Array, Array] | None = None

    @classmethod
    def of(
        cls, told: Sequence[Tell], dimension: int, into: Callable[[Array], Array], wall: float = IMPOSSIBLE_BELOW
    ) -> Evaluations:
        """``into``: points (n, D) of inference space -> the frame; ``wall``: see ``outcome_of``."""
        top = best_of(told)
        kinds = np.array([outcome_of(t, top, wall) for t in told], dtype=object)
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
            _outputs(ok),
            Times.of(told, points),
            tuple(t.reason for t, kind in zip(told, kinds, strict=True) if kind == "failed"),
            _incomplete(told, kinds, points),
        )

    def rows(self, chosen: NDArray[np.bool_]) -> Evaluations:
        """With those of the values alone that ``chosen`` (n,) says."""
        values = {name: getattr(self, name)[chosen] for name in ("points", "y", "sd", "index")}
        return replace(self, **values, outputs=None if self.outputs is None else self.outputs[chosen])


def _outputs(told: list[Tell]) -> Array | None:
    length = next((len(t.outputs) for t in told if t.outputs is not None), None)
    if length is None:
        return None
    return np.array([np.full(length, math.nan) if t.outputs is None else t.outputs for t in told])


def _incomplete(told: Sequence[Tell], kinds: NDArray[np.object_], points: Array) -> tuple[Array, Array] | None:
    kept = np.isin(kinds, ("failed", "gap", "impossible"))
    without = [(k, t.outputs) for k, t in enumerate(told) if t.outputs is not None and kept[k]]
    some = [(k, f) for k, f in without if not np.isfinite(f).all()]
    return (points[[k for k, _ in some]], np.array([f for _, f in some], dtype=float)) if some else None


def best_of(told: Sequence[Tell]) -> float:
    """The largest finite value; minus infinity if there is none."""
    return max((t.y for t in told if t.y is not None and math.isfinite(t.y) and not t.doubted), default=-math.inf)


@dataclass(frozen=True)
class Counts:
    """How many evaluations are values, failed, impossible. ``far_below``: of the impossible, those that are so only beside the
    best value."""

    ok: int
    failed: int
    impossible: int
    far_below: int


def counted(told: Sequence[Tell]) -> Counts:
    top = best_of(told)
    kinds = [outcome_of(t, top) for t in told]
    ruled_out = sum(outcome_of(t) == "impossible" for t in told)
    impossible = kinds.count("impossible")
    return Counts(kinds.count("ok"), kinds.count("failed"), impossible, impossible - ruled_out)
