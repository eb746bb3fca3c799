"""Where simulator runs happen: threads of this machine, or a Dask cluster; both are ``concurrent.futures.Executor``.

``executor.submit(run_once, simulator, outputs, values, folder=..., base=..., seed=...)`` is the same for both: all arguments are
plain data. A thread per run is enough here, because it only waits for its program.
"""

from __future__ import annotations

import time
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from .errors import SetupError


def local_executor(workers: int) -> Executor:
    """``workers`` runs at a time on this machine."""
    return ThreadPoolExecutor(workers, thread_name_prefix="simulator")


def dask_client(address: str) -> Any:
    """A ``distributed.Client`` of the scheduler at ``address``. Raises SetupError if there is none, or no Dask."""
    try:
        from distributed import Client
    except ImportError:
        raise SetupError(
            "The part that speaks to a cluster is not installed.", "Install it with: pip install 'bayescope[cluster]'"
        ) from None
    try:
        return Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise SetupError(
            f"There is no Dask scheduler at “{address}”: {error}.",
            "Start one (dask scheduler), or check the address; firewalls often block it.",
        ) from None


def dask_executor(client: Any) -> Executor:
    """Runs on a cluster, given a ``distributed.Client`` (``dask_client``, or of ``dask_jobqueue`` for Slurm, PBS, LSF, SGE).

    The analysis' folder must be on a file system that the workers share. As many runs at a time as the cluster has threads.
    """
    executor: Executor = client.get_executor(pure=False)
    return executor


class ClusterCancel:
    """The ``cancel`` argument of ``run_once`` on a cluster; an event that lives in the scheduler, asked once a second."""

    def __init__(self, name: str, client: Any = None) -> None:
        self._name = name
        self._client = client
        self._set = False
        self._asked = 0.0

    def __reduce__(self) -> tuple[type[ClusterCancel], tuple[str]]:
        return ClusterCancel, (self._name,)

    def _event(self) -> Any:
        from distributed import Event

        return Event(self._name, client=self._client)

    def set(self) -> None:
        """Stop the runs that were given this."""
        self._event().set()
        self._set = True

    def is_set(self) -> bool:
        now = time.monotonic()
        if not self._set and now - self._asked > 1.0:
            self._asked = now
            self._set = bool(self._event().is_set())
        return self._set
