"""Run folders that others add to a folder: each is one run, and is read once it has everything and is not written to any more.

A folder is waited for as long as it takes: until the problem's own reading finds parameters and outputs in it, and its files
have stayed the same for ``SETTLED_S``. Half a file may be read without an error, and mean something else.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from ..problem.definition import Problem
from ..problem.errors import ProblemError
from .appended import tables_in
from .sources import MAX_FOLDERS, FoundRun, read_run, table_of
from .table import Table

SETTLED_S = 6.0  # three looks: a program that writes its files one after another pauses less
LOOK_S = 2.0  # of one look; what is left is read at the next
MOST_FILES_SEEN = 200  # of one run folder, whose sizes and times tell whether it is still written to
NAMED = 3  # folders named among those that are waited for

Signature = tuple[tuple[str, int, int], ...]


class Incomplete(msgspec.Struct):
    """``since``: when its files were first seen as they are (monotonic seconds); ``why`` it cannot be read, if it was tried."""

    signature: Signature
    since: float
    why: str = ""


@dataclass
class Waiting:
    """What is remembered between looks, by name of the folder."""

    folders: dict[str, Incomplete] = field(default_factory=dict)


@dataclass(frozen=True)
class FolderLook:
    """``table``: the runs of folders that were completed since, None if there are none; ``taken``: every folder that is known
    then; ``words``: what is waited for, or out of the ordinary; ``trouble``: whether that needs a person."""

    table: Table | None
    taken: tuple[str, ...]
    words: str = ""
    trouble: bool = False


def holds_run_folders(path: Path) -> bool:
    """Whether an import of ``path`` reads its subfolders, each as a run."""
    try:
        return path.is_dir() and (any(p.is_dir() for p in path.iterdir()) or not tables_in(path))
    except OSError:
        return False


def look_at_folders(
    path: Path, known: Collection[str], waiting: Waiting, problem: Problem, now: float | None = None
) -> FolderLook:
    """``known``: names of those that were taken; ``waiting`` is brought up to date; ``now``: monotonic seconds."""
    now = time.monotonic() if now is None else now
    try:
        there = sorted(p.name for p in path.iterdir() if not p.name.startswith(".") and p.is_dir())[:MAX_FOLDERS]
    except OSError as error:
        words = f"{path.name} cannot be read ({error.strerror or error}); it is looked for."
        return FolderLook(None, tuple(known), words, trouble=True)
    taken = set(known).intersection(there)  # one that was removed and comes again is another run
    fresh = [name for name in there if name not in taken]
    for name in set(waiting.folders).difference(fresh):
        del waiting.folders[name]
    runs, until = list[FoundRun](), time.monotonic() + LOOK_S
    for name in fresh:
        if time.monotonic() > until:
            break
        run = _completed(path / name, waiting, problem, now)
        if run is not None:
            runs.append(run)
            taken.add(name)
            del waiting.folders[name]
    table = table_of(runs, problem, path.name) if runs else None
    return FolderLook(table, tuple(sorted(taken)), _words(waiting))


def _completed(folder: Path, waiting: Waiting, problem: Problem, now: float) -> FoundRun | None:
    """None: not yet."""
    try:
        found = _signature(folder)
    except OSError:  # removed, or not readable for us yet
        waiting.folders.pop(folder.name, None)
        return None
    before = waiting.folders.get(folder.name)
    if before is None or before.signature != found:
        waiting.folders[folder.name] = Incomplete(found, now)
        return None
    if before.why or now - before.since < SETTLED_S:
        return None
    try:
        run = read_run(folder, problem)
        return run if _signature(folder) == found else None
    except ProblemError as error:
        before.why = error.what
    except OSError as error:
        before.why = f"A file cannot be read ({error.strerror or error})."
    return None


def _signature(folder: Path) -> Signature:
    """Names, sizes and times of its files, those in its own folders too. Raises OSError."""
    found = []
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            stat = os.lstat(Path(place, name))
            found.append((str(Path(place, name)), stat.st_size, stat.st_mtime_ns))
            if len(found) >= MOST_FILES_SEEN:
                return tuple(found)
    return tuple(found)


def _words(waiting: Waiting) -> str:
    """Of those that stay as they are and cannot be read."""
    stuck = [(name, w.why) for name, w in waiting.folders.items() if w.why]
    if not stuck:
        return ""
    names = ", ".join(name for name, _ in stuck[:NAMED]) + (", …" if len(stuck) > NAMED else "")
    folders = "1 folder is" if len(stuck) == 1 else f"{len(stuck):,} folders are"
    return f"{folders} not complete and waited for ({names}: {stuck[0][1].rstrip('.')})."
