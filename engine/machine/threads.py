"""One thread per worker: small matrices lose time to thread pools, and the cores belong to the simulators.

Set inside the process, not by environment variables, which the user's simulators would inherit.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import ThreadpoolController, threadpool_limits


def use_one_thread() -> None:
    """Limit BLAS and torch of this process to one thread each; libraries loaded later are not covered."""
    threadpool_limits(limits=1)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


@contextmanager
def one_thread() -> Iterator[None]:
    """The same inside the block alone: for a process that is not ours. Nested and concurrent blocks are fine."""
    torch = sys.modules.get("torch")
    before = None if torch is None else torch.get_num_threads()
    _limit.enter()
    try:
        if torch is not None:
            torch.set_num_threads(1)
        yield
    finally:
        _limit.leave()
        if torch is not None:
            torch.set_num_threads(before)


class _SharedLimit:
    """BLAS settings belong to the process: the first block that is entered limits them, the last that is left restores."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._inside = 0
        self._controller: ThreadpoolController | None = None
        self._modules = 0  # loaded when the controller looked for libraries, which takes it a millisecond
        self._limits: Any = None

    def enter(self) -> None:
        with self._guard:
            if self._inside == 0:
                if self._controller is None or len(sys.modules) != self._modules:
                    self._controller, self._modules = ThreadpoolController(), len(sys.modules)
                self._limits = self._controller.limit(limits=1)
            self._inside += 1

    def leave(self) -> None:
        with self._guard:
            self._inside -= 1
            if self._inside == 0:
                self._limits.restore_original_limits()


_limit = _SharedLimit()
