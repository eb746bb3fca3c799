"""Python files that a script may load: all in its folder that can be imported, whatever their names or how they are imported.

Following import statements is not enough: names are computed, packages import by relative names, compiled files come first,
and a library may import a standard module whose name a file beside the script bears.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..descriptors import never_waiting

MAX_FILES = 1_000  # a folder with more is a library, not a model; said on the sheet
MAX_DEPTH = 100  # of packages in packages; path names end before
SHEBANG_BYTES = 200
_CACHE = "__pycache__"
_SOURCES = (".py", ".pyw")
_MODULES = (*_SOURCES, ".pyc", ".so", ".pyd")
COMPILED = (".pyc", ".nbi", ".nbc")  # in the cache folder; numba's are loaded as code too


def is_python(script: Path) -> bool:
    """Whether ``script`` is run by Python: by its ending, or by its first line."""
    if script.suffix in _SOURCES or os.path.isdir(script):
        return True
    try:
        with open(script, "rb", opener=never_waiting) as file:
            first = file.read(SHEBANG_BYTES).split(b"\n", 1)[0]
    except (OSError, ValueError):  # ValueError: a NUL character in the name
        return False
    return first.startswith(b"#!") and b"python" in first


def importable(folder: Path) -> tuple[list[Path], list[Path]]:
    """Files in ``folder`` and in folders that may be packages, the nearest first, at most MAX_FILES, compiled ones in the cache
    folders too; and all folders looked at, in which others may appear."""
    found: list[Path] = []
    queue = [folder]
    for here in queue:
        for entry in _entries(here):
            path, ending = here / entry.name, os.path.splitext(entry.name)[1]
            if _is_folder(entry):
                if "." not in entry.name and len(path.parts) - len(folder.parts) <= MAX_DEPTH and len(queue) < MAX_FILES:
                    queue.append(path)  # a name with a dot cannot be imported
            elif ending in (COMPILED if is_compiled_cache(path) else _MODULES):
                found.append(path)
                if len(found) == MAX_FILES:
                    return found, queue
    return found, queue


def is_compiled_cache(path: Path) -> bool:
    return path.parent.name == _CACHE


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
