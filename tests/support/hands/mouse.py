"""Mouse and keyboard of one user. One click, drag, turn of the wheel, choice from a list or typed text is one action."""

from __future__ import annotations

from time import monotonic
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QRadioButton,
    QScrollArea,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from hands.find import FIELDS, Eyes, Kind, NotInSight, plain

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
MOMENT = 5.0  # s that a user waits for a button to light up
SETTLE = 60  # ms between two actions: time for timers of the window, less than a hand takes
HELD = 160  # ms: Qt holds a button that its Alt key presses down for 100, and then it acts
LONGEST_DIALOG = 60_000  # ms; a dialog that nobody answers would hold the test for ever


class Mouse(Eyes):
    """What is done to ``window``; ``actions`` holds it in order. What is out of sight or grey cannot be used."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.actions: list[str] = []

    def done(self, what: str) -> None:
        self.actions.append(what)

    # widgets

    def click(self, words: str, kind: Kind = QAbstractButton, nth: int = 0) -> None:
        """A click on what is called so; a moment of grey is waited for."""
        self.done(f"click {words!r}")
        widget = self.find(words, kind, nth)
        end = monotonic() + MOMENT
        while not widget.isEnabled() and monotonic() < end:
            QTest.qWait(SETTLE)
        self._press(widget, _spot_on(widget))

    def tab(self, words: str) -> None:
        """A click on a tab, called with or without its number."""
        self.done(f"tab {words!r}")
        for bar in self.seen(QTabBar):
            for i in range(bar.count()):
                text = plain(bar.tabText(i))
                if bar.isTabVisible(i) and plain(words) in (text, text.lstrip("0123456789 ")):
                    return self._press(bar, bar.tabRect(i).center())
        raise NotInSight(f"no tab {words!r} in sight")

    def choose(self, words: str, item: str, nth: int = 0) -> None:
        """One choice from a list: the box is pressed, the entry is pressed."""
        self.done(f"choose {item!r} from {words!r}")
        box: QComboBox = self.find(words, QComboBox, nth)
        texts = [plain(box.itemText(i)) for i in range(box.count())]
        wanted = plain(item)
        rows = [i for i, t in enumerate(texts) if t == wanted] or [i for i, t in enumerate(texts) if wanted in t]
        if not rows:
            raise NotInSight(f"{item!r} is not among {texts}")
        self._press(box, box.rect().center())
        view = box.view()
        self.wait(view.isVisible, 5)
        index = box.model().index(rows[0], box.modelColumn())
        view.scrollTo(index)
        QTest.qWait(SETTLE)
        self._press(view.viewport(), view.visualRect(index).center())
        self.wait(lambda: not isValid(view) or not view.isVisible(), 5)  # the list of a cell goes with its editor

    def cell(self, heading: str, row: int, double: bool = False) -> None:
        """A click on a cell, found by the heading of its column and its row from 0. Scrolling to it is an action more."""
        view, column = self.table(heading, row)
        index = view.model().index(row, column)
        self._scroll_to(view, index)
        self.done(f"cell {heading!r} {row}")
        self._press(view.viewport(), view.visualRect(index).center(), double)

    def _scroll_to(self, view: QAbstractItemView, index: QModelIndex) -> None:
        def out_of_sight() -> bool:
            return not view.viewport().visibleRegion().contains(view.visualRect(index).center())

        if not out_of_sight():
            return
        self.done("scroll")
        view.scrollTo(index)
        page = view.parentWidget()
        while out_of_sight() and page is not None:
            if isinstance(page, QScrollArea) and (body := page.widget()) is not None:
                at = view.viewport().mapTo(body, view.visualRect(index).center())
                page.ensureVisible(at.x(), at.y())
            page = page.parentWidget()
        QTest.qWait(SETTLE)

    def wheel(self, words: str, turns: int, kind: Kind = QWidget) -> None:
        """The wheel turned over what is called so; below zero: upwards."""
        self.done(f"wheel over {words!r}")
        widget = self.find(words, kind)
        window = widget.window()
        at = widget.mapTo(window, widget.visibleRegion().boundingRect().center())
        QTest.wheelEvent(window.windowHandle(), QPointF(at), QPoint(0, -120 * turns))
        QTest.qWait(SETTLE)

    # texts in panes

    def mark(
        self, what: str, nth: int = 0, after: str = "", double: bool = False, pane: Any = None, more: bool = False
    ) -> None:
        """A click on a text in a pane; ``after``: it stands behind these words; ``more``: with Ctrl. Scrolling to it is an action
        more."""
        pane = pane or self.pane(after if after else what)
        text = pane.document().toPlainText()
        start = text.index(after) + len(after) - 1 if after else -1
        for _ in range(nth + 1):
            start = text.index(what, start + 1)
        cursor = QTextCursor(pane.document())
        cursor.setPosition(start + len(what) // 2)
        self._bring_into_sight(pane, cursor)
        self.done(f"{'double ' if double else 'Ctrl and ' if more else ''}click on {what!r}")
        self._press(pane.viewport(), _middle(pane, cursor), double, Qt.KeyboardModifier.ControlModifier if more else NONE)

    def drag(self, first: str, last: str, after: str = "", pane: Any = None) -> None:
        """From the first letters of one text in a pane to the end of another below it, both in sight."""
        pane = pane or self.pane(first)
        text = pane.document().toPlainText()
        start = text.index(first, text.index(after) if after else 0)
        end = text.index(last, start) + len(last)
        one, two = QTextCursor(pane.document()), QTextCursor(pane.document())
        one.setPosition(start)
        two.setPosition(end)
        self._bring_into_sight(pane, one)
        self.done(f"drag from {first!r} to {last!r}")
        view = pane.viewport()
        window = view.window().windowHandle()
        places = [view.mapTo(view.window(), pane.cursorRect(c).center()) for c in (one, two)]
        if not all(view.rect().contains(pane.cursorRect(c).center()) for c in (one, two)):
            raise NotInSight(f"{first!r} and {last!r} are not in sight together")
        QTest.mousePress(window, LEFT, NONE, places[0])
        QTest.mouseMove(window, (places[0] + places[1]) / 2)
        QTest.mouseMove(window, places[1])
        QTest.mouseRelease(window, LEFT, NONE, places[1])
        QTest.qWait(SETTLE)

    def _bring_into_sight(self, pane: Any, cursor: QTextCursor) -> None:
        view = pane.viewport()
        if view.rect().contains(_middle(pane, cursor)):
            return
        self.done(f"scroll to line {cursor.blockNumber() + 1}")
        for _ in range(3):  # what a name or an answer lays out anew comes a moment later
            pane.verticalScrollBar().setValue(cursor.blockNumber() - 2)
            if not view.rect().contains(_middle(pane, cursor)):
                pane.horizontalScrollBar().setValue(pane.cursorRect(cursor).x())
            QTest.qWait(SETTLE)
            if view.rect().contains(_middle(pane, cursor)):
                return
        raise NotInSight(f"line {cursor.blockNumber() + 1} cannot be scrolled into sight")

    def find_in_text(self, pane: Any, what: str) -> None:
        """Ctrl+F, the words, Return, Esc: one text typed."""
        self.done(f"find {what!r}")
        pane.setFocus()
        QTest.keyClick(pane, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        QTest.qWait(SETTLE)
        field = self.cursor()
        QTest.keyClicks(field, what)
        QTest.keyClick(field, Qt.Key.Key_Return)
        QTest.keyClick(field, Qt.Key.Key_Escape)
        QTest.qWait(SETTLE)

    # the keyboard

    def type(self, text: str, end: str = "Return") -> None:
        """A text typed where the cursor is, and the key after it; "" for none."""
        self.done(f"type {text!r}")
        self._be_active()
        for letter in text:  # the first one may open an editor, which takes the rest
            QTest.keyClicks(self.cursor(), letter)
        if end:
            QTest.keySequence(self.cursor(), end)
        QTest.qWait(SETTLE)

    def _be_active(self) -> None:
        """A popup may have gone, and there is no window manager."""
        if QApplication.activeWindow() is None:
            self.window.activateWindow()
            self.wait(self.window.isActiveWindow, 10)

    def fill(self, field: str, text: str, nth: int = 0, end: str = "Return") -> None:
        """A click into a field, and a text typed in place of all that stands there: two actions."""
        self.click(field, FIELDS, nth)
        QTest.keySequence(self.cursor(), "Ctrl+A")
        self.type(text, end)

    def key(self, keys: str) -> None:
        """A key or a combination of keys."""
        self.done(f"key {keys}")
        self._be_active()
        QTest.keySequence(self.cursor(), keys)
        QTest.qWait(HELD if keys.startswith("Alt+") else SETTLE)

    # how

    def _press(self, widget: QWidget, spot: QPoint, double: bool = False, keys: Qt.KeyboardModifier = NONE) -> None:
        """Press and release through the window, so that whatever lies on top there gets them."""
        if not widget.isEnabled():
            raise NotInSight(f"{self._called(widget)} is grey: {widget.toolTip()!r}")
        if not widget.visibleRegion().contains(spot):
            raise NotInSight(f"{self._called(widget) or type(widget).__name__} is out of sight")
        window = widget.window()
        if QApplication.activeWindow() is None:
            window.activateWindow()  # a popup has gone: the offscreen platform leaves no window active
        handle, at = window.windowHandle(), widget.mapTo(window, spot)
        watch = _DialogWatch()
        try:
            QTest.mouseMove(handle, at)
            QTest.mouseClick(handle, LEFT, keys, at)  # returns when a dialog that it opens has been answered
            if double:
                QTest.mouseDClick(handle, LEFT, NONE, at)
        finally:
            watch.end()
        if watch.words:
            raise NotInSight(f"a dialog waited for an answer in vain: {watch.words}")
        QTest.qWait(SETTLE)


class _DialogWatch:
    """Ends a dialog that opens during an action and that nobody answers; ``words``: what stood on it."""

    def __init__(self) -> None:
        self.words = ""
        self._before = QApplication.activeModalWidget()
        self._timer = QTimer(interval=LONGEST_DIALOG)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QDialog) and dialog is not self._before:
            self.words = Eyes(dialog).read()
            dialog.reject()

    def end(self) -> None:
        self._timer.stop()
        self._timer.deleteLater()


def _spot_on(widget: QWidget) -> QPoint:
    """Where a hand presses: the middle of what is seen, the box itself of a check box."""
    seen = widget.visibleRegion().boundingRect()
    return QPoint(seen.left() + 9, seen.center().y()) if isinstance(widget, (QCheckBox, QRadioButton)) else seen.center()


def _middle(pane: Any, cursor: QTextCursor) -> QPoint:
    middle: QPoint = pane.cursorRect(cursor).center() + QPoint(2, 0)  # on the letter, not on its edge
    return middle
