"""Ctrl-C and SIGTERM while a command works, and the end of the engine with its window."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts(obey: Callable[[], None]) -> Iterator[None]:
    """``obey`` is called in the main thread for each of them; afterwards all is as before, whatever happens."""
    previous = [(number, signal.signal(number, lambda *_: obey())) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield
    finally:
        for number, handler in previous:
            signal.signal(number, handler)


def die_with_window() -> None:
    """Linux: killed by the kernel when the window dies, even while stopped; elsewhere the end of stdin must do.

    The guardian (session/orphans.py) then ends the simulators.
    """
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, int(signal.SIGKILL), 0, 0, 0)
