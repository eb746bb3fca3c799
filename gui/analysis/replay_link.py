"""Runs that are made again by the engine process, as the window follows them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol

if TYPE_CHECKING:
    from bayescope.engine.session.trust.consent import Signed


class ReplayLink(QObject):
    """``session``: the file whose runs are being made again; empty while none are."""

    changed = Signal()  # begun, or another run has ended
    done = Signal(object)  # protocol.ReplayDone

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.session = ""
        self.ended, self.total = 0, 0  # runs

    def begin(self, session: Path, runs: int, signed: Signed, where: str) -> protocol.Replay:
        """The command for the engine."""
        self.session, self.ended, self.total = str(session), 0, runs
        self.changed.emit()
        return protocol.Replay(
            session=self.session, runs=runs, consent=signed.content, signature=signed.signature, where=where
        )

    def take(self, message: protocol.ReplayProgress | protocol.ReplayDone) -> None:
        """A message of the engine."""
        if isinstance(message, protocol.ReplayProgress):
            self.ended, self.total = message.done, message.total
            self.changed.emit()
        else:
            self.session = ""
            self.done.emit(message)

    def lost(self, words: str) -> None:
        """The engine died."""
        if self.session:
            self.take(protocol.ReplayDone(session=self.session, words=words))
