"""What remains of a run of the method between two arrivals: a range told as of the last one, counted down since. Pure."""

from __future__ import annotations

from dataclasses import dataclass

Range = tuple[float, float]


@dataclass(frozen=True)
class Remaining:
    """For so many runs ``left``, ``at_once`` of which are under way: ``whole`` (s) from the last arrival on, ``since_s`` ago."""

    whole: Range
    left: int
    at_once: int = 1
    since_s: float = 0.0

    def of(self, runs: int) -> Range:
        """Seconds until so many of them have come back, never negative.

        Time takes from those under way alone: that they are late says nothing of the others.
        """
        low, high = (max(seconds, 0.0) / self.left if self.left > 0 else 0.0 for seconds in self.whole)
        coming = max(min(self.at_once, runs), 0)
        low, high = (each * (runs - coming) + max(each * coming - self.since_s, 0.0) for each in (low, high))
        return low, high

    @property
    def late(self) -> bool:
        """Whether those under way are not back though all of them were thought to be."""
        coming = min(self.at_once, self.left)
        return coming > 0 and self.since_s > max(self.whole[1], 0.0) * coming / self.left
