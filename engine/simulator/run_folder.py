"""The folder of one run: made fresh, filled with templates and extra files, pruned afterwards."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from ..problem.definition import ExtraFile, Simulator
from ..problem.errors import SetupError
from ..session import folders
from ..session.folders import copy_tree, files_below

STDOUT = "bayescope_stdout.txt"
STDERR = "bayescope_stderr.txt"
STDIN = "bayescope_stdin.txt"
OWN_FILES = frozenset({STDOUT, STDERR, STDIN})
MAX_LISTED = 1000
EXECUTABLE = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


def make_fresh(folder: Path) -> None:
    """An empty folder; what an interrupted or failed earlier attempt of the same run left there is removed.

    Raises SetupError. A folder that does not look like a run folder is never emptied.
    """
    try:
        if folder.is_symlink():
            folder.unlink()  # somebody put it there: it would lead to a folder that is none of ours
        if folder.exists() and any(folder.iterdir()):
            if not (folder / STDOUT).exists():
                raise SetupError(f"The run folder “{folder}” is not empty.", "Move what is in it elsewhere.")
            folders.remove(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STDOUT).touch()
        (folder / STDERR).touch()
    except OSError as error:
        raise SetupError(
            f"The run folder “{folder}” cannot be made: {error.strerror}.",
            "Is the folder of the analysis still there, and may you write to it?",
        ) from None


def discard(folder: Path) -> None:
    """Delete a run folder; what does not look like one stays."""
    if (folder / STDOUT).exists() or (folder / STDERR).exists():
        folders.remove(folder)


def inside(folder: Path, name: str) -> Path:
    """``folder/name``. Raises SetupError if that is outside ``folder``, or one of the application's own files."""
    pure = PurePosixPath(name.replace("\\", "/"))
    bad = not name.strip() or "\0" in name or pure.is_absolute() or PureWindowsPath(name).drive or ".." in pure.parts
    path = folder / Path(*pure.parts)
    if bad or path == folder or not path.parent.resolve().is_relative_to(folder.resolve()):
        raise SetupError(f"“{name}” is not a name for a file in the run folder.", "Use a name such as input.txt.")
    if path.name in OWN_FILES and path.parent == folder:
        raise SetupError(f"The name “{name}” is used by Bayescope itself.", "Choose another name.")
    return path


def write_texts(folder: Path, texts: dict[str, str]) -> None:
    """The filled templates, exactly as they are (line ends too); scripts can be started. Raises SetupError."""
    for target, text in texts.items():
        path = inside(folder, target)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _free(path)
            path.write_bytes(text.encode())
            if text.startswith("#!"):
                path.chmod(path.stat().st_mode | EXECUTABLE)
        except (OSError, UnicodeEncodeError) as error:
            raise SetupError(f"The file “{target}” cannot be written: {error}.", "Is the disk full?") from None


def _free(path: Path) -> None:
    """A link that an extra file put there goes: writing to it would change the file it leads to."""
    if path.is_symlink() or (path.is_file() and path.stat().st_nlink > 1):
        path.unlink()


def bring_extra_files(folder: Path, extra_files: Iterable[ExtraFile], base: Path, most_bytes: float) -> None:
    """Copy or link the fixed files and folders, together at most ``most_bytes`` of copies. Raises SetupError."""
    budget = most_bytes
    for extra in extra_files:
        source = (base / os.path.expanduser(extra.path)).absolute()
        target = inside(folder, extra.target or source.name)
        if not source.exists():
            raise SetupError(
                f"The extra file “{extra.path}” is not there (looked for at “{source}”).",
                "Was it moved or renamed? Choose it again on the Simulator page.",
            )
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if not extra.link or not _link(source, target):
                budget -= _size_to_copy(extra, source, folder, budget)
                if source.is_dir():
                    copy_tree(source, target, _copy_file)
                else:
                    _free(target)
                    shutil.copy2(source, target)
        except (OSError, shutil.Error) as error:
            raise SetupError(f"The extra file “{extra.path}” cannot be copied: {error}.", "Is the disk full?") from None


def _size_to_copy(extra: ExtraFile, source: Path, folder: Path, most_bytes: float) -> int:
    """Bytes of ``source``. Raises SetupError for what must not be copied: too much, itself, or no file at all."""
    if folder.resolve().is_relative_to(source.resolve()):
        raise SetupError(
            f"The extra folder “{extra.path}” holds the run folders themselves, so it cannot be copied into them.",
            "Choose only the files and folders that the program needs, or link instead of copying.",
        )
    if not source.is_dir() and not source.is_file():
        raise SetupError(f"“{extra.path}” is neither a file nor a folder.", "Choose the files that the program needs.")
    size = 0
    for path in [source] if source.is_file() else (Path(entry) for _, entry in files_below(source)):
        size += path.lstat().st_size
        if size > most_bytes:
            raise SetupError(
                f"The extra file or folder “{extra.path}” is too large to be copied for every run "
                f"(more than {most_bytes / 1e6:.0f} MB).",
                "Link it instead of copying, choose less, or raise the limit on a run's files.",
            )
    return size


def _copy_file(source: str, target: str) -> str:
    if not os.path.isfile(source) and not os.path.islink(source):
        raise OSError(f"“{source}” is not an ordinary file")
    _free(Path(target))
    return str(shutil.copy2(source, target, follow_symlinks=False))


def _link(source: Path, target: Path) -> bool:
    try:
        target.symlink_to(source, target_is_directory=source.is_dir())
    except OSError:  # Windows without the right to make links: copy instead
        return False
    return True


def files_in(folder: Path) -> dict[str, int]:
    """Relative names (with /) and sizes of the files below ``folder``, the application's own left out; at most 1000."""
    found: dict[str, int] = {}
    for name, entry in files_below(folder):
        if name in OWN_FILES:
            continue
        try:
            found[name] = entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
        if len(found) >= MAX_LISTED:
            break
    return found


def keeps(simulator: Simulator, ok: bool) -> bool:
    """Whether the user wants the folder of such a run kept."""
    return simulator.keep_runs == "all" or (simulator.keep_runs == "failures" and not ok)
