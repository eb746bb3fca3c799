"""Eyes on the real window: things are found by what a person sees on them or hears of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

Kind = type[Any] | tuple[type[Any], ...]
FIELDS = (QLineEdit, QAbstractSpinBox, QPlainTextEdit)
CONTROLS = (QAbstractButton, QComboBox, *FIELDS)  # what a hand goes for first, before words and frames
LOOK = 100  # ms between two looks at the window


class NotInSight(AssertionError):
    """Nothing with these words can be seen and reached with the mouse."""


def plain(text: str) -> str:
    """As it is read: without tags, the mark of its Alt key, dots at the end, and more spaces than one."""
    text = re.sub(r"</?[a-zA-Z][^<>]*>", "", text).replace("&&", "\0").replace("&", "").replace("\0", "&")
    return " ".join(text.replace("…", "").split()).casefold()


def words_on(widget: QWidget) -> list[str]:
    """All texts by which a user would call it: its own, its placeholder, its accessible name and description."""
    said: list[str] = []
    if isinstance(widget, (QAbstractButton, QLabel, QLineEdit, QAbstractSpinBox)):
        said.append(widget.text())
    if isinstance(widget, (QLineEdit, QPlainTextEdit)):
        said.append(widget.placeholderText())
    if isinstance(widget, QComboBox):
        said.append(widget.currentText())
    if isinstance(widget, QGroupBox):
        said.append(widget.title())
    if isinstance(widget, QTabBar):
        said += [widget.tabText(i) for i in range(widget.count()) if widget.isTabVisible(i)]
    return [s for s in (*said, widget.accessibleName(), widget.accessibleDescription()) if s.strip()]


class Eyes:
    """What one user sees of ``window`` and of the dialogs and menus before it."""

    def __init__(self, window: QWidget) -> None:
        self.window = window

    def top(self) -> QWidget:
        """The window that takes the mouse now: an open menu or dialog, else the main window."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    def cursor(self) -> QWidget:
        """What gets the keys."""
        focus = self.top().focusWidget() or QApplication.focusWidget()
        if focus is None:
            raise NotInSight("no place has the cursor")
        return focus

    def seen(self, kind: Kind = QWidget) -> list[Any]:
        """The widgets of a kind that have a place on the screen, top to bottom, left to right."""
        top = self.top()
        return sorted(self._seen(kind), key=lambda w: (w.mapTo(top, QPoint()).y(), w.mapTo(top, QPoint()).x()))

    def _seen(self, kind: Kind = QWidget) -> Iterator[Any]:
        every = self.top().findChildren(kind if isinstance(kind, type) else QWidget)
        return (w for w in every if w.isVisible() and isinstance(w, kind) and not w.visibleRegion().isEmpty())

    def read(self) -> str:
        """What can be read now, one widget a line; texts in panes are looked up with ``pane``."""
        lines = []
        for w in self.seen():
            if words := dict.fromkeys(words_on(w)):
                lines.append(f"{type(w).__name__}{'' if w.isEnabled() else ' (grey)'}: {' / '.join(words)}")
        return "\n".join(lines)

    def reads(self, *words: str) -> bool:
        """Whether these words, or any of several, stand on one widget in sight."""
        wanted = [plain(w) for w in words]
        return any(w in text for widget in self._seen() for text in map(plain, words_on(widget)) for w in wanted)

    def find(self, words: str, kind: Kind = QWidget, nth: int = 0) -> Any:
        """The nth thing that is called so: wholly before beginning with before containing, controls before labels."""
        wanted = plain(words)
        there = [(w, self._called(w)) for w in sorted(self.seen(kind), key=lambda w: not isinstance(w, CONTROLS))]
        for fits in (lambda t: t == wanted, lambda t: t.startswith(wanted), lambda t: wanted in t):
            hits = [w for w, texts in there if any(map(fits, texts))]
            if len(hits) > nth:
                return hits[nth]
        beside = self._right_of(wanted, kind) if nth == 0 else None
        if beside is None:
            raise NotInSight(f"{words!r} is not in sight; there are:\n{self.read()}")
        return beside

    def _called(self, widget: QWidget) -> list[str]:
        labels = [label.text() for label in self.top().findChildren(QLabel) if label.buddy() is widget]
        return [plain(text) for text in (*words_on(widget), *labels)]

    def _right_of(self, words: str, kind: Kind) -> Any:
        """The nearest thing on the right of a text, on the same line."""
        if kind is QWidget:
            return None
        for label in self.seen(QLabel):
            if plain(label.text()) != words:
                continue
            here = self._place_of(label)
            places = [(self._place_of(w), w) for w in self.seen(kind) if w is not label]
            right = [(r.left(), w) for r, w in places if r.left() >= here.left() and r.top() <= here.center().y() <= r.bottom()]
            if right:
                return min(right, key=lambda pair: pair[0])[1]
        return None

    def _place_of(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self.top(), QPoint()), widget.size())

    def sees(self, words: str, kind: Kind = QWidget) -> bool:
        try:
            self.find(words, kind)
        except NotInSight:
            return False
        return True

    def wait(self, until: Callable[[], Any], seconds: float = 60.0) -> None:
        """Until something is seen."""
        end = monotonic() + seconds
        while not until():
            assert monotonic() < end, f"not seen in {seconds:g} s; in sight:\n{self.read()}"
            QTest.qWait(LOOK)

    def wait_for(self, words: str, seconds: float = 60.0) -> None:
        self.wait(lambda: self.reads(words), seconds)

    def pane(self, holding: str) -> Any:
        """The text in sight that has these words, the uppermost, then the leftmost."""
        for pane in self.seen(QPlainTextEdit):
            if holding in pane.document().toPlainText():
                return pane
        raise NotInSight(f"no text in sight has {holding!r}")

    def table(self, heading: str, row: int) -> tuple[QAbstractItemView, int]:
        """The table in sight with a column of this heading and so many rows, and the number of that column."""
        for view in self.seen(QAbstractItemView):
            header = getattr(view, "horizontalHeader", None)
            model = view.model()
            if header is None or model is None or row >= model.rowCount():
                continue
            for column in range(model.columnCount()):
                title = str(model.headerData(column, header().orientation()) or "")
                if plain(title.split("\n")[0]) == plain(heading) and not view.isColumnHidden(column):
                    return view, column
        raise NotInSight(f"no table in sight has a column {heading!r} and {row + 1} rows")

    def picture(self, path: Path) -> None:
        QTest.qWait(LOOK)
        assert self.window.grab().save(str(path))
