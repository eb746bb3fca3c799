"""Which file a command starts: relative paths, the search path, bundled programs, interpreters with a script."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import bundled

_INTERPRETER = re.compile(r"(?:python|pypy)[0-9.]*|perl|ruby|Rscript|octave(?:-cli)?|julia|node|lua|bash|dash|zsh|ksh|sh")
_CMD = ("cmd", "cmd.exe")  # the command interpreter of Windows: cmd /c script.cmd
_TAKES_A_VALUE = {"-W", "-X", "-I", "-L", "-r", "--eval", "-E"}
_NO_SCRIPT = {"-c", "-m", "-e", "--eval", "-", "-s", "--version", "-E"}


@dataclass(frozen=True)
class Program:
    """``arguments``: what is started, first the file; ``chosen``: the program as the user wrote it.

    ``script``: position in ``arguments`` of the script that an interpreter runs, None if there is none.
    ``found``: False if nothing of that name is there (``arguments`` is then as given).
    """

    arguments: tuple[str, ...]
    chosen: str
    found: bool
    script: int | None = None


def resolve(
    command: Sequence[str], base: Path, run_folder: Path, environment: Mapping[str, str], where: Path | None = None
) -> Program:
    """Where the program of a filled command is. Relative paths are from ``base`` first, then from the run folder, then from
    ``where``, the chosen working folder.

    Raises SetupError for an unknown bundled program.
    """
    chosen = command[0]
    if bundled.is_bundled(chosen):
        return Program((*bundled.resolve(chosen), *command[1:]), chosen, True)
    places = [base, run_folder] if where is None else [base, run_folder, where]
    path = _find(chosen, places, environment)
    arguments = [str(path) if path else chosen, *map(_in_home, command[1:])]
    script = _script_position(arguments)
    if script is not None:
        for folder in (run_folder, *places):
            if os.path.isfile(folder / arguments[script]):
                arguments[script] = str((folder / arguments[script]).absolute())
                break
    return Program(tuple(arguments), chosen, path is not None, script)


def _in_home(argument: str) -> str:
    """``~/file`` as a shell gives it to a program: the path in the home folder."""
    return os.path.expanduser(argument) if argument.startswith(("~/", "~" + os.sep)) else argument


def _find(chosen: str, places: Sequence[Path], environment: Mapping[str, str]) -> Path | None:
    expanded = os.path.expanduser(chosen)
    has_folder = os.sep in expanded or (os.altsep is not None and os.altsep in expanded)
    if not has_folder:
        hit = shutil.which(expanded, path=environment.get("PATH"))
        if hit:
            return Path(hit).absolute()
    for folder in places:
        candidate = folder / expanded
        if os.path.lexists(candidate):
            return candidate.absolute()
        if sys.platform == "win32" and (hit := shutil.which(expanded, path=str(folder))):
            return Path(hit).absolute()
    return None


def _script_position(arguments: Sequence[str]) -> int | None:
    """Where an interpreter's command line names its script."""
    if Path(arguments[0]).name.lower() in _CMD:
        after = next((i + 1 for i, word in enumerate(arguments) if word.lower() == "/c"), len(arguments))
        return after if after < len(arguments) else None
    if not is_interpreter(arguments[0]):
        return None
    i = 1
    while i < len(arguments):
        argument = arguments[i]
        if argument in _NO_SCRIPT or argument.startswith("--eval="):
            return None
        if not argument.startswith("-"):
            return i
        i += 2 if argument in _TAKES_A_VALUE and len(argument) == 2 and argument not in ("-I", "-E") else 1
    return None


def program_name(command: Sequence[str]) -> str:
    """Its file's name; of an interpreter the name of the script it runs; "" where none is declared."""
    if not any(command[:1]):
        return ""
    return Path(command[_script_position(command) or 0].removeprefix(bundled.PREFIX)).name


def is_interpreter(program: str) -> bool:
    """Whether a program runs scripts, by its name."""
    return bool(_INTERPRETER.fullmatch(Path(program).name.removesuffix(".exe")))
