"""What a test run wrote beside its program or script rather than into its own folder: a script that changes to its own folder."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path

from ..problem import program
from ..problem.bundled import is_bundled
from ..problem.command_list import Command, commands_of
from ..problem.definition import Simulator
from ..problem.errors import SetupError
from ..problem.interpreters import first_line_runs
from ..protocol import TrialBeside

MOST_FILES = 5_000  # looked at below the folder: a case with its meshes, not a home folder
DEEPEST = 6  # folders
MOST_NAMED = 200
MOST_READ, MOST_BYTES = 40, 50_000_000  # of files beside a script that each run may be given a copy of
LARGEST_SCRIPT = 200_000  # bytes; larger ones are programs
State = dict[str, tuple[int, int]]  # of the files below a folder: size and time of change
_OWN = frozenset({".bayescope", ".bayescope-journal", ".lock", ".pyc"})  # endings of what is ours, or nobody's output
_CHANGES = re.compile(
    r"\s*(?:(?:cd|pushd|builtin cd)\b.*(?:dirname|\$0|\$\{0|BASH_SOURCE|%~dp0)|.*\b(?:os\.chdir|setwd)\b).*",
    re.IGNORECASE,
)


class BesideScript:
    """The state of the folders of the command's programs or scripts when this is made; ``found`` compares with it."""

    def __init__(self, simulator: Simulator, base: Path, run_folder: Path) -> None:
        self._place = run_folder.parent
        self._scripts: dict[Path, list[Path]] = {}  # by their folder, in the order in which they run
        for command in commands_of(simulator):
            script = _script(command, base, run_folder)
            if script is not None and script not in self._scripts.setdefault(script.parent, []):
                self._scripts[script.parent].append(script)
        self._before = {folder: self._state(folder) for folder in self._scripts}

    def found(self) -> TrialBeside | None:
        """The files that are new or changed since, in the first folder where any is; None: none."""
        return next((found for folder in self._scripts if (found := self._found(folder)) is not None), None)

    def _found(self, folder: Path) -> TrialBeside | None:
        now, before, scripts = self._state(folder), self._before[folder], self._scripts[folder]
        whole = len(now) < MOST_FILES > len(before)  # else a file may be new to the list only
        names = sorted(n for n, state in now.items() if before.get(n) != state and (whole or n in before))
        if not names:
            return None
        script = next((one for one in scripts if _folder_line(one)[0]), scripts[0])
        number, line = _folder_line(script)
        return TrialBeside(
            folder=str(folder),
            names=tuple(names[:MOST_NAMED]),
            script=script.name,
            line=line,
            number=number,
            started_by=first_line_runs(script),
            read=_may_read(before, now, {one.name for one in scripts}) if whole else (),
            also=tuple((one.name, first_line_runs(one)) for one in scripts if one != script),
        )

    def _state(self, folder: Path) -> State:
        """Size and time of change of the files below ``folder``, hidden ones and folders of runs left out."""
        state: State = {}
        for place, folders, names in os.walk(folder):
            here = Path(place)
            deep = len(here.relative_to(folder).parts)
            folders[:] = sorted(f for f in folders if deep < DEEPEST and not _left_out(f) and here / f != self._place)
            for name in sorted(names):
                if name.startswith(".") or Path(name).suffix in _OWN:
                    continue
                try:
                    stat = os.stat(here / name)
                except OSError:
                    continue
                state[(here / name).relative_to(folder).as_posix()] = (stat.st_size, stat.st_mtime_ns)
                if len(state) >= MOST_FILES:
                    return state
        return state


def _may_read(before: State, now: State, scripts: Collection[str]) -> tuple[str, ...]:
    """What lies in the scripts' folder as it did ``before``, without themselves; () where that is much."""
    kept = {n: state[0] for n, state in now.items() if before.get(n) == state and n not in scripts}
    small = len(kept) <= MOST_READ and sum(kept.values()) <= MOST_BYTES
    return tuple(sorted(kept)) if small else ()


def _left_out(folder: str) -> bool:
    return folder.startswith((".", "bayescope-")) or folder == "__pycache__" or folder.endswith(".runs")


def _script(command: Command, base: Path, run_folder: Path) -> Path | None:
    """The file of a command that may change to its own folder; None: one found by its name alone, or none of the user's."""
    if not command or not command[0] or is_bundled(command[0]):
        return None
    try:
        found = program.resolve(command, base, run_folder, os.environ)
    except (SetupError, OSError, ValueError):
        return None
    named = found.arguments[found.script or 0]
    path = Path(named)
    own = found.script is not None or len(Path(command[0]).parts) > 1
    return path if own and path.is_absolute() and path.is_file() and os.access(path.parent, os.W_OK) else None


def _folder_line(script: Path) -> tuple[int, str]:
    """Number and text of the line that changes to the script's folder; 0 and empty if none is seen."""
    try:
        content = script.read_bytes() if script.stat().st_size <= LARGEST_SCRIPT else b""
    except OSError:
        return 0, ""
    lines = () if b"\0" in content else content.decode("utf-8", "replace").splitlines()
    told = next(((i, line) for i, line in enumerate(lines, 1) if _CHANGES.fullmatch(line)), None)
    return (0, "") if told is None else (told[0], told[1].strip()[:200])
