"""Where simulator runs happen: threads of this machine. A thread per run is enough, because it only waits for its program."""

from __future__ import annotations

import threading
from concurrent.futures import Executor, ThreadPoolExecutor

from ..machine.thread_start import NoThread


def local_executor(workers: int) -> Executor:
    """``workers`` runs at a time on this machine; fewer where it has no room for as many threads.

    All threads are started here: where one cannot be, ``submit`` raises although it has taken the run.
    Raises NoThread where there is no room for a single one.
    """
    pool, gate, started = ThreadPoolExecutor(workers, thread_name_prefix="simulator"), threading.Event(), 0
    try:
        for _ in range(workers):
            pool.submit(gate.wait)
            started += 1
    except (RuntimeError, MemoryError) as error:
        gate.set()
        pool.shutdown(wait=started > 0, cancel_futures=True)
        if not started:
            raise NoThread(error) from error
        return local_executor(started)
    gate.set()
    return pool


class LocalThreads:
    """The threads of one analysis: a larger pool is added when more runs at a time are allowed."""

    def __init__(self) -> None:
        self._pools: list[Executor] = []

    def pool(self, workers: int) -> Executor:
        """Threads for so many runs at a time. Raises NoThread."""
        self._pools.append(local_executor(workers))
        return self._pools[-1]

    def shutdown(self) -> None:
        """Waits for what is under way; what has not begun does not begin."""
        for pool in self._pools:
            pool.shutdown(wait=True, cancel_futures=True)
