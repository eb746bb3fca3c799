"""Numbers on an axis whose values are very small, very large or nearly alike: what all share is said once, in its name. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

SMALL, LARGE = 1e-3, 1e6  # values between them are written as they are
MOST_ALIKE = 1e5  # times the range that a value may be and still be written whole
MOST_ALIKE_LARGE = 1e4  # ... from ``WHOLE`` on, where six digits are all there are
WHOLE = 1e4
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Shared:
    """What the numbers of an axis are: (value - ``start``) / 10**``power``; ``words`` stand behind the axis's name."""

    start: float = 0.0
    power: int = 0
    words: str = ""

    def strings(self, values: list[float], spacing: float) -> list[str]:
        """The numbers at ``values``, with as many decimals as tell ticks ``spacing`` apart."""
        unit = 10.0**self.power
        decimals = max(0, -math.floor(math.log10(spacing / unit) + 1e-6)) if spacing > 0 else 0
        shown = [round((v - self.start) / unit, decimals) + 0.0 for v in values]
        return [f"{v:.{decimals}f}".replace("-", "−") for v in shown]


def shared(low: float, high: float) -> Shared:
    """For an axis from ``low`` to ``high``; without words: nothing is to be shared."""
    size, span = max(abs(low), abs(high)), high - low
    if not (math.isfinite(size) and math.isfinite(span)) or span <= 0.0 or size == 0.0:
        return Shared()
    alike = size / span
    if alike > (MOST_ALIKE if size < WHOLE else MOST_ALIKE_LARGE):
        step = 10.0 ** math.floor(math.log10(span))
        start = round(0.5 * (low + high) / step) * step
        power = _power(0.5 * span)
        digits = math.ceil(math.log10(alike)) + 1
        less = f" {'−' if start > 0 else '+'} {_typeset(f'{abs(start):.{digits}g}')}" if start else ""
        return Shared(start, power, less + _in(power))
    power = _power(size)
    return Shared(0.0, power, _in(power))


def _power(size: float) -> int:
    return 0 if SMALL <= size < LARGE else math.floor(math.log10(size))


def _in(power: int) -> str:
    return f", in 10{str(power).translate(_RAISED)}" if power else ""


def _typeset(text: str) -> str:
    digits, _, power = text.partition("e")
    return f"{digits}×10{str(int(power)).translate(_RAISED)}" if power else digits
