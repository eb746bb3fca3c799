"""How many digits of a number are printed: as many as the answer's accuracy supports. Pure functions of the figures.

``resolution`` is the size of which two digits are shown: the standard deviation, or more where the answer is known less well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..problem.numbers.shown_digits import TIMES, power_of_ten, spoken

NARROW = 5.0  # sd / width: two digits of an sd of 0.1 are hundredths, of which such a part is two wide
ROUGH = 10.0  # an error of the answer above a tenth of the sd: the sd's second digit is noise
MOST_DIGITS_BESIDE = 6  # of a value beside its limit; closer than that they are the same to people
FINEST_PART = 50.0  # of an interval's width: finer digits of an end near zero tell nothing of the interval
FINEST = 1e-6  # of a number: finer errors of it are of no use to anybody
COARSEST = 10.0 / 3.0  # the last digit is a third of the sd at most: intervals of different levels stay different


def resolution(sd: float, relative_error: float) -> float:
    """``sd``, and up to COARSEST times as much where the answer's own error is above a tenth of it.

    ``relative_error``: of the answer, in units of sd; one that is not known counts as the largest.
    """
    if not math.isfinite(relative_error):
        return COARSEST * sd
    return sd * min(max(1.0, ROUGH * relative_error), COARSEST)


def decimals_for(resolution: float) -> int:
    """Decimals that show two significant digits of ``resolution``; negative: tens, hundreds ..."""
    if not (math.isfinite(resolution) and resolution > 0):
        return 4
    return 1 - math.floor(math.log10(resolution))


def plain(value: float, resolution: float) -> str:
    """For files and terminals: ``12.35``; powers of ten for very large and very small numbers."""
    if not math.isfinite(value):
        return "not finite"
    decimals = decimals_for(resolution)
    size = max(abs(value), resolution if math.isfinite(resolution) else 0.0)
    if size >= 1e6 or size < 1e-4:
        return _as_power(value, decimals if math.isfinite(resolution) and resolution > 0.0 else None)
    return f"{round(value, decimals) + 0.0:.{max(decimals, 0)}f}"  # no minus zero


def _as_power(value: float, decimals: int | None) -> str:
    """``1.231e-05``: down to the same decimal as in full; three digits where the resolution is not known."""
    if decimals is None or value == 0.0:
        return f"{value + 0.0:.3g}"
    digits = decimals + math.floor(math.log10(abs(value)))
    return "0" if digits < -1 else f"{value:.{min(max(digits, 0), 15)}e}"


def typeset(value: float, resolution: float, beside: float = 0.0) -> str:
    """For the window: a true minus sign, ``1.25 × 10⁶``. ``beside``: the other end of an interval; both are written alike."""
    if not math.isfinite(value):
        return "not finite"
    decimals = decimals_for(resolution)
    size = max(abs(value), abs(beside), resolution if math.isfinite(resolution) else 0.0)
    if size and (size >= 1e6 or size < 1e-3):
        power = math.floor(math.log10(size))
        digits = max(0, min(decimals + power, 15))
        return f"{round(value / 10.0**power, digits) + 0.0:.{digits}f}{power_of_ten(power)}".replace("-", "−")
    decimals = min(decimals, 15)
    return f"{round(value, decimals) + 0.0:.{max(decimals, 0)}f}".replace("-", "−")


def with_error(value: float, error: float, minus: str = "-") -> str:
    """``-12.346 ± 0.052``: a number and its standard error, two digits of it, with the same decimals; the number alone, with two
    decimals, where the error is not known. Errors below a millionth of the number are written as one."""
    if not math.isfinite(value):
        return "not known"
    if not (math.isfinite(error) and error > 0.0):
        return f"{round(value, 2) + 0.0:.2f}".replace("-", minus)
    error = max(error, FINEST * abs(value))
    number, times, power = typeset(value, error).partition(TIMES)
    beside = typeset(error, error, value).partition(TIMES)[0]
    return (f"({number} ± {beside}){times}{power}" if times else f"{number} ± {beside}").replace("−", minus)


def rough(value: float) -> str:
    """Two significant digits, never as a power of ten: ``0.31``, ``140``, ``over a million``."""
    size = abs(value)
    if not math.isfinite(value) or size >= 1e6:
        return "over a million" if size >= 1e6 else "an unknown amount"
    if size >= 99.5:  # rounds to 100, which two digits would write as a power
        return f"{round(value, 1 - math.floor(math.log10(size))):.0f}"
    return f"{value:.2g}" if size >= 1e-3 or size == 0 else "less than 0.001"


def rough_beside(value: float, limit: float) -> str:
    """As ``rough``, with as many more digits as tell ``value`` from ``limit``: ``0.302`` beside 0.3."""
    words, digits = rough(value), 2
    while words == spoken(limit) and value != limit and digits < MOST_DIGITS_BESIDE:
        digits += 1
        words = f"{value:.{digits}g}"
    return words


def correlation(value: float) -> str:
    """Two decimals, of two parameters never those of one and the same: +0.18, +0.999."""
    words = f"{value:+.2f}"
    return words if words[1:] != "1.00" else f"{max(-0.999, min(0.999, value)):+.3f}"


def of_intervals(parts: Sequence[tuple[float, float]], sd: float, resolution: float) -> float:
    """The resolution at which all ends are written: the mean's, but finer where that would hardly show a part's width."""
    narrowest = min(b - a for a, b in parts)
    if not (math.isfinite(sd) and sd > 0.0 and math.isfinite(resolution)):
        return narrowest / 3.0
    return resolution if narrowest >= sd / NARROW else narrowest * resolution / sd


def own_step(value: float, step: float, width: float) -> float:
    """The size of which two digits of one end of an interval are shown: two digits of the end itself at least, or a skew interval
    that begins near a bound would begin with the same number at every level; but no end is told finer than the width asks for.
    """
    if not (math.isfinite(value) and math.isfinite(width)):
        return step
    own = max(abs(value), abs(width) / FINEST_PART)
    return min(step, own) if own > 0.0 else step


def end_steps(interval: tuple[float, float], sd: float, resolution: float) -> tuple[float, float]:
    """The sizes of which two digits of either end are shown of an interval of one part."""
    low, high = interval
    step = of_intervals([interval], sd, resolution)
    return own_step(low, step, high - low), own_step(high, step, high - low)


def sd_step(sd: float, step: float) -> float:
    """The size of which two digits of a standard deviation are shown: of itself, even where the answer is known less well, or it
    would seem another one than that of the draws."""
    return min(step, sd) if math.isfinite(sd) and sd > 0.0 else step


def percent(share: float) -> str:
    """In whole per cents: 33 %."""
    return f"{100 * share:.0f} %"
