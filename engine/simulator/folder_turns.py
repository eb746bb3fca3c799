"""Runs that share a working folder take turns: two at once would overwrite each other's files."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from .run_result import Cancel

_guard = threading.Lock()
_locks: dict[Path, threading.Lock] = {}


@contextlib.contextmanager
def turn(folder: Path, *, alone: bool, cancel: Cancel | None) -> Iterator[bool]:
    """Hold ``folder`` for one run of this process; ``alone``: it is the run's own, so nobody else wants it.

    Yields False if ``cancel`` came before the folder was free.
    """
    if alone:
        yield True
        return
    with _guard:
        lock = _locks.setdefault(folder.resolve(), threading.Lock())
    held = lock.acquire(timeout=0.2)
    while not held and not (cancel is not None and cancel.is_set()):
        held = lock.acquire(timeout=0.2)
    try:
        yield held
    finally:
        if held:
            lock.release()
