"""A value of a data sheet is typed on the Data page, beside a table and without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from data_pages import PROBLEM, click, column, imported, matches, trial_run
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.problem.definition import (
    DataTable,
    GaussianInferred,
    GaussianKnown,
    LabelledNumber,
    Match,
    Meaning,
    Output,
    Predictions,
    Summary,
    SyntheticLikelihood,
)
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.error_size import ErrorSize, with_size
from bayescope.gui.models.data.measured_value import unsaid_error
from bayescope.gui.pages.data.page import DataPage


def type_in(page: DataPage, qtbot: QtBot, value: str, error: str = "") -> None:
    card = page.typed_value
    assert page.stack.currentWidget() is card
    for field, text in ((card.value, value), (card.error, error)):
        field.setFocus()
        qtbot.keyClicks(field, text)
    qtbot.mouseClick(card.add_button, Qt.MouseButton.LeftButton)


def test_the_empty_page_takes_a_typed_value_and_compares_it(page: DataPage, controller: SessionController, qtbot: QtBot) -> None:
    click(qtbot, page.empty_value)
    assert page.typed_value.name.text() == "u", "the first output that is not compared"
    type_in(page, qtbot, "18.0 mm", "3 %")
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns == {"u (mm)": (18.0,), "u sd (mm)": (0.54,)}
    assert matches(controller) == (Match(output="u", column="u (mm)", sd_column="u sd (mm)"),)
    assert page.stack.currentWidget() is page.split


def test_what_cannot_be_used_is_said_and_nothing_is_changed(
    page: DataPage, controller: SessionController, qtbot: QtBot
) -> None:
    click(qtbot, page.empty_value)
    type_in(page, qtbot, "large")
    assert page.typed_value.message.level == "error"
    assert controller.problem.declared.data is None
    click(qtbot, page.typed_value.cancel)
    assert page.stack.currentWidget() is page._empty_view


def test_beside_a_table_a_value_is_one_more_row(
    page: DataPage, controller: SessionController, qtbot: QtBot, tmp_path: Path
) -> None:
    imported(page, tmp_path, "u\n1\n2\n")
    before = matches(controller)
    click(qtbot, page.table_part.value_button)
    page.typed_value.output.choose("v")
    assert page.typed_value.name.text() == "v"
    type_in(page, qtbot, "18.0 W", "0.5 W")
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["v (W)"] == (None, None, 18.0)
    assert matches(controller) == (*before, Match(output="v", column="v (W)", sd_column="v sd (W)"))


def test_a_paste_without_any_column_of_the_table_is_rather_added_below_it(
    page: DataPage, controller: SessionController
) -> None:
    page.paste("u\n1\n2\n")
    page.importer.accept()
    page.paste("v\n3\n")
    assert page.importer.add.property("kind") == "primary"
    assert page.importer.use.property("kind") != "primary"


def test_a_comparison_that_was_removed_stays_away_when_a_row_is_added(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    page.paste("u\tv\n1\t2\n2\t3\n")
    page.importer.accept()
    page.matching.model.remove([[m.output for m in matches(controller)].index("u")], "Remove comparison")
    page.paste("w\n3\n")
    page.importer._emit(page.importer.added)
    assert [m.output for m in matches(controller)] == ["v"]


CURVE = "0 0.0 5\n12 3.5 6\n24 7.25 7\n36 4.0 8\n"


def curve(controller: SessionController, times: bool = True) -> None:
    outputs = (column("time", 0), column("c", 1)) if times else (column("c", 1),)
    controller.problem.edit("x", outputs=outputs)


def test_one_value_is_compared_with_one_row_of_a_list_which_its_name_tells(
    page: DataPage, controller: SessionController, qtbot: QtBot, engines: list[Any]
) -> None:
    curve(controller)
    trial_run(page, engines, CURVE)
    click(qtbot, page.empty_value)
    card = page.typed_value
    card.output.choose("c")
    assert card.row.isEnabled()
    type_in(page, qtbot, "7.0 mg/l ± 0.2")
    assert "Output “c” has 4 rows" in card.message.words()
    card.name.setFocus()
    card.name.selectAll()
    qtbot.keyClicks(card.name, "peak at 24 h")
    assert card.row.currentText().startswith("3:  24 7.25")
    qtbot.mouseClick(card.add_button, Qt.MouseButton.LeftButton)
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["time"] == (24.0,)
    (match,) = matches(controller)
    assert (match.output, match.column, match.keys) == ("c", "peak at 24 h (mg/l)", (("time", "time"),))
    assert page.trial.unfit() is None
    assert page.status() == ("done", "1 row compared")


def test_without_an_output_that_says_when_the_row_is_known_by_its_number(
    page: DataPage, controller: SessionController, qtbot: QtBot, engines: list[Any]
) -> None:
    curve(controller, times=False)
    trial_run(page, engines, CURVE)
    click(qtbot, page.empty_value)
    page.typed_value.row.choose("2")
    type_in(page, qtbot, "3.0", "0.2")
    (match,) = matches(controller)
    assert (match.keys, match.rows) == ((), (2,))
    assert page.trial.unfit() is None


def test_a_value_beside_a_paired_table_has_its_place_in_the_same_column(
    page: DataPage, controller: SessionController, qtbot: QtBot, engines: list[Any], tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=(column("time", 0), column("c", 1), column("d", 2)))
    trial_run(page, engines, CURVE)
    imported(page, tmp_path, "time,d\n0,5.1\n12,6.1\n36,8.1\n")
    click(qtbot, page.table_part.value_button)
    page.typed_value.output.choose("c")
    page.typed_value.row.choose("3")
    type_in(page, qtbot, "7.0", "0.2")
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["time"] == (0.0, 12.0, 36.0, 24.0)
    assert [(m.output, m.keys) for m in matches(controller)] == [("d", (("time", "time"),)), ("c", (("time", "time"),))]
    assert page.trial.unfit() is None


def test_return_in_a_field_adds_the_value_once_and_says_which(
    page: DataPage, controller: SessionController, qtbot: QtBot
) -> None:
    click(qtbot, page.empty_value)
    card = page.typed_value
    for field, text in ((card.value, "18.0 mm"), (card.error, "0.5")):
        field.setFocus()
        qtbot.keyClicks(field, text)
    qtbot.keyClick(card.error, Qt.Key.Key_Return)
    assert page.stack.currentWidget() is page.split, "the same key opens no further one"
    assert page.value_added.words() == "Added “u (mm)” = 18 ± 0.5, compared with “u”."
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns == {"u (mm)": (18.0,), "u sd (mm)": (0.5,)}
    click(qtbot, page.value_added._button)
    assert page.stack.currentWidget() is card
    assert card.name.text() == "v", "the next output"
    click(qtbot, card.cancel)
    assert page.value_added.level is None


def test_return_that_moves_the_focus_on_presses_no_button_of_the_window(open_window: Any, qtbot: QtBot) -> None:
    window, controller, _ = open_window()
    controller.problem.replace(msgspec.structs.replace(PROBLEM, data=DataTable(columns={"u": (1.0, 2.0)})), "x")
    window.go("data")
    page = window.page("data")
    click(qtbot, page.table_part.value_button)
    card = page.typed_value
    for field, text in ((card.value, "18.0"), (card.error, "0.5")):
        field.setFocus()
        qtbot.keyClicks(field, text)
    qtbot.keyClick(card.error, Qt.Key.Key_Return)
    assert page.stack.currentWidget() is page.split
    assert page.value_added.words().startswith("Added “")


def test_beside_summaries_of_a_random_program_a_value_is_a_summary_at_once(
    page: DataPage, controller: SessionController, engines: list[Any], qtbot: QtBot
) -> None:
    lists = msgspec.structs.replace(
        PROBLEM, outputs=(column("t", 0), column("u", 1), column("v", 2)),
        data=DataTable(columns={"u": (1.0,)}), meaning=SyntheticLikelihood(summaries=(Summary(output="u", column="u"),)),
    )  # fmt: skip
    controller.problem.replace(lists, "x")
    click(qtbot, page.table_part.value_button)
    assert page.typed_value.output.key() == "t", "the first that is in no summary"
    page.typed_value.output.choose("v")
    type_in(page, qtbot, "18.0 W", "0.5 W")
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, SyntheticLikelihood)
    assert meaning.summaries[1:] == (Summary(output="v", column="v (W)", error_column="v sd (W)"),)
    assert page.value_added.words() == "Added “v (W)” = 18 ± 0.5, compared with “v”."
    trial_run(page, engines, "0 1 2\n24 3 4\n")
    click(qtbot, page.table_part.value_button)
    page.typed_value.output.choose("u")
    page.typed_value.row.setCurrentIndex(2)
    type_in(page, qtbot, "3.5")
    assert controller.problem.declared.meaning.summaries[-1].key_output == "t"
    assert controller.problem.declared.data.columns["t"] == (None, None, 24.0)


def test_what_counts_where_no_error_is_typed_is_said(page: DataPage, controller: SessionController, qtbot: QtBot) -> None:
    click(qtbot, page.empty_value)
    assert page.typed_value.unsaid.text() == "Left empty, the common errors count for it.", "they were said before all data"
    type_in(page, qtbot, "18.0 mm", "0.5")
    known = controller.problem.declared.meaning
    assert isinstance(known, Predictions)

    def said(meaning: Meaning) -> str:
        return unsaid_error(msgspec.structs.replace(controller.problem.declared, meaning=meaning))

    learned = msgspec.structs.replace(known, noise=GaussianInferred(parameter="s"))
    assert said(learned) == "Left empty, the common errors count for it."
    for noise in (GaussianKnown(sd=0.08), GaussianKnown()):
        assert said(msgspec.structs.replace(known, noise=noise)) == "Left empty, you are asked how large it is."
    random = SyntheticLikelihood(summaries=(Summary(output="u", column="u"),))
    assert said(random) == "Left empty, no error of the measurement is counted."


def test_a_typed_value_without_an_error_never_takes_the_size_of_another_quantity(
    page: DataPage, controller: SessionController, qtbot: QtBot
) -> None:
    click(qtbot, page.empty_value)
    type_in(page, qtbot, "18.0 mm")
    controller.problem.replace(with_size(controller.problem.declared, ErrorSize(0.08)), "Errors")
    click(qtbot, page.table_part.value_button)
    page.typed_value.output.choose("v")
    type_in(page, qtbot, "300 K")
    assert [m.noise for m in matches(controller)] == [GaussianKnown(sd=0.08), None]
    assert page.status() == ("todo", "How large are the errors of v (K)?")


def test_a_single_number_in_no_comparison_comes_before_a_list(
    page: DataPage, controller: SessionController, qtbot: QtBot, engines: list[Any]
) -> None:
    outputs = controller.problem.declared.outputs
    single = Output(name="q", source="res.txt", extractor=LabelledNumber(label="3"), length=1)
    controller.problem.edit("x", outputs=(outputs[0], single))
    click(qtbot, page.empty_value)
    assert page.typed_value.output.key() == "u", "nothing is known of either"
    click(qtbot, page.typed_value.cancel)
    trial_run(page, engines, "1 2\n2 3\n3 4\n")
    click(qtbot, page.empty_value)
    assert page.typed_value.output.key() == "q"
