"""The first import of earlier evaluations: written to the analysis's file beside the window's thread, whole or not at all."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.reports import Reports
from bayescope.gui.analysis.session_file import OpenFile

if TYPE_CHECKING:
    from bayescope.engine.archive.interpret import Imported
    from bayescope.engine.archive.output_runs import ImportedRuns


class _Cancelled(Exception):
    pass


class Importing(QObject):
    """One at a time. ``busy``: it is being written."""

    ended = Signal(bool)  # True: it is in the file, and shown
    _written = Signal(object)  # the problem as it is then, or an error

    def __init__(self, file: AnalysisFile, opened: OpenFile, reports: Reports, parent: QObject) -> None:
        super().__init__(parent)
        self._file, self._opened, self._reports = file, opened, reports
        self.busy = False
        self._cancelled = threading.Event()
        self._written.connect(self._take)

    def begin(self, found: Imported | ImportedRuns) -> bool:
        """``ended`` follows. False, with a report, if nothing can be imported now."""
        problem = None if self.busy else self._file.begin_import()
        if problem is None:
            return False
        opened, cancelled, declared = self._opened.now, threading.Event(), problem
        self.busy, self._cancelled = True, cancelled

        def check() -> None:
            if cancelled.is_set():
                raise _Cancelled

        def work() -> None:
            result: Problem | Exception
            try:
                result = opened.import_archive(found, declared, check)
            except Exception as error:
                result = error
            try:
                self._written.emit(result)
            except RuntimeError:  # the window was closed meanwhile; it is in the file, or nothing of it is
                return

        try:
            threading.Thread(target=work, name="importing", daemon=True).start()
        except RuntimeError as error:
            self._written.emit(error)
        return True

    def cancel(self) -> None:
        """Unless it is in the file by then; ``ended`` says."""
        self._cancelled.set()

    def _take(self, result: object) -> None:
        self.busy = False
        if isinstance(result, Problem):
            self.ended.emit(self._file.end_import(result))
            return
        if not isinstance(result, _Cancelled):
            self._reports.failed("The evaluations could not be imported.", result)  # type: ignore[arg-type]
        self.ended.emit(False)
