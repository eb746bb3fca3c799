"""Sensitivities that are worked out by the engine process, as the window follows them."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol
from bayescope.gui.analysis.moved_session import MovedSession


class StudyLink(QObject):
    """``session``: the file that is being studied; empty while none is."""

    changed = Signal()  # begun, or ended
    done = Signal(object)  # protocol.StudyDone
    unkept = Signal(object)  # bytes, the record of what was worked out: the engine had no file to keep it in

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._session = MovedSession()
        self.moved = self._session.moved

    @property
    def session(self) -> str:
        return self._session.now

    def begin(self, session: Path) -> protocol.Study:
        """The command for the engine."""
        command = protocol.Study(session=self._session.begin(session))
        self.changed.emit()
        return command

    def take(self, message: protocol.StudyDone) -> None:
        """A message of the engine."""
        if now := self._session.end(message.session):
            words = "" if message.record_json else message.words  # those are of the file that was moved
            message = msgspec.structs.replace(message, session=now, words=words)
            if message.record_json:
                self.unkept.emit(message.record_json)
        self.changed.emit()
        self.done.emit(message)

    def lost(self, words: str) -> None:
        """The engine died."""
        if self.session:
            self.take(protocol.StudyDone(session=self.session, words=words))
