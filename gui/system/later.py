"""Work that waits a moment, and is dropped with what it belongs to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def later(owner: QObject, milliseconds: int, work: Callable[[], object]) -> None:
    """Do ``work`` once after ``milliseconds``, unless ``owner`` is gone by then (QTimer.singleShot would still do it)."""
    timer = QTimer(owner, singleShot=True, interval=milliseconds)
    timer.timeout.connect(work)
    timer.timeout.connect(timer.deleteLater)
    timer.start()
