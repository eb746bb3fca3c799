"""Which sandbox this computer has for programs of strangers: found out once, and said in words."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from typing import Literal

from ...machine.frozen import is_frozen

Kind = Literal["bubblewrap", "landlock", ""]

# Landlock (Linux 5.13 and later) restricts files, in later versions also TCP
_LANDLOCK_CREATE_RULESET = 444  # the number of the system call, the same on every processor
_ASK_VERSION = 1
_TCP_FROM = 4
PROBE_SECONDS = 5.0
_SEEN = "{} your home folder beyond the files named here and what lies beside the program and its script"
_KERNEL_SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi")


@lru_cache(maxsize=1)
def kind() -> Kind:
    """The sandbox of this computer, the stronger one first; empty if there is none."""
    if sys.platform != "linux":
        return ""
    if _bubblewrap_works():
        return "bubblewrap"
    return "landlock" if landlock_version() > 0 else ""


def bubblewrap() -> str:
    """Its program file; empty if it is not installed."""
    return shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin") or ""


def namespaces() -> list[str]:
    """bubblewrap's options for a world of its own: no network, no other processes, no rights, nothing to write.

    For root, who needs no right to write there, the kernel's own settings in /proc are read-only too.
    """
    options = ["--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    options += ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for place in _KERNEL_SETTINGS:
        options += ["--ro-bind-try", place, place]
    return options


@lru_cache(maxsize=1)
def limits_scratch() -> bool:
    """Whether bubblewrap can limit the size of what is kept in memory for /tmp (from version 0.7 on)."""
    try:
        told = subprocess.run([bubblewrap(), "--help"], capture_output=True, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return b"--size BYTES" in told.stdout + told.stderr


def _bubblewrap_works() -> bool:
    """Installed, and allowed to make the namespaces it needs (some systems forbid that)."""
    if not bubblewrap():
        return False
    command = [bubblewrap(), *namespaces(), "--tmpfs", "/tmp", "--", "/bin/true"]
    try:
        return subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


@lru_cache(maxsize=1)
def landlock_version() -> int:
    """The version of Landlock's interface; 0 where the kernel has none."""
    if sys.platform != "linux":
        return 0
    import ctypes

    try:
        return max(0, int(ctypes.CDLL(None, use_errno=True).syscall(_LANDLOCK_CREATE_RULESET, None, 0, _ASK_VERSION)))
    except (OSError, AttributeError):
        return 0


def words() -> str:
    """What confining runs means on this computer, for people."""
    if kind() == "bubblewrap":
        return (
            f"Confined runs have no network, {_SEEN.format('do not see')}, and can write into their own run folder only."
        )
    if kind() == "landlock":
        tcp = "no TCP network" if landlock_version() >= _TCP_FROM else "the network as it is"
        network = "no network" if can_unshare_network() else tcp
        return (
            f"Confined runs have {network}, {_SEEN.format('cannot read')}, and can write into their own run folder only. "
            "(With the program “bubblewrap” installed, confinement is stronger.)"
        )
    if sys.platform == "linux":
        return "Runs cannot be confined on this computer. Install the program “bubblewrap” to make it possible."
    return "Runs cannot be confined on this system: the program can do whatever you can do."


@lru_cache(maxsize=1)
def can_unshare_network() -> bool:
    """Whether a process of this user may leave the network behind (an unprivileged user namespace)."""
    if sys.platform != "linux":
        return False
    if os.geteuid() == 0:
        return True
    probe = "import ctypes,sys; sys.exit(ctypes.CDLL(None).unshare(0x50000000) != 0)"  # CLONE_NEWUSER | CLONE_NEWNET
    if is_frozen():
        return False
    try:
        command = [sys.executable, "-I", "-S", "-c", probe]
        return subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False
