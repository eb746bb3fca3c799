"""Help inside the application."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QTextBrowser
from pytestqt.qtbot import QtBot

from bayescope.gui.dialogs.help_window import PICTURE, HelpWindow, page_names


@pytest.fixture
def window(qtbot: QtBot) -> HelpWindow:
    made = HelpWindow()
    qtbot.addWidget(made)
    return made


def _picture_width(view: QTextBrowser) -> float:
    return view.document().find(PICTURE).charFormat().toImageFormat().width()


def test_no_picture_makes_a_small_help_window_scroll_sideways(window: HelpWindow) -> None:
    window.resize(640, 600)
    view = window.findChild(QTextBrowser)
    for name in page_names():
        window.open_page(name)
        if name not in ("news", "surrogate", "elbo"):  # those tell of no page of the window
            assert 0 < _picture_width(view) <= view.viewport().width(), name
        if name != "problem-file":  # its example has long lines
            assert view.horizontalScrollBar().maximum() == 0, name


def test_a_picture_follows_the_width_of_the_help_window_up_to_its_own(window: HelpWindow) -> None:
    view = window.findChild(QTextBrowser)
    window.resize(640, 600)
    window.open_page("run")
    small = _picture_width(view)
    own = view.document().resource(QTextDocument.ResourceType.ImageResource, QUrl("pictures/run.png")).width()
    window.resize(1400, 800)
    assert small < own
    assert _picture_width(view) == own
    window.resize(640, 600)
    assert _picture_width(view) == small
