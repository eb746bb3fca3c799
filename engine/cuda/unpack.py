"""A wheel unpacked into a folder, and nowhere else."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path, PurePosixPath

from ..problem.errors import SetupError
from .download import BLOCK, Paused, Stop

# of torch: what compiles against it and tests it, as in packaging/bundle/contents.py
LEFT_OUT = ("torch/include", "torch/share", "torch/test")
_IN_DATA = ("purelib", "platlib")  # parts of NAME.data that belong beside the packages


def unpack(path: Path, folder: Path, most: int, stop: Stop) -> None:
    """All of the wheel ``path`` but ``LEFT_OUT``, ``most`` bytes at most. Raises SetupError, Paused, OSError."""
    try:
        with zipfile.ZipFile(path) as archive:
            wanted = [(entry, inside) for entry in archive.infolist() if (inside := place_of(entry)) is not None]
            if sum(entry.file_size for entry, _ in wanted) > most:
                raise SetupError(f"{path.name} is larger than it says; it was not unpacked.")
            for entry, inside in wanted:
                _write(archive, entry, folder / inside, stop)
    except zipfile.BadZipFile as error:
        raise SetupError(f"{path.name} cannot be unpacked: {error}.") from None


def place_of(entry: zipfile.ZipInfo) -> PurePosixPath | None:
    """Where a file goes, below the folder; None: nowhere. Raises SetupError if that is outside or it is no plain file."""
    name, mode = entry.filename, entry.external_attr >> 16
    path = PurePosixPath(name)
    if path.is_absolute() or "\\" in name or ":" in name or ".." in path.parts or "\0" in entry.orig_filename:
        raise SetupError(f"A wheel with a file called “{name}” would write outside of its folder; it was not unpacked.")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise SetupError(f"A wheel with something that is no plain file (“{name}”) was not unpacked.")
    if entry.is_dir() or any(name.startswith(f"{out}/") for out in LEFT_OUT):
        return None
    if path.parts[0].endswith(".data"):
        return PurePosixPath(*path.parts[2:]) if path.parts[1:2] and path.parts[1] in _IN_DATA and path.parts[2:] else None
    return path


def _write(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, stop: Stop) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as source, target.open("wb") as file:
        while block := source.read(BLOCK):
            file.write(block)
            if stop():
                raise Paused
    if entry.external_attr >> 16 & stat.S_IXUSR:
        target.chmod(0o755)
