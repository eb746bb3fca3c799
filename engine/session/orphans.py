"""Leaving no simulator behind: the tag every simulator inherits, adopting escaped ones, ending them, a guardian.

Every simulator process inherits the environment variable ``BAYESCOPE_RUN=ENGINE_ID/RUN_ID``, so that it can be found
even after it has left its process group (``setsid``) and lost its parent. The window and the engine use this file:

* window: before starting an engine choose ``engine_id = new_engine_id()`` and start it with ``BAYESCOPE_ENGINE=engine_id`` in
  its environment. When the engine has ended, however it ended, call ``end_tagged(engine_id)``. What the engine leaves meanwhile
  comes to the window (adoption.py).
* engine: ``engine_id()`` is that variable, or a fresh one; ``simulator/processes.py`` does the rest. It also starts a
  guardian (``python orphans.py --guard``, in the frozen application ``EXECUTABLE --guard-simulators``, which must
  call ``guard()``): a tiny process that waits for the engine's end of a pipe to close and then ends whatever
  simulators are left. So a killed engine leaves nothing behind even where there is no window.

Standard library only, except psutil where there is no /proc. No Qt, no torch.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from typing import BinaryIO

ENGINE_VARIABLE = "BAYESCOPE_ENGINE"
RUN_VARIABLE = "BAYESCOPE_RUN"
GUARD_OPTION = "--guard-simulators"
LATE_SECONDS = 3.0  # simulators are looked for after an engine's end: one being started bears its tag a moment later
_HAS_PROC = sys.platform == "linux"
_GROUP_PREFIX = "bayescope-"
_own_id = ""
_group_numbers = itertools.count(1)


def new_engine_id() -> str:
    """A fresh identifier for one engine process."""
    return uuid.uuid4().hex


def engine_id() -> str:
    """This engine's identifier: from the environment if the window chose one, else made once."""
    global _own_id
    if not _own_id:
        _own_id = os.environ.get(ENGINE_VARIABLE, "") or new_engine_id()
    return _own_id


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
    end_groups_of(prefix)
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


# ------------------------------------------------------------------ control groups (Linux)
#
# A process cannot leave its group, whatever it does to its session, its parents and its environment.


def groups_folder() -> str:
    """Where this process may make control groups; empty where it may not."""
    if not _HAS_PROC:
        return ""
    try:
        with open("/proc/self/cgroup", encoding="ascii") as file:
            own = next((line[3:].strip() for line in file if line.startswith("0::")), "")
        with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as file:
            mount = next((line.split()[1] for line in file if line.split()[2] == "cgroup2"), "")
    except (OSError, IndexError):
        return ""
    folder = mount + own.rstrip("/")
    able = bool(mount and own) and os.access(folder, os.W_OK) and os.path.exists(f"{folder}/cgroup.procs")
    return folder if able else ""


def new_group() -> str:
    """A control group for one run of this engine; empty where there are none."""
    folder = groups_folder()
    if not folder:
        return ""
    stat = stat_of(os.getpid())
    engine = f"{folder}/{_GROUP_PREFIX}{engine_id()}.{os.getpid()}.{stat[4] if stat else 0}"
    group = f"{engine}/run-{next(_group_numbers)}"
    try:
        os.makedirs(engine, exist_ok=True)
        os.mkdir(group)
    except OSError:
        return ""
    return group


def join_group(group: str, pid: int) -> None:
    """Put a process into a group; what it starts from now on is in it too."""
    if group:
        with contextlib.suppress(OSError), open(f"{group}/cgroup.procs", "w", encoding="ascii") as file:
            file.write(str(pid))


def in_group(group: str) -> list[int]:
    """Living processes of a group."""
    if not group:
        return []
    try:
        with open(f"{group}/cgroup.procs", encoding="ascii") as file:
            return [int(line) for line in file]
    except (OSError, ValueError):
        return []


def end_group(group: str, seconds: float = 2.0) -> None:
    """Kill everything in a group and in those below it, and remove it."""
    if not group:
        return
    for inner in _groups_below(group):
        end_group(inner, seconds)
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError), open(f"{group}/cgroup.kill", "w", encoding="ascii") as file:
            file.write("1")
        for pid in in_group(group):  # kernels before 5.14 have no cgroup.kill
            kill(pid)
            reap([pid])
        try:
            os.rmdir(group)
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                return
            time.sleep(0.005)
        else:
            return


def _groups_below(group: str) -> list[str]:
    try:
        return [entry.path for entry in os.scandir(group) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def end_groups_of(engine: str) -> None:
    """The groups of one engine: everything that its runs left."""
    _end_groups(lambda name, pid, start: name == engine)


def end_groups_of_the_dead() -> None:
    """Whatever runs of engines left that were killed together with their guardians."""
    _end_groups(lambda name, pid, start: (stat_of(pid) or ("", 0, 0, 0, -1))[4] != start)


def _end_groups(wanted: Callable[[str, int, int], bool]) -> None:
    folder = groups_folder()
    for group in _groups_below(folder) if folder else []:
        name = os.path.basename(group)
        parts = name.removeprefix(_GROUP_PREFIX).split(".")
        ours = name.startswith(_GROUP_PREFIX) and len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit()
        if ours and wanted(parts[0], int(parts[1]), int(parts[2])):
            end_group(group)


# ------------------------------------------------------------------ the guardian


def guard_command() -> list[str]:
    """How the engine starts its guardian."""
    if getattr(sys, "frozen", False):
        from ..machine.frozen import packed_program

        return [*packed_program(), GUARD_OPTION]
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
    deadline = time.monotonic() + LATE_SECONDS
    while True:
        end_tagged(engine)
        if time.monotonic() > deadline:
            return
        time.sleep(0.05)


if __name__ == "__main__" and sys.argv[1:] == ["--guard"]:
    guard()
