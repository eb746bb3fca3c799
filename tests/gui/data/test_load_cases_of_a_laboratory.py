"""A laboratory's table of load cases with a line of expanded uncertainties: split and halved with a click each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, words
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.tables.long_form import already_split, value_columns
from bayescope.engine.problem.data.tables.special_rows import errors_in, named
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.doubtful_errors import doubtful_errors
from bayescope.gui.models.data.tables.split_table import split_by_names
from bayescope.gui.pages.data.page import DataPage

FRAME = Path(__file__).parents[1] / "journeys" / "frame" / "Wege_2023-0418-B.csv"
NAMES = tuple(f"D{i}_LF{k}" for k in (1, 2) for i in range(1, 6))


@pytest.fixture
def problem() -> d.Problem:
    outputs = tuple(
        d.Output(name=n, source="res.txt", extractor=d.LabelledNumber(label=f"{n} ="), length=1) for n in NAMES
    )
    return msgspec.structs.replace(PROBLEM, outputs=outputs, meaning=d.Predictions(matches=(), noise=d.GaussianKnown()))


@pytest.fixture
def size() -> tuple[int, int]:
    return 1280, 720


@pytest.mark.parametrize(
    ("label", "times", "expanded"),
    [("Messunsicherheit U (k=2)", 2.0, True), ("U (k = 2)", 2.0, True), ("U (95 %)", 1.96, True), ("u (k=1)", 1.0, False),
     ("Erweiterte Messunsicherheit (k=3)", 3.0, True), ("Messunsicherheit", 1.0, False), ("expanded uncertainty", 1.0, True),
     ("incertidumbre expandida (k=2)", 2.0, True), ("uncertainty (2 sigma)", 2.0, False)],
)  # fmt: skip
def test_the_label_of_a_line_of_errors_says_how_many_standard_deviations_it_holds(
    label: str, times: float, expanded: bool
) -> None:
    row = named(3, label)
    assert row is not None
    assert (row.kind, row.times, row.expanded, row.percent) == ("errors", times, expanded, False)


@pytest.mark.parametrize("label", ["95 %", "U", "U [V]", "Lastfall U", "Umax"])
def test_other_labels_tell_nothing_by_themselves(label: str) -> None:
    assert named(3, label) is None


def test_a_line_that_is_said_to_hold_errors_is_divided_by_the_level_it_says() -> None:
    assert errors_in(3, "95 %").times == 1.96
    assert errors_in(3, "row 7 (k=2)").times == 2.0
    assert errors_in(3, "U").expanded
    assert not errors_in(3, "95 %").percent


def test_before_a_word_is_settled_the_lines_of_the_file_stand_whole(page: DataPage, qtbot: QtBot) -> None:
    page.open_file(FRAME)
    assert not page.importer.use.isEnabled()
    table = page.importer.preview_table
    assert table.columnWidth(0) > 300
    assert "holds the errors of the columns" in page.importer.words.text() or not page.importer.words.isVisible()


def test_two_clicks_make_standard_deviations_of_it_and_columns_of_load_cases(
    qtbot: QtBot, page: DataPage, controller: SessionController
) -> None:
    page.open_file(FRAME)
    importer = page.importer
    click(qtbot, next(b for b in importer.message.findChildren(QPushButton) if words(b) == "Count them as missing"))
    assert importer.split.key() == "Lastfall", "outputs are named by what was measured and by the load case"
    click(qtbot, next(b for b in importer.lines_told.findChildren(QPushButton) if words(b) == "Take it as errors"))
    assert "holds expanded uncertainties (k = 2): they are divided by 2" in importer.coverage_message.words()
    uses = {old: use for old, _, use in importer.columns.rows}
    assert [old for old, use in uses.items() if use == "split"] == [f"D{i}{e} (mm)" for i in range(1, 6) for e in ("", " sd")]
    assert uses["Temperatur (°C)"] == uses["Last (kN)"] == "take"
    assert "It makes D1 LF1 (mm), D2 LF1 (mm), D3 LF1 (mm), D4 LF1 (mm), D1 LF2 (mm)" in importer.words.text()
    click(qtbot, importer.use)
    found = {m.output: (m.column, m.sd_column) for m in matches(controller)}
    assert set(found) == set(NAMES) - {"D5_LF1"}
    data = controller.problem.declared.data
    assert data is not None
    halved = {name: next(v for v in data.columns[sds] if v is not None) for name, (_, sds) in found.items() if sds}
    assert halved == {n: 0.02 if n[1] in "45" else 0.04 for n in found}
    assert "D5 LF1 sd (mm)" not in data.columns, "nothing was measured there"
    assert doubtful_errors(controller.problem.declared) is None
    assert already_split(data, "Lastfall")
    with_open = with_open_comparison(controller.problem.declared)
    assert split_by_names(with_open, page.trial) is None


def with_open_comparison(problem: d.Problem) -> d.Problem:
    meaning = problem.meaning
    assert isinstance(meaning, d.Predictions)
    more = (*meaning.matches, d.Match(output="D5_LF1", column=""))
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=more))


def test_taken_whole_they_are_not_divided(qtbot: QtBot, page: DataPage, controller: SessionController) -> None:
    page.open_file(FRAME)
    importer = page.importer
    click(qtbot, next(b for b in importer.message.findChildren(QPushButton) if words(b) == "Count them as missing"))
    click(qtbot, next(b for b in importer.lines_told.findChildren(QPushButton) if words(b) == "Take it as errors"))
    click(qtbot, next(b for b in importer.coverage_message.findChildren(QPushButton) if words(b).startswith("Take it as it is")))
    click(qtbot, importer.use)
    data = controller.problem.declared.data
    assert data is not None
    assert {v for v in data.columns["D1 LF1 sd (mm)"] if v is not None} == {0.08}


def test_errors_from_columns_are_divided_by_a_factor_on_the_errors_tab(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    table = d.DataTable(columns={"D1_LF1": (1.0, 2.0), "D1_LF1 sd": (0.08, None)})
    controller.problem.edit("x", data=table)
    match = d.Match(output="D1_LF1", column="D1_LF1", sd_column="D1_LF1 sd")
    controller.problem.edit("x", meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown()))
    page.tabs.setCurrentIndex(2)
    divide = page.errors.divide
    assert "If “D1_LF1 sd” holds expanded uncertainties, divide by" in divide.words.text()
    click(qtbot, divide.button)
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["D1_LF1 sd"] == (0.04, None)
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["D1_LF1 sd"] == (0.08, None)
    divide.field.setText("0")
    click(qtbot, divide.button)
    assert controller.problem.declared.data.columns["D1_LF1 sd"] == (0.08, None)


def test_without_errors_the_numbered_columns_of_one_unit_are_split() -> None:
    data = d.DataTable(
        columns={"Last (kN)": (12.0, 45.0), "D1 (mm)": (1.0, 2.0), "D2 (mm)": (3.0, 4.0), "T (°C)": (18.0, 19.0)},
        texts={"Lastfall": ("LF1", "LF2")},
    )
    assert value_columns(data, "Lastfall") == ["D1 (mm)", "D2 (mm)"]
