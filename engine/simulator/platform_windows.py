"""Processes on Windows: one job object per run, which ends all its processes; another around the engine itself.

The jobs are set to end their processes when their last handle closes, so a dying engine takes its simulators along.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psutil

from ..machine.frozen import is_frozen
from ..session import orphans
from . import platform_portable

start_time = platform_portable.start_time
resident_bytes = platform_portable.resident_bytes
ASKS_POLITELY = False  # a console program cannot be asked by another console
_EXTENDED_LIMITS = 9
_BASIC_PROCESS_LIST = 3
_KILL_ON_CLOSE = 0x2000
_CREATE_NO_WINDOW = 0x08000000


class _BasicLimits(ctypes.Structure):
    _fields_ = [
        ("PerProcessUserTimeLimit", ctypes.c_int64), ("PerJobUserTimeLimit", ctypes.c_int64), ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t), ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32), ("Affinity", ctypes.c_size_t), ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    ]  # fmt: skip


class _ExtendedLimits(ctypes.Structure):
    _fields_ = [
        ("Basic", _BasicLimits), ("IoCounters", ctypes.c_uint64 * 6), ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t), ("PeakProcessMemoryUsed", ctypes.c_size_t), ("PeakJobMemoryUsed", ctypes.c_size_t),
    ]  # fmt: skip


class _ProcessList(ctypes.Structure):
    _fields_ = [("Assigned", ctypes.c_uint32), ("Listed", ctypes.c_uint32), ("Ids", ctypes.c_size_t * 1024)]


@dataclass
class Handle:
    """``job``: handle of the run's job object, 0 if there is none."""

    job: int


def _kernel() -> Any:
    if sys.platform != "win32":
        raise OSError("job objects exist only on Windows")
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    for name in ("SetInformationJobObject", "QueryInformationJobObject", "AssignProcessToJobObject", "TerminateJobObject"):
        getattr(kernel, name).argtypes = None
    return kernel


def _new_job() -> int:
    kernel = _kernel()
    job = kernel.CreateJobObjectW(None, None)
    if not job:
        return 0
    limits = _ExtendedLimits()
    limits.Basic.LimitFlags = _KILL_ON_CLOSE
    kernel.SetInformationJobObject(
        ctypes.c_void_p(job), _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.c_uint32(ctypes.sizeof(limits))
    )
    return int(job)


_engine_job = 0


def prepare() -> None:
    """Put the engine itself into a job, so that a simulator started a moment before a crash is in one too."""
    global _engine_job
    _engine_job = _new_job()
    if _engine_job:
        _kernel().AssignProcessToJobObject(ctypes.c_void_p(_engine_job), ctypes.c_void_p(-1))  # -1: this process
    if is_frozen():
        _kernel().SetDllDirectoryW(None)  # simulators would inherit the folder of our libraries


def start_options() -> dict[str, Any]:
    return {"creationflags": _CREATE_NO_WINDOW}


def attach(popen: subprocess.Popen[bytes]) -> Handle:
    job = _new_job()
    if job:
        _kernel().AssignProcessToJobObject(ctypes.c_void_p(job), ctypes.c_void_p(int(getattr(popen, "_handle", 0))))
    return Handle(job)


def detach(handle: Handle) -> None:
    if handle.job:
        _kernel().CloseHandle(ctypes.c_void_p(handle.job))
        handle.job = 0


def wait(popen: subprocess.Popen[bytes], handle: Handle, seconds: float) -> bool:
    return platform_portable.wait(popen, seconds)


def descendants(roots: Iterable[int]) -> set[int]:
    found: set[int] = set()
    for root in roots:
        try:
            found.update(child.pid for child in psutil.Process(root).children(recursive=True))
        except psutil.Error:
            continue
    return found


def signal_tree(handle: Handle, group: int, pids: Iterable[int], number: int) -> None:
    kill_tree(handle, group, pids)


def kill_tree(handle: Handle, group: int, pids: Iterable[int]) -> None:
    if handle.job:
        _kernel().TerminateJobObject(ctypes.c_void_p(handle.job), ctypes.c_uint32(1))
    for pid in [*pids, group]:
        orphans.kill(pid)


def group_alive(handle: Handle, group: int) -> bool:
    return bool(group_members(handle, group))


def group_members(handle: Handle, group: int) -> list[int]:
    """Processes in the run's job."""
    if not handle.job:
        return []
    listed = _ProcessList()
    _kernel().QueryInformationJobObject(
        ctypes.c_void_p(handle.job), _BASIC_PROCESS_LIST, ctypes.byref(listed), ctypes.c_uint32(ctypes.sizeof(listed)), None
    )
    return [int(listed.Ids[i]) for i in range(min(listed.Listed, 1024))]


def adopted(ours: set[int]) -> list[int]:
    return []


def orphan_candidates(adopted_pids: list[int], since: int) -> list[int]:
    return []
