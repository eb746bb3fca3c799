"""How long a run has taken and how long it may still take. Monotonic time: a laptop's sleep does not count."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

_RECENT = 40


class Pace:
    """Elapsed running time (pauses left out) and the gaps between finished evaluations."""

    def __init__(self, before: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._before = before
        self._paused_at: float | None = None
        self._paused = 0.0
        self._arrivals: list[float] = [0.0]

    @property
    def running_s(self) -> float:
        """Seconds since this start, pauses left out."""
        now = self._clock() if self._paused_at is None else self._paused_at
        return now - self._began - self._paused

    @property
    def elapsed_s(self) -> float:
        """Seconds over all starts of this session."""
        return self._before + self.running_s

    def pause(self) -> None:
        if self._paused_at is None:
            self._paused_at = self._clock()

    def go_on(self) -> None:
        if self._paused_at is not None:
            self._paused += self._clock() - self._paused_at
            self._paused_at = None

    def arrived(self) -> None:
        """One more evaluation is finished."""
        self._arrivals.append(self.running_s)

    def remaining(self, evaluations_left: int) -> tuple[float, float] | None:
        """A range in seconds from the pace of the last evaluations; None before there are a few."""
        recent = self._arrivals[-_RECENT:]
        n = len(recent) - 1
        if evaluations_left <= 0:
            return 0.0, 0.0
        if n < 3:
            return None
        gaps = [b - a for a, b in itertools.pairwise(recent)]
        mean = sum(gaps) / n
        sd = (sum((g - mean) ** 2 for g in gaps) / (n - 1)) ** 0.5
        # two standard errors of the mean pace now, and of the sum to come
        spread = 2.0 * sd * (evaluations_left / n**0.5 + evaluations_left**0.5)
        middle = mean * evaluations_left
        return max(0.3 * middle, middle - spread), max(1.2 * middle, middle + spread)
