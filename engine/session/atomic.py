"""Files written whole or not at all, and safe from a power cut once written.

Nothing that is there is replaced without leave, a session by nothing but a session. ``put_in_place`` is the only function of the
application that writes over an existing file (checked by packaging/forbidden.py).
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path

from . import descriptors
from .errors import FileIsThere, SessionError
from .schema import HEAD_BYTES, is_session_head

SQLITE_SIDECARS = ("-journal", "-wal", "-shm")  # what SQLite applies to whatever file bears the name
SIDECARS = (*SQLITE_SIDECARS, ".lock")
WINDOWS_BAD_NAME = 123  # ERROR_INVALID_NAME
_NAME_REFUSED = (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ)


def write(path: Path | str, content: bytes, *, replace: bool = False, mode: int = 0o666) -> None:
    """Write beside ``path``, flush, and move it there.

    ``replace``: the user agreed to lose a file of that name. ``mode``: who may read and write it, less the user's mask.
    Raises SessionError (FileIsThere without leave, or where a session would be lost); an old file of that name is then untouched.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            put_in_place(part, path, replace=replace)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise SessionError(
            f"The file could not be written ({error.strerror or error})",
            str(path),
            "Check that the folder is there, that you may write to it, and that the disk has room.",
        ) from error


def refuse_existing(path: Path | str, *, replace: bool) -> None:
    """Raises FileIsThere if ``write`` would refuse ``path``: to be asked before long work."""
    path = Path(path)
    _refuse_special(path)
    if os.path.lexists(path) and (not replace or is_session(path)):
        raise _is_there(path, replace)


def refuse_unwritable(path: Path | str) -> None:
    """Raises SessionError, with the reason in words, where no file ``path`` could be written: to be asked before long work.

    A file of another name is made beside it and removed; what is there is not touched.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        if path.is_dir():
            raise SessionError(f"“{path.name}” is the name of a folder there", str(path), "Choose another name.")
        try:
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        what, advice = _why_unwritable(path, error)
        raise SessionError(what, str(path), advice) from error
    except ValueError as error:  # a character that no file system takes
        raise SessionError("No file can have that name", str(path), "Choose another name.") from error


def _why_unwritable(path: Path, error: OSError) -> tuple[str, str]:
    """What happened and what to try."""
    other, folder = "Choose another place.", path.parent
    if error.errno in _NAME_REFUSED or getattr(error, "winerror", None) == WINDOWS_BAD_NAME:
        long = error.errno == errno.ENAMETOOLONG
        return f"The name is {'too long' if long else 'not possible'} on that disk", "Choose another, shorter name."
    if not folder.is_dir():
        return f"The folder “{folder}” is not there (any more)", other
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"You may not write to the folder “{folder}”", other
    if error.errno == errno.EROFS:
        return f"The disk that the folder “{folder}” is on can only be read", other
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return f"There is no room left for a file in “{folder}”", "Make room there, or choose another place."
    return f"No file can be written to the folder “{folder}” ({error.strerror or error})", other


def is_session(path: Path) -> bool:
    """Whether ``path`` holds a session, by its first bytes."""
    try:
        return path.is_file() and is_session_head(descriptors.head(path, HEAD_BYTES))
    except OSError:
        return False


def put_in_place(part: Path, path: Path, *, replace: bool, over_session: bool = False) -> None:
    """Give the complete file ``part`` the name ``path``, in one step, and flush the folder.

    ``over_session``: the user agreed to lose the very session that is there. Raises FileIsThere, OSError.
    """
    _refuse_special(path)
    if not replace:
        _move_to_free_name(part, path)
    elif not over_session and is_session(path):
        raise _is_there(path, replace)
    else:
        os.replace(part, path)
    flush_folder(path.parent)


def _move_to_free_name(part: Path, path: Path) -> None:
    try:
        try:
            os.link(part, path)  # unlike a rename it never overwrites
            part.unlink()
        except (FileExistsError, FileNotFoundError):
            raise
        except (OSError, AttributeError, NotImplementedError):  # a file system without hard links
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
            os.replace(part, path)
    except FileExistsError as error:
        raise _is_there(path, False) from error


def move_aside(path: Path) -> None:
    """Rename ``path`` to a name that is free, since it contains chance. Raises OSError."""
    os.rename(path, path.with_name(f"{path.name}.{secrets.token_hex(4)}.old"))


def give_folder_its_name(part: Path, folder: Path) -> None:
    """Rename the finished folder ``part``, where no file or folder with content bears the name; safe on disk. Raises OSError."""
    os.rename(part, folder)  # fails where there is any but an empty folder
    flush_folder(folder.parent)


def flush_file(path: Path | str) -> None:
    """Its content is safe from a power cut when this returns. Raises OSError."""
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush_folder(folder: Path | str) -> None:
    """The names in it are safe when this returns: without it a new, renamed or removed file may be forgotten by a power cut.

    Nothing happens where folders cannot be flushed (Windows, some network disks).
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def flush_tree(folder: Path) -> None:
    """All files and folders below ``folder``, and its own name. What cannot be flushed is left to the system."""
    queue = [str(folder)]
    while queue:
        here = queue.pop()
        with contextlib.suppress(OSError), os.scandir(here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    queue.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    with contextlib.suppress(OSError):
                        flush_file(entry.path)
        flush_folder(here)
    flush_folder(folder.parent)


def _refuse_special(path: Path) -> None:
    """Raises SessionError for a pipe or a device, and for a name under which SQLite looks for the rest of a session."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise SessionError("There is no ordinary file of that name", str(path), "Choose another name.")
    for ending in SIDECARS:
        if path.name.endswith(ending) and is_session(path.with_name(path.name.removesuffix(ending))):
            what = "A file of that name would be taken for a part of the analysis beside it"
            raise SessionError(what, str(path), "Choose another name.")


def _is_there(path: Path, replace: bool) -> FileIsThere:
    if replace:
        return FileIsThere(
            "An analysis is kept in the file of that name, so it is not replaced", str(path), "Choose another name."
        )
    return FileIsThere("There is a file of that name already", str(path), "Choose another name.")
