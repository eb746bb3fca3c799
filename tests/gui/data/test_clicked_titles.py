"""A click on a title of the import preview says what its column is; that stays, is marked, and is taken over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

TABLE = "reading;u;scatter;v\n;V;V;A\n10;1.5;0.1;7\n20;2.5;0.2;8\n30;3.5;0.2;9\n"


def press(qtbot: QtBot, page: DataPage, title: str) -> QMenu:
    """A click on a title; the menu that opens."""
    preview = page.importer.preview_table
    columns = [str(preview.model().headerData(k, Qt.Orientation.Horizontal)).split("\n")[0] for k in range(4)]
    heads = preview.horizontalHeader()
    at = heads.viewport().rect().center()
    at.setX(heads.sectionViewportPosition(columns.index(title)) + 12)
    qtbot.mouseClick(heads.viewport(), Qt.MouseButton.LeftButton, pos=at)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def say(qtbot: QtBot, page: DataPage, title: str, what: str) -> None:
    menu = press(qtbot, page, title)
    action = next(a for a in menu.actions() if a.text() == what)
    menu.setActiveAction(action)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    QApplication.processEvents()


def roles(page: DataPage) -> list[str]:
    preview = page.importer.preview
    return [str(preview.headerData(k, Qt.Orientation.Horizontal)).replace("\n", ": ") for k in range(preview.columnCount())]


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("x", 0), column("u", 1), column("v", 2)))


def test_what_a_column_is_stands_below_its_title_and_a_click_changes_it(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    assert roles(page) == ["reading: measured", "u (V): measured", "scatter (V): measured", "v (A): measured"]
    assert [a.text() for a in press(qtbot, page, "reading").actions() if a.isChecked()] == ["Measured"]
    QApplication.activePopupWidget().close()
    say(qtbot, page, "reading", "Key or time")
    say(qtbot, page, "scatter (V)", "Errors")
    say(qtbot, page, "v (A)", "Ignored")
    assert roles(page) == ["reading: key or time", "u (V): measured", "scatter (V): errors", "v (A): ignored"]
    assert page.importer.columns.rows[2] == ("scatter (V)", "u sd (V)", "errors")
    index = page.importer.preview.index(page.importer.preview.rowCount() - 1, 0)
    assert index.data(Qt.ItemDataRole.BackgroundRole) is not None
    assert index.siblingAtColumn(1).data(Qt.ItemDataRole.BackgroundRole) is None


def test_a_title_that_was_said_to_be_the_time_stays_so_when_the_file_is_read_anew(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", TABLE)
    say(qtbot, page, "reading", "Key or time")
    page.importer.choices.heading.choose("1")  # the units are a row of the table now, or gone
    assert roles(page)[0] == "reading: key or time"
    page.importer.choices.comma.choose("no")
    say(qtbot, page, "v (A)" if "v (A): measured" in roles(page) else "v", "Ignored")
    assert roles(page)[0] == "reading: key or time"
    opened(page, tmp_path / "m.csv", TABLE)  # once more
    assert roles(page)[0] == "reading: key or time"
    say(qtbot, page, "reading", "Find out")
    assert roles(page)[0] == "reading: measured"
    opened(page, tmp_path / "n.csv", TABLE.replace("10", "11"))
    assert roles(page)[0] == "reading: measured", "of another file nothing is said"


def test_what_was_said_is_taken_over(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, "10 1.4 7.1\n20 2.6 8.1\n30 3.4 9.1\n40 4 10\n")
    opened(page, tmp_path / "m.csv", TABLE)
    say(qtbot, page, "reading", "Key or time")
    say(qtbot, page, "scatter (V)", "Errors")
    say(qtbot, page, "v (A)", "Ignored")
    click(qtbot, page.importer.use)
    data = controller.problem.declared.data
    assert data is not None
    assert list(data.columns) == ["reading", "u (V)", "u sd (V)"]
    (match,) = matches(controller)
    assert (match.output, match.column, match.keys) == ("u", "u (V)", (("x", "reading"),))


def test_a_column_said_to_be_a_key_is_not_asked_about_before_a_run_tells_which_output_has_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "m.csv", TABLE.replace("reading", "x"))
    say(qtbot, page, "x", "Key or time")
    click(qtbot, page.importer.use)
    assert "x" not in [m.column for m in matches(controller)]
    assert all(("x", "x") in m.keys for m in matches(controller))


def test_labels_may_be_keys_or_nothing(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "m.csv", "who;u;a;b\nAnn;1.5;2;3\nBob;2.5;3;4\n")
    assert roles(page)[0] == "who: label"
    menu = press(qtbot, page, "who")
    assert [a.text() for a in menu.actions() if a.text()] == ["Key or time", "Ignored", "Find out"]
    menu.close()
