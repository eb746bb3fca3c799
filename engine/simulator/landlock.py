"""Confine this process by Landlock, leave the network where that is allowed, and become the program. Standard library only.

Run as ``python landlock.py RULES PROGRAM ARGUMENT...``; RULES is JSON: ``hidden`` places, ``readable``, ``listed`` and
``writable`` paths.
System calls and constants: the kernel's documentation, userspace-api/landlock.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_PATH_BENEATH = 1
_NO_NEW_PRIVILEGES = 38  # prctl
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_MAKE_AND_REMOVE = 0x1FF0  # bits 4 to 12: remove and make every kind of entry
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15  # from versions 2, 3 and 5 on
_BIND_TCP, _CONNECT_TCP = 1, 2  # from version 4 on
_SCOPES = 3  # abstract sockets and signals, from version 6 on
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # unshare

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


def confine(hidden: Iterable[str], readable: Iterable[str], listed: Iterable[str], writable: Iterable[str]) -> None:
    """Everything can be read but what is in ``hidden`` places and not ``readable``; only ``writable`` can be changed.

    Raises OSError where the kernel refuses.
    """
    version = int(_libc.syscall(_CREATE, None, 0, 1))
    if version < 1:
        raise OSError(errno.ENOSYS, "the kernel has no Landlock")
    everything = _FILE_RIGHTS | _READ_DIR | _MAKE_AND_REMOVE | _REFER
    if version < 5:
        everything &= ~_IOCTL_DEVICE
    if version < 3:
        everything &= ~_TRUNCATE
    if version < 2:
        everything &= ~_REFER
    attributes = _Ruleset(everything, _BIND_TCP | _CONNECT_TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _checked(_libc.syscall(_CREATE, ctypes.byref(attributes), size, 0))
    hidden = [os.path.realpath(place) for place in hidden]
    for path in [*_outside(hidden), *readable]:
        _allow(ruleset, path, (_EXECUTE | _READ_FILE | _READ_DIR) & everything)
    for path in listed:  # names of files only: Python looks for its modules so
        _allow(ruleset, path, _READ_DIR & everything)
    for path in ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/shm"):
        _allow(ruleset, path, (_READ_FILE | _WRITE_FILE | _READ_DIR | _MAKE_AND_REMOVE | _TRUNCATE | _IOCTL_DEVICE) & everything)
    for path in writable:
        _allow(ruleset, path, everything)
    _checked(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(_libc.syscall(_RESTRICT, ruleset, 0))
    os.close(ruleset)


def _outside(hidden: list[str], folder: str = "/") -> Iterator[str]:
    """The largest folders and files that hold no hidden place: rules can only allow, not take away."""
    if folder in hidden:
        return
    if not any(place.startswith(folder.rstrip("/") + "/") for place in hidden):
        yield folder
        return
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        if not os.path.islink(path):
            yield from _outside(hidden, path)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """What is not there needs no rule."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _FILE_RIGHTS
        rule = _Beneath(rights, descriptor)
        _checked(_libc.syscall(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0))
    finally:
        os.close(descriptor)


def leave_network() -> None:
    """An own, empty network, where this user may make one; Landlock's TCP rules hold in any case."""
    user, group = os.getuid(), os.getgid()
    if _libc.unshare(_NEW_NETWORK if user == 0 else _NEW_USER | _NEW_NETWORK) != 0 or user == 0:
        return
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        try:
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
        except OSError:
            return


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def main(arguments: list[str]) -> None:
    """Never returns: becomes the program, or ends with a sentence and exit code 1."""
    rules, command = json.loads(arguments[0]), arguments[1:]
    try:
        leave_network()
        confine(rules["hidden"], rules["readable"], rules["listed"], rules["writable"])
        os.execvp(command[0], command)
    except OSError as error:
        print(f"bayescope-confine: {error.strerror}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
