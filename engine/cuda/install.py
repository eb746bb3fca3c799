"""Fetching, unpacking, trying and switching on the CUDA build of PyTorch. Whatever stops it, it goes on from there."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from ..problem.errors import SetupError
from ..session import atomic, folders
from .download import Paused, Stop, fetch
from .places import DOWNLOADS, Installed, Place, native_files
from .trial import Found, tried_here
from .unpack import unpack
from .wheels import PYTHON, SYSTEM, Wheel, WheelSet, why_none

SPARE = 300_000_000  # bytes that stay free: a disk that is full to the brim stops other programs
_DONE = "unpacked.txt"  # in the folder that is being filled: names of the wheels that are in it


class Step(msgspec.Struct, frozen=True):
    """``doing``: download, unpack or try; ``done`` of ``total`` bytes, of all files together; ``what``: the file."""

    doing: str
    done: int
    total: int
    what: str = ""


Told = Callable[[Step], None]


def install(wheels: WheelSet, place: Place, told: Told, stop: Stop = lambda: False, source: str = "") -> Found:
    """All of it. ``source``: a folder or an address that has the wheels by their names, instead of where they come from.

    Raises SetupError in words, Paused; what has come is kept in either case.
    """
    reason = why_none(wheels)
    if reason:
        raise SetupError(reason)
    try:
        with _alone(place.root / DOWNLOADS):
            return _install(wheels, place, told, stop, source)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise SetupError(f"The disk of {place.root} is full.", "Make room and go on: what has come is kept.") from None
        raise SetupError(f"{place.root} cannot be written: {error.strerror or error}.") from None


def _install(wheels: WheelSet, place: Place, told: Told, stop: Stop, source: str) -> Found:
    needed = wheels.needed()
    total = sum(w.size for w in needed)
    folder = place.root / wheels.folder_name()
    filling = folder.with_name(f"{folder.name}.part")
    if not folder.exists():
        _clear_others(place, {folder.name, filling.name}, {w.name for w in needed})
        filling.mkdir(parents=True, exist_ok=True)
        _require_room(place, filling, needed)
        done = 0
        for wheel in needed:
            if wheel.name not in _unpacked(filling):
                _one(wheel, place, filling, source, partial(_tell, told, done, total, wheel.name), stop)
            done += wheel.size
        (filling / _DONE).unlink(missing_ok=True)
        atomic.flush_tree(filling)
        atomic.give_folder_its_name(filling, folder)
    told(Step("try", total, total))
    os.utime(folder)  # so that it is tried again where it was tried before
    found = tried_here(folder, place)
    if found.wrong:
        folders.remove(folder)
        words = f"What was fetched does not work on this computer: {found.wrong}"
        raise SetupError(words, "It was deleted; everything is as it was.")
    place.switch_on(Installed(folder.name, wheels.torch, wheels.cuda, PYTHON, SYSTEM, native_files(folder)))
    folders.remove(place.root / DOWNLOADS)
    _clear_others(place, {folder.name}, set())
    return found


def _tell(told: Told, before: int, total: int, name: str, doing: str, done: int) -> None:
    told(Step(doing, before + done, total, name))


def _one(wheel: Wheel, place: Place, filling: Path, source: str, told: Callable[[str, int], None], stop: Stop) -> None:
    """One wheel fetched and unpacked; the wheel itself is not kept."""
    target = place.root / DOWNLOADS / wheel.name
    if not target.exists():
        fetch(wheel, address(wheel, source), target, lambda n: told("download", n), stop)
    told("unpack", wheel.size)
    unpack(target, filling, wheel.unpacked, stop)
    names = [*sorted(_unpacked(filling)), wheel.name]
    atomic.write(filling / _DONE, "".join(f"{name}\n" for name in names).encode(), replace=True)
    target.unlink()


def address(wheel: Wheel, source: str) -> str:
    """Where ``wheel`` comes from; ``source`` as of ``install``."""
    if not source:
        return wheel.url
    base = source if "://" in source else Path(source).absolute().as_uri()
    return f"{base.rstrip('/')}/{wheel.name}"


def bytes_to_come(wheels: WheelSet, place: Place) -> int:
    """What is still to be downloaded for this computer; an earlier attempt may have fetched a part."""
    filling = place.root / f"{wheels.folder_name()}.part"
    unpacked = _unpacked(filling)
    return sum(w.size - _have(w, place) for w in wheels.needed() if w.name not in unpacked)


def disk_bytes(wheels: WheelSet) -> int:
    """What it takes once it is installed."""
    return sum(w.unpacked for w in wheels.needed())


def _have(wheel: Wheel, place: Place) -> int:
    target = place.root / DOWNLOADS / wheel.name
    for path in (target, target.with_name(f"{target.name}.part")):
        if path.exists():
            return min(path.stat().st_size, wheel.size)
    return 0


def _unpacked(filling: Path) -> set[str]:
    try:
        return set((filling / _DONE).read_text(encoding="utf-8").split())
    except OSError:
        return set()


def _require_room(place: Place, filling: Path, needed: tuple[Wheel, ...]) -> None:
    """Before the first byte: all that is unpacked, and the largest wheel beside it. Raises SetupError."""
    there = _unpacked(filling)
    left = [w for w in needed if w.name not in there]
    wanted = sum(w.unpacked for w in left) + max((w.size - _have(w, place) for w in left), default=0) + SPARE
    free = shutil.disk_usage(place.root).free
    if free < wanted:
        raise SetupError(
            f"The disk of {place.root} has {free / 1e9:.1f} GB free, and {wanted / 1e9:.1f} GB are needed while it is installed.",
            "Make room, or let BAYESCOPE_HOME name a folder on another disk.",
        )


def _clear_others(place: Place, names: set[str], downloads: set[str]) -> None:
    """Of earlier versions: folders of other names, and downloads of other wheels."""
    for path in place.root.glob("torch-*"):
        if path.name not in names:
            folders.remove(path)
    for path in (place.root / DOWNLOADS).glob("*.whl*"):
        if path.name.removesuffix(".part") not in downloads:
            path.unlink()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else installs into the same place meanwhile. Raises SetupError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.name != "posix":
        yield  # nothing can be fetched there yet
        return
    import fcntl

    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SetupError("It is being installed already, by another window or command.") from None
        yield
    finally:
        os.close(descriptor)


__all__ = ["Found", "Paused", "Step", "address", "bytes_to_come", "disk_bytes", "install"]
