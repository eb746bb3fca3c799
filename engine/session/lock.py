"""One writer per session file, whatever names lead to it.

``NAME.bayescope.lock`` lists the processes that may write: pid, the process's start time (a pid alone may be reused) and
machine. The window takes the lock; the engine it starts is its child and joins it. Any other process is refused and
opens read-only. Entries of dead processes are dropped, so a crash never leaves a session locked. The list is read and
changed under an operating-system lock on the same file (flock, or msvcrt.locking on Windows).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil

from . import machine

_MAX_BYTES = 65536
_LATEST = 4e9  # unix time (2096): a lock file may hold anything
_held_here: set[tuple[int, int]] = set()  # (device, inode) of sessions this very process has open for writing
_held_guard = threading.Lock()


class Holder(msgspec.Struct, frozen=True):
    pid: int
    started: str
    machine: str
    host: str
    since: float  # unix time
    role: str = "window"

    def words(self) -> str:
        since = time.strftime("%H:%M on %d %B", time.localtime(min(max(self.since, 0.0), _LATEST)))
        place = "on this computer" if self.machine == machine.machine_id() else f"on the computer {self.host!r}"
        what = "an analysis that is running" if self.role == "engine" else "another window or command"
        return f"{what} ({place}, process {self.pid}, since {since})"


class Locked(Exception):
    """Somebody else writes; ``holder`` says who."""

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        super().__init__(holder.words())


def process_start(pid: int) -> str | None:
    """What tells this process from an earlier or later one with the same pid; None if there is no such process.

    On Linux ticks since boot with the boot's id: the wall clock may be set while a session is open.
    """
    if sys.platform == "linux":
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
            fields = stat[stat.rindex(")") + 2 :].split()
            if fields[0] in "ZX":
                return None
            boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
            return f"{boot}:{fields[19]}"
        except FileNotFoundError:
            return None
        except (OSError, ValueError, IndexError):
            pass  # an unusual /proc: the portable way below
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else f"{process.create_time():.0f}"
    except psutil.Error:
        return None


def _alive(holder: Holder) -> bool:
    if holder.machine != machine.machine_id():
        return True  # cannot be seen from here, so it counts
    return process_start(holder.pid) == holder.started


def _ancestors(pid: int) -> set[int]:
    try:
        return {p.pid for p in psutil.Process(pid).parents()}
    except psutil.Error:
        return set()


def _is_family(holder: Holder) -> bool:
    """True for the window that started us and for the engine we started."""
    if holder.machine != machine.machine_id():
        return False
    return holder.pid in _ancestors(os.getpid()) or os.getpid() in _ancestors(holder.pid)


if sys.platform == "win32":
    import msvcrt

    def _lock_file(descriptor: int) -> None:
        os.lseek(descriptor, _MAX_BYTES, os.SEEK_SET)  # beyond the contents: Windows locks forbid reading
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)

    def _unlock_file(descriptor: int) -> None:
        os.lseek(descriptor, _MAX_BYTES, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock_file(descriptor: int) -> None:
        with contextlib.suppress(OSError):  # a file system without locks: the list alone must do
            fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _unlock_file(descriptor: int) -> None:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)


_SUFFIX = ".bayescope"  # of sessions (file.SUFFIX)


class LockIsALink(OSError):
    """The lock file's name leads to another file, which must not be touched."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EMLINK, f"“{path.name}” beside it is a link to another file", str(path))


def _open_lock_file(path: Path, create: bool) -> int:
    """A descriptor of an ordinary file with no other name. Raises OSError."""
    flags = os.O_RDWR | (os.O_CREAT if create else 0)
    for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC"):
        flags |= getattr(os, flag, 0)
    if path.is_symlink():
        raise LockIsALink(path)
    descriptor = os.open(path, flags, 0o666)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(descriptor)
        raise LockIsALink(path)
    return descriptor


@contextlib.contextmanager
def _exclusively(path: Path, create: bool) -> Iterator[int]:
    """The open lock file, ours alone inside the block. Raises OSError if it cannot be opened."""
    while True:
        descriptor = _open_lock_file(path, create)
        try:
            _lock_file(descriptor)
            try:
                same = os.path.samestat(os.fstat(descriptor), os.lstat(path))
            except FileNotFoundError:
                same = False  # removed by its last holder while we waited: start again
            if same:
                yield descriptor
                return
        finally:
            _unlock_file(descriptor)
            os.close(descriptor)


def _read(descriptor: int) -> list[Holder]:
    os.lseek(descriptor, 0, os.SEEK_SET)
    data = os.read(descriptor, _MAX_BYTES)
    try:
        return msgspec.json.decode(data, type=list[Holder]) if data else []
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return []  # half-written by a crash: nobody alive can have written it, writers hold the file lock


def _write(descriptor: int, holders: list[Holder]) -> None:
    data = msgspec.json.encode(holders)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.ftruncate(descriptor, 0)
    os.write(descriptor, data)


def lock_path(session: Path) -> Path:
    """A name that is ours alone: ``poetry.lock`` beside a session called ``poetry`` is another program's."""
    ours = session.name if session.name.endswith(_SUFFIX) else session.name + _SUFFIX
    return session.with_name(ours + ".lock")


class SessionLock:
    """Held from ``acquire`` to ``release``. Raises Locked if somebody else writes, OSError if no lock file can be made."""

    def __init__(self, session: Path) -> None:
        session = Path(os.path.realpath(session))
        status = os.stat(session)
        self._identity = (status.st_dev, status.st_ino)
        self.path = lock_path(session)
        self._held = False

    def acquire(self, role: str = "window") -> None:
        me = Holder(
            os.getpid(), process_start(os.getpid()) or "", machine.machine_id(), machine.host_name(), time.time(), role
        )
        with _held_guard:
            if self._identity in _held_here:
                raise Locked(me)
            with _exclusively(self.path, create=True) as descriptor:
                others = [h for h in _read(descriptor) if (h.pid, h.machine) != (me.pid, me.machine) and _alive(h)]
                for holder in others:
                    if "engine" not in (role, holder.role) or not _is_family(holder):
                        raise Locked(holder)
                _write(descriptor, [*others, me])
            _held_here.add(self._identity)
            self._held = True

    def release(self) -> None:
        if not self._held:
            return
        self._held = False
        with _held_guard:
            _held_here.discard(self._identity)
            try:
                with _exclusively(self.path, create=False) as descriptor:
                    others = [h for h in _read(descriptor) if h.pid != os.getpid() and _alive(h)]
                    _write(descriptor, others)
                    if not others:
                        os.unlink(self.path)
            except OSError:
                pass  # the folder is gone or cannot be written: a dead entry is dropped by the next reader

    def holders(self) -> list[Holder]:
        """Live writers, for display; empty when there is no lock file."""
        try:
            with _exclusively(self.path, create=False) as descriptor:
                return [h for h in _read(descriptor) if _alive(h)]
        except OSError:
            return []
