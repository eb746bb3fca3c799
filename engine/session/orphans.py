"""Leaving no simulator behind: the tag every simulator inherits, adopting escaped ones, ending them, a guardian.

Every simulator process inherits the environment variable ``BAYESCOPE_RUN=ENGINE_ID/RUN_ID``, so that it can be found
even after it has left its process group (``setsid``) and lost its parent. The window and the engine use this file:

* window: before starting an engine choose ``engine_id = new_engine_id()`` and start it with ``BAYESCOPE_ENGINE=engine_id`` in
  its environment; call ``become_subreaper()`` once at start. When the engine has ended, however it ended, call
  ``end_tagged(engine_id)``, and ``reap_adopted()`` now and then (it never touches processes of the window's own session).
* engine: ``engine_id()`` is that variable, or a fresh one; ``simulator/processes.py`` does the rest. It also starts a
  guardian (``python orphans.py --guard``, in the frozen application ``EXECUTABLE --guard-simulators``, which must
  call ``guard()``): a tiny process that waits for the engine's end of a pipe to close and then ends whatever
  simulators are left. So a killed engine leaves nothing behind even where there is no window.

Standard library only, except psutil where there is no /proc. No Qt, no torch.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import uuid
from collections.abc import Container, Iterable
from typing import BinaryIO

ENGINE_VARIABLE = "BAYESCOPE_ENGINE"
RUN_VARIABLE = "BAYESCOPE_RUN"
GUARD_OPTION = "--guard-simulators"
_PR_SET_CHILD_SUBREAPER = 36
_HAS_PROC = sys.platform == "linux"
_own_id = ""


def new_engine_id() -> str:
    """A fresh identifier for one engine process."""
    return uuid.uuid4().hex


def engine_id() -> str:
    """This engine's identifier: from the environment if the window chose one, else made once."""
    global _own_id
    if not _own_id:
        _own_id = os.environ.get(ENGINE_VARIABLE, "") or new_engine_id()
    return _own_id


def become_subreaper() -> bool:
    """Linux: orphaned descendants become children of this process, not of init. False where that does not exist."""
    if sys.platform != "linux":
        return False
    import ctypes

    return bool(ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


# ------------------------------------------------------------------ looking


def tag_of(pid: int) -> str:
    """The run tag a process inherited; empty if it has none or may not be looked at."""
    if _HAS_PROC:
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                data = file.read()
        except OSError:
            return ""
        for entry in data.split(b"\0"):
            if entry.startswith(RUN_VARIABLE.encode() + b"="):
                return entry.split(b"=", 1)[1].decode("utf-8", "replace")
        return ""
    import psutil

    try:
        return str(psutil.Process(pid).environ().get(RUN_VARIABLE, ""))
    except (psutil.Error, OSError):
        return ""


def all_pids() -> list[int]:
    """Every process of this computer that can be listed."""
    if _HAS_PROC:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    import psutil

    return list(psutil.pids())


def tagged(prefix: str, among: Iterable[int] | None = None) -> list[int]:
    """Processes, other than this one, whose run tag is ``prefix`` or begins with ``prefix/``."""
    if not prefix:
        return []
    own = os.getpid()
    found = []
    for pid in all_pids() if among is None else among:
        if pid == own:
            continue
        tag = tag_of(pid)
        if tag == prefix or tag.startswith(prefix + "/"):
            found.append(pid)
    return found


def stat_of(pid: int) -> tuple[str, int, int, int, int] | None:
    """(state letter, parent, process group, session, start time in clock ticks) from /proc; None if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    if len(fields) < 20:
        return None
    return fields[0].decode(), int(fields[1]), int(fields[2]), int(fields[3]), int(fields[19])


def children_of(pid: int | None = None) -> list[int]:
    """Direct children, zombies included (Linux; elsewhere through psutil)."""
    who = "self" if pid is None else str(pid)
    if _HAS_PROC:
        found: list[int] = []
        try:
            for thread in os.listdir(f"/proc/{who}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{who}/task/{thread}/children", "rb") as file:
                    found += [int(word) for word in file.read().split()]
        except OSError:
            return []
        return found
    import psutil

    try:
        return [child.pid for child in psutil.Process(pid).children()]
    except psutil.Error:
        return []


# ------------------------------------------------------------------ ending


def end_tagged(prefix: str, seconds: float = 5.0) -> int:
    """Kill every process with this tag, again until none is left or ``seconds`` have passed; how many were killed."""
    ended: set[int] = set()
    deadline = time.monotonic() + seconds
    while True:
        alive = [pid for pid in tagged(prefix) if not is_zombie(pid)]
        if not alive:
            break
        for pid in alive:
            kill(pid)
            ended.add(pid)
        if time.monotonic() > deadline:
            break
        time.sleep(0.01)
        reap(ended)
    reap(ended)
    return len(ended)


def kill(pid: int) -> None:
    """End one process at once; nothing happens if it is gone or not ours."""
    if sys.platform == "win32":
        import psutil

        with contextlib.suppress(psutil.Error):
            psutil.Process(pid).kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def is_zombie(pid: int) -> bool:
    """Ended, but not yet collected by its parent. (Its environment is gone too, so a tag sweep does not see it.)"""
    if _HAS_PROC:
        stat = stat_of(pid)
        return stat is None or stat[0] in "ZX"
    import psutil

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


def reap(pids: Iterable[int]) -> None:
    """Collect those of ``pids`` that ended and are children of this process."""
    if sys.platform != "win32":
        for pid in pids:
            with contextlib.suppress(ChildProcessError, OSError):
                os.waitpid(pid, os.WNOHANG)


def reap_adopted(keep: Container[int] = ()) -> None:
    """Collect ended orphans that this subreaper adopted: zombies of another session than ours, except ``keep``."""
    if sys.platform != "linux":
        return
    own_session = os.getsid(0)
    for pid in children_of():
        if pid in keep:
            continue
        stat = stat_of(pid)
        if stat is not None and stat[0] == "Z" and stat[3] != own_session:
            reap([pid])


# ------------------------------------------------------------------ the guardian


def guard_command() -> list[str]:
    """How the engine starts its guardian."""
    if getattr(sys, "frozen", False):
        return [sys.executable, GUARD_OPTION]
    return [sys.executable, "-I", os.path.abspath(__file__), "--guard"]


def guard(stream: BinaryIO | None = None) -> None:
    """Wait until the engine's end of the pipe closes, then end its simulators.

    Lines on the pipe: ``engine ID``, ``+ GROUP`` when a simulator starts, ``- GROUP`` when it has ended.
    """
    source = stream if stream is not None else sys.stdin.buffer
    for ignored in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, ignored):
            signal.signal(getattr(signal, ignored), signal.SIG_IGN)
    engine, groups = "", set[int]()
    for line in source:
        words = line.decode("ascii", "replace").split()
        if len(words) != 2:
            continue
        if words[0] == "engine":
            engine = words[1]
        elif words[0] in "+-" and words[1].isdigit():
            groups.discard(int(words[1]))
            if words[0] == "+":
                groups.add(int(words[1]))
    if sys.platform != "win32":
        for group in groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
    end_tagged(engine)


if __name__ == "__main__" and sys.argv[1:] == ["--guard"]:
    guard()
