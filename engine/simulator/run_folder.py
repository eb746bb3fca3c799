"""The folder of one run: made fresh, filled with templates and extra files, pruned afterwards."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

from ..problem.definition import ExtraFile, Simulator
from .errors import SetupError

STDOUT = "bayescope_stdout.txt"
STDERR = "bayescope_stderr.txt"
STDIN = "bayescope_stdin.txt"
OWN_FILES = frozenset({STDOUT, STDERR, STDIN})
MAX_LISTED = 1000


def make_fresh(folder: Path) -> None:
    """An empty folder; what an interrupted or failed earlier attempt of the same run left there is removed.

    Raises SetupError. A folder that does not look like a run folder is never emptied.
    """
    try:
        if folder.exists() and any(folder.iterdir()):
            if not (folder / STDOUT).exists():
                raise SetupError(f"The run folder “{folder}” is not empty.", "Move what is in it elsewhere.")
            remove(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STDOUT).touch()
        (folder / STDERR).touch()
    except OSError as error:
        raise SetupError(
            f"The run folder “{folder}” cannot be made: {error.strerror}.",
            "Is the folder of the analysis still there, and may you write to it?",
        ) from None


def inside(folder: Path, name: str) -> Path:
    """``folder/name``. Raises SetupError if that is outside ``folder``, or one of the application's own files."""
    pure = PurePosixPath(name.replace("\\", "/"))
    bad = not name.strip() or "\0" in name or pure.is_absolute() or PureWindowsPath(name).drive or ".." in pure.parts
    path = folder / Path(*pure.parts)
    if bad or path == folder or not path.parent.resolve().is_relative_to(folder.resolve()):
        raise SetupError(f"“{name}” is not a name for a file in the run folder.", "Use a name such as input.txt.")
    if name in OWN_FILES:
        raise SetupError(f"The name “{name}” is used by Bayescope itself.", "Choose another name.")
    return path


def write_texts(folder: Path, texts: dict[str, str]) -> None:
    """The filled templates, exactly as they are (line ends too). Raises SetupError."""
    for target, text in texts.items():
        path = inside(folder, target)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        except (OSError, UnicodeEncodeError) as error:
            raise SetupError(f"The file “{target}” cannot be written: {error}.", "Is the disk full?") from None


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
                    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, copy_function=_copy_file)
                else:
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
    for path in [source] if source.is_file() else _files_below(source):
        size += path.lstat().st_size
        if size > most_bytes:
            raise SetupError(
                f"The extra file or folder “{extra.path}” is too large to be copied for every run "
                f"(more than {most_bytes / 1e6:.0f} MB).",
                "Link it instead of copying, choose less, or raise the limit on a run's files.",
            )
    return size


def _files_below(folder: Path) -> Iterator[Path]:
    for current, _, names in os.walk(folder):
        yield from (Path(current, name) for name in names)


def _copy_file(source: str, target: str) -> str:
    if not os.path.isfile(source) and not os.path.islink(source):
        raise OSError(f"“{source}” is not an ordinary file")
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
    for current, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(current, name)
            relative = path.relative_to(folder).as_posix()
            if relative in OWN_FILES:
                continue
            try:
                found[relative] = path.lstat().st_size
            except OSError:
                continue
            if len(found) >= MAX_LISTED:
                return found
    return found


def keeps(simulator: Simulator, ok: bool) -> bool:
    """Whether the user wants the folder of such a run kept."""
    return simulator.keep_runs == "all" or (simulator.keep_runs == "failures" and not ok)


def remove(folder: Path) -> None:
    """Delete a run folder, also where the program took write permission away; what cannot go stays."""

    def allow_and_retry(function: object, path: str, error: object) -> None:
        try:
            os.chmod(os.path.dirname(path), 0o700)
            if os.path.isdir(path) and not os.path.islink(path):
                os.chmod(path, 0o700)
                os.rmdir(path)
            else:
                os.unlink(path)
        except OSError:
            return

    if folder.is_symlink():
        folder.unlink(missing_ok=True)
    elif sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=allow_and_retry)
    else:
        shutil.rmtree(folder, onerror=allow_and_retry)
