"""The engine's end of the pipe to its guardian, which ends the simulators if the engine dies (session/orphans.py)."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

from ..session import orphans


class Guardian:
    """Started with the first simulator and again should it ever be gone. On Windows the job object does its work."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._groups: set[int] = set()
        self._lock = threading.Lock()

    @property
    def pid(self) -> int:
        """Of the guardian's process; 0 while there is none."""
        with self._lock:
            return 0 if self._process is None else self._process.pid

    def ensure(self) -> None:
        """Have a guardian. That none can be started must not stop the analysis: the window sweeps as well."""
        if sys.platform == "win32":
            return
        with self._lock:
            alive = self._process is not None and self._process.poll() is None and self._owner == os.getpid()
            if alive:
                return
            environment = {k: v for k, v in os.environ.items() if k != orphans.RUN_VARIABLE}
            try:
                self._process = subprocess.Popen(
                    orphans.guard_command(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    cwd="/", env=environment, start_new_session=True,
                )  # fmt: skip
            except OSError:
                self._process = None
                return
            self._owner = os.getpid()
            self._send(f"engine {orphans.engine_id()}")
            for group in self._groups:
                self._send(f"+ {group}")

    def started(self, group: int) -> None:
        with self._lock:
            self._groups.add(group)
            self._send(f"+ {group}")

    def ended(self, group: int) -> None:
        with self._lock:
            self._groups.discard(group)
            self._send(f"- {group}")

    def _send(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            try:
                os.write(self._process.stdin.fileno(), line.encode() + b"\n")
            except (OSError, ValueError):
                self._process = None  # it is gone; the next run starts another


guardian = Guardian()
