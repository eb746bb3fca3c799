"""Where temporary files go when the system's folders for them cannot be written: a folder of the application's own.

Python itself would take the current folder, and fill a user's folder with files that a crash leaves there.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

OF_THE_USER = ("TMPDIR", "TEMP", "TMP")  # as Python reads them
OF_THE_SYSTEM = ("/tmp", "/var/tmp", "/usr/tmp")


def _may_write(folder: str | Path) -> bool:
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


def system_folder() -> str:
    """The system's or the user's folder for temporary files that can be written; "": there is none."""
    if os.name == "nt":
        import tempfile  # every start of the program comes here: it is loaded only where it is needed

        return tempfile.gettempdir()
    named = [os.environ[name] for name in OF_THE_USER if os.environ.get(name)]
    return next((folder for folder in (*named, *OF_THE_SYSTEM) if _may_write(folder)), "")


def use_own_where_needed(own: Path) -> bool:
    """From now on ``tempfile`` makes its files in ``own`` if nothing else can be written; whether that is so."""
    if system_folder():
        return False
    with contextlib.suppress(OSError):
        own.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not _may_write(own):
        return False
    import tempfile

    tempfile.tempdir = str(own)
    return True


def unwritable() -> str:
    """What to do about a folder for temporary files that cannot be written; "": all is well."""
    told = next((os.environ[name] for name in OF_THE_USER if os.environ.get(name)), "")
    folder = told or OF_THE_SYSTEM[0]
    if os.name == "nt" or _may_write(folder):
        return ""
    return (
        f"The folder for temporary files, {folder}, cannot be written. Make it writable, or name another one in the environment "
        "variable TMPDIR before you start Bayescope. Some programs write to /tmp whatever TMPDIR says."
    )
