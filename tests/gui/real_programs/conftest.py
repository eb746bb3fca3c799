"""A window as a user finds it after starting the program, put away at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from bayescope.gui.main_window import MainWindow
from bayescope.gui.session_controller import SessionController


@pytest.fixture
def empty_window(qtbot: QtBot, put_away: Callable[[list[Any]], None]) -> Iterator[Callable[[int, int], MainWindow]]:
    """The Welcome page on the real engine, in a window of a width and a height."""
    made: list[Any] = []
    controllers: list[SessionController] = []

    def open_it(width: int, height: int) -> MainWindow:
        controllers.append(SessionController())
        made.append(MainWindow(controllers[0]))
        made[0].resize(width, height)
        made[0].show()
        made[0].go("welcome")
        qtbot.waitActive(made[0], timeout=10_000)
        return made[0]  # type: ignore[no-any-return]

    yield open_it
    for controller in controllers:
        controller.shut_down()
    if made:
        put_away(made)
    for controller in controllers:
        controller.deleteLater()
