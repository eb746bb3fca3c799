"""The list of recent analyses: name, state and date of each, two lines high."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from bayescope.gui.models.recent import DATE_ROLE, PLACE_ROLE, STATE_ROLE, RecentModel
from bayescope.gui.style.theme import theme

Index = QModelIndex | QPersistentModelIndex
MARGIN = 10


class RecentDelegate(QStyledItemDelegate):
    """Paints plain text only: a name can hold anything."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, QFontMetrics(QApplication.font()).height() * 2 + 20)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        painter.save()
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            painter.fillRect(rect, theme.colour("accent_soft"))
        bold, small = QFont(QApplication.font()), theme.small_font()
        bold.setWeight(QFont.Weight.DemiBold)
        wide, thin = QFontMetrics(bold), QFontMetrics(small)
        left, right, top = rect.left() + MARGIN, rect.right() - MARGIN, rect.top() + 7
        date = str(index.data(DATE_ROLE) or "")
        date_width = thin.horizontalAdvance(date) + 12
        painter.setFont(small)
        painter.setPen(theme.colour("muted"))
        line = QRect(left, top, right - left, wide.height())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), date)
        painter.setFont(bold)
        painter.setPen(theme.colour("text"))
        name = wide.elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, right - left - date_width)
        painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), name)
        painter.setFont(small)
        words = str(index.data(STATE_ROLE) or "…")
        painter.setPen(theme.colour("error" if words.startswith("✕") else "muted"))
        below = QRect(left, line.bottom() + 3, right - left, thin.height())
        text = f"{words}   ·   {index.data(PLACE_ROLE)}"
        elided = thin.elidedText(text, Qt.TextElideMode.ElideMiddle, below.width())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), elided)
        painter.setPen(theme.colour("border"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.restore()


class RecentList(QListView):
    """One click or Return opens."""

    chosen = Signal(QModelIndex)

    def __init__(self, model: RecentModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(RecentDelegate(self))
        self.setAccessibleName("Recent analyses")
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.chosen)
        theme.changed.connect(self.viewport().update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex())
            return
        super().keyPressEvent(event)
