"""Import page: a table whose lines are quantities is turned, and what was said of its columns and lines holds."""

from __future__ import annotations

from pathlib import Path

from data_pages import click, opened
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.importing.lines import OUT_OF_TABLE, THE_HEADING
from bayescope.gui.pages.data.page import DataPage

SUMMARY = "what\tfirst\tsecond\terror\na\t1\t2\t0.1\nb\t4\t5\t0.2\n"


def numbers(page: DataPage) -> list[str]:
    model = page.importer.preview
    return [str(model.headerData(i, Qt.Orientation.Vertical)) for i in range(model.rowCount())]


def press(page: DataPage, row: int, words: str) -> None:
    menu = page.importer.lines_told.menu(row)
    assert menu is not None
    next(action for action in menu.actions() if action.text() == words).trigger()


def test_rows_of_a_turned_table_are_struck_and_taken_out_one_by_one(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.txt", SUMMARY)
    page.importer.choices.lines.choose("yes")
    assert numbers(page) == ["2", "3", "4"]
    assert page.importer.lines_told.struck == {2}, "the line of errors"
    press(page, 0, OUT_OF_TABLE)
    assert page.importer.lines_told.struck == {0, 2}
    assert page.importer.words.text().startswith("1 row;"), "second alone is left"
    menu = page.importer.lines_told.menu(0)
    assert menu is not None
    assert THE_HEADING not in [a.text() for a in menu.actions()], "a column is no heading"


def test_what_is_left_out_stays_so_when_the_table_is_turned_and_turned_back(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.txt", SUMMARY)
    model = page.importer.columns
    at = next(i for i, row in enumerate(model.rows) if row[0] == "first")
    model.setData(model.index(at, 2), "leave out")
    press(page, 1, OUT_OF_TABLE)
    page.importer.choices.lines.choose("yes")
    assert page.importer.lines_told.struck == {0, 2}, "first, and the errors"
    assert {row[0]: row[2] for row in model.rows}["b"] == "leave out"
    page.importer.choices.lines.choose("no")
    assert {row[0]: row[2] for row in model.rows}["first"] == "leave out"
    assert page.importer.lines_told.struck == {1}
    page.importer.choices.lines.choose("yes")
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns == {"a": (2.0,), "a sd": (0.1,)}
