"""A box with a question whose buttons are pressed by no letter alone."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMessageBox

_WITH = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier


class QuestionBox(QMessageBox):
    """Qt's own takes a bare letter for Alt and that letter: who types a name before a file dialog is there throws things away."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text().strip().isprintable() and event.text().strip() and not event.modifiers() & _WITH:
            event.accept()
            return
        super().keyPressEvent(event)
