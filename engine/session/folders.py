"""Folders that a program filled: walking, copying and deleting them, however deep, without ever following a link.

Nothing here recurses: a program may nest thousands of folders, and then path names are too long as well.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path


def files_below(folder: Path | str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything below ``folder`` that is no folder, links included: (relative name with /, entry), by name.

    What cannot be looked at is passed over; what lies too deep for a path name too.
    """
    queue = [""]
    while queue:
        inside = queue.pop()
        try:
            with os.scandir(os.path.join(folder, inside)) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        folders = []
        for entry in entries:
            name = f"{inside}/{entry.name}" if inside else entry.name
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)
            else:
                yield name, entry
        queue += reversed(folders)


def copy_tree(source: Path, target: Path, copy_file: Callable[[str, str], object] | None = None) -> None:
    """Copy the folder ``source`` into ``target`` (made if need be); links stay links. Nothing happens if it is no folder.

    ``copy_file``: for what is no folder; by default special files (pipes, devices) are left out. Raises OSError.
    """
    if source.is_symlink() or not source.is_dir():
        return
    copy = copy_file or _copy_ordinary
    queue = [""]
    while queue:
        inside = queue.pop()
        here, there = os.path.join(source, inside), os.path.join(target, inside)
        os.makedirs(there, exist_ok=True)
        with os.scandir(here) as entries:
            for entry in entries:
                name = os.path.join(inside, entry.name)
                if entry.is_dir(follow_symlinks=False):
                    queue.append(name)
                else:
                    copy(entry.path, os.path.join(target, name))


def _copy_ordinary(source: str, target: str) -> None:
    if os.path.islink(source) or os.path.isfile(source):
        shutil.copy2(source, target, follow_symlinks=False)


def remove(folder: Path | str) -> None:
    """Delete ``folder`` and all that is in it. Never raises, never follows a link; what cannot be deleted stays."""
    try:
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            os.unlink(folder)
        elif sys.platform == "win32":
            shutil.rmtree(folder, onerror=_allow_and_retry)
        else:
            _remove_flat(folder)
    except (OSError, RecursionError):
        return


if sys.platform == "win32":

    def _allow_and_retry(function: Callable[[str], object], path: str, error: object) -> None:
        with contextlib.suppress(OSError):
            os.chmod(path, stat.S_IWRITE)
            function(path)
else:
    _FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

    def _remove_flat(folder: Path | str) -> None:
        """Folders found inside folders are moved right below ``folder`` before they are emptied: no long path names."""
        with contextlib.suppress(OSError):
            os.chmod(folder, 0o700)
        top = os.open(folder, _FOLDER)
        token = secrets.token_hex(4)
        try:
            waiting, moved = _empty(top, top, token, 0)
            while waiting:
                name = waiting.pop()
                with contextlib.suppress(OSError):
                    os.chmod(name, 0o700, dir_fd=top)
                try:
                    descriptor = os.open(name, _FOLDER, dir_fd=top)
                except OSError:
                    continue
                try:
                    more, moved = _empty(descriptor, top, token, moved)
                finally:
                    os.close(descriptor)
                waiting += more
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=top)
        finally:
            os.close(top)
        os.rmdir(folder)

    def _empty(descriptor: int, top: int, token: str, moved: int) -> tuple[list[str], int]:
        """Unlink the files of one open folder and move its folders below ``top``; their names there, how many so far."""
        folders = []
        with os.scandir(descriptor) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if not entry.is_dir(follow_symlinks=False):
                        os.unlink(entry.name, dir_fd=descriptor)
                    elif descriptor == top:
                        folders.append(entry.name)
                    else:
                        with contextlib.suppress(OSError):  # moving a folder needs the right to write into it
                            os.chmod(entry.name, 0o700, dir_fd=descriptor)
                        moved += 1
                        name = f".{token}-{moved}"
                        os.rename(entry.name, name, src_dir_fd=descriptor, dst_dir_fd=top)
                        folders.append(name)
        return folders, moved
