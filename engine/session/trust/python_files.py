"""Python files that a script may load: all in its folder that can be imported, whatever their names or how they are imported.

Following import statements is not enough: names are computed, packages import by relative names, compiled files come first,
and a library may import a standard module whose name a file beside the script bears.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..descriptors import never_waiting

MAX_FILES = 1_000  # a folder with more is a library, not a model; said on the sheet
MAX_DEPTH = 8  # of packages in packages
SHEBANG_BYTES = 200
_CACHE = "__pycache__"
_SOURCES = (".py", ".pyw")
_MODULES = (*_SOURCES, ".pyc", ".so", ".pyd")
COMPILED = (".pyc", ".nbi", ".nbc")  # in the cache folder; numba's are loaded as code too
_ENVIRONMENT = "pyvenv.cfg"  # marks a virtual environment: its libraries are the computer's own


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


def importable(folder: Path) -> Iterator[Path]:
    """Files in ``folder`` and in folders that may be packages, by name; compiled ones in the cache folders too."""
    queue = [(folder, 0)]
    while queue:
        here, depth = queue.pop()
        for entry in _entries(here):
            path, (stem, ending) = here / entry.name, os.path.splitext(entry.name)
            if _is_folder(entry):
                if entry.name == _CACHE:
                    yield from (path / e.name for e in _entries(path) if e.name.endswith(COMPILED))
                elif entry.name.isidentifier() and depth < MAX_DEPTH and not os.path.exists(path / _ENVIRONMENT):
                    queue.append((path, depth + 1))
            elif ending in _MODULES and stem.split(".")[0].isidentifier():
                yield path


def folders_looked_at(files: list[Path], folder: Path) -> list[Path]:
    """Where a new file would be found besides ``files``."""
    return list(dict.fromkeys([folder, *(file.parent for file in files)]))


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
