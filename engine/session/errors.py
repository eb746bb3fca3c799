"""What can go wrong with a session file, in words for people."""

from __future__ import annotations


class SessionError(Exception):
    """``what`` happened, ``where`` (a file), and a ``suggestion``; ``str()`` gives all three as plain text."""

    def __init__(self, what: str, where: str = "", suggestion: str = "") -> None:
        self.what = what
        self.where = where
        self.suggestion = suggestion
        parts = [what.rstrip(".") + "."]
        if where:
            parts.append(f"File: {where}.")
        if suggestion:
            parts.append(suggestion)
        super().__init__(" ".join(parts))


class SessionGone(SessionError):
    """The file was moved, deleted or replaced while it was open."""


class NothingChanged(SessionError):
    """The question asked is the one that is answered already."""


class NotASession(SessionError):
    """The file is something else."""


class DamagedSession(SessionError):
    """The file was a session, but parts of it cannot be read; ``salvage`` may help."""


class NewerSession(SessionError):
    """The file was made with a newer version of the application."""


class DuplicateRow(SessionError):
    """A row of that number is in the session already."""


class FileIsThere(SessionError):
    """A file of that name exists and nobody agreed to lose it."""


class ReadOnlySession(SessionError):
    """Something was to be written, but the session is open for reading only."""
