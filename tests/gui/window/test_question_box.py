"""What somebody types while a question stands there answers nothing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.dialogs.messages import ask

pytestmark = pytest.mark.window


def answered(qtbot: QtBot, *keys: tuple[Qt.Key, Qt.KeyboardModifier]) -> str:
    """What a question of closing is answered with by these keys; Escape after them."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def type_them() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        for key, modifiers in (*keys, (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)):
            if box.isVisible():
                QTest.keyClick(box, key, modifiers)
                QTest.qWait(250)  # a button pressed by a key is shown pressed for a moment first

    QTimer.singleShot(0, type_them)
    return ask(parent, "Save?", "It is not saved.", "", ("&Save…", "accept"), ("&Throw away", "destroy"), ("Cancel", "cancel"))


def test_letters_alone_press_no_button(qtbot: QtBot) -> None:
    plain = Qt.KeyboardModifier.NoModifier
    typed = [(key, plain) for key in (Qt.Key.Key_Slash, Qt.Key.Key_T, Qt.Key.Key_M, Qt.Key.Key_P, Qt.Key.Key_S)]
    assert answered(qtbot, *typed) == "Cancel", "by Escape"


def test_return_presses_the_default_button(qtbot: QtBot) -> None:
    assert answered(qtbot, (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)) == "Save…"
