"""What the person is told: one stream of reports for the whole window, whichever part of the analysis they come from."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol
from bayescope.gui.words import report_of


class Reports(QObject):
    """The window listens to ``reported`` and decides by the level whether it is a dialog or a line in the status bar."""

    reported = Signal(object)  # protocol.Report: show it to the person

    def report(
        self,
        level: Literal["info", "warning", "error"],
        what: str,
        where: str = "",
        suggestion: str = "",
        details: str = "",
    ) -> None:
        self.reported.emit(protocol.Report(level=level, what=what, where=where, suggestion=suggestion, details=details))

    def failed(self, what: str, error: BaseException) -> bool:
        """``what`` did not work because of ``error``; always False, for the caller to return."""
        self.reported.emit(report_of(what, error))
        return False

    def refuse_while_running(self, what: str) -> bool:
        """Always False, for the caller to return."""
        self.report("warning", "The analysis is running.", suggestion=f"Stop it before {what}.")
        return False

    def refuse_while_replaying(self, what: str) -> bool:
        """Always False, for the caller to return."""
        self.report("warning", "Runs are being made again.", suggestion=f"Cancel that, or wait for its end, before {what}.")
        return False
