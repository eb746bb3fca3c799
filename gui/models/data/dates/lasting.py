"""Lengths of time as people say them, and where rows lie that a program's times do not reach. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.numbers.shown_digits import spoken

Array = NDArray[np.float64]
MINUTE, HOUR, DAY = 60.0, 3600.0, 86_400.0
HOURS_TO = 2 * DAY  # longer ones are said in days


def lasting(seconds: float) -> str:
    """How long: 45 s, 30 min, 12 h, 1 day, 36 h, 2.5 days."""
    long = abs(seconds)
    if abs(long - DAY) < 0.5:
        return "1 day"
    if long >= HOURS_TO - 0.5:
        return f"{spoken(long / DAY, 3)} days"
    unit, word = (HOUR, "h") if long >= HOUR - 0.5 else (MINUTE, "min") if long >= MINUTE - 0.5 else (1.0, "s")
    return f"{spoken(long / unit, 3)} {word}"


def apart(seconds: float) -> str:
    """How far a time is from another one: 3 h after, 2 days before."""
    return "at the same time" if abs(seconds) < 0.5 else f"{lasting(seconds)} {'after' if seconds > 0 else 'before'}"


def beyond(keys: Array, times: Array, unit: float) -> str:
    """Where keys (n,) without a partner lie beside the times (m,) of a program, in ``unit`` seconds: “2 lie 3 days before the
    program's first”; '' where none lies before or after all of them."""
    known = times[np.isfinite(times)]
    if not len(known):
        return ""
    parts = []
    for far, side, end in ((known.min() - keys, "before", "first"), (keys - known.max(), "after", "last")):
        out = far[far > 0.0] * unit
        if len(out):
            lie = "lies" if len(out) == 1 else "lie" if np.allclose(out, out[0]) else "lie up to"
            parts.append(f"{len(out)} {lie} {lasting(float(out.max()))} {side} the program's {end}")
    return " and ".join(parts)
