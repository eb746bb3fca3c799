"""Texts that give way where there is little room: cut with an ellipsis, whole in the tool tip."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)


class ElidedLabel(QLabel):
    """One line that gives way: cut with an ellipsis, whole in the tool tip."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._whole = ""

    def say(self, text: str, tip: str = "") -> None:
        self._whole = text
        self.setToolTip(tip or text)
        self.setAccessibleName(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        first = self._whole.replace("\n", " ")
        text = self.fontMetrics().elidedText(first, Qt.TextElideMode.ElideRight, max(self.width() - 2, 10))
        self.setText(text if text == first or len(text) > 8 else "")  # a stump of a word says nothing

    @property
    def whole(self) -> str:
        return self._whole


class FittingCombo(QComboBox):
    """Grows and shrinks with its row; a choice too long for it ends in an ellipsis, and is whole in the list and the tool tip."""

    def __init__(self, name: str, widest: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaximumWidth(widest)
        self.currentTextChanged.connect(lambda text: self.setToolTip(f"{name}: {text}"))

    def showPopup(self) -> None:
        wide = max((self.fontMetrics().horizontalAdvance(self.itemText(i)) for i in range(self.count())), default=0)
        self.view().setMinimumWidth(min(wide + 40, 480))
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fontMetrics().elidedText(  # type: ignore[attr-defined]
            self.currentText(), Qt.TextElideMode.ElideRight, room.width() - 4
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
