"""A question that comes where something was clicked a moment ago is not answered by the second click of the same hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from data_pages import click
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from pytestqt.qtbot import QtBot

from bayescope.gui.widgets import notices
from bayescope.gui.widgets.notices import Notice


def test_a_click_on_the_place_of_the_last_one_does_not_answer_what_came_there(
    qtbot: QtBot, show: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    notice, answers = Notice(), []
    notice.pressed.connect(lambda: answers.append(notice.words()))
    show(notice, 600, 60)
    notice.say("warning", "Which column?", "", "Choose it")
    click(qtbot, notice._button)
    at = notice._button.mapToGlobal(notice._button.rect().center())
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(at))
    notice.say("warning", "Do flagged rows count?", "", "Leave them out")
    click(qtbot, notice._button)
    assert answers == ["Which column?"], "it came under the pointer"
    notice.say("warning", "Do flagged rows count?", "", "Leave them out")
    monkeypatch.setattr(notices, "SETTLE_S", 0.0)
    click(qtbot, notice._button)
    assert answers == ["Which column?", "Do flagged rows count?"]
