"""The look in use is not given to every widget again: with a page full of tables that takes a second or more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QDialog, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.gui.style.colours import DARK, LIGHT
from bayescope.gui.style.theme import theme

pytestmark = pytest.mark.window


@pytest.fixture(autouse=True)
def light() -> Iterator[None]:
    theme.choose("light")
    yield
    theme.choose("light")


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    qtbot.addWidget(made)
    theme.dress(made)
    return made


def test_choosing_the_look_in_use_restyles_nothing_and_another_look_restyles_once(qtbot: QtBot, window: QMainWindow) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.choose("light")
    with qtbot.waitSignal(theme.changed, timeout=1000):
        theme.choose("dark")
    assert theme.dark
    sheet = window.styleSheet()
    with qtbot.assertNotEmitted(theme.changed):
        theme.choose("dark")
    assert window.styleSheet() == sheet
    with qtbot.waitSignal(theme.changed, timeout=1000):
        theme.choose("light")
    assert window.styleSheet() != sheet


def test_a_dialog_looks_like_the_window_it_belongs_to_also_after_another_choice(qtbot: QtBot, window: QMainWindow) -> None:
    dialog = QDialog(window)
    button = QPushButton("Start", dialog)
    button.setProperty("kind", "primary")
    window.show()
    dialog.show()
    seen = []
    for look in ("light", "dark"):
        theme.choose(look)  # type: ignore[arg-type]
        dialog.grab()
        seen.append(dialog.grab().toImage().pixelColor(button.geometry().center().x(), button.geometry().top() + 3).name())
    assert seen == [c.accent.lower() for c in (LIGHT, DARK)]


def test_a_window_that_is_gone_takes_no_further_look(qtbot: QtBot) -> None:
    window = QMainWindow()
    theme.dress(window)
    window.deleteLater()
    del window
    qtbot.wait(1)
    theme.choose("dark")
    assert theme.dark
