"""What the person is told: one stream of reports for the whole window, whichever part of the analysis they come from."""

from __future__ import annotations

import traceback
from typing import Literal

from PySide6.QtCore import QObject, Signal

from bayescope.engine import protocol
from bayescope.engine.session.errors import DamagedSession, NotASession


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


def report_of(what: str, error: BaseException) -> protocol.Report:
    """An error as what happened, where, what to try. Errors of the engine's rooms carry these words themselves."""
    reason = str(getattr(error, "what", "") or "") or _plain(error)
    where = str(getattr(error, "where", "") or "")
    suggestion = str(getattr(error, "suggestion", "") or "")
    details = "".join(traceback.format_exception(error))
    return protocol.Report(
        level="error",
        what=f"{what} {reason}".strip(),
        where=where,
        suggestion=suggestion,
        details=details,
        action="recover" if where and isinstance(error, (DamagedSession, NotASession)) else "",
    )


def _plain(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}."
    text = str(error).strip() or type(error).__name__
    return text if text.endswith((".", "!", "?")) else text + "."
