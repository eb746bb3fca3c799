"""A text in which numbers are marked as in a table: a drag draws a rectangle, and what is read has a frame around it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from bayescope.engine.problem.numbers.numbers_in_text import line_bounds, lines_of, numbers
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.text_pane import TextPane

STILL = 6  # pixels that a hand may move in a click
FAINT = 0.5  # of the frames of other outputs
SCROLL_MS = 60  # between steps while a drag is outside the pane
Span = tuple[int, int]


class MarkingPane(TextPane):
    """``marked``: a click, or the two ends of a drag. ``released``: after it; nothing may move between press and release.

    ``set_changed``: numbers that another run has differently; ``set_anchor``: the text that what is read is known by;
    ``set_others``: what other outputs read, in faint frames.
    """

    released = Signal()
    entered = Signal(int, int)  # Return, with what is selected
    added = Signal(int, int)  # Ctrl and a click, or a drag: one more number beside those marked before

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.viewport().setMouseTracking(False)
        self._pressed: QPoint | None = None
        self._from = self._to = 0
        self._changed: list[Span] = []
        self._anchor: list[Span] = []
        self._others: list[Span] = []
        self._scroller = QTimer(self)
        self._scroller.setInterval(SCROLL_MS)
        self._scroller.timeout.connect(self._scroll_on)

    @property
    def held(self) -> bool:
        """Whether the mouse button is down in the text."""
        return self._pressed is not None

    def set_changed(self, spans: Sequence[Span]) -> None:
        self._changed = sorted(spans)
        self.viewport().update()

    def changed_spans(self) -> list[Span]:
        return list(self._changed)

    def set_anchor(self, spans: Sequence[Span]) -> None:
        self._anchor = list(spans)
        self.viewport().update()

    def set_others(self, spans: Sequence[Span]) -> None:
        self._others = list(spans)
        self.viewport().update()

    def other_spans(self) -> list[Span]:
        return list(self._others)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(*self.selection())
            return
        super().keyPressEvent(event)

    # -------------------------------------------------------------- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._pressed = event.position().toPoint()
            self._from = self._to = self._at(self._pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseMoveEvent(event)
            return
        place = event.position().toPoint()
        moved = (place - self._pressed).manhattanLength() > STILL
        self._to = self._at(place) if moved else self._from
        outside = not self.viewport().rect().contains(place)
        if outside and not self._scroller.isActive():
            self._scroller.start()
        elif not outside:
            self._scroller.stop()
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed is None:
            super().mouseReleaseEvent(event)
            return
        QPlainTextEdit.mouseReleaseEvent(self, event)
        self._scroller.stop()
        self._pressed = None
        start, end = sorted((self._from, self._to))
        self.viewport().update()
        one_more = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        (self.added if one_more else self.marked).emit(start, end)
        self.released.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The same as a click: a word is only a piece of a number."""
        self.mousePressEvent(event)

    def _at(self, place: QPoint) -> int:
        return self._from_qt(self.cursorForPosition(place).position())

    def _scroll_on(self) -> None:
        place = self.viewport().mapFromGlobal(self.cursor().pos())
        room = self.viewport().rect()
        vertical, horizontal = self.verticalScrollBar(), self.horizontalScrollBar()
        vertical.setValue(vertical.value() + (place.y() > room.bottom()) - (place.y() < room.top()))
        horizontal.setValue(horizontal.value() + 8 * ((place.x() > room.right()) - (place.x() < room.left())))
        inside = QPoint(min(max(place.x(), 0), room.right()), min(max(place.y(), 0), room.bottom()))
        self._to = self._at(inside)
        self.viewport().update()

    # -------------------------------------------------------------- frames

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        low, high = self._shown()
        soft = theme.colour("warning")
        for rectangle in self._rectangles(self._changed, low, high):
            painter.fillRect(rectangle, theme.colour("warning", 0.13))
            painter.setPen(QPen(soft, 1.2, Qt.PenStyle.DotLine))
            painter.drawLine(rectangle.bottomLeft(), rectangle.bottomRight())
        self._frame(painter, self._others, low, high, theme.colour("ok", FAINT), Qt.PenStyle.SolidLine)
        self._frame(painter, self._anchor, low, high, theme.colour("muted"), Qt.PenStyle.DashLine)
        if self._pressed is not None:
            self._frame(painter, self._under_drag(low, high), low, high, theme.colour("accent"), Qt.PenStyle.SolidLine)
        else:
            kind = "accent" if any(k == "chosen" for _, _, k in self._highlights) else "ok"
            self._frame(painter, self.highlights(), low, high, theme.colour(kind), Qt.PenStyle.SolidLine)
        painter.end()

    def _frame(
        self, painter: QPainter, spans: Sequence[Span], low: int, high: int, colour: QColor, style: Qt.PenStyle
    ) -> None:
        painter.setPen(QPen(colour, 1.4, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for rectangle in self._rectangles(spans, low, high):
            painter.drawRoundedRect(rectangle.adjusted(-1.5, 0.5, 1.5, -0.5), 2.5, 2.5)

    def _under_drag(self, low: int, high: int) -> list[Span]:
        """The numbers in the rectangle between press and pointer, as far as they are seen."""
        text = self.text()
        first, last = sorted((self._from, self._to))
        a, b = (position - line_bounds(text, position)[0] for position in (first, last))
        left, right = min(a, b), max(a, b)
        top, bottom = line_bounds(text, max(first, low))[0], line_bounds(text, min(last, high))[1]
        found = []
        for start, end in lines_of(text[top:bottom]):
            for number in numbers(text, top + start, top + end):
                place = number.start - top - start, number.end - top - start
                if place[0] <= right and left <= place[1]:
                    found.append((number.start, number.end))
        return found

    def _shown(self) -> Span:
        """The characters that are seen, by lines."""
        room = self.viewport().rect()
        first = self._at(room.topLeft())
        last = self._at(QPoint(room.right(), room.bottom()))
        return line_bounds(self.text(), first)[0], line_bounds(self.text(), last)[1]

    def _rectangles(self, spans: Sequence[Span], low: int, high: int) -> list[QRectF]:
        found = []
        ordered = sorted(spans)
        for k in range(bisect_left(ordered, (low, 0)), len(ordered)):
            start, end = ordered[k]
            if start > high:
                break
            a, b = (self.cursorRect(self._cursor(position)) for position in (start, end))
            found.append(QRectF(a.left(), a.top(), max(b.left() - a.left(), 2), a.height()))
        return found

    def _cursor(self, position: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._to_qt(position))
        return cursor
