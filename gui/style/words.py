"""Words for people: durations, numbers, how many runs."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence

from bayescope.engine.problem.numbers.shown_digits import spoken

MOST_DIGITS = 15  # of a number that is surely the one meant
OFF = 0.05  # of the least distance between numbers: how far rounding may move one among them


def first_sentence(text: str, room: int = 90) -> str:
    """The first sentence of what is longer than ``room`` characters: for a line that would cut it anywhere."""
    return text if len(text) <= room else re.split(r"(?<=[.!?]) (?=[^a-z])", text, maxsplit=1)[0]


def duration(seconds: float | None) -> str:
    """'8 ms', '0.4 s', '12 s', '3 min 05 s', '2 h 10 min', '3 days 4 h'; a dash for None or NaN."""
    if seconds is None or not math.isfinite(seconds) or seconds < 0:
        return "–"
    if 0 < seconds < 0.0995:
        return f"{max(round(1000 * seconds), 1)} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    s = round(seconds)
    if s < 60:
        return f"{s} s"
    if s < 3600:
        return f"{s // 60} min {s % 60:02d} s"
    if s < 86400:
        return f"{s // 3600} h {s % 3600 // 60:02d} min"
    return f"{s // 86400} d {s % 86400 // 3600} h"


def duration_range(low: float, high: float) -> str:
    """A remaining-time range: 'about 3 min', '2 – 5 min', '40 s – 2 min'."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return "–"
    a, b = _coarse(low), _coarse(high)
    if a == b:
        return f"about {a[0]} {a[1]}" if a[0] else "a moment"
    return f"{a[0]} – {b[0]} {b[1]}" if a[1] == b[1] else f"{a[0]} {a[1]} – {b[0]} {b[1]}"


def _coarse(seconds: float) -> tuple[int, str]:
    s = max(seconds, 0.0)
    if s < 90:
        return (5 * round(s / 5) if s > 10 else round(s)), "s"
    if s < 5400:
        return round(s / 60), "min"
    if s < 172800:
        return round(s / 3600), "h"
    return round(s / 86400), "days"


def number(value: float | None, digits: int = 4) -> str:
    """A number with ``digits`` significant digits, a true minus sign, no trailing zeros; a dash for None or NaN."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return spoken(value, digits).replace("-", "−")


def told_apart(values: Sequence[float], digits: int = 4) -> list[str]:
    """``number`` of each, with as many digits more as tell them apart and keep each where it stands among the others."""
    if not all(math.isfinite(v) for v in values):
        return [number(v, digits) for v in values]
    places = sorted(set(values))
    least = min((b - a for a, b in itertools.pairwise(places)), default=math.inf)
    for more in range(digits, MOST_DIGITS + 1):
        if all(abs(float(f"{v:.{more}g}") - v) <= OFF * least for v in values):
            return [number(v, more) for v in values]
    return [number(v, MOST_DIGITS) for v in values]


def true_minus(text: str) -> str:
    """``text`` with a true minus sign before its numbers."""
    return re.sub(r"(?<![\w.])-(?=[\d.∞])", "−", text)


def aligned(value: float | None) -> str:
    """A log density in a column of them: always three decimals (less is never of interest), so that they line up."""
    if value is None or not math.isfinite(value) or abs(value) >= 1e9:
        return number(value, 7)
    return f"{value:.3f}".replace("-", "−")


def runs_done(done: int, allowed: int, noun: str = "runs") -> str:
    """``12 of 140 runs``; earlier evaluations that were imported are not counted against what is allowed."""
    return f"{done} of {allowed} {noun}" if done <= allowed else f"{done} {noun}"
