"""Runs that are shorter than a queue takes to start a job: told once, with what is meant for them."""

from __future__ import annotations

import statistics

from ..problem.numbers.shown_digits import spoken
from ..session.profiles import QUEUES, Profile

SHORT_S = 15.0  # a job's start, its end and what is done between them take 1 to 1.5 s: a tenth of this
ENOUGH = 5  # runs that tell how long they are


class ShortRuns:
    """Of one place, while an analysis runs."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._seconds: list[float] = []

    def note(self, seconds: float) -> str:
        """After each run that took ``seconds``: a sentence or two, once, or ""."""
        p = self._profile
        if not p.queue or p.pilot or len(self._seconds) >= ENOUGH:
            return ""
        self._seconds.append(seconds)
        usual = statistics.median(self._seconds)
        if len(self._seconds) < ENOUGH or usual >= SHORT_S:
            return ""
        return (
            f"Runs take about {spoken(usual, 2)} s each, and {QUEUES[p.queue]} needs a second or more to start a job for "
            f"each. For runs as short as these the place “{p.name}” has a box, “A few long jobs take one run after the "
            "other” (in a terminal: “bayescope where add” with --pilot)."
        )
