"""Hands and eyes on the real window: things are found by what is seen on them, and every action is counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox)  # what a hand goes for first, before words and frames
SETTLE = 60  # ms between two actions: time for timers of the window, less than a hand takes


class NotSeen(AssertionError):
    """What was to be touched is not to be seen on the window."""


class Hands:
    """A mouse and a keyboard on ``window``; ``actions`` is the list of what they did, one entry for each that counts."""

    def __init__(self, window: QWidget) -> None:
        self.window = window
        self.actions: list[str] = []

    # -- eyes

    def top(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self.window

    def seen(self) -> list[QWidget]:
        """Every widget of the front window that has a place on the screen, top to bottom."""
        top = self.top()
        found = [w for w in top.findChildren(QWidget) if w.isVisible() and not w.visibleRegion().isEmpty()]
        return sorted(found, key=lambda w: (w.mapTo(top, QPoint()).y(), w.mapTo(top, QPoint()).x()))

    def words(self) -> str:
        """All words on the front window, top to bottom: a reader's view of the page."""
        return "\n".join(words for w in self.seen() if (words := _words(w)))

    def thing(self, what: str, kind: type[QWidget] | tuple[type[QWidget], ...] = QWidget, nth: int = 0) -> QWidget:
        """The ``nth`` widget that shows ``what``, or has it for its accessible name; whole texts go before beginnings."""
        seen = sorted((w for w in self.seen() if isinstance(w, kind)), key=lambda w: not isinstance(w, CONTROLS))
        exact = [w for w in seen if what in _names(w)]
        found = exact or [w for w in seen if any(name.startswith(what) for name in _names(w))]
        if len(found) <= nth:
            raise NotSeen(f"{what!r} is not to be seen among:\n{self.words()}")
        return found[nth]

    def wait(self, ready: Callable[[], bool], patience: float = 60.0) -> None:
        end = monotonic() + patience
        while not ready():
            assert monotonic() < end, f"waited in vain after {self.actions[-1:]}:\n{self.words()}"
            QTest.qWait(SETTLE)
        QTest.qWait(SETTLE)

    def wait_for(self, words: str, patience: float = 60.0) -> None:
        self.wait(lambda: words in self.words(), patience)

    # -- hands

    def click(self, what: str, kind: type[QWidget] | tuple[type[QWidget], ...] = QWidget, nth: int = 0) -> None:
        """A click on a button, a tab, a field, a word."""
        self._count(f"click {what!r}")
        for bar in [w for w in self.seen() if isinstance(w, QTabBar) and issubclass(QTabBar, kind)]:
            for i in range(bar.count()):
                if what in (words := _plain(bar.tabText(i)), words.split("  ")[-1]):
                    return self._press(bar, bar.tabRect(i).center())
        widget = self.thing(what, kind, nth)
        if isinstance(widget, QAbstractButton) and not widget.isEnabled():
            raise NotSeen(f"{what!r} is greyed: {widget.toolTip()!r}")
        spot = widget.visibleRegion().boundingRect().center()
        if isinstance(widget, QAbstractButton) and widget.metaObject().className() in ("QCheckBox", "QRadioButton"):
            spot.setX(widget.visibleRegion().boundingRect().left() + 9)
        return self._press(widget, spot)

    def in_dialog(self, opener: str, acts: Callable[[], None]) -> None:
        """A click that opens a dialog, and what is done there; the dialog is gone afterwards."""
        done: list[BaseException | None] = []

        def act() -> None:
            try:
                acts()
                done.append(None)
            except BaseException as error:  # told after the dialog, which would stay open else
                done.append(error)
                QApplication.activeModalWidget().close()

        QTimer.singleShot(5 * SETTLE, self.window, act)
        self.click(opener)
        self.wait(lambda: bool(done), 15)
        if done[0] is not None:
            raise done[0]

    def type(self, text: str, end: str = "") -> None:
        """A text typed where the cursor is; ``end``: "Return" or "Tab" after it."""
        self._count(f"type {text!r}")
        QTest.keyClick(self._focus(), text[0])  # the first letter may take the cursor elsewhere
        QTest.keyClicks(self._focus(), text[1:])
        self._end(end)

    def replace(self, text: str, end: str = "") -> None:
        """A text typed in place of all that stands in the field of the cursor."""
        self._count(f"type {text!r}")
        QTest.keyClick(self._focus(), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(self._focus(), text)
        self._end(end)

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        self._count(f"key {key.name}")
        QTest.keyClick(self._focus(), key, modifier)
        QTest.qWait(SETTLE)

    def choose(self, box: str, entry: str, nth: int = 0) -> None:
        """One choice from a list: the box is pressed, the entry is pressed."""
        self._count(f"choose {entry!r} in {box!r}")
        combo = self.thing(box, QComboBox, nth)
        assert isinstance(combo, QComboBox)
        self._press(combo, combo.rect().center())
        view = combo.view()
        entries = [combo.itemText(i) for i in range(combo.count())]
        row = entries.index(entry) if entry in entries else next((i for i, e in enumerate(entries) if e.startswith(entry)), None)
        if row is None:
            raise NotSeen(f"{entry!r} is not among {entries}")
        index = combo.model().index(row, combo.modelColumn())
        view.scrollTo(index)
        QTest.qWait(SETTLE)
        self._press(view.viewport(), view.visualRect(index).center())

    def cell(self, heading: str, row: int, double: bool = True) -> None:
        """A double click on a cell of the table that has a column of this heading."""
        self._count(f"cell {heading!r} {row}")
        for view in [w for w in self.seen() if isinstance(w, QAbstractItemView)]:
            model = view.model()
            for column in range(model.columnCount() if model is not None else 0):
                title = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
                if title.split("\n")[0] == heading and row < model.rowCount():
                    return self._press(view.viewport(), view.visualRect(model.index(row, column)).center(), double)
        raise NotSeen(f"no table with a column {heading!r}")

    def mark(self, text: str, nth: int = 0, double: bool = False, within: str = "") -> None:
        """A click (or a double click) on a text in the text pane; ``within``: in the line that holds these words."""
        self._count(f"mark {text!r}")
        pane, start = self._place(text, nth, within)
        self._press(pane.viewport(), self._spot(pane, start + len(text) // 2), double)

    def drag(self, first: tuple[str, int], last: tuple[str, int]) -> None:
        """A drag in the text pane, from the middle of one text to the middle of another; each with its number from 0."""
        self._count(f"drag {first} {last}")
        pane, a = self._place(*first)
        _, b = self._place(*last)
        spots = [self._spot(pane, at + len(text) // 2, show=False) for at, (text, _) in ((a, first), (b, last))]
        if not all(pane.viewport().rect().contains(s) for s in spots):
            raise NotSeen(f"{first} to {last} does not fit on the pane")
        self._move(pane.viewport(), *spots)

    def wheel(self, over: str, turns: int = 3) -> None:
        """The wheel turned over what shows these words; below zero: upwards."""
        self._count(f"wheel over {over!r}")
        widget = self.thing(over)
        window = widget.window()
        at = widget.mapTo(window, widget.visibleRegion().boundingRect().center())
        QTest.wheelEvent(window.windowHandle(), QPointF(at), QPoint(0, -120 * turns))
        QTest.qWait(SETTLE)

    def file(self, what: str, *paths: Path, nth: int = 0) -> None:
        """A click that opens a file dialog, and the path typed there: two actions."""
        self._count(f"type {paths}")
        turns, done = iter(range(60)), []

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if not isinstance(dialog, QFileDialog):
                return
            field = dialog.findChild(QLineEdit, "fileNameEdit")
            words = " ".join(f'"{p}"' for p in paths) if len(paths) > 1 else str(paths[0])
            if next(turns, None) is None:  # a test that fails is better than one that waits for ever
                self.actions.append(f"gave up: {field.text()!r} instead of {words!r}")
                dialog.reject()
            elif field.text() != words:
                field.clear()
                QTest.keyClicks(field, words)
            else:
                done.append(True)
                box = dialog.findChild(QDialogButtonBox)  # Return may go to the list of names that fit, if it is open
                QTest.mouseClick(box.buttons()[0], LEFT)

        timer = QTimer(self.window, interval=200)
        timer.timeout.connect(look)
        timer.start()
        try:
            self.click(what, nth=nth)
            self.wait(lambda: bool(done), 15)
        finally:
            timer.stop()
            timer.deleteLater()

    # -- how

    def _count(self, what: str) -> None:
        self.actions.append(what)

    def _end(self, end: str) -> None:
        if end:
            QTest.keyClick(self._focus(), getattr(Qt.Key, f"Key_{end}"))
        QTest.qWait(SETTLE)

    def _focus(self) -> QWidget:
        focus = self.top().focusWidget()
        if focus is None:
            raise NotSeen("no place has the cursor")
        return focus

    def _place(self, text: str, nth: int, within: str = "") -> tuple[Any, int]:
        """The pane that shows the text (the first of the page that has it), and the position of its first letter."""
        for pane in [w for w in self.seen() if isinstance(w, QPlainTextEdit)]:
            whole, start = pane.toPlainText(), -1
            if within:
                if within not in whole:
                    continue
                start = whole.rfind("\n", 0, whole.index(within))
            for _ in range(nth + 1):
                start = whole.find(text, start + 1)
                if start < 0:
                    break
            if start >= 0:
                return pane, start
        raise NotSeen(f"{text!r} is in no pane")

    def _spot(self, pane: Any, position: int, show: bool = True) -> QPoint:
        """Where a letter stands; what is out of sight is scrolled to, which counts."""
        cursor = QTextCursor(pane.document())
        cursor.setPosition(position)
        if show and not pane.viewport().rect().contains(_middle(pane.cursorRect(cursor))):
            self._count(f"scroll to line {cursor.blockNumber() + 1}")
            pane.verticalScrollBar().setValue(cursor.blockNumber() - 2)
            if not pane.viewport().rect().contains(_middle(pane.cursorRect(cursor))):
                pane.horizontalScrollBar().setValue(pane.cursorRect(cursor).x())
            QTest.qWait(SETTLE)
        return _middle(pane.cursorRect(cursor))

    def _press(self, widget: QWidget, spot: QPoint, double: bool = False) -> None:
        """Press and release through the window, so that whatever lies on top there gets them."""
        window = widget.window()
        at = widget.mapTo(window, spot)
        handle = window.windowHandle()
        QTest.mouseMove(handle, at)
        QTest.mouseClick(handle, LEFT, NONE, at)
        if double:
            QTest.mouseDClick(handle, LEFT, NONE, at)
        QTest.qWait(SETTLE)

    def _move(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        window, handle = widget.window(), widget.window().windowHandle()
        a, b = (widget.mapTo(window, spot) for spot in (start, end))
        QTest.mousePress(handle, LEFT, NONE, a)
        for i in range(1, 6):
            QTest.mouseMove(handle, a + (b - a) * i / 5)
            QTest.qWait(10)
        QTest.mouseRelease(handle, LEFT, NONE, b)
        QTest.qWait(SETTLE)


def picture(window: QWidget, target: Path) -> None:
    assert window.grab().save(str(target))


def _middle(rect: QRect) -> QPoint:
    return rect.center() + QPoint(2, 0)


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _names(widget: QWidget) -> list[str]:
    names = [widget.accessibleName()]
    if isinstance(widget, (QAbstractButton, QLabel)):
        names.append(_plain(widget.text()))
    if isinstance(widget, QLineEdit):
        names += [widget.placeholderText(), widget.text()]
    if isinstance(widget, QComboBox):
        names.append(widget.currentText())
    if isinstance(widget, QAbstractSpinBox):
        names.append(widget.text())
    return [n for n in names if n]


def _words(widget: QWidget) -> str:
    if isinstance(widget, QTabBar):
        return " | ".join(widget.tabText(i) for i in range(widget.count()))
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()[:4000]
    if isinstance(widget, (QAbstractButton, QLabel, QLineEdit, QComboBox, QAbstractSpinBox)):
        return " / ".join(dict.fromkeys(_names(widget)))
    return ""


def few_runs(hands: Hands, budget: int) -> None:
    """Another budget, typed into the settings of the run."""

    def acts() -> None:
        hands.click("Simulator runs at most")
        hands.replace(str(budget), "Tab")
        hands.click("OK")

    hands.in_dialog("Settings…", acts)


def export_samples(hands: Hands, target: Path) -> NDArray[np.float64]:
    """The samples saved from the Results page and read again, (n, parameters)."""
    hands.click("Results")
    hands.wait_for("Log evidence")
    hands.click("Export", QTabBar)
    hands.file("Save posterior samples", target)
    hands.wait(lambda: target.exists() and hands.thing("Save posterior samples").isEnabled(), 30)
    return np.loadtxt(target, delimiter=",", skiprows=1)
