"""Where the files of a program and of a study probably lie: beside its script, or its fixed files. Looks whether they exist."""

from __future__ import annotations

import os
from pathlib import Path

from bayescope.engine.problem.command_list import commands_of
from bayescope.engine.problem.definition import Problem, Simulator
from bayescope.engine.problem.program import is_interpreter


def program_folder(simulator: Simulator, folder: Path) -> Path | None:
    """The folder of the first file that the command names with its folder, interpreters left out; None: it names none. Relative
    paths are from ``folder``."""
    for word in (word for one in commands_of(simulator) for word in one):
        path = Path(os.path.expanduser(word))
        if len(path.parts) > 1 and not is_interpreter(path.name) and os.path.isfile(folder / path):  # a script of -c is no path
            return (folder / path).absolute().parent
    return None


def study_folder(problem: Problem, folder: Path) -> Path | None:
    """Where an analysis that was never saved belongs: beside its program or its fixed files; None: it names none.

    Relative paths are from ``folder``.
    """
    simulator = problem.simulator
    if (found := program_folder(simulator, folder)) is not None:
        return found
    for name in (*(extra.path for extra in simulator.extra_files), simulator.working_folder or ""):
        path = folder / os.path.expanduser(name) if name else None
        if path is not None and path.is_dir():
            return path.absolute()
        if path is not None and path.is_file():
            return path.absolute().parent
    return None
