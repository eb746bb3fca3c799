"""One export written by a process of its own: ``bayescope export`` of this very program. It can be ended from another thread."""

from __future__ import annotations

import contextlib
import glob
import subprocess
import threading
import time
from pathlib import Path

from bayescope.engine.machine.frozen import this_program

CLOCK = 2.0  # s by which the time of a file may lie behind ours
MOST_WORDS = 2000  # of what it says went wrong
NO_CONSOLE = getattr(subprocess, "CREATE_NO_WINDOW", 0)


class ExportFailed(Exception):
    """Why nothing was written, in a sentence for people."""


class ExportProcess:
    """Writes one export of a session; ``cancelled`` once ``cancel`` was called."""

    def __init__(self) -> None:
        self.cancelled = self._over = False
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()  # between the thread that writes and the one that cancels

    def run(self, file: Path, option: str, path: Path, count: int, seed: int) -> None:
        """Returns when ``path`` is written, over a file of that name, or writing was cancelled. Raises ExportFailed, OSError."""
        wanted = [f"{option}={path.absolute()}", f"-n={count}", f"--seed={seed}", "--force"]
        with self._lock:
            if self.cancelled:
                return
            before = _identity(path)
            self._process = subprocess.Popen(
                [*this_program(), "export", str(file.absolute()), *wanted],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                creationflags=NO_CONSOLE,
            )
        started = time.time()
        _, said = self._process.communicate()
        with self._lock:
            self._over = True
        if self._process.returncode == 0 or (self.cancelled and _identity(path) != before):
            self.cancelled = False  # it was written before it could be ended, or ended after it was
        elif self.cancelled:
            _clear_away(path, started)
        else:
            words = said.strip().splitlines()[-1] if said.strip() else f"it ended with status {self._process.returncode}."
            raise ExportFailed(words.removeprefix("bayescope: ")[:MOST_WORDS])

    def cancel(self) -> None:
        """End it; nothing half written is left. Returns at once; ``run`` returns soon after."""
        with self._lock:
            if self._over:
                return  # too late: it is written, or why not is said
            self.cancelled = True
            if self._process is not None:
                self._process.terminate()


def _identity(path: Path) -> tuple[int, int] | None:
    """Another for every file that is put there; None: there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _clear_away(path: Path, since: float) -> None:
    """What ``session.atomic`` had begun beside ``path``; the process had no time to do it itself."""
    with contextlib.suppress(OSError):
        for part in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
            if part.stat().st_mtime >= since - CLOCK:
                part.unlink(missing_ok=True)
