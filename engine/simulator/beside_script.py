"""What a test run wrote beside its program or script rather than into its own folder: a script that changes to its own folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from ..problem import program
from ..problem.bundled import is_bundled
from ..problem.definition import Simulator
from ..problem.errors import SetupError
from ..problem.interpreters import first_line_runs
from ..protocol import TrialBeside

MOST_FILES = 5_000  # looked at below the folder: a case with its meshes, not a home folder
DEEPEST = 6  # folders
MOST_NAMED = 200
MOST_READ, MOST_BYTES = 40, 50_000_000  # of files beside a script that each run may be given a copy of
LARGEST_SCRIPT = 200_000  # bytes; larger ones are programs
_OWN = frozenset({".bayescope", ".bayescope-journal", ".lock", ".pyc"})  # endings of what is ours, or nobody's output
_CHANGES = re.compile(
    r"\s*(?:(?:cd|pushd|builtin cd)\b.*(?:dirname|\$0|\$\{0|BASH_SOURCE|%~dp0)|.*\b(?:os\.chdir|setwd)\b).*", re.IGNORECASE
)


class BesideScript:
    """The state of the folder of the command's program or script when this is made; ``found`` compares with it."""

    def __init__(self, simulator: Simulator, base: Path, run_folder: Path) -> None:
        self._script = _script(simulator, base, run_folder)
        self._place = run_folder.parent
        self._before = {} if self._script is None else self._state(self._script.parent)

    def found(self) -> TrialBeside | None:
        """The files that are new or changed since; None: none."""
        if self._script is None:
            return None
        now = self._state(self._script.parent)
        whole = len(now) < MOST_FILES > len(self._before)  # else a file may be new to the list only
        names = sorted(n for n, state in now.items() if self._before.get(n) != state and (whole or n in self._before))
        if not names:
            return None
        number, line = _folder_line(self._script)
        return TrialBeside(
            folder=str(self._script.parent),
            names=tuple(names[:MOST_NAMED]),
            script=self._script.name,
            line=line,
            number=number,
            started_by=first_line_runs(self._script),
            read=self._may_read(now) if whole else (),
        )

    def _may_read(self, now: dict[str, tuple[int, int]]) -> tuple[str, ...]:
        """What lies in the script's folder as it did before; () where that is much."""
        kept = {n: state[0] for n, state in now.items() if self._before.get(n) == state and n != self._own_name}
        small = len(kept) <= MOST_READ and sum(kept.values()) <= MOST_BYTES
        return tuple(sorted(kept)) if small else ()

    @property
    def _own_name(self) -> str:
        return "" if self._script is None else self._script.name

    def _state(self, folder: Path) -> dict[str, tuple[int, int]]:
        """Size and time of change of the files below ``folder``, hidden ones and folders of runs left out."""
        state: dict[str, tuple[int, int]] = {}
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


def _left_out(folder: str) -> bool:
    return folder.startswith((".", "bayescope-")) or folder == "__pycache__" or folder.endswith(".runs")


def _script(simulator: Simulator, base: Path, run_folder: Path) -> Path | None:
    """The file of the command that may change to its own folder; None: one found by its name alone, or none of the user's."""
    command = simulator.command
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
