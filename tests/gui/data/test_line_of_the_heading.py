"""Import of a table: the user says which line is the heading, by the list of lines or by the menu of a row."""

from __future__ import annotations

from pathlib import Path

import openpyxl
from data_pages import click, opened, words
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.importing.lines import THE_HEADING
from bayescope.gui.pages.data.page import DataPage

SHEET = "Yields by J. Marsh\nt/ha\nsite,2019,2020\nNorth,1,2\nSouth,3,4\n"
SIDE = Qt.Orientation.Vertical


def names(page: DataPage) -> list[str]:
    return [row[0] for row in page.importer.columns.rows]


def test_the_line_of_the_heading_is_chosen_from_the_list_and_taken_back(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", SHEET)
    choice = page.importer.choices.heading
    before = names(page)
    assert before != ["site", "2019", "2020"]
    assert "Line 3: site, 2019, 2020" in [choice.itemText(i) for i in range(choice.count())]
    choice.choose("3")
    assert names(page) == ["site", "2019", "2020"]
    assert choice.currentText().startswith("Line 3")
    choice.choose("auto")
    assert names(page) == before


def test_a_row_of_the_preview_is_said_to_be_the_heading_and_lines_above_it_stay_in_sight(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", SHEET)
    importer = page.importer
    lines = [importer.preview.headerData(i, SIDE) for i in range(importer.preview.rowCount())]
    menu = importer.lines_told.menu(lines.index("3"))
    assert menu is not None
    next(a for a in menu.actions() if a.text() == THE_HEADING).trigger()
    assert [importer.preview.headerData(i, SIDE) for i in range(importer.preview.rowCount())] == ["1", "2", "3", "4", "5"]
    assert importer.preview.index(1, 0).data() == "t/ha"
    menu = importer.lines_told.menu(1)
    assert menu is not None
    assert [a.text() for a in menu.actions()] == [THE_HEADING], "a line above the table is no row of it"
    importer.accept()
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns == {"2019": (1.0, 3.0), "2020": (2.0, 4.0)}


def test_a_table_that_cannot_be_read_so_still_offers_its_lines(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", SHEET)
    choice = page.importer.choices.heading
    choice.choose("5")
    assert page.importer.message.level == "error"
    choice.choose("3")
    assert names(page) == ["site", "2019", "2020"]


def test_each_sheet_keeps_its_heading_and_the_file_does_when_it_is_opened_again(page: DataPage, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheets = (book.active, book.create_sheet("two"))
    for sheet, name in zip(sheets, ("u", "v"), strict=True):
        for row in (("seen by", "J. M."), ("t", name), (1, 2), (3, 4)):
            sheet.append(row)
    book.save(tmp_path / "m.xlsx")
    page.open_file(tmp_path / "m.xlsx")
    choices = page.importer.choices
    for part, line in (("0", "2"), ("1", "1")):
        choices.part.choose(part)
        choices.heading.choose(line)
    choices.part.choose("0")
    assert choices.heading.key() == "2"
    assert names(page) == ["t", "u"]
    for line in ("4", "2"):  # of one that leaves no row, the next choice is of the same sheet
        choices.heading.choose(line)
    assert names(page) == ["t", "u"]
    choices.part.choose("-1")
    assert not choices.heading.isEnabled()
    choices.part.choose("1")
    assert choices.heading.key() == "1"
    page.open_file(tmp_path / "m.xlsx")
    choices.part.choose("1")
    assert choices.heading.key() == "1"


def test_pasted_rows_have_the_heading_that_is_said(page: DataPage) -> None:
    page.paste("made\tby hand\nx\ty\n1\t2\n3\t4\n")
    page.importer.choices.heading.choose("2")
    assert names(page) == ["x", "y"]


def test_each_line_of_a_file_that_is_no_table_can_be_said_to_be_the_heading(page: DataPage, tmp_path: Path) -> None:
    remarks = "".join(f"Channel {k}: good\n" for k in range(1, 31))
    opened(page, tmp_path / "m.txt", remarks + "a;b;c\n1;2;3\n4;5\n6;7;8\n")
    importer = page.importer
    assert importer.message.level == "error"
    assert not importer.preview_table.isHidden()
    assert importer.preview.rowCount() == 34
    assert importer.preview.headerData(33, SIDE) == "34"
    choice = importer.choices.heading
    assert any(choice.itemText(i).startswith("Line 31:") for i in range(choice.count()))
    menu = importer.lines_told.menu(32)
    assert menu is not None
    next(a for a in menu.actions() if a.text() == THE_HEADING).trigger()
    assert importer.lines_told.heading == 33


def test_a_line_that_looks_like_the_heading_is_taken_as_such_by_the_first_button(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    text = "Sample\tlot 1\tT\t25 C\nangle\tR\tsd\tremark\ndeg\t1/m\tV\t\n" + "".join(f"{i}\t{2 * i}\t5\t\n" for i in range(8))
    opened(page, tmp_path / "m.csv", text + "9\t3\t2\tdust\n")
    message = page.importer.message
    assert "is not a number" in message.words()
    assert words(message._button) == "Line 2 is the heading"
    click(qtbot, message._button)
    assert names(page) == ["remark", "angle (deg)", "R (1/m)", "sd (V)"]
