"""A field for an amount with a unit. What cannot be read stays to be corrected and is said; it never becomes another amount."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QLineEdit, QWidget

from bayescope.engine.problem.numbers.number_text import NumberError
from bayescope.gui.models.quantities import SHOWN, amount_text, read_amount


class QuantityEdit(QLineEdit):
    """``units`` of quantities.py; ``empty``: what is said where nothing is written."""

    def __init__(self, units: Mapping[str, float], empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._units = units
        self.setPlaceholderText(empty)
        self.editingFinished.connect(self._settle)

    def setValue(self, value: float | None) -> None:
        self.setText(amount_text(value, self._units))

    def value(self) -> float | None:
        """None: nothing is written, or nothing that can be read."""
        try:
            return read_amount(self.text(), self._units)
        except NumberError:
            return None

    def refusal(self) -> str:
        """Why what is written is no amount, a sentence; "": it is one, or nothing is written."""
        try:
            read_amount(self.text(), self._units)
        except NumberError:
            known = SHOWN[id(self._units)][::-1]
            return f"“{self.text().strip()[:40]}” is no {self.accessibleName().lower()}: write a number and {', '.join(known)}."
        return ""

    def _settle(self) -> None:
        if not self.refusal():
            self.setText(amount_text(self.value(), self._units))
