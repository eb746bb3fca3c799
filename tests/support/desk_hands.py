"""A user's hands on a real window: things are found by what is seen on them, used with mouse and keys, and counted.

One click, one drag, one choice from a list, or one text typed is one action. What is not in sight cannot be used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
TURN = 30  # ms that the window gets after each action


class NotInSight(AssertionError):
    """Nothing with these words can be seen and reached with the mouse."""


def plain(text: str) -> str:
    """As it is read: without the mark of its Alt key, the dots and the spaces around."""
    return " ".join(text.replace("&", "").replace("…", "").split()).casefold()


class Hands:
    """The mouse and the keyboard of one user; ``actions`` holds what was done, in order."""

    def __init__(self, window: QWidget) -> None:
        self.window = window
        self.actions: list[str] = []

    @property
    def count(self) -> int:
        return len(self.actions)

    def _done(self, what: str) -> None:
        self.actions.append(what)
        QTest.qWait(TURN)

    # what is seen

    def top(self) -> QWidget:
        """The window that takes the mouse now: a dialog before the main window."""
        return QApplication.activeModalWidget() or self.window

    def cursor(self) -> QWidget | None:
        """What gets the keys."""
        return QApplication.focusWidget() or self.top().focusWidget()

    def seen(self, kind: type[Any] = QWidget) -> Iterator[Any]:
        return (w for w in self.top().findChildren(kind) if w.isVisible() and not w.visibleRegion().isEmpty())

    def words_on(self, widget: QWidget) -> list[str]:
        """All texts by which a user would call it: its own, its label's, its accessible name, its placeholder."""
        texts = [widget.accessibleName()]
        for name in ("text", "title", "placeholderText", "currentText"):
            got = getattr(widget, name, None)
            if callable(got) and not (name == "text" and isinstance(widget, QPlainTextEdit)):
                try:
                    texts.append(str(got()))
                except TypeError:
                    continue
        texts += [label.text() for label in self.top().findChildren(QLabel) if label.buddy() is widget]
        return [t for t in map(plain, texts) if t]

    def find(self, words: str, kind: type[Any] = QWidget, nth: int = 0) -> Any:
        """The thing that is called so; exactly before beginning with."""
        wanted = plain(words)
        there = [(w, self.words_on(w)) for w in self.seen(kind)]
        for fits in (lambda t: t == wanted, lambda t: t.startswith(wanted), lambda t: wanted in t):
            hits = [w for w, texts in there if any(map(fits, texts))]
            hits = [w for w in hits if not isinstance(w, QLabel)] or hits
            if len(hits) > nth:
                return hits[nth]
        beside = self._right_of(wanted, kind)
        if beside is not None and nth == 0:
            return beside
        raise NotInSight(f"{words!r} is not in sight")

    def _right_of(self, words: str, kind: type[Any]) -> Any:
        """The nearest thing on the right of a text, on the same line."""
        for label in self.seen(QLabel):
            if plain(label.text()) != words or kind is QWidget:
                continue
            here = QRect(label.mapTo(self.top(), QPoint()), label.size())
            places = [(QRect(w.mapTo(self.top(), QPoint()), w.size()), w) for w in self.seen(kind) if w is not label]
            right = [(r.left(), w) for r, w in places if r.left() >= here.left() and r.top() <= here.center().y() <= r.bottom()]
            if right:
                return min(right, key=lambda pair: pair[0])[1]
        return None

    def read(self) -> str:
        """Every text that can be read now, one a line."""
        lines = []
        for w in self.seen():
            text = getattr(w, "text", None)
            if isinstance(w, (QLabel, QAbstractButton, QLineEdit)) and callable(text) and text().strip():
                lines.append(f"{type(w).__name__}{'' if w.isEnabled() else ' (grey)'}: {text()}")
            elif isinstance(w, QComboBox):
                lines.append(f"{type(w).__name__}: {w.currentText()}")
            elif isinstance(w, QTabBar):
                lines.append(f"{type(w).__name__}: {[w.tabText(i) for i in range(w.count()) if w.isTabVisible(i)]}")
        return "\n".join(lines)

    def wait(self, until: Callable[[], Any], seconds: float = 60.0) -> None:
        """Until something is seen."""
        end = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < end, f"not seen in {seconds:g} s; in sight:\n{self.read()}"
            QTest.qWait(TURN)

    def sees(self, words: str, kind: type[Any] = QWidget) -> bool:
        try:
            self.find(words, kind)
        except NotInSight:
            return False
        return True

    def reads(self, words: str) -> bool:
        return plain(words) in plain(self.read())

    # what is done

    def reach(self, widget: QWidget, at: QPoint | None = None) -> QPoint:
        """A point of a widget that the mouse reaches, in its own coordinates."""
        if at is None:
            seen = widget.visibleRegion().boundingRect()
            at = QPoint(seen.left() + 8, seen.center().y()) if isinstance(widget, QCheckBox) else seen.center()
        assert widget.isEnabled(), f"{self.words_on(widget)} is grey"
        if not widget.visibleRegion().contains(at):
            raise NotInSight(f"{self.words_on(widget)} is out of sight")
        return at

    def click(self, words: str | QWidget, kind: type[Any] = QAbstractButton, nth: int = 0, double: bool = False) -> Any:
        widget = words if isinstance(words, QWidget) else self.find(words, kind, nth)
        called = words if isinstance(words, str) else type(words).__name__
        _click(widget, self.reach(widget), double)
        self._done(f"click {called}")
        return widget

    def tab(self, words: str) -> None:
        """One click on a tab."""
        for bar in self.seen(QTabBar):
            for i in range(bar.count()):
                if plain(bar.tabText(i)) == plain(words) and bar.isTabVisible(i):
                    QTest.mouseClick(bar, LEFT, pos=self.reach(bar, bar.tabRect(i).center()))
                    return self._done(f"tab {words}")
        raise NotInSight(f"no tab {words!r}")

    def type(self, words: str | QWidget | None, text: str, enter: bool = True, nth: int = 0) -> None:
        """One text typed, into the field that is called so (selected first, as by Tab), or where the cursor is."""
        if words is None:
            field = self.cursor()
        else:
            field = words if isinstance(words, QWidget) else self._field(words, nth)
            QTest.mouseDClick(field, LEFT, pos=self.reach(field))
            QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        assert field is not None, "the cursor is nowhere"
        for letter in text:  # the first one may open an editor, which takes the rest
            QTest.keyClick(self.cursor() or field, letter)
        if enter:
            QTest.keyClick(self.cursor() or field, Qt.Key.Key_Return)
        self._done(f"type {text!r} into {words or 'the field with the cursor'}")

    def _field(self, words: str, nth: int) -> QWidget:
        for kind in (QLineEdit, QAbstractSpinBox, QPlainTextEdit, QWidget):
            try:
                return self.find(words, kind, nth)  # type: ignore[no-any-return]
            except NotInSight:
                continue
        raise NotInSight(f"no field {words!r}")

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.top(), key, modifier)
        self._done(f"key {key.name}")

    def choose(self, words: str | QComboBox, item: str, nth: int = 0) -> None:
        """One choice from a list: opened with the mouse, gone through with the arrow keys, taken with Return."""
        box = words if isinstance(words, QComboBox) else self.find(words, QComboBox, nth)
        items = [plain(box.itemText(i)) for i in range(box.count())]
        hits = [i for i, t in enumerate(items) if t == plain(item)] or [
            i for i, t in enumerate(items) if plain(item) in t
        ]
        if not hits:
            raise NotInSight(f"{item!r} is not among {items}")
        QTest.mouseClick(box, LEFT, pos=self.reach(box))
        view = box.view()
        self.wait(view.isVisible, 5)
        step = Qt.Key.Key_Down if hits[0] > box.currentIndex() else Qt.Key.Key_Up
        for _ in range(abs(hits[0] - box.currentIndex())):
            QTest.keyClick(view, step)
        QTest.keyClick(view, Qt.Key.Key_Return)
        self.wait(lambda: not view.isVisible(), 5)
        self._done(f"choose {item} from {words if isinstance(words, str) else box.accessibleName()}")

    def answer(self, path: Path | str) -> list[str]:
        """Type a path into the next file dialog and press Return (one action); the list holds its title afterwards."""
        answered: list[str] = []

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if not isinstance(dialog, QFileDialog):
                if answered:
                    timer.stop()
                return
            field: Any = dialog.findChild(QLineEdit, "fileNameEdit")
            if field.text() != str(path):
                field.selectAll()
                QTest.keyClicks(field, str(path))
                return  # Return only on a later turn: the dialog takes in what was typed before
            answered[:] = [dialog.windowTitle()]
            QTest.keyClick(field, Qt.Key.Key_Return)

        timer = QTimer(QApplication.instance(), interval=100)
        timer.timeout.connect(look)
        timer.start()
        self.actions.append(f"file {Path(path).name}")
        return answered

    # texts in panes

    def pane(self, holding: str) -> Any:
        """The text that shows these words, the leftmost of them."""
        for pane in sorted(self.seen(QPlainTextEdit), key=lambda w: w.mapTo(self.top(), QPoint()).x()):
            if holding in pane_text(pane):
                return pane
        raise NotInSight(f"no text with {holding!r}")

    def place(self, pane: Any, what: str, nth: int = 0, after: str = "") -> QRect:
        """Where a text stands in a pane; it must have been scrolled into sight."""
        text = pane_text(pane)
        start = text.index(after) + len(after) - 1 if after else -1
        for _ in range(nth + 1):
            start = text.index(what, start + 1)
        ends = []
        for position in (start, start + len(what)):
            cursor = QTextCursor(pane.document())
            cursor.setPosition(position)
            ends.append(pane.cursorRect(cursor))
        area = ends[0].united(ends[1])
        if not pane.viewport().rect().intersects(area):
            raise NotInSight(f"{what!r} has to be scrolled into sight")
        return area

    def find_in_text(self, pane: Any, what: str) -> None:
        """Ctrl+F, the words, Return, Esc: one text typed."""
        pane.setFocus()
        QTest.keyClick(pane, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        QTest.qWait(TURN)
        field = self.cursor()
        QTest.keyClicks(field, what)
        QTest.keyClick(field, Qt.Key.Key_Return)
        QTest.keyClick(field, Qt.Key.Key_Escape)
        self._done(f"find {what!r}")

    def click_text(self, pane: Any, what: str, nth: int = 0, after: str = "", double: bool = False) -> None:
        at = self.place(pane, what, nth, after).center()
        _click(pane.viewport(), at, double)
        self._done(f"{'double ' if double else ''}click on {what!r}")

    def drag_text(self, pane: Any, start: tuple[str, str], end: tuple[str, str]) -> None:
        """From the left edge of a text to the right edge of another; each is given with a text before it."""
        first, last = (self.place(pane, what, after=after) for what, after in (start, end))
        a, b = QPoint(first.left() + 2, first.center().y()), QPoint(last.right() - 2, last.center().y())
        view = pane.viewport()
        QTest.mousePress(view, LEFT, pos=a)
        for share in (0.3, 0.6, 1.0):
            at = a + (b - a) * share
            event = QMouseEvent(
                QEvent.Type.MouseMove, QPointF(at), QPointF(view.mapToGlobal(at)), LEFT, LEFT, Qt.KeyboardModifier(0)
            )
            QApplication.sendEvent(view, event)
            QTest.qWait(TURN)
        QTest.mouseRelease(view, LEFT, pos=b)
        self._done(f"drag from {start[0]!r} to {end[0]!r}")

    # tables and pictures

    def cell(self, view: QAbstractItemView, row: int, column: int, double: bool = False) -> None:
        index = view.model().index(row, column)
        at = self.reach(view.viewport(), view.visualRect(index).center())
        _click(view.viewport(), at, double)
        self._done(f"cell {row}, {column}")

    def picture(self, path: Path) -> None:
        QTest.qWait(TURN)
        self.top().grab().save(str(path))


def _click(widget: QWidget, at: QPoint, double: bool) -> None:
    """A click as the window gets it; a double click begins with a single one."""
    QTest.mouseClick(widget, LEFT, pos=at)
    if double:
        QTest.mouseDClick(widget, LEFT, pos=at)
        QTest.mouseRelease(widget, LEFT, pos=at)


def pane_text(pane: Any) -> str:
    text = pane.text() if hasattr(pane, "text") else pane.toPlainText()
    return str(text)
