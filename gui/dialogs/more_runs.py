"""The question how many runs there may be in all; what it says and proposes follows the runs that end while it waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtWidgets import QDialog, QInputDialog, QWidget

from bayescope.gui.dialogs.messages import LIVE_MS

MOST = 1_000_000  # runs in all: far more than any analysis reaches
STEP = 10


@dataclass(frozen=True)
class Asked:
    """``text``: what is asked; ``proposed``: how many in all; ``least``: that can be answered."""

    text: str
    proposed: int
    least: int


class MoreRunsDialog(QInputDialog):
    """``now`` says what is asked at the moment; a number that was typed stays."""

    def __init__(self, parent: QWidget, title: str, now: Callable[[], Asked]) -> None:
        super().__init__(parent)
        first, self._now, self._chosen = now(), now, False
        self.setWindowTitle(title)
        self.setInputMode(QInputDialog.InputMode.IntInput)
        self.setLabelText(first.text)
        self.setIntRange(first.least, MOST)
        self.setIntStep(STEP)
        self.setIntValue(first.proposed)
        self.intValueChanged.connect(self._choose)
        self._tick = QTimer(self, interval=LIVE_MS)
        self._tick.timeout.connect(self.look)
        self.finished.connect(self._tick.stop)
        self._tick.start()

    def look(self) -> None:
        """Say how many there are now."""
        asked = self._now()
        if asked.text != self.labelText():
            self.setMinimumSize(self.minimumSize().expandedTo(self.size()))  # no button moves under the mouse
            self.setLabelText(asked.text)
        with QSignalBlocker(self):
            if not self._chosen:
                self.setIntRange(asked.least, MOST)
                self.setIntValue(asked.proposed)
            elif self.intValue() >= asked.least:  # what is being typed is not changed under the fingers
                self.setIntMinimum(asked.least)

    def _choose(self) -> None:
        self._chosen = True


def how_many(parent: QWidget, title: str, now: Callable[[], Asked]) -> int | None:
    """Ask, and wait for the answer; None: Cancel or Escape."""
    dialog = MoreRunsDialog(parent, title, now)
    agreed = dialog.exec() == QDialog.DialogCode.Accepted
    total = dialog.intValue()
    dialog.deleteLater()
    return total if agreed else None
