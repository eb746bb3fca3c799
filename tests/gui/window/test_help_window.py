"""Help inside the application."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QListWidget, QTextBrowser
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
        if name not in ("news", "surrogate", "elbo", "binary-files"):  # those tell of no page of the window
            assert 0 < _picture_width(view) <= view.viewport().width(), name
        if name != "problem-file":  # its example has long lines
            assert view.horizontalScrollBar().maximum() == 0, name
        layout, last = view.document().documentLayout(), view.document().lastBlock()
        assert not last.text() or layout.blockBoundingRect(last).height() > 0, f"{name} can be read to its end"


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


def test_a_search_lists_the_hits_of_all_pages_and_marks_them_on_the_page(window: HelpWindow, qtbot: QtBot) -> None:
    window.open_page("run")
    with qtbot.waitExposed(window):
        window.show()
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.focusWidget() is window.wanted
    qtbot.keyClicks(window.wanted, "surrogate")
    view, pages = window.findChild(QTextBrowser), window.findChild(QListWidget)
    lines = [pages.item(k).text() for k in range(pages.count())]
    assert any("Surrogate" in line for line in lines)
    assert all(line.endswith(")") or "urrogate" in line for line in lines), "a page with its count, or the words around a hit"
    marked = [mark.cursor.selectedText().lower() for mark in view.extraSelections()]
    assert marked
    assert set(marked) == {"surrogate"}
    seen = set()
    for _ in lines:  # Enter goes through all that is listed, and on from the first
        qtbot.keyClick(window.wanted, Qt.Key.Key_Return)
        seen.add(window.current)
    assert {window._titles[name] for name in seen} == {line.partition("  (")[0] for line in lines if line.endswith(")")}
    qtbot.keyClick(window.wanted, Qt.Key.Key_Escape)
    assert window.isVisible()
    assert not view.extraSelections()
    assert pages.count() == len(page_names())
    assert pages.item(pages.currentRow()).text() == window._titles[window.current]


def test_a_hit_far_down_is_scrolled_to_and_what_is_nowhere_is_said(window: HelpWindow, qtbot: QtBot) -> None:
    window.open_page("welcome")
    with qtbot.waitExposed(window):
        window.show()
    view, pages = window.findChild(QTextBrowser), window.findChild(QListWidget)
    window.wanted.setText("discrepancy")
    pages.setCurrentRow(pages.count() - 1)
    hits = [mark for mark in view.extraSelections() if view.rect().contains(view.cursorRect(mark.cursor).center())]
    assert hits, "one of the hits is in sight"
    window.wanted.setText("xyzzy")
    assert "No page says this" in window.said.text()
    window.wanted.setText("posterior the of")  # no page says just that: all of its words
    assert pages.count() > 0
