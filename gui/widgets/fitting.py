"""What gives way where there is little room: texts cut with an ellipsis, parts that scroll, rows that fold."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QTabWidget,
    QWidget,
)

from bayescope.gui.models.plain import tip as plain_tip
from bayescope.gui.widgets.steady_bar import SteadyBar

LEAST_FOLDED = 200  # pixels: of each of the parts that stand one below the other


class ElidedLabel(QLabel):
    """One line that gives way: drawn with an ellipsis where it has no room, whole in ``text()`` and in the tool tip."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._shorter: tuple[str, ...] = ()
        self._uncut = False  # parts are shown whole or not at all

    def say(self, text: str, tip: str = "", shorter: str | tuple[str, ...] = "", parts: str = "") -> None:
        """``shorter``: the same in fewer words, and in still fewer, where there is no room for all. ``parts``: what ends the
        parts of the text (``; `` or ``. ``), of which the last ones are left out whole rather than cut."""
        fewer = (shorter,) if isinstance(shorter, str) else shorter
        self._shorter = tuple(filter(None, fewer)) or (_beginnings(text, parts) if parts else ())
        self._uncut = parts == "; "
        self.setText(text.replace("\n", " "))
        self.setToolTip(plain_tip(tip or text))
        self.setAccessibleName(text)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + 4, hint.height())  # of what is drawn, two pixels are left free

    @property
    def shown(self) -> str:
        """As it is drawn."""
        room = self.contentsRect().width() - 2
        words = self.text()
        if self._shorter and self.fontMetrics().horizontalAdvance(words) > room:
            fits = (w for w in self._shorter if self.fontMetrics().horizontalAdvance(w) <= room)
            words = next(fits, self._shorter[-1])
        if self._uncut and self.fontMetrics().horizontalAdvance(words) > room:
            return ""
        cut = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, max(room, 10))
        least = 20 if self._shorter else 8  # where there are shorter words, a piece of the shortest says little
        return cut if cut == words or len(cut) > least else ""  # a stump of a word says nothing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        flags = int(self.alignment() | Qt.TextFlag.TextSingleLine)
        self.style().drawItemText(
            painter, self.contentsRect(), flags, self.palette(), self.isEnabled(), self.shown, self.foregroundRole()
        )
        painter.end()

    @property
    def whole(self) -> str:
        return self.text()


_CLAUSE = re.compile(r" \(|: |; | – ")  # what stands before it says something by itself; before a comma it may not
_ITEM = re.compile(r" \(|, ")  # ... in a list with semicolons it does, but a name before a colon does not


def _beginnings(text: str, end: str) -> tuple[str, ...]:
    """``text`` without its last part, its last two ... down to the first."""
    parts, stop = text.split(end), end.rstrip().replace(";", "")
    found = [end.join(parts[:k]) + stop for k in range(len(parts) - 1, 0, -1)]
    clause = _ITEM if end == "; " else _CLAUSE
    starts = [m.start() for m in clause.finditer(parts[0])]
    closed = [s for s in starts if parts[0].count("(", 0, s) == parts[0].count(")", 0, s)]
    bare = [parts[0][:s] + stop for s in closed]  # what explains the first part is left out last
    return (*found, *reversed(bare))


_QUOTED = re.compile(r"“([^“”]+)”")
WIDEST_LIST = 480  # pixels of a list below a choice


class FittingCombo(QComboBox):
    """Grows and shrinks with its row; a choice too long for it is cut in the middle; list and tool tip have it whole."""

    def __init__(self, name: str, widest: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaximumWidth(widest)
        self.currentTextChanged.connect(lambda text: self.setToolTip(f"{name}: {text}"))

    def showPopup(self) -> None:
        widen_list(self)
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_elided(self)


def widen_list(combo: QComboBox) -> None:
    """Its list holds the longest choice, within reason."""
    wide = max((combo.fontMetrics().horizontalAdvance(combo.itemText(i)) for i in range(combo.count())), default=0)
    combo.view().setMinimumWidth(min(wide + 40, WIDEST_LIST))


def short_quotes(text: str, fits: Callable[[str], bool]) -> str:
    """``text`` with the ends of its long “quotations” left out word by word until it ``fits``; as it is where that fails."""
    shorter = text
    while not fits(shorter):
        quoted = (m for m in _QUOTED.finditer(shorter) if " " in m[1].removesuffix(" …"))
        longest = max(quoted, key=lambda m: len(m[1]), default=None)
        if longest is None:
            return text
        words = longest[1].removesuffix(" …").rpartition(" ")[0].rstrip()
        shorter = f"{shorter[: longest.start(1)]}{words} …{shorter[longest.end(1) :]}"
    return shorter


def cut_path(text: str, metrics: QFontMetrics, room: int) -> str:
    """``text`` as it fits: cut in its middle, but of the path of a file the whole name, as long as there is room for it."""
    text = short_quotes(text, lambda words: metrics.horizontalAdvance(words) <= room)
    cut = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
    last = f"/{text.rpartition('/')[2]}"
    if "/" not in text or cut == text or cut.endswith(last):
        return cut
    return f"…{last}" if metrics.horizontalAdvance(f"…{last}") <= room else cut


def paint_elided(combo: QComboBox) -> None:
    """A choice too long for it is cut in the middle: names often differ in their ends."""
    painter, option = QStylePainter(combo), QStyleOptionComboBox()
    combo.initStyleOption(option)
    painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
    room = combo.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, combo
    )
    option.currentText = cut_path(combo.currentText(), combo.fontMetrics(), room.width() - 4)  # type: ignore[attr-defined]
    painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


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
        return QSize(least.width(), max(least.height(), layout.totalMinimumHeightForWidth(self.width())))

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
        inner.resize(width, max(room.height(), needed))

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
        self.updateGeometry()

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
            at = widget.mapTo(inside, widget.rect().center())
            margins = (min(widget.width(), room.width() - 2) // 2, min(widget.height() + 8, room.height() - 2) // 2)
            area.ensureVisible(at.x(), at.y(), *margins)


def _up_to(widget: QWidget, last: QWidget | None) -> list[QWidget]:
    """The parents of ``widget`` up to ``last``, or to its window."""
    found, parent = [], widget.parentWidget()
    while parent is not None:
        found.append(parent)
        parent = None if parent is last else parent.parentWidget()
    return found


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
        needed = sum(part.minimumSizeHint().width() for part in self._parts) + self._box.spacing()
        direction = QBoxLayout.Direction
        wanted = direction.LeftToRight if self.width() >= needed else direction.TopToBottom
        if wanted != self._box.direction():
            self._box.setDirection(wanted)


def measure_hidden(page: QWidget) -> None:
    """Once ``page`` has its place in a window: places kept for what is hidden yet are as large as it will be when it is shown.

    Qt gives the style sheet's sizes only to what is shown.
    """
    for part in page.findChildren(QWidget):
        part.ensurePolished()
        part.updateGeometry()
    for layout in page.findChildren(QLayout):
        layout.invalidate()
