"""Sensitivities that are worked out by the engine process, as the window follows them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol


class StudyLink(QObject):
    """``session``: the file that is being studied; empty while none is."""

    changed = Signal()  # begun, or ended
    done = Signal(object)  # protocol.StudyDone

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.session = ""

    def begin(self, session: Path) -> protocol.Study:
        """The command for the engine."""
        self.session = str(session)
        self.changed.emit()
        return protocol.Study(session=self.session)

    def take(self, message: protocol.StudyDone) -> None:
        """A message of the engine."""
        self.session = ""
        self.changed.emit()
        self.done.emit(message)

    def lost(self, words: str) -> None:
        """The engine died."""
        if self.session:
            self.take(protocol.StudyDone(session=self.session, words=words))
