"""Times of a clock without dates that run past midnight: after 23:30 comes 00:00, which is 24:00 of the same day."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

DAY = 86400.0  # s


def midnight(seconds: Sequence[float | None]) -> int | None:
    """The first row (from 0) behind midnight, where times of the day in s rise from row to row but for one fall, and reach over
    less than a day in all; None: they do not. Whole days of several stations below each other fall back, too."""
    known = [(i, s) for i, s in enumerate(seconds) if s is not None]
    falls = [i for (_, before), (i, now) in pairwise(known) if now < before]
    if len(falls) != 1 or any(not 0.0 <= s <= DAY for _, s in known) or known[-1][1] >= known[0][1]:
        return None
    return falls[0]


def going_on(seconds: Sequence[float | None]) -> list[float | None]:
    """The times with a day more behind midnight."""
    at = midnight(seconds)
    return [s if s is None or at is None or i < at else s + DAY for i, s in enumerate(seconds)]


def midnight_words(column: str, cells: Sequence[str | None], seconds: Sequence[float | None]) -> str:
    """That times run past midnight, a sentence; '' where they do not."""
    at = midnight(seconds)
    if at is None:
        return ""
    before = next(cells[i] for i in range(at - 1, -1, -1) if seconds[i] is not None)
    return (
        f"Column “{column}” runs past midnight (after {before} comes {cells[at]}): used as times in s, min, h or d it goes on "
        "counting."
    )
