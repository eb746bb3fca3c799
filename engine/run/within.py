"""How far each point under way is, where a point takes several runs of the program."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from functools import partial

TELL_SECONDS = 0.2  # the window is told no more often


class WithinPoints:
    """``told`` is called from the threads that run the program, now and then."""

    def __init__(self, told: Callable[[], None]) -> None:
        self._told, self._at, self._done = told, 0.0, dict[int, int]()

    def of(self, index: int) -> Callable[[int, int], None]:
        """For ``run_repeated``: takes how many runs of point ``index`` have ended, and how many there will be."""
        return partial(self._ended, index)

    def counts(self, under_way: Container[int]) -> dict[int, int]:
        """Runs ended by point, of those ``under_way``; the others are forgotten."""
        self._done = {index: done for index, done in list(self._done.items()) if index in under_way}
        return dict(self._done)

    def _ended(self, index: int, done: int, total: int) -> None:
        self._done[index] = done
        now = time.monotonic()
        if done < total and now - self._at >= TELL_SECONDS:
            self._at = now
            self._told()
