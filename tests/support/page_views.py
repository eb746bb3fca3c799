"""What is seen of a page: each of its views, what is cut, narrow, out of sight, or lies over something else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableView,
    QTabWidget,
    QToolButton,
    QWidget,
)  # fmt: skip

from bayescope.gui.widgets.elided import ElidedLabel

AT_200_PERCENT = (720, 430)
SHOWN = (QPushButton, QToolButton, QLabel, QLineEdit, QComboBox, QPlainTextEdit, QTableView)


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def each_view(page: QWidget) -> Iterator[str]:
    """Show every tab of every visible tab widget in turn, those inside others too."""
    yield "as it opens"
    done: set[int] = set()
    while waiting := [t for t in page.findChildren(QTabWidget) if t.isVisible() and id(t) not in done]:
        tabs = waiting[0]
        done.add(id(tabs))
        for k in range(tabs.count()):
            tabs.setCurrentIndex(k)
            settle()
            yield tabs.tabText(k)
            for inner in tabs.currentWidget().findChildren(QTabWidget):
                if inner.isVisible() and id(inner) not in done:
                    done.add(id(inner))
                    for i in range(inner.count()):
                        inner.setCurrentIndex(i)
                        settle()
                        yield f"{tabs.tabText(k)}, {inner.tabText(i)}"


def narrow_buttons(page: QWidget) -> list[str]:
    """Buttons that are smaller than their text needs, or than their row is high."""
    buttons = [b for kind in (QPushButton, QToolButton) for b in page.findChildren(kind) if b.isVisible() and b.text()]
    return [b.text() for b in buttons if b.width() < b.sizeHint().width() or b.height() < b.sizeHint().height() - 1]


def overlaps(page: QWidget) -> list[str]:
    """Pairs of controls in one part of the page that lie over each other."""
    found = []
    for part in [page, *page.findChildren(QWidget)]:
        if not part.isVisible() or part.layout() is None:
            continue
        inside = [c for c in part.children() if isinstance(c, SHOWN) and c.isVisible()]
        for a, b in combinations(inside, 2):
            common = a.geometry() & b.geometry()
            if common.width() > 1 and common.height() > 1:
                found.append(f"{name_of(a)} / {name_of(b)}")
    return found


def name_of(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    return f"{type(widget).__name__} {widget.accessibleName() or (text() if callable(text) else '')!r}"


def seen(widget: QWidget) -> bool:
    """Whether all of a widget is inside the visible part of the areas and the window it lies in."""
    return bool(widget.visibleRegion().boundingRect() == widget.rect())


def cut_texts(page: QWidget) -> list[str]:
    """Plain labels narrower than their words, or lower."""
    labels = [w for w in page.findChildren(QLabel) if w.isVisible() and w.text() and not isinstance(w, ElidedLabel)]
    found = []
    for each in labels:
        width, height = each.width(), each.height()
        needed = each.heightForWidth(width) if each.wordWrap() else each.sizeHint().height()
        if height < needed - 1 or (not each.wordWrap() and width < each.sizeHint().width() - 1):
            found.append(f"{each.text()[:60]!r}: {width} x {height}")
    return found


def in_sight(widget: QWidget) -> QRect:
    """The part of it that no edge of what it lies in cuts off."""
    shown, above = widget.rect(), widget.parentWidget()
    while above is not None:
        shown &= QRect(widget.mapFrom(above, QPoint(0, 0)), above.size())
        above = None if above.isWindow() else above.parentWidget()
    return shown


def places(page: QWidget, *widgets: QWidget) -> list[QRect]:
    """Where they are on the page."""
    settle()
    return [QRect(w.mapTo(page, QPoint(0, 0)), w.size()) for w in widgets]
