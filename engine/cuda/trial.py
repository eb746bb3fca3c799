"""A folder with a build of PyTorch tried in a process of its own: one that crashes or hangs takes nothing with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec

from ..machine.frozen import this_program
from ..session import atomic, machine
from ..session.errors import SessionError
from .places import Place

OPTION = "--try-torch"  # FOLDER: what this program is started with for the trial (app/cli.py)
PATIENCE_S = 180.0  # the first import reads gigabytes from a slow disk
_RECORD = "tried.json"  # beside the marker of this user: which folders have worked on which computers
_MOST_TRIED = 100


class Found(msgspec.Struct, frozen=True):
    """``device``: the card's name, empty where CUDA found none; ``wrong``: why it cannot be used, in a sentence."""

    torch: str = ""
    device: str = ""
    wrong: str = ""


class _Tried(msgspec.Struct, frozen=True):
    folder: str
    machine: str
    found: Found


def try_folder(folder: Path) -> Found:
    """Import it, compute with it on the processor and, if there is one, on the card."""
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        said = subprocess.run(
            [*this_program(), OPTION, str(folder)], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            errors="replace", timeout=PATIENCE_S, creationflags=flags,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Found(wrong=f"it did not answer within {PATIENCE_S:.0f} s.")
    except OSError as error:
        return Found(wrong=f"it could not be tried ({error.strerror or error}).")
    try:
        return msgspec.json.decode(said.stdout.strip().rpartition("\n")[2], type=Found)
    except msgspec.DecodeError:
        words = said.stderr.strip().rpartition("\n")[2][:500] or f"it ended with status {said.returncode}"
        return Found(wrong=f"{words.rstrip('.')}.")


def tried_here(folder: Path, home: Place) -> Found:
    """``try_folder``, once for each computer: a home folder may be shared by many. ``home``: where that is remembered."""
    known = _known(home)
    identity = f"{folder} {_changed(folder)}"
    for one in known:
        if (one.folder, one.machine) == (identity, machine.machine_id()):
            return one.found
    found = try_folder(folder)
    _remember(home, [*known, _Tried(identity, machine.machine_id(), found)])
    return found


def _known(home: Place) -> list[_Tried]:
    try:
        return msgspec.json.decode((home.root / _RECORD).read_bytes(), type=list[_Tried])
    except (OSError, msgspec.DecodeError):
        return []


def _remember(home: Place, tried: list[_Tried]) -> None:
    try:
        home.root.mkdir(parents=True, exist_ok=True)
        atomic.write(home.root / _RECORD, msgspec.json.encode(tried[-_MOST_TRIED:]), replace=True)
    except (OSError, SessionError):
        return  # it is tried again next time


def _changed(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0
