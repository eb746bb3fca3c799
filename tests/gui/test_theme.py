"""The look in use is not given to every widget again: with a page full of tables that takes a second or more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.gui.style.theme import theme

pytestmark = pytest.mark.window


@pytest.fixture(autouse=True)
def light() -> Iterator[None]:
    yield
    theme.choose("light")


def test_choosing_the_look_in_use_restyles_nothing_and_another_look_restyles_once(qtbot: QtBot, qapp: QApplication) -> None:
    theme.choose("light")
    with qtbot.assertNotEmitted(theme.changed):
        theme.choose("light")
    with qtbot.waitSignal(theme.changed, timeout=1000):
        theme.choose("dark")
    assert theme.dark
    sheet = qapp.styleSheet()
    with qtbot.assertNotEmitted(theme.changed):
        theme.choose("dark")
    assert qapp.styleSheet() == sheet
    with qtbot.waitSignal(theme.changed, timeout=1000):
        theme.choose("light")
    assert qapp.styleSheet() != sheet
