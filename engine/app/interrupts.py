"""Ctrl-C and SIGTERM while a command works: what they do then, and as before afterwards, whatever happens."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts(obey: Callable[[], None]) -> Iterator[None]:
    """``obey`` is called in the main thread for each of them."""
    previous = [(number, signal.signal(number, lambda *_: obey())) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield
    finally:
        for number, handler in previous:
            signal.signal(number, handler)
