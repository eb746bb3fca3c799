"""On which device a run's computing happened, in seconds: what is announced is what was measured."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PROCESSOR = ""  # its name in ``seconds``; a graphics processor has the name its maker gave it
Clock = Callable[[], float]


class ComputingTime:
    """Of one run. ``processor_clock``: CPU seconds of the thread that asks; ``wall_clock``: seconds that pass."""

    def __init__(self, processor_clock: Clock = time.thread_time, wall_clock: Clock = time.perf_counter) -> None:
        self._processor_clock, self._wall_clock = processor_clock, wall_clock
        self._guard = threading.Lock()
        self._seconds: dict[str, float] = {}

    @property
    def seconds(self) -> dict[str, float]:
        """Device -> seconds so far: CPU time on the processor, time until the work was done on a graphics processor."""
        with self._guard:
            return dict(self._seconds)

    @contextmanager
    def counting(self) -> Iterator[None]:
        """What is computed inside, in this thread, is this run's: on the processor, unless ``computing_on`` says otherwise."""
        token = _counting.set(self)
        begun = self._processor_clock()
        try:
            yield
        finally:
            _counting.reset(token)
            self._add(PROCESSOR, self._processor_clock() - begun)

    @contextmanager
    def on_device(self, device: str) -> Iterator[None]:
        """Inside ``counting``: a stretch of it that the device ``device`` computes while the processor feeds it and waits."""
        begun, wall = self._processor_clock(), self._wall_clock()
        try:
            yield
        finally:
            self._add(device, self._wall_clock() - wall)
            self._add(PROCESSOR, begun - self._processor_clock())

    def _add(self, device: str, seconds: float) -> None:
        with self._guard:
            self._seconds[device] = self._seconds.get(device, 0.0) + seconds


def counted_now() -> ComputingTime | None:
    """That of the run that this thread computes for."""
    return _counting.get()


_counting: ContextVar[ComputingTime | None] = ContextVar("computing time", default=None)
