"""What runs a script that cannot be started by itself: Rscript for .R, java -jar for .jar."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

# by the ending of the file: the words to put before it; of several the first that this computer has
_RUN_BY: dict[str, tuple[tuple[str, ...], ...]] = {
    ".r": (("Rscript",),),
    ".py": (("python3",), ("python",)),
    ".m": (("octave",), ("octave-cli",)),
    ".jl": (("julia",),),
    ".pl": (("perl",),),
    ".sh": (("bash",), ("sh",)),
    ".bash": (("bash",),),
    ".rb": (("ruby",),),
    ".js": (("node",),),
    ".jar": (("java", "-jar"),),
}
_FIRST_BYTES = 4096
_ENV = ("env", "-S")  # /usr/bin/env -S python3 -u


def run_by(path: Path) -> tuple[str, ...]:
    """The words that run a script of this ending, by what is installed; () for any other file."""
    known = _RUN_BY.get(path.suffix.lower(), ())
    return next((words for words in known if shutil.which(words[0])), known[0] if known else ())


def first_line_runs(path: Path) -> tuple[str, ...]:
    """The words of a script's first line that run it, as a shell would: python3 of #!/usr/bin/env python3; () where none do."""
    try:
        with path.open("rb") as file:
            head = file.read(_FIRST_BYTES)
    except OSError:
        return ()
    if not head.startswith(b"#!"):
        return ()
    words = head[2:].split(b"\n", 1)[0].decode("utf-8", "replace").split()
    if words and Path(words[0]).name == _ENV[0]:
        words = words[2:] if words[1:2] == [_ENV[1]] else words[1:]
    return tuple(words)


def interpreter_of(path: Path) -> tuple[str, ...]:
    """The words that must stand before the file ``path`` to run it; () where it starts by itself, or that is not known."""
    words = run_by(path)
    if not words:
        return ()
    try:
        with path.open("rb") as file:
            head = file.read(_FIRST_BYTES)
    except OSError:
        return ()
    if path.suffix.lower() == ".jar":
        return words
    by_itself = sys.platform != "win32" and head.startswith(b"#!") and os.access(path, os.X_OK)
    return () if by_itself or b"\0" in head else words
