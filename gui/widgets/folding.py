"""Parts beside each other, one below the other where there is little room; pages that need no more than what is on show."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSplitter, QStackedWidget, QTabWidget, QWidget

from bayescope.gui.widgets.steady_bar import SteadyBar

LEAST_FOLDED = 200  # pixels: of each of the parts that stand one below the other


class FoldingSplitter(QSplitter):
    """Parts beside each other; one below the other where the room is narrower than all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setChildrenCollapsible(False)
        self.beside: list[int] = []  # how wide they are to each other once there is room again; empty: alike

    def _least_sizes(self) -> list[QSize]:
        parts = [part for k in range(self.count()) if (part := self.widget(k)) is not None]
        return [part.minimumSizeHint().expandedTo(part.minimumSize()) for part in parts]

    def minimumSizeHint(self) -> QSize:
        least = self._least_sizes()
        beside = self.orientation() == Qt.Orientation.Horizontal
        heights = [s.height() if beside else max(s.height(), LEAST_FOLDED) for s in least]
        gaps = self.handleWidth() * (len(least) - 1)
        return QSize(max((s.width() for s in least), default=0), max(heights, default=0) if beside else sum(heights) + gaps)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        needed = sum(s.width() for s in self._least_sizes()) + self.handleWidth() * (self.count() - 1)
        wanted = Qt.Orientation.Horizontal if self.width() >= needed else Qt.Orientation.Vertical
        if wanted != self.orientation():
            self.setOrientation(wanted)
            alike = [1] * self.count()
            self.setSizes((self.beside or alike) if wanted == Qt.Orientation.Horizontal else alike)
            self.updateGeometry()


class Stack(QStackedWidget):
    """Needs no more room than the widget on show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        return super().minimumSizeHint() if shown is None else shown.minimumSizeHint()


class TabsBeside(QTabWidget):
    """Tabs with buttons on their line, which is as high as the buttons."""

    def __init__(self, buttons: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabBar(_HighTabs(buttons))
        self.setCornerWidget(buttons)


class _HighTabs(SteadyBar):
    def __init__(self, beside: QWidget) -> None:
        super().__init__()
        self._beside = beside
        self.setUsesScrollButtons(False)

    def tabSizeHint(self, index: int) -> QSize:
        return super().tabSizeHint(index).expandedTo(QSize(0, self._beside.sizeHint().height() + 2))


class FoldingRow(QWidget):
    """Two parts beside each other; the second below the first where there is no room for both."""

    def __init__(self, first: QWidget, second: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = (first, second)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(8)
        self._box.addWidget(first, 1)
        self._box.addWidget(second)

    def minimumSizeHint(self) -> QSize:
        widest = max(part.minimumSizeHint().width() for part in self._parts)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a part needs more room, or less, than before
            self._fold()
        return super().event(event)

    def _fold(self) -> None:
        needed = sum(part.minimumSizeHint().width() for part in self._parts) + self._box.spacing()
        direction = QBoxLayout.Direction
        wanted = direction.LeftToRight if self.width() >= needed else direction.TopToBottom
        if wanted != self._box.direction():
            self._box.setDirection(wanted)
