"""Sensitivities that are worked out by the engine process, as the window follows them."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol


class StudyLink(QObject):
    """``session``: the file that is being studied; empty while none is."""

    changed = Signal()  # begun, or ended
    done = Signal(object)  # protocol.StudyDone
    unkept = Signal(object)  # bytes, the record of what was worked out: the engine had no file to keep it in

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.session = ""
        self._asked = ""  # under which name, where it has another now

    def begin(self, session: Path) -> protocol.Study:
        """The command for the engine."""
        self.session, self._asked = str(session), ""
        self.changed.emit()
        return protocol.Study(session=self.session)

    def moved(self, old: Path, new: Path) -> None:
        """The file that is studied goes on under another name; what the engine says of the old one is of the new."""
        if self.session == str(old):
            self._asked, self.session = self._asked or self.session, str(new)

    def take(self, message: protocol.StudyDone) -> None:
        """A message of the engine."""
        if self._asked and message.session == self._asked:
            words = "" if message.record_json else message.words  # those are of the file that was moved
            message = msgspec.structs.replace(message, session=self.session, words=words)
            if message.record_json:
                self.unkept.emit(message.record_json)
        self.session = self._asked = ""
        self.changed.emit()
        self.done.emit(message)

    def lost(self, words: str) -> None:
        """The engine died."""
        if self.session:
            self.take(protocol.StudyDone(session=self.session, words=words))
