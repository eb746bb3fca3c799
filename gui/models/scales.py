"""The scale of a parameter's axis: logarithmic where its prior is spread by factors. Numpy only, no Qt.

On a logarithmic axis a value stands at its decimal logarithm, and a density is per factor of ten: p(x) x ln 10.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bayescope.engine.problem.priors import DECADES, LN10, density_per_decade, is_logarithmic
from bayescope.gui.style.words import number, told_apart

__all__ = ["LN10", "columns_on_axes", "density_on_axis", "is_logarithmic", "log_ticks", "on_axis", "power_words"]

Array = NDArray[np.float64]
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def on_axis(values: ArrayLike, logarithmic: bool) -> Array:
    """Where ``values`` (any shape) stand; NaN: nowhere."""
    x = np.asarray(values, dtype=float)
    if not logarithmic:
        return x
    with np.errstate(all="ignore"):
        return np.where(x > 0, np.log10(x), np.nan)


def columns_on_axes(theta: Array, logarithmic: Sequence[bool]) -> Array:
    """``theta`` (n, D) in the user's units as places on the axes; the same array where no axis is logarithmic."""
    if not any(logarithmic):
        return theta
    return np.stack([on_axis(theta[:, k], log) for k, log in enumerate(logarithmic)], axis=1)


def density_on_axis(x: Array, density: Array, logarithmic: bool) -> Array:
    """Density per unit of the axis, from that per user's unit at ``x``, all (n,)."""
    return density_per_decade(x, density) if logarithmic else density


def nice_ticks(low: float, high: float, count: int = 3) -> list[float]:
    """About ``count`` round numbers inside [low, high]."""
    if not (np.isfinite(low) and np.isfinite(high)) or high <= low:
        return []
    raw = (high - low) / max(count, 1)
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * next((m for m in (1, 2, 2.5, 5, 10) if m * power >= raw), 10)
    first = np.ceil(low / step - 1e-9) * step
    return [float(round(v / step) * step) for v in np.arange(first, high + 1e-9 * step, step)]


# between powers of ten, evenly spread over the logarithm: the first of which enough, and not too many, are seen
NARROW = ((1.0, 1.5, 2.0, 3.0, 5.0, 7.0), (1.0, 2.0, 5.0), (1.0, 3.0))
FEW_POWERS = 3  # of ten on an axis say too little of what stands between them


def log_ticks(low: float, high: float, count: int = 4) -> list[tuple[float, str]]:
    """About ``count`` ticks between the logarithms ``low`` and ``high``: (place, text)."""
    if not (np.isfinite(low) and np.isfinite(high)) or high <= low:
        return []
    if high - low >= DECADES:
        step = max(1, int(np.ceil((high - low) / max(count, 1))))
        first, last = int(np.ceil(low - 1e-9)), int(np.floor(high + 1e-9))
        inside: list[float] = []
        if last - first + 1 < FEW_POWERS:
            for between in ((1.0, 2.0, 5.0), (1.0, 3.0)):
                found = [k + np.log10(m) for k in range(first - 1, last + 1) for m in between]
                inside = [float(x) for x in found if low - 1e-9 <= x <= high + 1e-9]
                if len(inside) <= count:
                    return [(x, number(10.0**x, 4)) for x in inside]
        powers = [(float(k), power_words(k)) for k in range(first, last + 1) if (k - first) % step == 0]
        if len(powers) > 1 or len(inside) < 2:
            return powers
        some = inside[:: -(-len(inside) // max(count, 2))]  # one number alone says nothing of the scale
        return [(x, number(10.0**x, 4)) for x in some]
    for mantissas in NARROW:
        near = range(int(np.floor(low)), int(np.ceil(high)) + 1)
        inside = [x for k in near for m in mantissas if low - 1e-9 <= (x := float(k + np.log10(m))) <= high + 1e-9]
        if FEW_POWERS <= len(inside) <= count:
            return [(x, number(10.0**x, 4)) for x in inside]
    for more in (count, 2 * count):  # one number alone says nothing of the scale
        found = [v for v in nice_ticks(10.0**low, 10.0**high, more) if v > 0]
        if len(found) > 1:
            break
    return [(float(np.log10(v)), text) for v, text in zip(found, told_apart(found), strict=True)]


def power_words(exponent: int) -> str:
    """``10⁻³``."""
    return f"10{str(exponent).translate(_RAISED)}"
