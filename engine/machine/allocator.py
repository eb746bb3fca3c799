"""Memory that is freed goes back to the system (Linux): a long run must not keep the largest moment of each of its arrays.

glibc raises its own threshold for large blocks whenever one is freed, up to 32 MB; from then on arrays of a few megabytes lie
among small objects, and the holes between them stay with the process.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from functools import cache

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # malloc.h
_LARGE = 4 * 2**20  # bytes: larger blocks are mapped one by one, and so much may stay free on top
_LARGE_OF_OUTPUTS = 8 * 2**20  # ... where outputs are learnt: 20 covariances of 220 runs
_FREE_OF_OUTPUTS = 64 * 2**20  # ... for the next tensors of a formula: clearing pages anew took as long as the arithmetic
TIDY_SECONDS = 5.0  # between two times that freed memory is given back, while the simulator runs
_ARENAS = 2  # one for the run, one for the threads that wait


def keep_little_freed_memory(outputs: bool = False) -> None:
    """Fix glibc's thresholds for this process; elsewhere nothing happens. ``outputs`` are learnt: tensors of megabytes."""
    mallopt = _of_glibc("mallopt")
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE_OF_OUTPUTS if outputs else _LARGE)
        mallopt(_M_TRIM_THRESHOLD, _FREE_OF_OUTPUTS if outputs else _LARGE)
        mallopt(_M_ARENA_MAX, _ARENAS)


def give_back_freed_memory() -> None:
    """The holes between small objects too: a few milliseconds, and some more when they are needed again."""
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


class NowAndThen:
    """The same while the simulator runs, no more often than it is worth."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def give_back_freed_memory(self) -> None:
        if time.monotonic() - self._last > TIDY_SECONDS:
            self._last = time.monotonic()
            give_back_freed_memory()


@cache
def _of_glibc(name: str) -> Callable[..., int] | None:
    """A function of the C library; None where it has no such function."""
    if sys.platform != "linux":
        return None
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL(None), name)
    except (OSError, AttributeError):
        return None
    return found
