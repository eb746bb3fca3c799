"""What every system can tell of a process: the fallback where there is nothing quicker or surer."""

from __future__ import annotations

import subprocess

import psutil


def wait(popen: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether it has ended within so many seconds."""
    try:
        popen.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def start_time(pid: int) -> int | None:
    """Together with the pid it names a process for ever (milliseconds, unix time); None if it is gone."""
    try:
        return int(psutil.Process(pid).create_time() * 1000)
    except psutil.Error:
        return None


def resident_bytes(pid: int) -> int:
    """Memory in use; 0 if it is gone."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
