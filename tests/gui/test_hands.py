"""The hands that work the window in tests: dialogs are answered by clicks, none holds a test, nothing is left running."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

import hands.mouse
from hands import Hands, NotInSight

pytestmark = pytest.mark.window


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    """A button that asks, one that does not; what was answered stands on the label."""
    page = QWidget()
    qtbot.addWidget(page)
    said, asks, quiet = QLabel("nothing yet"), QPushButton("&Stop…"), QPushButton("Go on")
    for part in (said, asks, quiet):
        part.setParent(page)
    layout = QVBoxLayout(page)
    for part in (said, asks, quiet):
        layout.addWidget(part)

    def ask() -> None:
        box = QMessageBox(QMessageBox.Icon.Question, "Stop", "Let them finish first?", parent=page)
        box.addButton("&Let finish", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("&End now", QMessageBox.ButtonRole.DestructiveRole)
        box.exec()
        said.setText(box.clickedButton().text() if box.clickedButton() else "no answer")
        box.deleteLater()

    asks.clicked.connect(ask)
    quiet.clicked.connect(lambda: said.setText("gone on"))
    page.show()
    qtbot.waitExposed(page)
    return page


def test_a_question_is_answered_by_a_click_and_where_none_comes_the_click_is_all(page: QWidget) -> None:
    user = Hands(page)
    user.click_and_answer("Stop", "Let finish")
    assert user.reads("Let finish")
    assert user.actions == ["click 'Stop'", "click 'Let finish'"]
    user.click_and_answer("Go on", "Let finish")
    assert user.reads("gone on")
    assert QApplication.activeModalWidget() is None


def test_a_question_without_the_awaited_answer_fails_and_is_gone(page: QWidget) -> None:
    user = Hands(page)
    with pytest.raises(NotInSight, match="'Not there' is not in sight"):
        user.click_and_answer("Stop", "Not there")
    assert QApplication.activeModalWidget() is None


def test_a_dialog_that_nobody_answers_fails_with_its_words(page: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands.mouse, "LONGEST_DIALOG", 300)
    with pytest.raises(NotInSight, match="Let them finish first"):
        Hands(page).click("Stop")
    assert QApplication.activeModalWidget() is None


def test_what_is_grey_hidden_or_missing_cannot_be_used(page: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands.mouse, "MOMENT", 0.2)
    user = Hands(page)
    button = user.find("Go on", QPushButton)
    button.setEnabled(False)
    with pytest.raises(NotInSight, match="grey"):
        user.click("Go on")
    button.hide()
    with pytest.raises(NotInSight, match="not in sight"):
        user.click("Go on")
    assert user.reads("nothing yet")
