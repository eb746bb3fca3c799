"""Processes on Linux and macOS: process groups, signals; on Linux also pidfd, /proc and adopted orphans."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..session import orphans
from . import platform_portable

ASKS_POLITELY = True
_LINUX = sys.platform == "linux"
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass
class Handle:
    """``pidfd``: becomes readable when the program ends; -1 where the system has none."""

    pidfd: int


def prepare() -> None:
    """Nothing to do before the first start."""


def start_options() -> dict[str, Any]:
    """A session, hence a group, of its own: no terminal to read a password from, and one signal reaches the group."""
    return {"start_new_session": True}


def attach(popen: subprocess.Popen[bytes]) -> Handle:
    with contextlib.suppress(OSError):  # when memory runs out the simulator is to go, not the analysis
        if _LINUX:
            with open(f"/proc/{popen.pid}/oom_score_adj", "w", encoding="ascii") as file:
                file.write("500")
    if _LINUX and sys.platform == "linux":
        with contextlib.suppress(OSError):
            return Handle(os.pidfd_open(popen.pid))
    return Handle(-1)


def detach(handle: Handle) -> None:
    if handle.pidfd >= 0:
        os.close(handle.pidfd)
        handle.pidfd = -1


def wait(popen: subprocess.Popen[bytes], handle: Handle, seconds: float) -> bool:
    """True as soon as the program has ended."""
    if handle.pidfd >= 0:
        poller = select.poll()
        poller.register(handle.pidfd, select.POLLIN)
        poller.poll(max(0, int(seconds * 1000)))
        return popen.poll() is not None
    return platform_portable.wait(popen, seconds)


def start_time(pid: int) -> int | None:
    """Together with the pid it names a process for ever; None if it is gone."""
    if _LINUX:
        stat = orphans.stat_of(pid)
        return None if stat is None else stat[4]
    return platform_portable.start_time(pid)


def descendants(roots: Iterable[int]) -> set[int]:
    """Everything below ``roots``, without them unless they are below one another."""
    found: set[int] = set()
    queue = list(roots)
    while queue:
        for child in orphans.children_of(queue.pop()):
            if child not in found:
                found.add(child)
                queue.append(child)
    return found


def resident_bytes(pid: int) -> int:
    if _LINUX:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                return int(file.read().split()[1]) * _PAGE
        except (OSError, IndexError, ValueError):
            return 0
    return platform_portable.resident_bytes(pid)


def signal_tree(handle: Handle, group: int, pids: Iterable[int], number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getpgid(pid) != group:
                os.kill(pid, number)


def kill_tree(handle: Handle, group: int, pids: Iterable[int]) -> None:
    signal_tree(handle, group, pids, signal.SIGKILL)


def group_alive(handle: Handle, group: int) -> bool:
    """Whether the group still has members (zombies that nobody has collected count)."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def group_members(handle: Handle, group: int) -> list[int]:
    """Living members of a process group; a slow walk, only taken when the group outlived its program."""
    found = []
    for pid in orphans.all_pids():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getpgid(pid) == group and not orphans.is_zombie(pid):
                found.append(pid)
    return found


def adopted(ours: set[int]) -> list[int]:
    """Orphans this process adopted (Linux subreaper): children in a foreign session; ended ones are collected."""
    if not _LINUX:
        return []
    session = os.getsid(0)
    found = []
    for pid in orphans.children_of():
        stat = None if pid in ours else orphans.stat_of(pid)
        if stat is None or stat[3] == session:
            continue
        if stat[0] == "Z":
            orphans.reap([pid])
        else:
            found.append(pid)
    return found


def orphan_candidates(adopted_pids: list[int], since: int) -> list[int]:
    """Where a process that escaped a normally ended run would be; ``since``: the run's ``start_time``.

    On Linux among the adopted, elsewhere among the children of init that started later.
    """
    if _LINUX:
        return adopted_pids
    children = {*orphans.children_of(1), *orphans.children_of()}
    return [pid for pid in children if (start_time(pid) or 0) >= since]
