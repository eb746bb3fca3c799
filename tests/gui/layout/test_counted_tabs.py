"""Tabs are numbered as they stand, whichever of them are there, and all in sight where shorter words make room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.counted_tabs import CountedTabs
from bayescope.gui.window.workflow_bar import lines_of

TITLES = (("Summary", ""), ("What the data taught", "Taught"), ("Residuals", ""), ("Modes", ""))
Made = tuple[CountedTabs, list[QLabel]]


@pytest.fixture
def made(qtbot: QtBot) -> Callable[[int], Made]:
    def make(width: int) -> Made:
        tabs, parts = CountedTabs(), [QLabel(title) for title, _ in TITLES]
        qtbot.addWidget(tabs)
        for part, (title, short) in zip(parts, TITLES, strict=True):
            tabs.add(part, title, short)
        theme.dress(tabs)
        tabs.resize(width, 200)
        tabs.show()
        return tabs, parts

    return make


def words(tabs: CountedTabs) -> list[str]:
    return [tabs.tabText(k) for k in range(tabs.count()) if tabs.isTabVisible(k)]


def test_the_tabs_that_are_there_are_numbered_from_left_to_right(made: Callable[[int], Made]) -> None:
    tabs, parts = made(900)
    tabs.show_part(parts[2], False)
    assert words(tabs) == ["&1  Summary", "&2  What the data taught", "&3  Modes"]
    tabs.show_part(parts[2], True)
    assert words(tabs)[2:] == ["&3  Residuals", "&4  Modes"]


def test_no_tab_moves_when_another_one_is_chosen_and_gets_bold_letters(made: Callable[[int], Made]) -> None:
    tabs, _ = made(900)
    bar, found = tabs.tabBar(), []
    for k in range(len(TITLES)):
        tabs.setCurrentIndex(k)
        found.append([bar.tabRect(j) for j in range(len(TITLES))])
    assert found == [found[0]] * len(TITLES)


def test_short_titles_keep_all_tabs_in_sight_and_whole_ones_come_back_with_the_room(made: Callable[[int], Made]) -> None:
    tabs, _ = made(900)
    whole = tabs.tabBar().sizeHint().width()
    tabs.resize(whole - 35, 200)
    assert words(tabs)[1].endswith("What the data taught"), "less room around the words is enough"
    assert tabs.tabBar().sizeHint().width() <= tabs.width()
    tabs.resize(whole - 130, 200)
    assert words(tabs)[1] == "&2 Taught"
    assert tabs.tabToolTip(1) == "What the data taught"
    assert tabs.tabBar().sizeHint().width() <= tabs.width()
    tabs.resize(900, 200)
    assert words(tabs)[1] == "&2  What the data taught"
    assert tabs.tabBar().sizeHint().width() == whole


def test_a_step_says_what_it_asks_for_in_fewer_words_before_it_is_cut(qtbot: QtBot) -> None:
    font = QFontMetrics(theme.small_font())
    for words, fewer in (("Check 3 guessed priors", ["Check 3", "priors"]), ("Import what was measured", ["Import", "data"])):
        assert "".join(lines_of(words, font, 1000)) == words
        narrow = max(map(font.horizontalAdvance, fewer)) + 1
        assert lines_of(words, font, narrow) == fewer


def test_the_focus_goes_with_a_tab_that_is_opened_by_its_key(qtbot: QtBot) -> None:
    window, tabs, field, beside = QWidget(), CountedTabs(), QLineEdit(), QPushButton("beside")
    qtbot.addWidget(window)
    box = QHBoxLayout(window)
    box.addWidget(tabs)
    box.addWidget(beside)
    for title, part in (("Fields", field), ("Words", QLabel("none"))):
        tabs.add(part, title)
    window.show()
    window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClick(field, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    assert tabs.currentIndex() == 1
    assert window.focusWidget() is tabs.tabBar(), "not the button beside"
    beside.setFocus()
    qtbot.keyClick(beside, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    assert tabs.currentIndex() == 0
    assert window.focusWidget() in (tabs.tabBar(), field)
