"""The packed application (PyInstaller): what starts it again, and the environment that it was started in."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

SEARCH_PATH = "LD_LIBRARY_PATH"  # PyInstaller's start puts the application's own folder before what the user has there
MARKS = ("_PYI_", "_MEIPASS")  # variables by which processes of a packed application know each other
CONSOLE_PROGRAM = "bayescope-console.exe"  # Windows: a program made for windows has no standard streams


def is_frozen() -> bool:
    return bool(getattr(sys, "frozen", False))


def packed_program() -> list[str]:
    """What starts the packed application again, with standard streams."""
    beside = Path(sys.executable).with_name(CONSOLE_PROGRAM)
    return [str(beside) if sys.platform == "win32" and beside.exists() else sys.executable]


def this_program() -> list[str]:
    """What starts this very program again; arguments are to follow."""
    if is_frozen():
        return packed_program()
    return [sys.executable, "-P", "-m", "bayescope.gui"]  # -P: never import from the current folder


def users_environment(environment: Mapping[str, str], own_folder: str) -> dict[str, str]:
    """``environment`` as it was before the packed application, whose libraries lie in ``own_folder``, was started in it."""
    found = {name: value for name, value in environment.items() if not name.startswith(MARKS)}
    before, sign, after = found.get(SEARCH_PATH, "").partition(os.pathsep)
    if before == own_folder:
        del found[SEARCH_PATH]
        if sign:
            found[SEARCH_PATH] = after
            if found.get(f"{SEARCH_PATH}_ORIG") == after:
                del found[f"{SEARCH_PATH}_ORIG"]
    return found


def restore_environment() -> None:
    """At the start of the packed application: from here on no program that it starts inherits anything of ours."""
    wanted = users_environment(os.environ, str(getattr(sys, "_MEIPASS", "")))
    for name in set(os.environ) - set(wanted):
        del os.environ[name]
    os.environ.update(wanted)
