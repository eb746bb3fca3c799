"""Keeping relative paths right when a problem moves from one folder to another."""

from __future__ import annotations

import os
import shutil
from pathlib import Path, PurePath

import msgspec

from .definition import Problem
from .placeholders import find


def relocate(problem: Problem, old: Path, new: Path) -> Problem:
    """``problem`` with the paths that were relative to folder ``old`` made relative to ``new`` (absolute on another drive).

    Extra files and the working folder always; of the command the program if it has a folder in its name or lies in ``old``
    and not on the search path, and other arguments only if they name a file that is there. What the run folder holds (templates,
    extra files) keeps its name: the program reads it there.
    """
    old, new = old.resolve(), new.resolve()
    return problem if old == new else _relocated(problem, old, new)


def absolute_paths(problem: Problem, folder: Path) -> Problem:
    """``problem`` with the paths that were relative to ``folder`` made absolute (which of them: see ``relocate``)."""
    return _relocated(problem, folder.resolve(), None)


def _relocated(problem: Problem, old: Path, new: Path | None) -> Problem:
    simulator = problem.simulator
    own = {PurePath(t.target) for t in simulator.templates}
    own |= {PurePath(f.target or PurePath(f.path).name) for f in simulator.extra_files}
    command = tuple(_argument(word, i == 0, old, new, own) for i, word in enumerate(simulator.command))
    extra = tuple(msgspec.structs.replace(f, path=_moved(f.path, old, new)) for f in simulator.extra_files)
    folder = None if simulator.working_folder is None else _moved(simulator.working_folder, old, new)
    moved = msgspec.structs.replace(simulator, command=command, extra_files=extra, working_folder=folder)
    return msgspec.structs.replace(problem, simulator=moved)


def _argument(word: str, program: bool, old: Path, new: Path | None, own: set[PurePath]) -> str:
    """``own``: what the run folder holds by these names."""
    if word.startswith(("bayescope:", "-")) or find(word) or not word or "\0" in word:
        return word
    if PurePath(word) in own and not (program and os.path.isfile(old / word)):  # a program is looked for in ``old`` first
        return word
    if program and PurePath(word).name == word and (shutil.which(word) or not os.path.isfile(old / word)):
        return word  # found on the search path
    if not program and not os.path.isfile(old / word):
        return word
    return _moved(word, old, new)


def _moved(path: str, old: Path, new: Path | None) -> str:
    if not path or os.path.isabs(os.path.expanduser(path)):
        return path
    if new is None:
        return os.path.normpath(old / path)
    try:
        return os.path.relpath(old / path, new)
    except ValueError:  # another drive
        return str(old / path)
