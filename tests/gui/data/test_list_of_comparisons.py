"""The list of comparisons: factors and errors are typed into its cells, without scrolling from card to card."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.comparison_table import TYPED_HERE
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.notices import Notice

COLUMNS = ("Mid [mm]", "End [mm]", "Temp [°C]", "Load [kN]")


@pytest.fixture
def problem() -> d.Problem:
    outputs = tuple(column(f"y{k}", k) for k in range(len(COLUMNS)))
    compared = tuple(d.Match(output=f"y{k}", column=c) for k, c in enumerate(COLUMNS))
    data = d.DataTable(columns={**dict.fromkeys(COLUMNS, (1.0, 2.0)), "spread": (0.1, 0.2)})
    meaning = d.Predictions(matches=compared, noise=d.GaussianKnown())
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=data, meaning=meaning)


@pytest.fixture
def listed(page: DataPage) -> DataPage:
    page.tabs.setCurrentIndex(1)
    QApplication.processEvents()
    return page


def into(page: DataPage, qtbot: QtBot, row: int, key: str, text: str) -> None:
    """Typed into a cell that is clicked."""
    table, model = page.matching.table, page.matching.model
    at = table.visualRect(model.index(row, model.column_of(key))).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def shown(page: DataPage, key: str) -> list[str]:
    model = page.matching.model
    return [str(model.index(row, model.column_of(key)).data()) for row in range(len(model.rows))]


def test_errors_are_typed_below_each_other_as_in_a_spreadsheet(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    assert shown(listed, "noise") == ["not said yet"] * 4
    into(listed, qtbot, 0, "noise", "0.5")
    assert listed.matching.table.currentIndex().row() == 1, "Return goes on to the cell below"
    into(listed, qtbot, 1, "noise", "3 %")
    into(listed, qtbot, 2, "noise", "spread")
    assert [m.noise for m in matches(controller)[:2]] == [d.GaussianKnown(sd=0.5), d.GaussianKnown(percent=3.0)]
    assert matches(controller)[2].sd_column == "spread"
    assert shown(listed, "noise") == ["0.5", "3 %", "spread", "not said yet"]


def test_one_click_does_the_same_for_all_alike(qtbot: QtBot, listed: DataPage, controller: SessionController) -> None:
    offer, top = listed.matching.offer, listed.matching.table.y()
    into(listed, qtbot, 0, "noise", "0.5")
    assert offer.words() == "Errors of “Mid [mm]”: 0.5."
    assert listed.matching.table.y() == top, "the list stays where it is"
    click(qtbot, offer.every)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.GaussianKnown(sd=0.5)
    assert shown(listed, "noise") == ["0.5"] * 4
    assert not offer.every.isVisible()
    controller.problem.undo_stack.undo()
    assert shown(listed, "noise") == ["0.5", "not said yet", "not said yet", "not said yet"]


def test_a_unit_typed_as_the_factor_is_offered_for_those_it_fits(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    into(listed, qtbot, 0, "factor", "m")
    assert shown(listed, "factor")[0] == "× 1000"
    click(qtbot, listed.matching.offer.same)
    assert [m.factor for m in matches(controller)] == [1000.0, 1000.0, 1.0, 1.0]
    into(listed, qtbot, 2, "factor", "K")
    assert shown(listed, "factor")[2] == "− 273.15"


def test_what_cannot_be_taken_is_said_and_nothing_changes(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    before = controller.problem.declared
    into(listed, qtbot, 0, "factor", "kg")
    assert controller.problem.declared is before
    assert listed.matching.offer.said.property("role") == "error"
    assert "is in mm, a unit of another kind, so kg cannot be counted in it" in listed.matching.offer.words()


def test_delete_empties_a_factor_and_removes_a_comparison_elsewhere(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    into(listed, qtbot, 0, "factor", "1000")
    table, model = listed.matching.table, listed.matching.model
    table.setCurrentIndex(model.index(0, model.column_of("factor")))
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert matches(controller)[0].factor == 1.0
    assert len(matches(controller)) == 4
    table.setCurrentIndex(model.index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert len(matches(controller)) == 3


def test_a_change_below_the_list_is_offered_for_the_others_too(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    listed.matching.details.form_changed.emit(msgspec.structs.replace(matches(controller)[0], factor=1000.0))
    offer = listed.matching.offer
    click(qtbot, offer.same)
    assert [m.factor for m in matches(controller)] == [1000.0, 1000.0, 1.0, 1.0]


def test_all_columns_of_the_list_are_seen_in_little_room(qtbot: QtBot, listed: DataPage) -> None:
    listed.resize(980, 560)
    QApplication.processEvents()
    table = listed.matching.table
    last = table.visualRect(listed.matching.model.index(0, len(listed.matching.model.columns) - 1))
    assert table.viewport().rect().contains(last.topLeft() + QPoint(20, 4))
    assert not table.horizontalScrollBar().isVisible()


def test_a_column_of_a_spreadsheet_is_pasted_over_the_errors(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    table, model = listed.matching.table, listed.matching.model
    table.setCurrentIndex(model.index(0, model.column_of("noise")))
    QGuiApplication.clipboard().setText("0.1\n0.2\n\n5 %\n9\n")
    qtbot.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert shown(listed, "noise") == ["0.1", "0.2", "not said yet", "5 %"]
    assert len(matches(controller)) == 4


def test_another_column_is_chosen_in_the_list_and_none_by_looking(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    table, model = listed.matching.table, listed.matching.model
    first = msgspec.structs.replace(matches(controller)[0], column="")
    model.replace(0, first, "x")
    index = model.index(0, model.column_of("column"))
    table.setCurrentIndex(index)
    table.edit(index)
    box = QApplication.focusWidget()
    assert isinstance(box, QComboBox)
    assert box.currentText() == ""
    table.setFocus()
    QApplication.processEvents()
    assert matches(controller)[0].column == ""
    model.setData(index, "Temp [°C]")
    assert matches(controller)[0].column == "Temp [°C]"


def refreshed(page: DataPage, controller: SessionController) -> None:
    """As when a validation or a test run comes in: every view follows the problem anew."""
    page.matching.model.refresh()
    page.refresh()
    page.matching.refresh()
    controller.problem.edit("x", name=f"{controller.problem.declared.name}x")
    QApplication.processEvents()


@pytest.mark.parametrize("when", ["before the keys", "between the keys", "after the keys"])
def test_what_is_typed_after_tab_arrives_whenever_the_page_is_refreshed(
    qtbot: QtBot, listed: DataPage, controller: SessionController, when: str
) -> None:
    table, model = listed.matching.table, listed.matching.model
    at = table.visualRect(model.index(1, model.column_of("factor"))).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    qtbot.keyClicks(QApplication.focusWidget(), "100")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    for k, keys in enumerate(("", "0.0", "05")):
        qtbot.keyClicks(QApplication.focusWidget(), keys)
        if when.split()[0] == ("before", "between", "after")[k]:
            refreshed(listed, controller)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert matches(controller)[1].factor == 100.0
    assert matches(controller)[1].noise == d.GaussianKnown(sd=0.005)


def test_a_value_that_is_typed_over_after_a_refresh_is_replaced_as_a_whole(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    into(listed, qtbot, 0, "noise", "0.5")
    table, model = listed.matching.table, listed.matching.model
    at = table.visualRect(model.index(0, model.column_of("noise"))).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    refreshed(listed, controller)
    qtbot.keyClicks(QApplication.focusWidget(), "0.4")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert matches(controller)[0].noise == d.GaussianKnown(sd=0.4)


def test_keys_that_come_before_the_editor_open_it_and_none_is_lost(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    table, model = listed.matching.table, listed.matching.model
    table.setFocus()
    table.setCurrentIndex(model.index(2, model.column_of("noise")))
    qtbot.keyClick(table, Qt.Key.Key_0)
    refreshed(listed, controller)
    qtbot.keyClicks(QApplication.focusWidget(), ".25")
    refreshed(listed, controller)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert matches(controller)[2].noise == d.GaussianKnown(sd=0.25)


def test_a_double_click_into_a_filled_cell_selects_all_of_it(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    into(listed, qtbot, 0, "factor", "0.4545")
    table, model = listed.matching.table, listed.matching.model
    at = table.visualRect(model.index(0, model.column_of("factor"))).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.mouseDClick(editor, Qt.MouseButton.LeftButton, pos=editor.rect().center())
    QTest.mouseRelease(editor, Qt.MouseButton.LeftButton, pos=editor.rect().center())
    qtbot.keyClicks(editor, "1/2.2")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert matches(controller)[0].factor == 1 / 2.2


def test_what_is_typed_after_the_last_row_goes_into_no_row(
    qtbot: QtBot, listed: DataPage, controller: SessionController
) -> None:
    into(listed, qtbot, 3, "noise", "0.3")
    qtbot.keyClicks(QApplication.focusWidget(), "0.9")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    QApplication.processEvents()
    assert matches(controller)[3].noise == d.GaussianKnown(sd=0.3)
    assert "last row" in listed.matching.offer.words()
    into(listed, qtbot, 3, "noise", "0.8")
    assert matches(controller)[3].noise == d.GaussianKnown(sd=0.8), "a click opens it"


def test_a_banner_that_comes_moves_nothing_under_the_pointer_and_the_list_is_as_high_as_its_rows(
    qtbot: QtBot, listed: DataPage
) -> None:
    table, area, banner = listed.matching.table, listed.matching.area, Notice()
    listed._box.insertWidget(1, banner)  # one that the page itself does not keep room for
    assert table.viewport().height() < table.rowHeight(0) * (len(COLUMNS) + 1)
    listed.resize(900, 560)
    qtbot.waitUntil(lambda: not listed.still.settling)

    def place(shows: bool) -> int:
        banner.say("info", "A value was added.") if shows else banner.clear()
        for _ in range(3):  # a layout settles in turns of the event loop
            listed.layout().activate()
            QApplication.processEvents()
        return table.mapToGlobal(QPoint()).y()

    QCursor.setPos(table.mapToGlobal(QPoint(-400, 5)))
    top, moved = place(shows=False), place(shows=True)
    assert moved > top + 20, "the list stands below the banner, and is not pointed at"
    assert place(shows=False) == top
    QCursor.setPos(table.mapToGlobal(QPoint(40, 5)))
    assert place(shows=True) == top
    assert area.verticalScrollBar().value() == moved - top
    assert place(shows=False) == top


def test_what_can_be_typed_is_not_said_of_a_list_that_is_locked(listed: DataPage, controller: SessionController) -> None:
    assert listed.matching.offer.words() == TYPED_HERE
    listed.matching.offer.follow(controller.problem.declared, locked=True)
    assert listed.matching.offer.words() == ""
    listed.matching.offer.follow(controller.problem.declared)
    assert listed.matching.offer.words() == TYPED_HERE
