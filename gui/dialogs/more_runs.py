"""The question how many runs there may be in all; what it says and proposes follows the runs that end while it waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from bayescope.gui.dialogs.messages import LIVE_MS
from bayescope.gui.widgets.number_boxes import CountBox

MOST = 1_000_000  # runs in all: far more than any analysis reaches
STEP = 10


@dataclass(frozen=True)
class Asked:
    """``text``: what is asked; ``proposed``: how many in all; ``least``: that can be answered."""

    text: str
    proposed: int
    least: int


class MoreRunsDialog(QDialog):
    """``now`` says what is asked at the moment; a number that was typed stays."""

    def __init__(self, parent: QWidget, title: str, now: Callable[[], Asked]) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._now = now
        first = now()
        self._chosen = False  # a number by hand
        self.words = QLabel(first.text)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.total = CountBox(first.least, MOST, first.proposed)
        self.total.setSingleStep(STEP)
        self.total.setAccessibleName(title)
        self.total.valueChanged.connect(self._choose)
        self.total.lineEdit().textEdited.connect(self._choose)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.button(QDialogButtonBox.StandardButton.Ok).setProperty("kind", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        for part in (self.words, self.total, buttons):
            box.addWidget(part)
        self.total.selectAll()
        self._tick = QTimer(self, interval=LIVE_MS)
        self._tick.timeout.connect(self.look)
        self._tick.start()

    def look(self) -> None:
        """Say how many there are now."""
        asked = self._now()
        if asked.text != self.words.text():
            self.words.setMinimumSize(self.words.minimumSize().expandedTo(self.words.size()))  # no button moves under the mouse
            self.words.setText(asked.text)
        if self.total.minimum() != asked.least and (not self._chosen or self.total.value() >= asked.least):
            self.total.setMinimum(asked.least)
        if not self._chosen and asked.proposed != self.total.value():
            with QSignalBlocker(self.total):
                self.total.setValue(asked.proposed)
            self.total.selectAll()

    def _choose(self) -> None:
        self._chosen = True


def how_many(parent: QWidget, title: str, now: Callable[[], Asked]) -> int | None:
    """Ask, and wait for the answer; None: Cancel or Escape."""
    dialog = MoreRunsDialog(parent, title, now)
    agreed = dialog.exec() == QDialog.DialogCode.Accepted
    total = dialog.total.value()
    dialog.deleteLater()
    return total if agreed else None
