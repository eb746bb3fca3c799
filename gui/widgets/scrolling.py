"""Parts that scroll down where there is little height, and how little they get by with."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QCursor, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLayout, QScrollArea, QTabWidget, QWidget


def least_height(widget: QWidget, width: int) -> int:
    """The least height at this width: what Qt says, and what the broken lines of its texts need."""
    layout = widget.layout()
    broken = layout.totalMinimumHeightForWidth(width) if layout is not None and layout.hasHeightForWidth() else 0
    return max(widget.minimumSizeHint().height(), broken + _liked_more(layout, width))


def _liked_more(layout: QLayout | None, width: int) -> int:
    """By how much the parts of a column like to be higher than they must be. QBoxLayout gives parts with broken lines the height
    that they like: where there is less it takes from the highest, even below what that one needs."""
    if not isinstance(layout, QBoxLayout) or layout.direction() != QBoxLayout.Direction.TopToBottom:
        return 0
    edges = layout.contentsMargins()
    inside = width - edges.left() - edges.right()
    items = (item for k in range(layout.count()) if (item := layout.itemAt(k)) is not None and not item.isEmpty())
    parts = [item for item in items if item.hasHeightForWidth()]
    return sum(max(item.heightForWidth(inside) - item.minimumHeightForWidth(inside), 0) for item in parts)


class Part(QWidget):
    """A part of a splitter or of tabs, which know nothing of broken lines: its least height holds them."""

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        layout = self.layout()
        if layout is None or not layout.hasHeightForWidth():
            return least
        broken = layout.totalMinimumHeightForWidth(self.width()) + _liked_more(layout, self.width())
        return QSize(least.width(), max(least.height(), broken))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class LowTabs(QTabWidget):
    """Tabs that get by with the least heights of their pages, where Qt asks for the heights that they like best."""

    def hasHeightForWidth(self) -> bool:
        return False


class VerticalScroll(QScrollArea):
    """Fills its room with one widget; scrolls down where there is too little height for it. Never narrower than the widget,
    unless ``across``: then it scrolls that way too. One that ``yields`` is as high as what is in it where the one around it has
    to scroll: no two bars beside each other."""

    def __init__(
        self, inner: QWidget, least: int = 120, parent: QWidget | None = None, *, across: bool = False, yields: bool = False
    ) -> None:
        super().__init__(parent)
        self._inner, self._least, self._across, self._yields = inner, least, across, yields
        self._whole = False  # as high as what is in it
        self._pushed = 0  # pixels that can be scrolled at least: the area was moved down by so many while it was pointed at
        self._scrolls_below = 0  # the height from which on nothing has to scroll here, once it has to
        self.setFrameShape(QFrame.Shape.NoFrame)
        if not across:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inner)
        self.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)  # the page's ground

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width()
        width = self._least if self._across else self._inner.minimumSizeHint().width() + bar
        high = least_height(self._inner, self.viewport().width()) if self._whole and self.isVisible() else self._least
        return QSize(width, max(high, self._least))

    def sizeHint(self) -> QSize:
        return self._inner.sizeHint().expandedTo(self.minimumSizeHint())

    def focusNextPrevChild(self, next: bool) -> bool:
        """Not QScrollArea's, which does not know of parts that scroll inside each other: ``bring_into_sight`` does."""
        return bool(QFrame.focusNextPrevChild(self, next))

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return done

    def viewportEvent(self, event: QEvent) -> bool:
        done = super().viewportEvent(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
            self.updateGeometry()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room, inner = self.viewport().size(), self._inner
        width = max(room.width(), inner.minimumSizeHint().width()) if self._across else room.width()
        needed = least_height(inner, width)
        if self._scrolls_below and room.height() >= self._scrolls_below:
            self._scrolls_below = 0
            self._let_inside(False)
        elif needed > room.height():
            self._scrolls_below = self._scrolls_below or needed
            self._let_inside(True)
        inner.resize(width, max(room.height() + self._pushed, needed))

    def _let_inside(self, whole: bool) -> None:
        """The same kind inside has its whole height, or scrolls by itself."""
        for part in self._inner.findChildren(VerticalScroll):
            if part._yields and part._whole != whole:
                part._whole = whole
                part.updateGeometry()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.updateGeometry()  # what is on show may have its whole height, what is not needs none

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._pushed = 0
        self.updateGeometry()

    def pointed_at(self, moved: int = 0) -> bool:
        """Whether the mouse is over what is seen of it, or was before it was moved down by so many pixels."""
        room = self.viewport()
        return self.isVisible() and room.rect().translated(0, -moved).contains(room.mapFromGlobal(QCursor.pos()))

    def pushed(self, by: int) -> None:
        """It was moved down by so many pixels (up: below 0): what is in it stays where it was seen."""
        bar = self.verticalScrollBar()
        at = self._pushed = max(bar.value() + by, 0)
        self._fit()
        bar.setValue(at)

    def reveal(self, widget: QWidget) -> None:
        """Scroll until ``widget``, which was just shown, is seen."""
        self.settle(widget)
        self.ensureWidgetVisible(widget, 0, 4)

    def settle(self, widget: QWidget) -> None:
        """Give ``widget``, in here and perhaps just shown or said, its place at once."""
        for layout in (w.layout() for w in _up_to(widget, self._inner)):
            if layout is not None:
                layout.activate()
        self._fit()


def bring_into_sight(widget: QWidget) -> None:
    """Scroll every part that ``widget`` lies in, the innermost first."""
    areas = [above for above in _up_to(widget, None) if isinstance(above, QScrollArea)]
    for area in reversed(areas):
        if isinstance(area, VerticalScroll):
            area.settle(widget)
    for area in areas:
        inside, room = area.widget(), area.viewport().size()
        if inside is not None:  # ensureWidgetVisible() cares for a field's cursor only
            high = min(widget.height() + 8, room.height() - 2)  # of what is higher than its room the upper part
            at = widget.mapTo(inside, QPoint(widget.width() // 2, 0))
            area.ensureVisible(at.x(), at.y() - 4 + high // 2, min(widget.width(), room.width() - 2) // 2, high // 2)


def _up_to(widget: QWidget, last: QWidget | None) -> list[QWidget]:
    """The parents of ``widget`` up to ``last``, or to its window."""
    found, parent = [], widget.parentWidget()
    while parent is not None:
        found.append(parent)
        parent = None if parent is last else parent.parentWidget()
    return found


def measure_hidden(page: QWidget) -> None:
    """Once ``page`` has its place in a window: places kept for what is hidden yet are as large as it will be when it is shown.

    Qt gives the style sheet's sizes only to what is shown.
    """
    for part in page.findChildren(QWidget):
        part.ensurePolished()
        part.updateGeometry()
    for layout in page.findChildren(QLayout):
        layout.invalidate()
