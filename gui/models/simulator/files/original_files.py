"""Arguments that name the file an input file was opened from: the program would read that one, which holds no parameters."""

from __future__ import annotations

from pathlib import Path

import msgspec

from bayescope.engine.problem.command_list import Command, commands_of, each_changed
from bayescope.engine.problem.definition import ExtraFile, Simulator
from bayescope.engine.problem.interpreters import first_line_runs
from bayescope.engine.problem.program import is_interpreter
from bayescope.gui.models.simulator.files.loose_files import is_script, put_there


def originals(simulator: Simulator, folder: Path) -> dict[str, str]:
    """Such words of the commands, each with the name of the run's own copy; ``folder``: of the analysis."""
    if simulator.working_folder is not None:
        return {}
    copies = {Path(t.target).name: t.target for t in simulator.templates if t.target}
    found = ((i, word) for one in commands_of(simulator) for i, word in enumerate(one) if word not in copies.values())
    return {
        word: copies[name]
        for i, word in found
        if (name := _name(word)) in copies
        and _is_file(folder, word)
        and (i or _starts(folder / Path(word).expanduser()))
    }


def with_copies(simulator: Simulator, folder: Path) -> Simulator:
    """With the runs' own copies in their place. In a list of commands, other scripts beside such an original are copied, too:
    they read what it writes, which lies in the run's folder then."""
    found = originals(simulator, folder)
    if not found:
        return simulator
    beside = {(folder / Path(word).expanduser()).parent for word in found}
    files: dict[str, Path] = {}
    for command in commands_of(simulator):
        for i, word in enumerate(command):
            path = folder / Path(word).expanduser() if word not in found and _is_file(folder, word) else None
            if (
                path is not None
                and path.parent in beside
                and path.name != word
                and is_script(path)
                and (i or _starts(path))
            ):
                files[word] = path
    names = {**found, **{word: path.name for word, path in files.items()}}

    def copied(command: Command) -> Command:
        first = command[0] if command else ""
        starts = _starts(folder / Path(first).expanduser()) if first in names else ()
        return (*starts, *(names.get(word, word) for word in command))

    there = put_there(simulator)
    new = tuple(ExtraFile(path=str(path.absolute())) for path in files.values() if path.name not in there)
    return msgspec.structs.replace(each_changed(simulator, copied), extra_files=(*simulator.extra_files, *new))


def _starts(script: Path) -> tuple[str, ...]:
    """The words by which a copy of a script is run, as its first line names them; () for a program."""
    words = first_line_runs(script)
    return words if words and is_interpreter(words[0]) else ()


def _name(word: str) -> str:
    return word.replace("\\", "/").rpartition("/")[2]


def _is_file(folder: Path, word: str) -> bool:
    try:
        return "\0" not in word and (folder / Path(word).expanduser()).is_file()
    except (OSError, ValueError, RuntimeError):
        return False
