"""The folder of one run: made fresh, filled with templates and extra files, pruned afterwards."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
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


def bring_extra_files(folder: Path, extra_files: Iterable[ExtraFile], base: Path) -> None:
    """Copy or link the fixed files and folders. Raises SetupError."""
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
                if source.is_dir():
                    shutil.copytree(source, target, dirs_exist_ok=True)
                else:
                    shutil.copy2(source, target)
        except (OSError, shutil.Error) as error:
            raise SetupError(f"The extra file “{extra.path}” cannot be copied: {error}.", "Is the disk full?") from None


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

    def allow_and_retry(function: object, path: str, error: BaseException) -> None:
        try:
            os.chmod(os.path.dirname(path), 0o700)
            os.chmod(path, 0o700, follow_symlinks=False) if os.chmod in os.supports_follow_symlinks else None
            os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
        except OSError:
            return

    if folder.is_symlink():
        folder.unlink(missing_ok=True)
    else:
        shutil.rmtree(folder, onerror=lambda function, path, info: allow_and_retry(function, path, info[1]))
