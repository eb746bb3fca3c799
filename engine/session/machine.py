"""Which computer this is, and a signature that only this user on this computer can make.

A session that arrives from elsewhere must show its command line and ask before its first run. A stranger who received one of
our sessions knows its machine id, so the id proves nothing; the signature covers the commands and needs a key that never
leaves this computer.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import socket
import sys
import uuid
from functools import lru_cache
from pathlib import Path

from . import atomic
from .errors import FileIsThere, SessionError
from .places import home

KEY_BYTES = 32
MULTICAST = 1 << 40  # a bit that no card's own address has (RFC 4122, 4.5)


def _raw_machine_id() -> str:
    """The operating system's own id where it has one, else the network card's address, else the computer's name."""
    for name in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        try:
            text = Path(name).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if text:
            return text
    if sys.platform == "win32":
        import winreg

        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SOFTWARE\Microsoft\Cryptography") as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0])
        except OSError:
            return _network_card()
    return _network_card()


def _network_card() -> str:
    node = uuid.getnode()
    made_up = bool(node & MULTICAST)  # there is no card, and every process is told another number
    return host_name() if made_up else f"{node:012x}"


@lru_cache(maxsize=1)
def machine_id() -> str:
    """16 hexadecimal digits that tell computers apart and give away nothing about them."""
    return hashlib.sha256(b"bayescope machine " + _raw_machine_id().encode()).hexdigest()[:16]


def host_name() -> str:
    return socket.gethostname() or "this computer"


def _key_file() -> Path:
    return home() / "signing.key"


@lru_cache(maxsize=8)
def _key(path: Path) -> bytes:
    """32 secret bytes, made on first use. Where the home folder cannot be written: derived from machine and user.

    Written whole or not at all: whoever starts at the same moment reads the same bytes.
    """
    with contextlib.suppress(OSError, SessionError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            with contextlib.suppress(FileIsThere):  # another process was first: its key is the key
                atomic.write(path, secrets.token_bytes(KEY_BYTES), mode=0o600)
        elif path.stat().st_size != KEY_BYTES:  # cut off by a power failure: it never signed anything
            atomic.write(path, secrets.token_bytes(KEY_BYTES), replace=True, mode=0o600)
    with contextlib.suppress(OSError):
        data = path.read_bytes()
        if len(data) == KEY_BYTES:
            return data
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    return hashlib.sha256(f"bayescope key {_raw_machine_id()} {user}".encode()).digest()


def sign(content: bytes) -> str:
    """A signature of ``content`` by this user on this computer (HMAC-SHA256, hexadecimal)."""
    return hmac.new(_key(_key_file()), content, hashlib.sha256).hexdigest()


def is_signed(content: bytes, signature: str) -> bool:
    return hmac.compare_digest(sign(content).encode(), signature.encode("utf-8", "replace"))
