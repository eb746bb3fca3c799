"""How a file of data was read, and what it says of its errors, is known again when the session is opened the next time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from data_pages import click, opened
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.archive.import_columns import KEY, LEAVE
from bayescope.gui.pages.data.page import DataPage
from sheet_files import xlsx

# the names stand in line 2: line 3 looks like names too
FILE = "Weights of load cells\nstation;u;v\nno.;mm;mm\n7;1.5;10\n8;2.5;20\n9;9.9;99\n# errors: 0.02 mm\n"


@pytest.fixture
def reopened(
    qtbot: QtBot, show: Callable[..., None], make_controller: Callable[[], SessionController], tmp_path: Path
) -> Callable[[SessionController], DataPage]:
    """Saves a session and opens it in another window."""

    def again(before: SessionController) -> DataPage:
        path = tmp_path / "s.bayescope"
        assert before.file.save_as(path)
        before.shut_down()
        controller = make_controller()
        page = DataPage(controller)
        show(page, 1000, 620)
        assert controller.file.open(path)
        QApplication.processEvents()
        return page

    return again


def without_errors(controller: SessionController) -> None:
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))


def test_heading_lines_and_columns_are_read_as_before_and_remarks_are_still_known(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, reopened: Callable[..., DataPage]
) -> None:
    without_errors(controller)
    opened(page, tmp_path / "m.csv", FILE)
    page.importer.choices.heading.choose("2")
    page.importer.lines_told.take_out(6)
    page.importer.used.say(page.importer._shown.columns[0], KEY)  # type: ignore[union-attr]
    click(qtbot, page.importer.use)
    said = "heading in line 2, line 6 left out, column 1 a key"
    assert f"from m.csv ({said})" in page.origin.text()
    question = page.message.words()
    assert "0.02 mm" in page.message.words() + page.message.suggestion()
    again = reopened(controller)
    assert f"from m.csv ({said})" in again.origin.text()
    assert again.message.words() == question
    again.open_file(tmp_path / "m.csv")
    assert again.importer.words.text().startswith(f"Read as you said before: {said}. 2 rows;")
    assert again.importer.choices.heading.key() == "2"
    title = str(again.importer.preview.headerData(0, Qt.Orientation.Horizontal))
    assert title.endswith("\nkey or time")


def test_the_sheet_that_was_taken_is_shown_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, reopened: Callable[..., DataPage]
) -> None:
    sheets = {"shape": [["node", "w"], ["A1", 1.5], ["A2", 2.5]], "modes": [["mode", "u"], [1, 10.5], [2, 11.5]]}
    opened(page, tmp_path / "m.xlsx", xlsx(sheets))
    page.importer.part.choose("1")
    click(qtbot, page.importer.use)
    assert "(table “modes”)" in page.origin.text()
    again = reopened(controller)
    assert "(table “modes”)" in again.origin.text()
    again.open_file(tmp_path / "m.xlsx")
    assert again.importer.part.key() == "1"
    again.importer.cancel.click()
    opened(again, tmp_path / "n.csv", "u\n1\n2\n")
    assert not again.importer.words.text().startswith("Read as"), "of another file nothing is known"


LONG = "Survey of a tank\nplace,what,reading,remarks\n,,m,\n1,p,1.5,rain\n1,q,10,\n2,p,2.5,\n2,q,20,\n3,p,3.5,wind\n3,q,30,\n"


def uses(page: DataPage) -> dict[str, tuple[str, str]]:
    return {old: (name, use) for old, name, use in page.importer.columns.rows}


def call(page: DataPage, column: str, name: str) -> None:
    model = page.importer.columns
    row = [old for old, _, _ in model.rows].index(column)
    assert model.setData(model.index(row, 1), name, Qt.ItemDataRole.EditRole)


def chosen(page: DataPage) -> None:
    """All that can be said of the columns: by which the table is split, what is kept, and how one is called."""
    page.importer.split.choose("what")
    page.importer.used.say("remarks", "take")
    call(page, "place", "station")


def test_a_split_a_remark_and_a_name_are_kept_when_the_heading_is_said_again(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", LONG)
    page.importer.choices.heading.choose("2")
    chosen(page)
    before = uses(page)
    assert before["place"] == ("station", "take")
    page.importer.choices.heading.choose("auto")
    page.importer.choices.heading.choose("2")
    assert page.importer.split.key() == "what"
    assert uses(page) == before
    page.importer.split.choose("")
    page.importer.choices.comma.choose("no")
    assert page.importer.split.key() == "", "that it is not to be split was said, too"
    page.importer.choices.heading.choose("3")
    assert page.importer.split.key() == "", "of columns that are called otherwise now, nothing fails"


def test_a_split_a_remark_and_a_name_are_kept_when_the_file_or_the_session_is_opened_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, reopened: Callable[..., DataPage]
) -> None:
    without_errors(controller)
    opened(page, tmp_path / "m.csv", LONG)
    page.importer.choices.heading.choose("2")
    chosen(page)
    before = uses(page)
    click(qtbot, page.importer.use)
    data = controller.problem.declared.data
    assert data is not None
    assert {"station", "p", "q"} <= {name.split(" ")[0] for name in (*data.columns, *data.texts)}
    assert "split by column 2, column 1 called “station”" in page.origin.text()
    page.open_file(tmp_path / "m.csv")
    assert (page.importer.split.key(), uses(page)) == ("what", before)
    page.importer.cancel.click()
    again = reopened(controller)
    again.open_file(tmp_path / "m.csv")
    assert (again.importer.split.key(), uses(again)) == ("what", before)
    assert again.importer.choices.heading.key() == "2"
    again.importer.cancel.click()
    opened(again, tmp_path / "n.csv", LONG.replace("rain", "snow"))
    assert uses(again)["place"][0] == "place", "of another file nothing is known"


def test_that_times_are_minutes_and_seconds_is_kept(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, reopened: Callable[..., DataPage]
) -> None:
    without_errors(controller)
    opened(page, tmp_path / "laps.csv", "lap,u\n00:30,1.5\n01:00,2.5\n01:30,3.5\n")
    click(qtbot, page.importer.offers.clock._button)
    click(qtbot, page.importer.use)
    again = reopened(controller)
    again.open_file(tmp_path / "laps.csv")
    assert "times in minutes and seconds" in again.importer.words.text()
    assert "30 s" in again.importer.offers.clock.words()


def test_columns_of_all_tables_together_are_used_as_before_and_what_is_said_anew_is_not_said_as_before(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, reopened: Callable[..., DataPage]
) -> None:
    well = [["date / time", "minutes", "depth"], ["2024-03-12 09:20", 20, 2.5], ["2024-03-12 09:40", 40, 2.75]]
    opened(page, tmp_path / "m.xlsx", xlsx({"PB1": well, "PB2": well}))
    page.importer.part.choose("-1")
    page.importer.used.say("date / time", LEAVE)
    named = [old for old, *_ in page.importer.columns.rows]
    row = next(k for k, name in enumerate(named) if name.startswith("depth"))
    page.importer.columns.setData(page.importer.columns.index(row, 1), "PB1")
    click(qtbot, page.importer.use)
    again = reopened(controller)
    again.open_file(tmp_path / "m.xlsx")
    said = "Read as you said before: all its tables, column 1 left out, column "
    assert again.importer.words.text().startswith(said)
    assert "called “PB1”" in again.importer.words.text()
    assert next(use for old, _, use in again.importer.columns.rows if old == "date / time") == LEAVE
    row = [old for old, *_ in again.importer.columns.rows].index(named[row])
    again.importer.columns.setData(again.importer.columns.index(row, 1), "well 1")
    assert "called “PB1”" not in again.importer.words.text()
    assert again.importer.words.text().startswith("Read as you said before: all its tables, column 1 left out. ")


def test_answers_about_limits_marks_and_factors_count_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, reopened: Callable[..., DataPage]
) -> None:
    without_errors(controller)
    rows = "0;<0.4;31.7*;0.2\n1;0.7;30.1;0.2\n2;0.9;28.4;0.2\n3;1.4;29.9;0.2\n"
    opened(page, tmp_path / "m.csv", f"t;u;v;v expanded uncertainty\n{rows}")
    importer = page.importer
    importer.offers.censored.ways.chosen.emit("half")
    importer.offers.marked.pressed.emit()
    importer.offers.coverage.field.committed.emit("3")
    click(qtbot, importer.use)
    said = "expanded uncertainties divided by 3, limits by half, marked values left out"
    assert f"({said})" in page.origin.text()
    before = controller.problem.declared.data
    assert before is not None
    assert before.columns["u"][0] == pytest.approx(0.2)
    again = reopened(controller)
    again.open_file(tmp_path / "m.csv")
    assert again.importer.words.text().startswith(f"Read as you said before: {said}. ")
    click(qtbot, again.importer.use)
    assert again.problem.declared.data == before
