"""Fixtures: windows on the real engine, worked by hands alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.window.main_window import MainWindow
from hands.dialogs import Hands
from hands.run import python_with as find_python


def _tips() -> list[QWidget]:
    return [w for w in QApplication.topLevelWidgets() if w.metaObject().className() == "QTipLabel"]


@pytest.fixture
def empty_window(qtbot: QtBot, put_away: Callable[[list[Any]], None]) -> Iterator[Callable[[int, int], MainWindow]]:
    """The Welcome page on the real engine, in a window of a width and a height."""
    made: list[tuple[Any, SessionController]] = []

    def open_it(width: int, height: int) -> MainWindow:
        vars(ask).update(vars(type(ask)()))  # as in an application just started: no folder was chosen yet
        controller = SessionController()
        window = MainWindow(controller)
        made.append((window, controller))
        window.resize(width, height)
        window.show()
        window.go("welcome")
        qtbot.waitActive(window, timeout=10_000)
        return window

    yield open_it
    QToolTip.hideText()
    for _ in range(20):  # a tip goes away a little later
        QTest.qWait(25 if _tips() else 0)
    while made:
        window, controller = made.pop()
        controller.shut_down()
        put_away([window])
        controller.deleteLater()


@pytest.fixture
def hands_on(empty_window: Callable[[int, int], MainWindow]) -> Callable[[int, int], Hands]:
    """Opens a window of a size on its Welcome page; the hands that work it come back."""
    return lambda width, height: Hands(empty_window(width, height))


@pytest.fixture
def python_with() -> Callable[[str], str]:
    """A Python that has a module: this one or the one on the PATH; else the test is skipped."""

    def find(module: str) -> str:
        return find_python(module) or pytest.skip(f"{module} is not installed for python3: pip install {module}")

    return find
