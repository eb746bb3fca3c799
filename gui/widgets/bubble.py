"""A bubble with a few words and buttons, its tip at something in the window. It is part of the window and covers little of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.notices import label

TIP = 10  # pixels that the tip is high
RADIUS = 8.0
CHARACTERS = 58  # of a line
MARGIN = 8  # pixels kept from the window's edges


class Bubble(QWidget):
    """``say`` words, ``point_at`` a widget of the same window. ``left``: Esc was pressed or the bubble was closed."""

    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("bubble")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._target: QWidget | None = None
        self._within: QWidget | None = None
        self._tip = 40.0  # pixels from the left edge
        self.heading, self.words, self.count = label(role="heading", wrap=True), label(wrap=True), label(role="hint")
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        self._row.addWidget(self.count)
        self._row.addStretch(1)
        self._box = box = QVBoxLayout(self)
        box.setContentsMargins(16, 14 + TIP, 16, 14)
        box.setSpacing(8)
        box.addWidget(self.heading)
        box.addWidget(self.words)
        box.addLayout(self._row)
        window.installEventFilter(self)
        theme.changed.connect(self.update)
        self.hide()

    def add_button(self, text: str, kind: str = "") -> QPushButton:
        button = QPushButton(text, self)
        if kind:
            button.setProperty("kind", kind)
        self._row.addWidget(button)
        return button

    def say(self, heading: str, words: str, count: str = "") -> None:
        self.heading.setText(heading)
        self.words.setText(words)
        self.count.setText(count)
        self.setAccessibleName(f"{heading}. {words}")
        if self.isVisible():
            self._place()

    def point_at(self, target: QWidget, within: QWidget | None = None) -> None:
        """Show it below ``target``, not beyond the left and right edge of ``within``."""
        if self._target is not None:
            self._target.removeEventFilter(self)
        target.installEventFilter(self)
        self._target, self._within = target, within
        self.show()
        self.raise_()
        self._place()

    def _place(self) -> None:
        target, window = self._target, self.parentWidget()
        if target is None or window is None:
            return
        left, right = MARGIN, window.width() - MARGIN
        if self._within is not None:
            left = max(left, self._within.mapTo(window, QPoint(0, 0)).x())
            right = min(right, left + self._within.width())
        widest = right - left
        self.setFixedWidth(min(widest, CHARACTERS * self.fontMetrics().averageCharWidth() + 32))
        self.setFixedHeight(self._box.heightForWidth(self.width()))
        below = target.mapTo(window, QPoint(target.width() // 2, target.height()))
        x = max(left, min(below.x() - self.width() // 2, right - self.width()))
        y = max(MARGIN, min(below.y(), window.height() - self.height() - MARGIN))
        self._tip = max(2 * RADIUS + TIP, min(float(below.x() - x), self.width() - 2 * RADIUS - TIP))
        self.move(x, y)
        self._box.activate()  # the buttons get the room of their new words before they are painted
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in (self.parentWidget(), self._target) and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.isVisible():
            self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape, tip = QPainterPath(), QPainterPath()
        shape.addRoundedRect(QRectF(1, 1 + TIP, self.width() - 2, self.height() - 2 - TIP), RADIUS, RADIUS)
        tip.moveTo(QPointF(self._tip, 1))
        tip.lineTo(QPointF(self._tip + TIP, TIP + 2))
        tip.lineTo(QPointF(self._tip - TIP, TIP + 2))
        tip.closeSubpath()
        p.setPen(QPen(QColor(theme.colours.accent), 1.5))
        p.setBrush(QColor(theme.colours.raised))
        p.drawPath(shape.united(tip))
