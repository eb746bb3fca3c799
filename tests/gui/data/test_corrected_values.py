"""Data page: a value of the table is typed over with a double click; the file stays as it is, and undo brings it back."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_pages import imported
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

SIZED = d.GaussianKnown(sd=2.0, percent=5.0)
TEXT = "label;u;v\na;1,5;2\nb;n/a;3\nc;4,5;5\n"


def type_into(qtbot: QtBot, page: DataPage, row: int, column: int, text: str) -> None:
    table = page.table
    at = table.visualRect(page.model.index(row, column)).center()
    port = table.viewport()
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseDClick(port, Qt.MouseButton.LeftButton, pos=at)
    editor = next(e for e in port.findChildren(QLineEdit) if e.isVisible())
    editor.selectAll()
    qtbot.keyClicks(editor, text)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def test_a_double_click_corrects_a_value_and_undo_brings_it_back(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, TEXT)
    page.tabs.setCurrentIndex(0)
    before = controller.problem.declared.data
    type_into(qtbot, page, 1, 1, "2,25")
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["u"] == (1.5, 2.25, 4.5)
    assert "the file stays as it is" in page.origin.text()
    type_into(qtbot, page, 0, 2, "n/a")
    type_into(qtbot, page, 2, 0, "d")
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["v"] == (None, 3.0, 5.0)
    assert data.texts["label"] == ("a", "b", "d")
    for _ in range(3):
        controller.problem.undo_stack.undo()
    assert controller.problem.declared.data == before
    assert "stays as it is" not in page.origin.text()


def test_what_is_no_number_is_refused_with_a_sentence_and_the_place_stays(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, TEXT)
    page.tabs.setCurrentIndex(0)
    before = controller.problem.declared.data
    type_into(qtbot, page, 2, 1, "four")
    assert controller.problem.declared.data == before
    assert "Row 3 of “u” stays as it was" in page.table_part.refusal.words()


@pytest.mark.parametrize("key", [Qt.Key.Key_7, Qt.Key.Key_A])
def test_a_key_typed_by_mistake_changes_nothing(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, key: Qt.Key
) -> None:
    imported(page, tmp_path, TEXT)
    page.tabs.setCurrentIndex(0)
    page.table.setFocus()
    page.table.setCurrentIndex(page.model.index(0, 1))
    qtbot.keyClick(page.table, key)
    assert not [e for e in page.table.viewport().findChildren(QLineEdit) if e.isVisible()]


def test_a_removed_table_leaves_no_message_that_nothing_is_left_to_do(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path, TEXT)
    controller.problem.edit("compare", meaning=d.Predictions(matches=(d.Match(output="u", column="u"),), noise=SIZED))
    page.table_part.remove_button.click()
    assert page.empty.isVisible()
    assert not page.message.isVisible()


def test_that_a_size_and_a_percentage_are_added_is_said_beside_them(page: DataPage, controller: SessionController) -> None:
    page.errors.noise.show_noise(SIZED, controller.problem.declared, None, Path(), False, (), "meaning.noise")
    assert page.errors.noise.prior.text() == "sd = 2 + 5 % of each measured value; the two are added: 7 for a value of 100."
    alone = d.GaussianKnown(percent=5.0)
    page.errors.noise.show_noise(alone, controller.problem.declared, None, Path(), False, (), "meaning.noise")
    assert page.errors.noise.prior.text() == "sd = 5 % of each measured value."


def test_values_typed_ahead_of_a_busy_window_all_arrive_in_their_cells(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    imported(page, tmp_path, TEXT)
    page.tabs.setCurrentIndex(0)
    page.table.setFocus()
    page.table.setCurrentIndex(page.model.index(0, 1))
    before = page.table.currentIndex().row()
    for text in ("7", "8", "9"):  # no event that waits is worked off in between: all keys were typed already
        for key in (Qt.Key.Key_F2, *text, Qt.Key.Key_Return):
            at = QApplication.focusWidget()
            assert at is not None
            qtbot.keyClicks(at, key) if isinstance(key, str) else qtbot.keyClick(at, key)
    QApplication.processEvents()
    data = controller.problem.declared.data
    assert data is not None
    assert before == 0
    assert data.columns["u"] == (7.0, 8.0, 9.0), "each in the cell below"
    assert not [e for e in page.table.viewport().findChildren(QLineEdit) if e.isVisible()]
    assert "does not belong" not in capfd.readouterr().err
