"""A user's hands on a real window: finds things by what is seen on them, clicks, drags, chooses and types; counts the actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

LEFT = Qt.MouseButton.LeftButton
PATIENCE = 60_000  # ms; the machine may be busy


def words_on(widget: QWidget) -> list[str]:
    """What a person reads on a widget or hears of it, its own text first."""
    said: list[str] = []
    if isinstance(widget, (QAbstractButton, QLabel, QLineEdit)):
        said.append(widget.text())
    if isinstance(widget, QLineEdit):
        said.append(widget.placeholderText())
    if isinstance(widget, QComboBox):
        said.append(widget.currentText())
    if isinstance(widget, QGroupBox):
        said.append(widget.title())
    plain = (
        re.sub(r"<[^>]*>", "", s).replace("&", "").strip()
        for s in (*said, widget.accessibleName(), widget.accessibleDescription())
    )
    return [s for s in plain if s]


def _seen(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


class Hands:
    """Mouse and keyboard of one user; ``actions`` counts clicks, drags, choices and typed texts."""

    def __init__(self, window: QWidget) -> None:
        self.window, self.actions = window, 0
        self.log: list[str] = []

    def _count(self, what: str) -> None:
        self.actions += 1
        self.log.append(f"{self.actions:3} {what}")

    # finding
    def top(self) -> QWidget:
        """The window that takes clicks: an open menu or dialog, else the main window."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    def seen(self, kind: type[QWidget] = QWidget) -> Iterator[Any]:
        """Widgets of a kind that are in sight, from the top left on."""
        top = self.top()
        found = [w for w in top.findChildren(kind) if _seen(w)]
        yield from sorted(found, key=lambda w: (w.mapTo(top, QPoint()).y(), w.mapTo(top, QPoint()).x()))

    def find(self, text: str, kind: type[QWidget] = QWidget, nth: int = 0) -> Any:
        """The nth widget in sight with this text; one that only contains it if none has exactly it."""
        every = [(w, words_on(w)) for w in self.seen(kind)]
        exact = [w for w, words in every if text in words]
        near = exact or [w for w, words in every if any(text in s for s in words)]
        if len(near) <= nth:
            raise AssertionError(f"{text!r} is not in sight; there are {sorted({s for _, w in every for s in w})}")
        return near[nth]

    def reads(self, text: str) -> bool:
        """Whether a text is in sight."""
        return any(text in s for w in self.seen() for s in words_on(w))

    def wait(self, condition: Callable[[], bool], timeout: int = PATIENCE) -> None:
        for _ in range(timeout // 20):
            if condition():
                return
            QTest.qWait(20)
        raise AssertionError("it did not happen in time")

    # the mouse
    def click(self, text: str, kind: type[QWidget] = QAbstractButton, nth: int = 0) -> None:
        """One click on what bears this text; it must be enabled."""
        widget = self.find(text, kind, nth)
        self.wait(widget.isEnabled, 10_000)
        self._count(f"click {text!r}")
        QTest.mouseClick(widget, LEFT)
        QTest.qWait(50)

    def dialog(self, button: str, answer: Callable[[], None]) -> None:
        """A click on a button that opens a dialog, and what is done in it until it closes."""

        def act() -> None:
            try:
                answer()
            finally:
                if isinstance(dialog := QApplication.activeModalWidget(), QDialog):
                    dialog.reject()

        QTimer.singleShot(300, act)
        self.click(button)

    def tab(self, text: str) -> None:
        """One click on a tab."""
        for bar in self.seen(QTabBar):
            for i in range(bar.count()):
                if bar.tabText(i).replace("&", "").startswith(text):
                    self._count(f"tab {text!r}")
                    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(i).center())
                    QTest.qWait(50)
                    return
        raise AssertionError(f"no tab {text!r} in sight")

    def choose(self, field: str, item: str, nth: int = 0) -> None:
        """One choice from a list, opened with the mouse; ``field`` is what stands in it or names it."""
        box = self.find(field, QComboBox, nth)
        texts = [box.itemText(i) for i in range(box.count())]
        row = texts.index(item) if item in texts else next((i for i, t in enumerate(texts) if item in t), -1)
        if row < 0:
            raise AssertionError(f"{item!r} is not in the list {field!r}: {texts}")
        self._count(f"choose {item!r} in {field!r}")
        QTest.mouseClick(box, LEFT)
        QTest.qWait(150)
        view = box.view()
        view.scrollTo(view.model().index(row, box.modelColumn()))
        QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(row, 0)).center())
        QTest.qWait(150)

    def cell(self, text: str, nth: int = 0, right: int = 0) -> None:
        """One click on a table's cell that shows this text, or so many columns to its right."""
        hits = []
        for view in self.seen(QAbstractItemView):
            model = view.model()
            if model is not None:
                hits += [
                    (view, model.index(r, c + right))
                    for r in range(model.rowCount())
                    for c in range(model.columnCount())
                    if str(model.index(r, c).data()) == text
                ]
        if len(hits) <= nth:
            raise AssertionError(f"no cell {text!r} in sight")
        view, index = hits[nth]
        self._count(f"cell {text!r} +{right}")
        view.scrollTo(index)
        QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
        QTest.qWait(50)

    def menu(self, title: str, item: str) -> None:
        """An entry of an open menu, or of the button that opens one: two clicks."""
        self.click(title)
        menu: Any = self.top()
        assert isinstance(menu, QMenu), "no menu opened"
        action = next(a for a in menu.actions() if item in a.text().replace("&", ""))
        self._count(f"menu {item!r}")
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
        QTest.qWait(50)

    # numbers in a text
    def _spot(self, pane: QPlainTextEdit, what: str, nth: int) -> QPoint:
        """Where the middle of a text stands in a pane, scrolled into sight as a wheel does."""
        text, start = pane.toPlainText(), -1
        for _ in range(nth + 1):
            start = text.index(what, start + 1)
        cursor = QTextCursor(pane.document())
        cursor.setPosition(start + len(what) // 2)
        bar = pane.verticalScrollBar()
        line = cursor.block().firstLineNumber()
        if not bar.value() <= line < bar.value() + bar.pageStep() - 1:
            bar.setValue(max(0, line - 3))
        rect: QRect = pane.cursorRect(cursor)
        assert pane.viewport().rect().contains(rect.center()), f"{what!r} is out of sight sideways"
        return rect.center() + QPoint(2, 0)

    def pane_with(self, what: str) -> Any:
        """The text pane in sight that shows this."""
        for pane in self.seen(QPlainTextEdit):
            if what in pane.toPlainText():
                return pane
        raise AssertionError(f"no text in sight shows {what!r}")

    def number(self, what: str, nth: int = 0, twice: bool = False) -> None:
        """A click, or a double click, on a text in a pane: one action."""
        pane = self.pane_with(what)
        at = self._spot(pane, what, nth)
        self._count(f"{'double ' if twice else ''}click in the text on {what!r}")
        if twice:
            QTest.mouseDClick(pane.viewport(), LEFT, pos=at)
            QTest.mouseRelease(pane.viewport(), LEFT, pos=at)
        else:
            QTest.mouseClick(pane.viewport(), LEFT, pos=at)
        QTest.qWait(50)

    def drag(self, start: str, end: str, nth: int = 0, nth_end: int = 0) -> None:
        """A drag from one text in a pane to another, both in sight: one action."""
        pane = self.pane_with(start)
        a, b = self._spot(pane, start, nth), self._spot(pane, end, nth_end)
        a = self._spot(pane, start, nth)
        self._count(f"drag {start!r} to {end!r}")
        view = pane.viewport()
        QTest.mousePress(view, LEFT, pos=a)
        QTest.mouseMove(view, (a + b) / 2)
        QTest.mouseMove(view, b)
        QTest.mouseRelease(view, LEFT, pos=b)
        QTest.qWait(50)

    # the keyboard
    def type(self, text: str, enter: bool = True) -> None:
        """A text typed where typing goes now."""
        self._count(f"type {text!r}")
        for c in text:  # the first key may open an editor: the next ones go there
            QTest.keyClicks(self._typing_place(), c)
        if enter:
            QTest.keyClick(self._typing_place(), Qt.Key.Key_Return)
        QTest.qWait(50)

    def _typing_place(self) -> QWidget:
        widget = QApplication.focusWidget() or self.top().focusWidget()
        assert widget is not None, "typing goes nowhere"
        return widget

    def fill(self, field: str, text: str, nth: int = 0, enter: bool = True) -> None:
        """A click into a field named or filled so, then a text instead of what it holds: two actions."""
        spins = [w for w in self.seen(QAbstractSpinBox) if field in words_on(w)]
        widget = spins[nth] if spins else self.find(field, QLineEdit, nth)
        self._count(f"click into {field!r}")
        QTest.mouseClick(widget, LEFT)
        QTest.keySequence(widget, "Ctrl+A")
        self.type(text, enter)

    def key(self, keys: str) -> None:
        """A key or a combination of keys."""
        self._count(f"key {keys}")
        QTest.keySequence(self._typing_place(), keys)
        QTest.qWait(50)

    def file(self, path: Path | str) -> None:
        """Types a path into the file dialog that the next action opens: one text typed."""
        turns, tries = iter(range(100)), iter(range(10))

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if isinstance(dialog, QFileDialog):
                self._count(f"type the path {Path(path).name}")
                write(dialog)
            elif next(turns, None) is not None:
                QTimer.singleShot(100, look)

        def write(dialog: QFileDialog) -> None:
            if not isValid(dialog) or not dialog.isVisible():
                return
            popup = QApplication.activePopupWidget()  # the dialog's own completion
            if popup is not None:
                popup.close()
            field: Any = dialog.findChild(QLineEdit, "fileNameEdit")
            if field.text() == str(path):
                QTest.keyClick(field, Qt.Key.Key_Return)
            elif next(tries, None) is None:
                dialog.reject()  # a test that fails is better than one that waits for ever
            else:
                field.clear()  # completion may have cut what was typed while the folder was still read
                QTest.keyClicks(field, str(path))
            QTimer.singleShot(200, lambda: write(dialog))

        QTimer.singleShot(100, look)
