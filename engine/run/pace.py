"""How long a run has taken and how long it may still take. Monotonic time: a laptop's sleep does not count."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

_RECENT = 40
FEW = 3  # evaluations before the gaps between them say how they vary
FEW_TO_GROW = 20  # gaps before they say that they grow: the first runs wait for nothing
MOST_GROWTH = 2.0  # times the gaps so far: a trend does not go on for ever
LEAST_SHARE = 0.1  # of the pace so far: what is expected of runs to come may be wrong


class Pace:
    """Elapsed running time (pauses left out) and the gaps between finished evaluations."""

    def __init__(self, before: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._before = before
        self._paused_at: float | None = None
        self._paused = 0.0
        self._silent_from: float | None = None
        self._silent = 0.0
        self._arrivals: list[float] = [0.0]
        self._durations: list[float] = []  # of the runs, in order of arrival
        self.expected_s: float | None = None  # seconds of a run to come, where that is known better than from those made

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

    def silence(self, on: bool) -> None:
        """Whether another computer that runs the simulator does not answer: that nothing arrives says nothing of the pace."""
        if on and self._silent_from is None:
            self._silent_from = self.running_s
        elif not on and self._silent_from is not None:
            self._silent += self.running_s - self._silent_from
            self._silent_from = None

    @property
    def _heard_s(self) -> float:
        """Seconds of this start in which runs could arrive."""
        return (self.running_s if self._silent_from is None else self._silent_from) - self._silent

    @property
    def since_s(self) -> float:
        """Seconds since the last arrival in which another was possible."""
        return max(self._heard_s - self._arrivals[-1], 0.0)

    def arrived(self, duration_s: float) -> None:
        """One more evaluation has returned, whether it counts already or waits for something."""
        self._arrivals.append(self._heard_s)
        self._durations.append(duration_s)

    def remaining(self, evaluations_left: int, at_once: int = 1) -> tuple[float, float] | None:
        """A range in seconds, from the last arrival on (``since_s`` ago), by the pace of the last evaluations, so many
        ``at_once``; None before there is one.

        Where runs to come are expected to take longer, or less long, than those, by that much; where what is computed between
        runs takes longer with each of them, so it goes on. Never faster than runs of that
        length can be, so many at once: those that an earlier start began return together, as soon as they are collected.
        """
        recent = self._arrivals[-_RECENT:]
        n = len(recent) - 1
        if evaluations_left <= 0:
            return 0.0, 0.0
        if n < 1:
            return None
        least = self._least(n) / at_once
        if len(self._durations) < max(at_once, FEW):  # the others under way may be back at once, or come one by one
            slowest = max(self._heard_s / len(self._durations), least)
            return least * evaluations_left, 1.2 * slowest * evaluations_left
        gaps = [b - a for a, b in itertools.pairwise(recent)]
        mean = sum(gaps) / n
        sd = (sum((g - mean) ** 2 for g in gaps) / (n - 1)) ** 0.5
        # two standard errors of the mean pace now, and of the sum to come
        spread = 2.0 * sd * (evaluations_left / n**0.5 + evaluations_left**0.5)
        growth = min(_growth(gaps) * 0.5 * (n + evaluations_left), MOST_GROWTH * mean)  # of a gap to come, on average
        slower = max(1.0 + self._longer(n) / (at_once * mean), LEAST_SHARE) if mean > 0.0 else 1.0
        middle, spread = (slower * mean + growth) * evaluations_left, slower * spread
        middle = max(middle, least * evaluations_left)
        return max(0.3 * middle, middle - spread), max(1.2 * middle, middle + spread)

    def _least(self, n: int) -> float:
        """Seconds of a run to come: as expected, or as the last n took."""
        return self.expected_s if self.expected_s is not None else sum(self._durations[-n:]) / n

    def _longer(self, n: int) -> float:
        """Seconds by which a run to come is expected to take longer than the last n."""
        recent = self._durations[-n:]
        return 0.0 if self.expected_s is None or not recent else self.expected_s - sum(recent) / len(recent)


def _growth(gaps: Sequence[float]) -> float:
    """Seconds by which each gap is longer than the one before, by least squares, shrunk towards none by its own error."""
    n = len(gaps)
    if n < FEW_TO_GROW:
        return 0.0
    mean, squares = sum(gaps) / n, n * (n * n - 1) / 12.0
    slope = sum((k - 0.5 * (n - 1)) * g for k, g in enumerate(gaps)) / squares
    left = sum((g - mean - slope * (k - 0.5 * (n - 1))) ** 2 for k, g in enumerate(gaps)) / (n - 2)
    return slope**3 / (slope**2 + left / squares) if slope > 0.0 else 0.0
