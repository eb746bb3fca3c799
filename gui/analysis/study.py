"""Sensitivities of the answer shown, as the pages ask for them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.run_link import RunLink


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
