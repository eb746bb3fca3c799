"""Where the files of a program probably lie: beside its script, or beside the program. Looks whether they exist."""

from __future__ import annotations

import os
from pathlib import Path

from bayescope.engine.problem.definition import Simulator
from bayescope.engine.problem.program import is_interpreter


def program_folder(simulator: Simulator, folder: Path) -> Path | None:
    """The folder of the first file that the command names with its folder, interpreters left out; None: it names none. Relative
    paths are from ``folder``."""
    for word in simulator.command:
        path = Path(os.path.expanduser(word))
        if len(path.parts) > 1 and not is_interpreter(path.name) and (folder / path).is_file():
            return (folder / path).absolute().parent
    return None
