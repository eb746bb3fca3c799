"""Files written whole or not at all, and safe from a power cut once written."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from .errors import SessionError


def write(path: Path | str, content: bytes) -> None:
    """Write beside ``path``, flush, and rename over it. Raises SessionError; an old file of that name is then untouched."""
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            with open(part, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
            flush_folder(path.parent)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise SessionError(
            f"The file could not be written ({error.strerror or error})",
            str(path),
            "Check that the folder is there, that you may write to it, and that the disk has room.",
        ) from error


def flush_file(path: Path) -> None:
    """Its content is safe from a power cut when this returns. Raises OSError."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush_folder(folder: Path) -> None:
    """The names in it are safe when this returns: without it a new, renamed or removed file may be forgotten by a power cut.

    Nothing happens where folders cannot be flushed (Windows, some network disks).
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def flush_tree(folder: Path) -> None:
    """All files and folders below ``folder``, and its own name. A file that cannot be flushed is left to the system."""
    for here, _, names in os.walk(folder):
        for name in names:
            path = Path(here, name)
            if not path.is_symlink():
                with contextlib.suppress(OSError):
                    flush_file(path)
        flush_folder(Path(here))
    flush_folder(folder.parent)
