"""Data page: a file is read, corrected with the choices, and taken or refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from data_pages import CURVES, CURVES_TABLE, click, opened
from page_views import settle
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.file_questions import Looked, ask
from bayescope.gui.models.archive.column_roles import role_of
from bayescope.gui.pages.data.page import DataPage


@pytest.fixture
def problem() -> d.Problem:
    return CURVES


def test_a_table_is_imported_with_preview_and_matched_by_name(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(CURVES_TABLE, encoding="utf-8")
    page.open_file(path)
    assert "semicolon" in page.importer.words.text()
    assert "decimal comma" in page.importer.words.text()
    assert "“note” holds text" in page.importer.message.words()
    qtbot.mouseClick(page.importer.use, Qt.MouseButton.LeftButton)
    table = controller.problem.declared.data
    assert table is not None
    assert table.columns["b"] == (2.0, None, 6.0)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column, m.key_column) for m in meaning.matches] == [("a", "a", "time"), ("b", "b", "time")]
    x, y = page.plot.drawn()
    np.testing.assert_allclose(x, [0.5, 1.0, 1.5])
    np.testing.assert_allclose(y, [1.5, 2.5, 3.5])
    assert page.status() == ("done", "3 rows compared: 5 values, 1 value missing")
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data is None
    assert page.empty.isVisible()


def test_columns_are_renamed_and_left_out_before_they_are_taken(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t,x,y\n1,2,3\n4,5,6\n")
    page.open_file(path)
    model = page.importer.columns
    model.setData(model.index(1, 1), "a")
    model.setData(model.index(2, 2), "leave out")
    page.importer.accept()
    assert controller.problem.declared.data is not None
    assert list(controller.problem.declared.data.columns) == ["t", "a"]


def test_two_columns_of_one_name_cannot_be_taken(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t,x\n1,2\n")
    page.open_file(path)
    model = page.importer.columns
    model.setData(model.index(1, 1), "t")
    assert not page.importer.use.isEnabled()
    assert page.importer.columns_message.words() == "Two columns are called “t”."
    assert page.importer.columns_message._button.text() == "Call one “t_2”"
    page.importer.columns_message.pressed.emit()
    assert page.importer.use.isEnabled()
    assert page.importer.columns_message.words() == ""
    assert [row[1] for row in model.rows] == ["t", "t_2"]


def test_columns_of_one_name_with_values_in_other_rows_are_said_to_become_one(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t,x,y\n1,2,\n2,,3\n")
    page.open_file(path)
    model = page.importer.columns
    model.setData(model.index(2, 1), "x")
    assert page.importer.columns_message.words().startswith("2 columns are called “x”: each has values in other rows")


def test_a_wrong_guess_is_corrected_with_the_choices(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "m.txt"
    path.write_text("1 2\n3 4\n")
    page.open_file(path)
    assert page.importer.preview.rowCount() == 2
    page.importer.choices.heading.choose("1")
    assert page.importer.preview.rowCount() == 1
    page.importer.choices.delimiter.choose(",")
    assert page.importer.message.words()


def test_commas_that_can_be_read_in_two_ways_wait_for_a_choice(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "m.csv"
    path.write_text("t;y\n1;1,234\n2;−2,345\n", encoding="utf-8")
    page.open_file(path)
    assert "in two ways because of its comma" in page.importer.message.words()
    assert not page.importer.use.isEnabled()
    page.importer.choices.comma.choose("yes")
    page.importer.use.click()
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["y"] == (1.234, -2.345)


@pytest.mark.parametrize(
    ("content", "word"),
    [(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "PNG"), (b"", "no rows"), (b"only words here\nand here\n", ""),
     (b"\xff\xfe\x00", "")],
)  # fmt: skip
def test_what_is_no_table_is_refused_with_a_sentence(
    page: DataPage, controller: SessionController, tmp_path: Path, content: bytes, word: str
) -> None:
    path = tmp_path / "thing.csv"
    path.write_bytes(content)
    page.open_file(path)
    assert word in page.importer.message.words()
    assert page.importer.message.words()
    assert not page.importer.use.isEnabled()
    page.importer.cancel.click()
    assert controller.problem.declared.data is None
    assert page.empty.isVisible()


def test_more_than_a_hundred_thousand_rows_are_refused_with_a_sentence(page: DataPage, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("t,y\n" + "0.1,0.2\n" * 100_001)
    page.open_file(path)
    assert "100,000 rows" in page.importer.message.words()
    assert page.importer.message.suggestion()


def test_garbage_pasted_is_a_sentence(page: DataPage) -> None:
    QGuiApplication.clipboard().setText("\x00\x01\x02 garbage <b>")
    page.empty_paste.click()
    assert page.importer.message.words()
    assert not page.importer.use.isEnabled()


def test_closing_while_a_table_is_being_imported_changes_nothing(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(CURVES_TABLE, encoding="utf-8")
    page.open_file(path)
    page.close()
    QApplication.processEvents()
    assert controller.problem.declared.data is None


def test_the_preview_shows_the_whole_file(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "long.csv", "t,u\n" + "".join(f"{i},{i * i}\n" for i in range(41)))
    assert page.importer.words.text().startswith("41 rows")
    assert page.importer.preview.rowCount() == 41, "all of them can be scrolled through"
    assert "shown below" not in page.importer.words.text()


def test_rows_of_the_preview_are_taken_out_by_delete_and_are_rows_again_by_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "long.csv", "t,u\n" + "".join(f"{i},{i * i}\n" for i in range(41)))
    table = page.importer.preview_table
    table.selectRow(30)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert page.importer.words.text().startswith("40 rows")
    assert table.currentIndex().row() == 30, "what is looked at stays so"
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert page.importer.words.text().startswith("41 rows")
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    click(qtbot, page.importer.use)
    data = controller.problem.declared.data
    assert data is not None
    assert 30.0 not in data.columns["t"]
    assert len(data.columns["t"]) == 40


def test_several_rows_are_taken_out_together_and_that_is_one_sentence(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "long.csv", "t,u\n" + "".join(f"{i},{i * i}\n" for i in range(41)))
    table = page.importer.preview_table
    table.selectRow(4)
    for row in range(5, 10):
        qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        assert len(table.selected_rows()) == row - 3
    menu = page.importer.lines_told.menu(5)
    assert menu is not None
    menu.actions()[0].trigger()
    assert page.importer.words.text().startswith("35 rows")
    said = page.importer.lines_told.message.words()
    assert said == "Lines 6, 7 and 4 more are left out: they are no rows of the table."


def test_a_button_goes_from_one_row_that_could_not_be_read_to_the_next(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    rows = [f"{i},{'n/a' if i in (50, 90) else i * i}" for i in range(120)]
    opened(page, tmp_path / "long.csv", "t,u\n" + "\n".join(rows) + "\n")
    table, button = page.importer.preview_table, page.importer.next_unread
    assert button.text() == "Next of 2 rows with a cell that is no number"
    seen = []
    for _ in range(3):
        click(qtbot, button)
        seen.append(table.currentIndex().row())
    assert seen == [50, 90, 50]
    assert table.viewport().rect().contains(table.visualRect(table.currentIndex()).center())


def test_the_line_that_stops_a_file_from_being_read_is_shown(page: DataPage, tmp_path: Path) -> None:
    rows = [f"{i},{'broken cell' if i == 700 else i * i}" for i in range(900)]
    opened(page, tmp_path / "long.csv", "t,u\n" + "\n".join(rows) + "\n")
    table = page.importer.preview_table
    if page.importer.use.isEnabled():  # it was read, with the cell as none
        page.importer.next_unread.click()
    assert table.currentIndex().isValid()
    assert "700" in str(table.shown_rows.index(table.currentIndex().row(), 0).data())


def test_a_column_of_flags_is_not_said_to_pair_rows(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "flags.csv", "t,u,outlier?,pol\n0,1,,s\n1,2,x,p\n2,4,,s\n")
    said = page.importer.message.words()
    assert "Column “outlier?” says of each row whether it is good." in said
    assert "Column “pol” holds text: it can pair rows." in said


def test_times_of_two_parts_without_a_heading_that_tells_are_said_and_turned_by_a_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "run.csv", "lap,u\n00:30,1.5\n01:00,2.5\n01:30,3.5\n")
    offer = page.importer.offers.clock
    assert offer.isVisible()
    assert offer.words() == "“lap”: 00:30 is taken as hours and minutes, 1800 s. Its heading does not say it."
    qtbot.mouseClick(offer._button, Qt.MouseButton.LeftButton)
    assert offer.words() == "“lap”: 00:30 is taken as minutes and seconds, 30 s. Its heading does not say it."
    page.importer.columns.setData(page.importer.columns.index(0, 2), "in s", Qt.ItemDataRole.EditRole)
    page.importer.accept()
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["lap (s)"] == (30.0, 60.0, 90.0)
    opened(page, tmp_path / "told.csv", "lap [mm:ss],u\n00:30,1.5\n01:00,2.5\n01:30,3.5\n")
    assert not offer.isVisible()


def test_the_choices_above_the_preview_stay_in_place_whatever_is_chosen(page: DataPage, tmp_path: Path) -> None:
    rows = "".join(f"s{i},{i}.5,{i * 2}\n" for i in range(30))
    opened(page, tmp_path / "names.csv", f"name,T,p\n{rows}")
    choices = page.importer.choices
    every = (choices.delimiter, choices.heading, choices.comma, choices.lines, choices.split)
    places = {one: one.mapTo(page, one.rect().topLeft()) for one in every}
    for choice, key in ((choices.split, "name"), (choices.heading, "0"), (choices.comma, "yes"), (choices.delimiter, ";")):
        choice.choose(key)
        settle()
        assert all(one.mapTo(page, one.rect().topLeft()) == places[one] for one in every if one.isVisible()), key
        choice.choose("" if choice is choices.split else "auto")
        settle()


def test_one_click_on_what_a_column_is_used_for_opens_the_list(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", "time,u\n1,2\n2,3\n")
    columns = page.importer.used
    table, model = columns.table, columns.model
    index = model.index(0, model.column_of("take"))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    box = table.indexWidget(index)
    assert isinstance(box, QComboBox)
    qtbot.waitUntil(box.view().isVisible)
    entry = box.view().visualRect(box.model().index(box.findText("leave out"), 0)).center()
    QTest.mouseClick(box.view().viewport(), Qt.MouseButton.LeftButton, pos=entry)
    qtbot.waitUntil(lambda: model.rows[0][2] == "leave out")


def test_the_first_data_file_is_looked_for_beside_the_program(
    page: DataPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, other = tmp_path / "study", tmp_path / "other"
    study.mkdir()
    other.mkdir()
    (study / "model.py").write_text("print(1)\n")
    program = msgspec.structs.replace(page.problem.declared.simulator, command=("python3", str(study / "model.py")))
    page.problem.edit("x", simulator=program)
    (other / "m.csv").write_text("u\n1\n2\n")
    begun: list[str] = []

    def chosen(parent: object, title: str, begin: str, *rest: object) -> tuple[list[str], str]:
        begun.append(begin)
        return [str(other / "m.csv")], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", chosen)
    monkeypatch.setattr(ask, "looked", Looked(program=study))
    page._open()
    page.importer.accept()
    page._open()
    assert begun == [str(study), str(other)]


def test_a_line_with_a_cell_too_few_is_taken_out_of_a_file_that_could_not_be_read(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "broken.csv", "t,u,v\n0,1,2\n1,2\n2,3,4\n3,4,5,6\n4,5,6\n")
    importer = page.importer
    assert "Line 3 of broken.csv has 2 cells" in importer.message.words()
    importer.lines_told.take_out(3)
    assert "Line 5 of broken.csv has 4 cells" in importer.message.words()
    importer.lines_told.take_out(5)
    assert importer.words.text().startswith("3 rows")
    assert sorted(importer.lines_told.struck) == [1, 3], "they are in sight, and can be rows again"
    importer.lines_told.keep(3)
    assert "Line 3 of broken.csv has 2 cells" in importer.message.words()


@pytest.mark.parametrize(("volumes", "out", "role"), [((1, 2, 3, 4, 5, 6), 4, "key"), ((1, 2, 3, 9, 4, 5, 6, 7), 5, "measured")])
def test_columns_stay_what_they_are_where_a_row_is_taken_out(
    page: DataPage, tmp_path: Path, volumes: tuple[int, ...], out: int, role: str
) -> None:
    rows = "".join(f"{v},{(k * 7) % 5}\n" for k, v in enumerate(volumes))
    opened(page, tmp_path / "column.csv", f"Effluent volume (mL),v\n{rows}")
    used = page.importer.used

    def is_now() -> str:
        assert used._found is not None
        return role_of(used._found, used.model.rows, "Effluent volume (mL)")

    assert is_now() == role
    page.importer.lines_told.take_out(out)
    assert page.importer.words.text().startswith(f"{len(volumes) - 1} rows")
    assert is_now() == role
    used.say("Effluent volume (mL)", "measured")
    page.importer.lines_told.take_out(2)
    assert is_now() == "measured", "what was said goes first"


def test_a_column_that_counts_what_rows_belong_to_is_a_key(page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "modes.csv", "mode,f / Hz,run\n1,9.41,2.2\n2,14.25,1.9\n3,20.79,3.1\n4,25.1,2.4\n")
    used = page.importer.used
    assert used._found is not None
    roles = {column: role_of(used._found, used.model.rows, column) for column in ("mode", "f / Hz", "run")}
    assert roles["mode"] == "key"
    assert roles["run"] == "measured", "its numbers count nothing"
