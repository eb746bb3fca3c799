"""Jobs on another computer that could not be cancelled when the analysis was stopped: tried again while the window is open."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from bayescope.engine import protocol
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.stored_runs import StoredRuns

AGAIN_MS = 60_000  # a login that is asked too often locks an account


class JobsLeft(QObject):
    """``number`` of them in the file shown, and what is to be said of them or became of them: ``words``."""

    changed = Signal()

    def __init__(self, link: RunLink, file: AnalysisFile, stored: StoredRuns, parent: QObject) -> None:
        super().__init__(parent)
        self._link, self._file, self._stored = link, file, stored
        self.number, self.words = 0, ""
        self._timer = QTimer(self, interval=AGAIN_MS)
        self._timer.timeout.connect(self.try_now)
        link.jobs_settled.connect(self._on_settled)

    def look(self) -> None:
        """An analysis is shown, or has ended: there may be some, which are tried at once and then again and again."""
        self.number, self.words = 0, ""
        self._timer.stop()
        if not self._link.active:
            self.number, place = self._stored.jobs_left()
            if self.number:
                self.words = _still(self.number, place, "It is tried again every minute while this window is open.")
                self._timer.start()
                self.try_now()
        self.changed.emit()

    def try_now(self) -> None:
        """Nothing during a run, which has done it at its start."""
        if self.number and not self._link.active and self._file.on_disk is not None:
            self._link.ask(protocol.SettleJobs(session=str(self._file.on_disk)))

    def _on_settled(self, found: protocol.JobsSettled) -> None:
        """Of the file shown only: another may have been opened meanwhile."""
        if not self.number or self._link.active or found.session != str(self._file.on_disk):
            return
        place = self._stored.jobs_left()[1]
        self.number = found.left
        at = time.strftime("%H:%M:%S")
        self.words = _still(found.left, place, f"Tried at {at}: {found.words}") if found.left else found.words
        if not found.left:
            self._timer.stop()
        self.changed.emit()


def _still(n: int, place: str, tried: str) -> str:
    jobs, go = ("One job", "goes") if n == 1 else (f"{n} jobs", "go")
    return f"{jobs} could not be cancelled at “{place[:60]}” and {go} on there. {tried}"
