"""An output with more rows than were measured, and no key: which of them were, by clicks, by a list, or as the file says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data_pages import click, matches, opened, trial_run, typed
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.mismatches import mismatch
from bayescope.gui.models.data.rows.chosen_rows import row_said, rows_typed
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.data.rows_choice import RowsChoice

PRINTED = (
    "NODE X UX UY\n101 60.0 -1.7E-02 -0.1\n102 100.0 -2.9E-02 -0.29\n103 160.0 -3.6E-02 -0.7\n"
    "104 200.0 0.15 -1.0\n105 260.0 0.17 -1.5\n"
)
LABELLED = "Channel;UX\nU3;-0.0384\nU5;0.2199\n"
PLAIN = "channel;UX\nleft;-0.0384\nright;0.2199\n"
SAID = "Report 17\nUX measured at nodes 103 and 105 only\n\nchannel;UX\nleft;-0.0384\nright;0.2199\n"
RANGED = "Report 17\nnumber = gauge position (1..5 = node 101..105)\n\nChannel;UX\nU4;-0.0384\nU5;0.2199\n"


@pytest.fixture
def problem() -> d.Problem:
    ux = d.Region(anchor="NODE X UX UY", columns=(3,), by="word", form="nnnn")
    return d.Problem(
        name="bracket",
        parameters=(d.Parameter(name="E", prior=d.Uniform(low=1.0, high=9.0)),),
        simulator=d.Simulator(command=("sh", "@E@")),
        outputs=(d.Output(name="UX", source="res.txt", extractor=ux),),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.01)),
    )


def asked(page: DataPage, tmp_path: Path, engines: list[Any], table: str) -> RowsChoice:
    opened(page, tmp_path / "gauges.csv", table)
    page.importer.use.click()
    page.matching.match_by_name()
    trial_run(page, engines, PRINTED)
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    QApplication.processEvents()
    return page.matching.details.rows


def press(qtbot: QtBot, part: RowsChoice, row: int) -> None:
    at = part.table.visualRect(part.model.index(row, 1)).center()
    qtbot.mouseClick(part.table.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_rows_are_chosen_by_clicks_on_what_the_program_prints(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    part = asked(page, tmp_path, engines, PLAIN)
    assert part.isVisible()
    assert part.question.text() == "Which 2 of the 5 rows of “UX” were measured?"
    assert part.model.rows[2][1] == "103 160.0 -3.6E-02 -0.7"
    assert not part.button.isEnabled()
    press(qtbot, part, 4)
    press(qtbot, part, 1)
    press(qtbot, part, 2)
    assert not part.button.isEnabled()
    press(qtbot, part, 1)
    assert [row[2] for row in part.model.rows] == ["", "", "“left”: -0.0384", "", "“right”: 0.2199"]
    click(qtbot, part.button)
    assert matches(controller)[0].rows == (3, 5)
    assert page.trial.unfit() is None
    assert not part.isVisible()
    assert page.matching.model.index(0, 2).data() == "in order, with its rows 3, 5"


def test_rows_are_chosen_by_a_list_of_what_stands_in_them_in_any_order(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    part = asked(page, tmp_path, engines, PLAIN)
    typed(part.field, "105 103", qtbot)
    assert matches(controller)[0].rows == (5, 3)


def test_what_is_no_row_is_said_beside_the_list(page: DataPage, tmp_path: Path, engines: list[Any], qtbot: QtBot) -> None:
    part = asked(page, tmp_path, engines, PLAIN)
    typed(part.field, "103, 109", qtbot)
    assert "“109” is no row: write numbers from 1 to 5" in part.said.text()
    assert not part.button.isEnabled()


@pytest.mark.parametrize(
    ("table", "rows", "why"),
    [
        (LABELLED, (3, 5), "By the numbers in “U3” and “U5”."),
        (SAID, (3, 5), "The file says: “UX measured at nodes 103 and 105 only”."),
        (RANGED, (4, 5), "By the numbers in “U4” and “U5”. The file says: “number = gauge position (1..5 = node 101..105)”."),
    ],
)
def test_rows_that_labels_or_remarks_tell_are_chosen_already_with_the_ground(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], table: str,
    rows: tuple[int, ...], why: str,
) -> None:  # fmt: skip
    part = asked(page, tmp_path, engines, table)
    assert part.why.text().startswith(why)
    assert [i.row() + 1 for i in part.table.selectionModel().selectedRows()] == list(rows)
    click(qtbot, part.button)
    assert matches(controller)[0].rows == rows
    assert page.trial.unfit() is None


def test_another_measured_column_takes_its_rows_anew(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    part = asked(page, tmp_path, engines, "Channel;UX;UY\nU3;-0.0384;1\nU5;0.2199;2\n")
    click(qtbot, part.button)
    page.matching._form_changed(d.Match(output="UX", column="UY", rows=(3, 5)))
    assert matches(controller)[0].rows == ()


def test_a_list_means_what_stands_in_one_column_before_numbers_of_rows() -> None:
    lines = ("P1 3 0.1", "P2 1 0.2", "P3 2 0.3")
    assert rows_typed("P3 P1", lines) == (3, 1)
    assert rows_typed("1, 2", lines) == (2, 3)
    assert rows_typed("1-2", lines) == (1, 2)
    with pytest.raises(ValueError, match="twice"):
        rows_typed("1-2, 2", ("0.1", "0.2"))


def test_a_single_value_of_a_file_that_names_its_row_is_taken_with_two_clicks(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "peak.csv", "UX at node 104 (mm)\n0.152\n")
    click(qtbot, page.importer.use)
    trial_run(page, engines, PRINTED)
    while not page.trial.unfit():  # by name, or as the one that is left
        click(qtbot, page.message._button)
    click(qtbot, page.message._button)
    QApplication.processEvents()
    part = page.matching.details.rows
    assert part.rows == (4,)
    assert part.why.text().startswith("By the number in “UX at node 104”.")
    click(qtbot, part.button)
    assert matches(controller)[0].rows == (4,)
    assert page.trial.unfit() is None


@pytest.mark.parametrize(
    ("words", "row"),
    [("conc at 24 h", 3), ("conc at 24.0 h", 3), ("C24", None), ("peak", None), ("between 12 and 24", None), ("at 7 h", None)],
)
def test_words_name_a_row_by_a_number_that_stands_in_it_alone(words: str, row: int | None) -> None:
    assert row_said(words, ("0 1.5", "12 2.5", "24.0 3.5", "36 2.5")) == row


def test_where_no_choice_is_shown_a_button_leads_to_the_field_for_the_rows(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    part = asked(page, tmp_path, engines, PLAIN)
    details = page.matching.details
    assert part.isVisible()
    assert details.mismatch.which.isHidden(), "the rows are chosen right below"
    field = details.form.editor("rows")
    assert isinstance(field, QLineEdit)
    assert field.placeholderText() == "all, or for example 1-4, 6, 7"
    said = details.form._notices["rows"].text()
    assert "type their numbers here" in said
    assert "On the Data page" not in said
    found = mismatch(page.problem.declared, 0, page.trial.report)
    assert found is not None
    assert found.which_rows == "UX"
    details.mismatch.show_mismatch(found, False)
    assert details.mismatch.which.text() == "Say which rows of UX"
    click(qtbot, details.mismatch.which)
    assert field.hasFocus()
