"""No cell, heading, choice, tab or hint is cut with its whole text nowhere to be read: two examples, at three sizes.

Another example, and one with an answer: ``test_little_room``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from cut_cells import lost
from cut_texts import cut_headings
from page_views import AT_200_PERCENT, each_view, settle
from PySide6.QtWidgets import QComboBox, QTableWidget, QTableWidgetItem, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.widgets.elided import FittingCombo
from bayescope.gui.widgets.tables import TableView
from bayescope.gui.window.main_window import PAGES, MainWindow

pytestmark = pytest.mark.window
SIZES = ((1024, 700), (1440, 900), AT_200_PERCENT)


@pytest.mark.parametrize("shown", ["birth_death", "ngspice_filter"])
@pytest.mark.loops
def test_every_text_can_be_read(
    make_controller: Callable[[], SessionController],
    put_away: Callable[[list[MainWindow]], None],
    shown: str,
) -> None:
    controller = make_controller()
    assert controller.file.open_example(shown)
    made = [MainWindow(controller)]
    made[0].show()
    found = []
    for size in SIZES:
        made[0].resize(*size)
        for key in PAGES:
            made[0].go(key)
            settle()
            page = made[0].page(key)
            for view in each_view(page):
                found += [f"{size}, {key}, {view}: {each}" for each in (*lost(page), *cut_headings(page))]
    put_away(made)
    assert found == []


def test_a_text_that_can_be_read_nowhere_is_found(qtbot: QtBot) -> None:
    """The check itself, one of every kind; and none whose tool tip has all of it."""
    room = QWidget()
    qtbot.addWidget(room)
    table, box, tabs = QTableWidget(1, 1, room), QComboBox(room), QTabWidget(room)
    table.setItem(0, 0, QTableWidgetItem("a cell that is long"))
    table.setColumnWidth(0, 40)
    box.addItem("a choice that is longer than its box")
    box.setFixedWidth(60)
    tabs.addTab(QWidget(), "a tab")
    room.show()
    found = "\n".join(lost(room))
    assert "a cell" in found
    assert "a choice" in found
    assert "a tab" not in found
    table.item(0, 0).setToolTip("It is a cell that is long.")
    box.setToolTip("a choice that is longer than its box")
    assert lost(room) == []


def test_a_choice_that_is_cut_is_whole_in_its_tool_tip(qtbot: QtBot) -> None:
    box = FittingCombo("Shown", 80)
    qtbot.addWidget(box)
    box.addItems(["k", "dielectric constant of the ceramic"])
    box.setToolTip("What is shown across")
    box.setFixedWidth(80)
    box.show()
    assert box.shown_tip == "What is shown across"
    box.setCurrentIndex(1)
    box.setToolTip("What is shown across")
    assert "dielectric constant of the ceramic" in box.shown_tip


def test_a_column_that_takes_what_is_left_keeps_its_heading(show: Any) -> None:
    model = RecordsModel[str]([Column(t, t, "", lambda r: r) for t in ("Number", "Other number", "In words")], None)
    model.set_rows(["a sentence"])
    table = TableView("Sentences", model)
    table.set_widths(20, 20, 30, stretch=(2,))
    show(table, 300, 200)
    assert table.columnWidth(2) > table.heading_width(2)
    table.resize(900, 200)
    settle()
    assert table.horizontalHeader().length() == table.viewport().width(), "no room is left over"
