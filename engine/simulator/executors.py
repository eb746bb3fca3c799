"""Where simulator runs happen: threads of this machine. A thread per run is enough, because it only waits for its program."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor


MAX_WORKERS = 256  # runs at a time: as many as a declaration may ask for


def local_executor(workers: int = MAX_WORKERS) -> Executor:
    """At most ``workers`` runs at a time on this machine. A thread is made only when a run finds none idle."""
    return ThreadPoolExecutor(workers, thread_name_prefix="simulator")
