"""Collects cyclic garbage in the window's thread, a little at a time.

Python collects in whatever thread allocates: a reader thread would then destroy widgets and timers that belong to the window's
thread, which Qt forbids; and a full collection over every object of the window takes a tenth of a second. So automatic
collection is off, a timer collects, and what belongs to a page that has been built is set aside for good.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 1000
THRESHOLDS = (700, 10, 10)  # objects; collections of the generation before


class GarbageTimer(QObject):
    """Lives as long as the application."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(collect)
        self._timer.start()


def collect() -> None:
    """The highest generation that is due, as Python would choose it."""
    for generation in (2, 1, 0):
        counts = gc.get_count()
        if counts[generation] > THRESHOLDS[generation]:
            gc.collect(generation)
            return


def set_aside() -> None:
    """What exists now (modules, pages) stays for good and is not looked through again; only under a ``GarbageTimer``."""
    if not gc.isenabled():
        gc.freeze()
