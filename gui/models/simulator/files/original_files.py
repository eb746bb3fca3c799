"""Arguments that name the file an input file was opened from: the program would read that one, which holds no parameters."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bayescope.engine.problem.definition import Simulator


def originals(simulator: Simulator, folder: Path) -> dict[int, str]:
    """Positions of such words in the command, and the name of the run's own copy; ``folder``: of the analysis."""
    if simulator.working_folder is not None:
        return {}
    copies = {Path(t.target).name: t.target for t in simulator.templates if t.target}
    return {
        i: copies[name]
        for i, word in enumerate(simulator.command)
        if i and word not in copies.values() and (name := _name(word)) in copies and _is_file(folder, word)
    }


def with_copies(simulator: Simulator, folder: Path) -> Simulator:
    """With the runs' own copies in their place."""
    found = originals(simulator, folder)
    command = tuple(found.get(i, word) for i, word in enumerate(simulator.command))
    return msgspec.structs.replace(simulator, command=command)


def _name(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2]


def _is_file(folder: Path, word: str) -> bool:
    try:
        return "\0" not in word and (folder / Path(word).expanduser()).is_file()
    except (OSError, ValueError, RuntimeError):
        return False
