"""Answers of other methods that are worked out by the engine process, as the window follows them."""

from __future__ import annotations

from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol
from bayescope.gui.analysis.moved_session import MovedSession


class CompareLink(QObject):
    """``ready`` or ``failed`` follows each ``begin``."""

    ready = Signal(object)  # protocol.BaselineReady
    failed = Signal(object)  # protocol.BaselineFailed; no words: cancelled
    unkept = Signal(object)  # bytes, the record of what was worked out: the engine had no file to keep it in
    again = Signal(object)  # protocol.Compare: to be asked under the file's new name, as the old one could not be read

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._asked: protocol.Compare | None = None
        self._session = MovedSession()
        self.moved = self._session.moved

    def begin(self, session: Path, method: protocol.BaselineMethod) -> protocol.Compare:
        """The command for the engine."""
        self._asked = protocol.Compare(session=self._session.begin(session), method=method)
        return self._asked

    def take(self, message: protocol.BaselineReady | protocol.BaselineFailed) -> None:
        """A message of the engine."""
        self._asked, now = None, self._session.end(message.session)
        if now and isinstance(message, protocol.BaselineFailed) and message.words:
            self.again.emit(self.begin(Path(now), message.method))
            return
        message = msgspec.structs.replace(message, session=now or message.session)
        if isinstance(message, protocol.BaselineFailed):
            self.failed.emit(message)
            return
        if now:
            self.unkept.emit(message.record_json)
        self.ready.emit(message)

    def lost(self, words: str) -> None:
        """The engine died."""
        if self._asked is not None:
            session, method = self._session.now, self._asked.method
            self._session.end("")
            self.take(protocol.BaselineFailed(session=session, method=method, words=words))
