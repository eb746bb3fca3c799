"""Cells of a long table that changes many times a second, painted plainly: the style's own cells take five times longer."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from bayescope.gui.models.runs import Index, RunTableModel
from bayescope.gui.style.theme import theme

_SELECTED = QStyle.StateFlag.State_Selected
_LEFT = int((Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter).value)
_RIGHT = int((Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter).value)
PADDING = 7


class RunCells(QStyledItemDelegate):
    """Text only, right-aligned but for the outcome. The view paints the stripes, this one the selection."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        theme.changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        c = theme.colours
        self._text, self._error, self._selection = QColor(c.text), QColor(c.error), QColor(c.selection)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model: Any = index.model()
        if not isinstance(model, RunTableModel):
            super().paint(painter, option, index)
            return
        rect: QRect = option.rect  # type: ignore[attr-defined]
        row, column = index.row(), index.column()
        if option.state & _SELECTED:  # type: ignore[attr-defined]
            painter.fillRect(rect, self._selection)
        painter.setPen(self._error if column == 1 and model.failed(row) else self._text)
        room = rect.adjusted(PADDING, 0, -PADDING, 0)
        painter.drawText(room, _LEFT if column == 1 else _RIGHT, model.text(row, column))
