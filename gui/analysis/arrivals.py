"""Earlier evaluations that are added to an analysis which has begun: written to its file beside the window's thread, then taken
in by the engine: by the run under way, or without a run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.run_link import RunLink
from bayescope.gui.analysis.session_file import OpenFile, SessionFile

if TYPE_CHECKING:
    from bayescope.engine.archive.additions import Addition, Known
    from bayescope.engine.session.watched import Watched

OTHER_METHOD = "Only an analysis that started from earlier evaluations, and kept its method, takes in more of them."
OTHERWISE = "Duplicate it without runs and import there: its own runs can be imported with the others."


class Arrivals(QObject):
    """``added`` says what was written, in words; what the engine makes of it is seen by the run's own signals."""

    changed = Signal()  # begun, or ended
    added = Signal(str)
    _written = Signal(object, object)  # the file, and Addition or error

    def __init__(
        self, file: AnalysisFile, run: AnalysisRun, link: RunLink, opened: OpenFile, reports: Reports, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._file, self._run, self._link, self._opened, self._reports = file, run, link, opened, reports
        self.writing = False
        self._each = "row"  # what is added, in a word
        self._owed = False  # written while the engine could not be asked to take it in
        self._written.connect(self._take)
        run.state_changed.connect(lambda *_: self._pay())
        file.shown.connect(self._forget)

    @property
    def possible(self) -> bool:
        """Whether the analysis has earlier evaluations at all, so that more can be added."""
        return self.takes_in != ""

    @property
    def takes_in(self) -> Literal["values", "outputs", ""]:
        """What more of them are given by; "": there can be none."""
        return self._opened.now.takes_in

    @property
    def busy(self) -> bool:
        """Whether nothing can be added for a moment."""
        return self.writing or self._run.unrecorded.replaying or self._run.state == "stopping"

    def obstacle(self) -> tuple[str, str]:
        """Why nothing can be added now and what to try; two empty sentences if it can."""
        if self._file.read_only:
            return self._file.read_only_words, "Save it under another name first."
        if not self.possible:
            return OTHER_METHOD, OTHERWISE
        errors = self._run.obstacles()
        if errors:
            return f"The analysis is not ready to run: {errors[0].message}", errors[0].suggestion
        if self._run.unrecorded.replaying:
            return "Runs are being made again.", "Cancel that, or wait for its end."
        if self._run.state == "stopping":
            return "The run is stopping.", "Wait for its end."
        if self.writing:
            return "Others are being added.", "Wait a moment."
        return "", ""

    def known(self) -> Known:
        """What the analysis has; may be called from any thread. Raises SessionError."""
        return self._opened.now.known()

    def add(self, found: Addition, watched: Watched | None = None) -> bool:
        """Write it, with how far a watched file was read then, in another thread. False, with a report, if it cannot be now."""
        words, hint = self.obstacle()
        if words:
            self._reports.report("warning", words, suggestion=hint)
            return False
        self.writing, self._each = True, "row" if watched is None or watched.folders is None else "run"
        self.changed.emit()
        opened = self._opened.now

        def work() -> None:
            result: object = found
            try:
                opened.add_evaluations(found, watched)
            except Exception as error:
                result = error
            try:
                self._written.emit(opened, result)
            except RuntimeError:  # the window was closed meanwhile; it is in the file
                return

        try:
            threading.Thread(target=work, name="arrivals", daemon=True).start()
        except RuntimeError as error:
            self._written.emit(opened, error)
        return True

    def _forget(self) -> None:
        """Another analysis is shown; nothing is computed because it was opened."""
        self.writing = self._owed = False
        self.changed.emit()
        if self._run.data.answer is not None and not self._opened.now.all_taken_in:
            words = "Earlier evaluations were added that the answer does not know yet."
            self._reports.report("info", words, suggestion="The next run takes them in, and so does adding more.")

    def _take(self, opened: SessionFile, found: object) -> None:
        self.writing = False
        if opened is not self._opened.now:
            return
        if isinstance(found, Exception):
            self._reports.failed("The earlier evaluations could not be added.", found)
        else:
            addition: Addition = found  # type: ignore[assignment]
            rows = f"1 new {self._each}" if addition.count == 1 else f"{addition.count:,} new {self._each}s"
            self.added.emit(f"{rows} from {addition.record.source}.")
            self._owed = self._owed or addition.count > 0
            self._pay()
        self.changed.emit()

    def _pay(self) -> None:
        """Have the engine take in what was written: in the run under way, or, where there is an answer, without a run."""
        if not self._owed:
            return
        if self._run.active:  # it may end without having seen them: looked at again then
            self._link.send(protocol.ArchiveGrew())
            return
        self._owed = False
        if self._run.data.answer is None or self._opened.now.all_taken_in:
            return  # the first start takes everything
        if (session := self._file.write_to_run()) is not None:
            self._link.start(protocol.StartRun(session=str(session), take_in=True))
