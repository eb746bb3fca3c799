"""Folders of test runs, among the temporary files: made for a window, gone with it; those that a killed one left are swept.

A window shows the files of its test runs, so they stay as long as it lives. Those of a command are looked at when it has ended:
they stay for a day.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import psutil

from . import atomic, folders
from .errors import SessionError
from .lock import process_start
from .places import home

PREFIX = "bayescope-trial-"
MARK = "made-by.json"
KEPT_S = 24 * 3600.0  # where nobody is known to look at it
IDLE_S = 600.0  # of a window that is gone: its programs may be ending
MOST_BYTES = 10_000  # of a mark, which anybody may have written


class Maker(msgspec.Struct, frozen=True):
    """Who looks at a folder: a process (0: nobody known) by its id and start, and the application's data folder."""

    pid: int = 0
    started: str = ""
    home: str = ""


_window = 0  # the process for which this one makes test runs


def work_for(pid: int) -> None:
    """From now on test runs of this process are made for the window ``pid``."""
    global _window
    _window = pid


def new() -> Path:
    """A new folder for a test run, after those that nobody needs are swept. Raises OSError."""
    sweep()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    maker = Maker(_window, (process_start(_window) or "") if _window else "", str(home()))
    with contextlib.suppress(OSError, SessionError):
        atomic.write(folder / MARK, msgspec.json.encode(maker))
    return folder


def sweep(now: float | None = None) -> None:
    """Remove this user's folders that are a day old, or whose window is gone, unless a process works there."""
    now = time.time() if now is None else now
    idle = [folder for folder, maker, changed in _every() if _is_over(maker, now - changed)]
    for folder in _unused(idle):
        folders.remove(folder)


def remove_those(of: Callable[[Maker], bool]) -> None:
    """Remove this user's folders whose maker is one ``of``."""
    for folder, maker, _ in _every():
        if of(maker):
            folders.remove(folder)


def end_of_window() -> None:
    """Remove the folders that were made for this process, and what others left."""
    mine = os.getpid(), process_start(os.getpid())
    remove_those(lambda maker: (maker.pid, maker.started) == mine)
    sweep()


def _is_over(maker: Maker, age: float) -> bool:
    gone = maker.pid > 0 and process_start(maker.pid) != maker.started
    return age > (IDLE_S if gone else KEPT_S)


def _every() -> Iterator[tuple[Path, Maker, float]]:
    """This user's folders, who made them, and when they were last changed."""
    mine = os.getuid() if hasattr(os, "getuid") else None
    for folder in Path(tempfile.gettempdir()).glob(PREFIX + "*"):
        try:
            told = folder.lstat()
            if (mine is None or told.st_uid == mine) and folder.is_dir() and not folder.is_symlink():
                yield folder, _maker(folder), told.st_mtime
        except OSError:
            continue


def _maker(folder: Path) -> Maker:
    """Nobody known where no mark can be read."""
    try:
        with (folder / MARK).open("rb") as file:
            return msgspec.json.decode(file.read(MOST_BYTES), type=Maker)
    except (OSError, msgspec.DecodeError):
        return Maker()


def _unused(candidates: list[Path]) -> list[Path]:
    """Those in which no process works."""
    places = set()
    for process in psutil.process_iter() if candidates else ():
        with contextlib.suppress(psutil.Error, OSError):
            places.add(process.cwd())
    return [c for c in candidates if not any(Path(place).is_relative_to(c) for place in places)]
