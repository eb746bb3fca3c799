"""The session that the engine works on, where it is saved under another name meanwhile. No Qt."""

from __future__ import annotations

from pathlib import Path


class MovedSession:
    """``now``: its path, '' where nothing is asked."""

    def __init__(self) -> None:
        self.now = ""
        self._asked = ""  # under which name, where it has another now

    def begin(self, session: Path) -> str:
        """The engine is asked about this one."""
        self.now, self._asked = str(session), ""
        return self.now

    def moved(self, old: Path, new: Path) -> None:
        """It goes on under another name; what the engine says of the old one is of the new."""
        if self.now == str(old):
            self._asked, self.now = self._asked or self.now, str(new)

    def end(self, session: str) -> str:
        """Where the session is that an answer of the engine is of; '' where it has not been moved. Nothing is asked any more."""
        now = self.now if self._asked and session == self._asked else ""
        self.now = self._asked = ""
        return now
