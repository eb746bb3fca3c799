"""The texts of programs that somebody agreed to run, kept in the application's own folder so that a later change can be shown."""

from __future__ import annotations

import re
from pathlib import Path

from .. import atomic
from ..descriptors import never_waiting
from ..errors import SessionError
from ..places import home
from .what_runs import Found

MAX_BYTES = 500_000  # of one text
MAX_FILES = 200  # the oldest go


def keep_texts(found: Found) -> None:
    """Keep the texts of the programs, scripts and modules of ``found``. What cannot be kept is not."""
    place = _folder()
    for file, path in zip(found.files, found.paths, strict=True):
        if not path or file.role not in ("program", "script", "module") or file.size > MAX_BYTES:
            continue
        target = place / f"{file.digest}.txt"
        text = None if target.exists() else program_text(Path(path))
        if text is None:
            continue
        try:
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            atomic.write(target, text.encode())
        except (OSError, SessionError):
            return
        _forget_oldest(place)


def kept_text(digest: str) -> str | None:
    """The text of that SHA-256 digest; None if it was not kept."""
    if not re.fullmatch("[0-9a-f]{64}", digest):
        return None
    return program_text(_folder() / f"{digest}.txt")


def program_text(path: Path) -> str | None:
    """The text of a program; None if it is no text, or not there."""
    try:
        with open(path, "rb", opener=never_waiting) as file:
            data = file.read(MAX_BYTES + 1)
        return None if b"\0" in data or len(data) > MAX_BYTES else data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _folder() -> Path:
    return home() / "agreed"


def _forget_oldest(place: Path) -> None:
    try:
        files = sorted(place.glob("*.txt"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(0, len(files) - MAX_FILES)]:
            path.unlink(missing_ok=True)
    except OSError:
        return
