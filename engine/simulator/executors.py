"""Where simulator runs happen: threads of this machine. A thread per run is enough, because it only waits for its program."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor


def local_executor(workers: int) -> Executor:
    """``workers`` runs at a time on this machine."""
    return ThreadPoolExecutor(workers, thread_name_prefix="simulator")
