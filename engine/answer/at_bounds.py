"""Whose answers the bounds of their priors cut off, in a sentence for the summary."""

from __future__ import annotations

from collections.abc import Sequence

from ..problem.numbers.shown_digits import spoken
from .taught import Learnt


def at_bounds(learnt: Sequence[Learnt]) -> str:
    """Which parameters lean on a bound, and what to do; '' where there is none."""
    found = [(r, *r.leans) for r in learnt if r.leans is not None and not r.unfelt]
    each = [f"{r.title} on its {side} bound {spoken(bound)}" for r, side, bound in found]
    if not each:
        return ""
    them, ranges = ("it", "its range") if len(each) == 1 else ("them", "their ranges")
    cut = "the answer" if all(r.settled for r, _, _ in found) else "what is known so far"
    first, _, where = " and ".join(filter(None, (", ".join(each[:-1]), each[-1]))).partition(" on its ")
    return f"{first} leans on its {where}, where the prior cuts {cut} off: if values beyond {them} are possible, widen {ranges}."
