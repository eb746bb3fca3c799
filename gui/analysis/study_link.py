"""Sensitivities that are worked out by the engine process, as the window follows them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol

if TYPE_CHECKING:
    from bayescope.gui.analysis.analysis_file import AnalysisFile
    from bayescope.gui.analysis.run_link import RunLink


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


class Study(QObject):
    """Sensitivities of the newest answer of the file shown; no simulator run is made."""

    changed = Signal()  # begun, or ended
    done = Signal(object)  # protocol.StudyDone

    def __init__(self, link: RunLink, file: AnalysisFile, parent: QObject) -> None:
        super().__init__(parent)
        self._link, self._file = link, file
        link.studying.changed.connect(self.changed)
        link.studying.done.connect(self._pass_on)

    @property
    def running(self) -> bool:
        return bool(self._link.studying.session)

    def start(self) -> bool:
        """False: nothing is stored yet, or one is being made; else ``done`` follows."""
        if self._file.on_disk is None or self.running:
            return False
        self._link.ask(self._link.studying.begin(self._file.on_disk))
        return True

    def cancel(self) -> None:
        self._link.cancel_compare()

    def _pass_on(self, found: protocol.StudyDone) -> None:
        """Another file may have been opened meanwhile."""
        if self._file.on_disk is not None and found.session == str(self._file.on_disk):
            self.done.emit(found)
