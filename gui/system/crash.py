"""When the window's own code fails: words in a dialog, the traceback in a log file, the analysis saved and still running."""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import sys
import threading
import traceback
from types import TracebackType
from typing import TextIO

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from bayescope.engine import protocol
from bayescope.gui.analysis.session_files import home

log = logging.getLogger("bayescope.gui")
_crash_file: TextIO | None = None


class _Reporter(QObject):
    """Brings an exception of any thread to the window's thread; one dialog at a time."""

    caught = Signal(str, str)  # one line, traceback

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._showing = False
        self.caught.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def _show(self, line: str, details: str) -> None:
        if self._showing:
            return
        from bayescope.gui.dialogs.messages import show_report

        self._showing = True
        try:
            show_report(
                _window_in_front(),
                protocol.Report(
                    level="error",
                    what="Something in the window went wrong. Your analysis is saved, and a run in progress goes on.",
                    where=line,
                    suggestion="Go on working; if it comes back, close and open the window again. "
                    f"The details are also in {log_file()}.",
                    details=details,
                ),
            )
        finally:
            self._showing = False


def _window_in_front() -> QWidget | None:
    """The one being worked in; else any that is open."""
    shown = (w for w in QApplication.topLevelWidgets() if w.isWindow() and w.isVisible() and w.parent() is None)
    return QApplication.activeWindow() or next(shown, None)


def log_file() -> str:
    return str(home() / "logs" / "window.log")


def enable_fault_log() -> None:
    """A crash of a library, which no Python code survives, leaves its traceback in ``logs/window-crash.log``.

    The file stays open: at the moment of a crash nothing can be opened any more.
    """
    global _crash_file
    try:
        path = home() / "logs" / "window-crash.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        large = path.exists() and path.stat().st_size > 1_000_000
        file = open(path, "w" if large else "a", encoding="utf-8")  # noqa: SIM115
    except OSError:
        if sys.stderr is not None:  # a window without a terminal has none on Windows
            faulthandler.enable()
        return
    faulthandler.enable(file=file)
    _crash_file = file


def install_exception_hook(parent: QObject) -> None:
    """From now on an unexpected exception, in whatever thread, is logged and told in words; the windows stay.

    ``parent``: what lives as long as that is wanted, usually the application.
    """
    reporter = _Reporter(parent)
    if not log.handlers:
        try:
            (home() / "logs").mkdir(parents=True, exist_ok=True)
            handler = logging.handlers.RotatingFileHandler(
                log_file(), maxBytes=1_000_000, backupCount=2, encoding="utf-8"
            )
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
            log.addHandler(handler)
        except OSError:
            log.addHandler(logging.StreamHandler())

    def caught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error or kind(), trace)
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        log.error("unexpected exception\n%s", details)
        reporter.caught.emit(f"{kind.__name__}: {error}"[:300], details)

    def caught_in_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_type is not SystemExit:
            caught(args.exc_type, args.exc_value, args.exc_traceback)

    sys.excepthook = caught
    threading.excepthook = caught_in_thread
