"""Rows of the measured data left out of all comparisons, or of one, on the table itself."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.models.step_status import data_words
from bayescope.gui.pages.data.page import DataPage

DATA = d.DataTable(columns={"t": (0.0, 1.0, 2.0), "u": (1.0, 2.0, 3.0), "v": (5.0, None, 7.0)})
MATCHES = (d.Match(output="u", column="u"), d.Match(output="v", column="v"))


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM,
        outputs=tuple(msgspec.structs.replace(PROBLEM.outputs[0], name=name) for name in "uv"),
        meaning=d.Predictions(matches=MATCHES, noise=d.GaussianKnown(sd=0.1)),
        data=DATA,
    )


def left(page: DataPage) -> list[tuple[int, ...]]:
    return [m.left_out for m in page.problem.declared.meaning.matches]  # type: ignore[union-attr]


def test_a_row_is_left_out_of_all_comparisons_by_a_click_and_a_button_and_comes_back(qtbot: QtBot, page: DataPage) -> None:
    page.table.selectRow(2)
    button = page.leave_out.button
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert left(page) == [(3,), (3,)]
    assert page.model.index(2, 0).data(Qt.ItemDataRole.FontRole).strikeOut()
    assert data_words(page.problem.declared) == "2 of 3 rows compared: 3 values, 1 value missing, 2 left out (1 of u, 1 of v)"
    page.table.selectRow(2)
    assert button.text() == "Take rows &back"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert left(page) == [(), ()]


def test_delete_leaves_the_selected_rows_out_and_a_row_without_a_value_is_not_counted(qtbot: QtBot, page: DataPage) -> None:
    page.table.selectRow(1)
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    assert left(page) == [(2,), ()]


def test_the_menu_offers_one_comparison_alone_and_the_step_counts_what_is_left(page: DataPage) -> None:
    page.table.selectRow(2)
    menu = page.leave_out.menu()
    assert menu is not None
    actions = [a for a in menu.actions() if not a.isSeparator()]
    assert [a.text() for a in actions] == [
        "Leave row 3 out of all 2 comparisons", "Only of the comparison of u", "Only of the comparison of v",
        "This row holds the errors", "Take this row out of the table",
    ]  # fmt: skip
    actions[2].trigger()
    assert left(page) == [(), (3,)]
    assert data_words(page.problem.declared) == "3 rows compared: 4 values, 1 value missing, 1 left out of v"


def test_rows_typed_for_one_comparison_are_left_out_for_all_by_one_button(qtbot: QtBot, page: DataPage) -> None:
    page.tabs.setCurrentIndex(1)
    matching = page.matching
    assert not matching.every.isEnabled()
    matching._replace(msgspec.structs.replace(MATCHES[0], left_out=(1, 2)), "typed")
    assert matching.every.text() == "The same rows left out for all 2"
    qtbot.mouseClick(matching.every, Qt.MouseButton.LeftButton)
    assert left(page) == [(1, 2), (1,)]
    assert not matching.every.isEnabled()


def test_one_value_is_left_out_from_the_menu_of_its_cell_and_stays_in_the_picture_as_a_grey_cross(page: DataPage) -> None:
    assert "right-click leaves it out alone" in page.origin.text()
    page.table.selectRow(0)
    index = page.model.index(0, 2)
    assert page.model.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.UserRole) == "v"
    page.leave_out._open(page.table.visualRect(index).center())
    shown = [m for m in page.table.findChildren(QMenu) if m.actions()]
    assert shown[0].actions()[0].text() == "Leave this value out (v, row 1)"
    shown[0].actions()[0].trigger()
    assert left(page) == [(), (1,)]
    shown[0].close()
    assert not page.model.index(0, 1).data(Qt.ItemDataRole.FontRole)
    assert index.data(Qt.ItemDataRole.FontRole).strikeOut()
    page.plot.choose("v")
    places, values = page.plot.left_out.getData()
    assert (list(places), list(values)) == ([0.0], [5.0])
    assert 5.0 not in page.plot.drawn()[1]
    menu = page.leave_out.menu((1, "v"))
    assert menu is not None
    assert menu.actions()[0].text() == "Take this value back (v, row 1)"
    menu.actions()[0].trigger()
    assert left(page) == [(), ()]
    assert not len(page.plot.left_out.getData()[0])
    menu = page.leave_out.menu((2, "v"))
    assert menu is not None
    assert "this value" not in menu.actions()[0].text(), "nothing was measured there"


def test_a_right_click_on_a_text_offers_all_rows_with_it(page: DataPage) -> None:
    flags = msgspec.structs.replace(DATA, texts={"Status": ("G", "E", "E")})
    page.problem.replace(msgspec.structs.replace(page.problem.declared, data=flags), "x")
    page.table.selectRow(1)
    menu = page.leave_out.menu((2, "Status"))
    assert menu is not None
    action = menu.actions()[0]
    assert action.text() == "Leave out all 2 rows with “E”"
    action.trigger()
    assert left(page) == [(2, 3), (3,)]
    again = page.leave_out.menu((2, "Status"))
    assert again is not None
    assert again.actions()[0].text() == "Take all 2 rows with “E” back"
    page.table.selectRow(0)
    alone = page.leave_out.menu((1, "Status"))
    assert alone is not None
    assert not any("with “G”" in a.text() for a in alone.actions())


def test_a_button_leaves_out_the_value_that_was_clicked_and_the_rest_of_its_row_stays(qtbot: QtBot, page: DataPage) -> None:
    button = page.leave_out.value_button
    assert not button.isEnabled()
    page.table.setCurrentIndex(page.model.index(2, 2))
    assert button.text() == "Leave 7 out"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert left(page) == [(), (3,)]
    page.table.setCurrentIndex(page.model.index(2, 2))
    assert button.text() == "Take 7 back"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert left(page) == [(), ()]
    page.table.setCurrentIndex(page.model.index(1, 2))
    assert not button.isEnabled(), "nothing was measured there"
    page.table.setCurrentIndex(page.model.index(1, 0))
    assert not button.isEnabled(), "nothing is compared with it"
