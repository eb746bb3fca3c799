"""Boxes for a whole number and for an amount, with arrows. What is typed is read as everywhere else, and never cut down to
what happens to fit: Qt's own boxes drop the signs they do not expect, so that 1,5 becomes 15."""

from __future__ import annotations

import re

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QFocusEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox, QWidget

from bayescope.engine.problem.numbers.number_text import NumberError, typed, whole

_GROUPS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")  # as the box itself shows them
_DONE, _TYPING = QValidator.State.Acceptable, QValidator.State.Intermediate


class CountBox(QSpinBox):
    """A whole number. What is none when the field is left gives way to the number that was there before."""

    def __init__(self, low: int, high: int, value: int, groups: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLocale(QLocale.c())
        self.setRange(low, high)
        self.setGroupSeparatorShown(groups and QLocale.system().decimalPoint() != ",")  # there 1,234 is a little over one
        self.setValue(value)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.editingFinished.connect(self._keep)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # who scrolls a form past it does not mean it

    def _keep(self) -> None:
        self._before = self.value()

    def setValue(self, value: int) -> None:
        super().setValue(value)
        self._keep()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keep()
        super().focusInEvent(event)

    def _read(self, text: str) -> int | None:
        inner = text.removeprefix(self.prefix()).removesuffix(self.suffix()).strip()
        try:
            found = whole(inner.replace(",", "") if self.isGroupSeparatorShown() and _GROUPS.fullmatch(inner) else inner)
        except NumberError:
            return None
        return found if self.minimum() <= found <= self.maximum() else None

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return (_TYPING if self._read(text) is None else _DONE), text, position

    def fixup(self, text: str) -> str:
        return self.prefix() + self.textFromValue(self._before) + self.suffix()

    def valueFromText(self, text: str) -> int:
        found = self._read(text)
        return self._before if found is None else found


class AmountBox(QDoubleSpinBox):
    """A number with decimals. What is none when the field is left gives way to the number that was there before."""

    def __init__(self, low: float, high: float, decimals: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLocale(QLocale.c())
        self.setDecimals(decimals)
        self.setRange(low, high)
        self._keep()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.editingFinished.connect(self._keep)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # who scrolls a form past it does not mean it

    def _keep(self) -> None:
        self._before = self.value()

    def setValue(self, value: float) -> None:
        super().setValue(value)
        self._keep()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._keep()
        super().focusInEvent(event)

    def _read(self, text: str) -> float | None:
        if text == self.specialValueText() != "":
            return self.minimum()
        try:
            found = round(typed(text.removeprefix(self.prefix()).removesuffix(self.suffix())), self.decimals())
        except NumberError:
            return None
        return found if self.minimum() <= found <= self.maximum() else None

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return (_TYPING if self._read(text) is None else _DONE), text, position

    def fixup(self, text: str) -> str:
        special = self._before == self.minimum() and self.specialValueText()
        return special or self.prefix() + self.textFromValue(self._before) + self.suffix()

    def valueFromText(self, text: str) -> float:
        found = self._read(text)
        return self._before if found is None else found
