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
from bayescope.gui.models.archive.import_columns import KEY
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
