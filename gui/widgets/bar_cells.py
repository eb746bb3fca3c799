"""Cells of a table that show a share as a bar, with the interval it is known to."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from bayescope.gui.models.records import Index
from bayescope.gui.style.theme import theme

Share = tuple[float, float, float]  # value, low and high end, of the whole width
ROOM, HIGH = 6, 0.45  # pixels left and right; of the cell's height


class BarCells(QStyledItemDelegate):
    """``share_of``: a row -> what to draw there, None: nothing. The text of these cells is for copying and for readers."""

    def __init__(self, share_of: Callable[[int], Share | None], parent: QWidget) -> None:
        super().__init__(parent)
        self._share_of = share_of

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = ""  # type: ignore[attr-defined]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        share = self._share_of(index.row())
        if share is None:
            return
        rect: QRect = option.rect  # type: ignore[attr-defined]
        left, width = rect.left() + ROOM, max(rect.width() - 2 * ROOM, 1)
        height = min(HIGH * rect.height(), 14.0)
        middle = rect.center().y() + 0.5
        value, low, high = (left + width * min(max(s, 0.0), 1.0) for s in share)
        painter.save()
        painter.fillRect(QRectF(left, middle - 0.5 * height, width, height), theme.colour("sunken"))
        painter.fillRect(QRectF(left, middle - 0.5 * height, max(value - left, 1.0), height), theme.colour("accent"))
        if share[2] > share[1]:
            painter.setPen(theme.colour("text"))
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for end in (low, high):
                painter.drawLine(QPointF(end, middle - 3.0), QPointF(end, middle + 3.0))
        painter.restore()
