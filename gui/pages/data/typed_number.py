"""A question for one number that is above zero, typed as it is or as arithmetic: 62, 1/60."""

from __future__ import annotations

import math

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialogButtonBox, QInputDialog, QWidget

from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.gui.models.typed_functions import computed


class NumberDialog(QInputDialog):
    """OK only where a number stands."""

    def __init__(self, parent: QWidget, title: str, question: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setInputMode(QInputDialog.InputMode.TextInput)
        self.setLabelText(question)
        self.textValueChanged.connect(lambda _: self._allow())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._allow()  # its buttons are made only now

    def _allow(self) -> None:
        box = self.findChild(QDialogButtonBox)
        if box is not None:
            box.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self.number is not None)

    @property
    def number(self) -> float | None:
        """What is typed; None: no number above zero."""
        try:
            value = computed(self.textValue())
        except ValueError:
            return None
        value = value_of(self.textValue().strip()) if value is None else value
        return value if value is not None and math.isfinite(value) and value > 0.0 else None


def number_asked(parent: QWidget, title: str, question: str) -> float | None:
    """Ask, and wait for the answer; None: Cancel or Escape."""
    dialog = NumberDialog(parent, title, question)
    agreed = dialog.exec() == NumberDialog.DialogCode.Accepted
    found = dialog.number
    dialog.deleteLater()
    return found if agreed else None
