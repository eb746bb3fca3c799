"""Data page: an output that reads labelled rows of several tables where one row of each, or a long table, was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import click, matches, opened, trial_run
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.predictions.data_parts import columns_of
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.across import across
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.plots.data_plot import axis_of

ROWS = (("P1", 0.18, 0.04, 33.7), ("P2", 0.04, 0.04, 32.0), ("P3", 0.04, 0.11, 23.0))
BLOCKS = 3
PRINTED = "".join(
    f"------ time step {10 * k}   t = {600 * k} s ------\n probe     x[m]     y[m]      T[degC]\n"
    + "".join(f"  {name}      {x:.3f}    {y:.3f}    {value + 10 * k}\n" for name, x, y, value in ROWS)
    + f"# heat loss through cooled boundary\n   Q_cool = {22.9 * k} W/m\n\n"
    for k in range(1, BLOCKS + 1)
)
WIDE = (
    "Time [hh:mm:ss],P1 [°C],P2 [°C],P3 [°C],Heat loss [W/m]\n00:10:00,44.1,42.3,33.2,22\n00:20:00,54,52.2,n/a,45\n"
    "00:30:00,64,62.1,53,68\n"
)
LONG = (
    "Time [hh:mm:ss];Probe;T [°C]\n00:10:00;P1;44,1\n00:10:00;P2;42\n00:10:00;P3;33\n00:20:00;P1;54\n00:20:00;P2;52\n"
    "00:30:00;P1;64\n00:30:00;P2;62\n00:30:00;P3;53\n"
)
EVERY = d.Region(anchor="time step", occurrence="all", columns=(4,), by="word", form="tnnn")
LOSS = d.Region(anchor="Q_cool", occurrence="all", on_line=True, columns=(1,), count=1)


def column_names(page: DataPage) -> list[str]:
    data = page.problem.declared.data
    return [] if data is None else [*data.columns]


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="plate",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=1.0, high=9.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=(
            d.Output(name="T_degC", source="res.txt", extractor=EVERY),
            d.Output(name="Q_cool", source="res.txt", extractor=LOSS),
        ),
        meaning=d.Predictions(matches=(d.Match(output="Q_cool", column="Heat loss [W/m]"),), noise=d.GaussianKnown(sd=0.4)),
    )


def compare(controller: SessionController, output: str, column: str) -> None:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    kept = tuple(m for m in meaning.matches if m.output != output)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=(*kept, d.Match(output=output, column=column))))


def pairs(controller: SessionController) -> list[tuple[str, str]]:
    return [(m.output, m.column) for m in matches(controller)]


def test_rows_named_like_data_columns_become_one_output_each_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "measured.csv", WIDE)
    click(qtbot, page.importer.use)
    compare(controller, "T_degC", "P1 [°C]")
    trial_run(page, engines, PRINTED)
    click(qtbot, page.message._button)  # Show them
    part = page.matching.mismatch
    page.matching.show_comparison(1)
    words = part.message.words()
    assert "9 values of “T_degC”, but 3 were measured" in words
    assert part.message.suggestion() == "Its 9 values are 3 times the rows P1, P2, P3."
    assert not part.other.isVisible()
    click(qtbot, part.label)
    assert pairs(controller) == [
        ("Q_cool", "Heat loss [W/m]"), ("P1", "P1 [°C]"), ("P2", "P2 [°C]"), ("P3", "P3 [°C]"),
    ]  # fmt: skip
    assert [o.name for o in controller.problem.declared.outputs] == ["P1", "P2", "P3", "Q_cool"]
    assert page.trial.unfit() is None
    assert page.status()[0] != "error"


def test_what_was_mended_is_judged_by_the_run_that_could_not_be_compared(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "measured.csv", WIDE.replace("00:30:00,64,62.1,53,68\n", ""))
    click(qtbot, page.importer.use)
    compare(controller, "T_degC", "P1 [°C]")
    trial_run(page, engines, PRINTED, "failed")
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(1)
    click(qtbot, page.matching.mismatch.label)
    assert page.trial.unfit() == (0, "The program gave 3 values of “Q_cool”, but 2 were measured.")
    page.matching.show_comparison(1)
    assert page.matching.mismatch.message.words() == "The program gave 3 values of “P1”, but 2 were measured."
    assert page.matching.mismatch.other.text() == "Pair by Time [hh:mm:ss]"
    assert "test run failed" in page.test_words.text()
    for row in reversed(range(len(matches(controller)))):  # the time is read for the first of them
        page.matching.show_comparison(row)
        if page.matching.mismatch.found is not None:
            click(qtbot, page.matching.mismatch.other)
    assert "Now it can: press Test run again." in page.test_words.text()


def test_a_long_table_is_split_by_the_column_that_names_its_rows_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "long.csv", LONG)
    assert "If “Probe” names the quantity" in page.importer.words.text()
    click(qtbot, page.importer.use)
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.4)))
    compare(controller, "T_degC", "T [°C]")
    trial_run(page, engines, PRINTED)
    page.tabs.setCurrentIndex(1)
    part = page.matching.mismatch
    hint = "“Probe” names the quantity of each row. Split, the columns are P1 [°C], P2 [°C], P3 [°C]."
    assert part.message.suggestion() == hint
    assert part.label.text() == "Split the table by “Probe”"
    click(qtbot, part.label)
    assert column_names(page) == ["P1 [°C]", "P2 [°C]", "P3 [°C]"]
    assert pairs(controller) == [("P1", "P1 [°C]"), ("P2", "P2 [°C]"), ("P3", "P3 [°C]")]
    assert across(controller.problem.declared, matches(controller)[0])[1] == "Time [hh:mm:ss], in s"
    # one row of P3 is missing: the time above every table tells which
    assert page.trial.unfit() == (2, "The program gave 3 values of “P3”, but 2 were measured.")
    page.matching.show_comparison(2)
    assert part.other.text() == "Pair by Time [hh:mm:ss]"
    click(qtbot, part.other)
    assert page.trial.unfit() is None
    assert matches(controller)[2].key_column == "Time [hh:mm:ss]"
    assert matches(controller)[2].key_output == "Time"


def test_outputs_of_one_row_each_split_a_long_table_too(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "long.csv", LONG)
    click(qtbot, page.importer.use)
    own = tuple(
        d.Output(name=n, source="res.txt", extractor=msgspec.structs.replace(EVERY, row_label=n, count=1)) for n in ("P1", "P2")
    )
    meaning = d.Predictions(matches=(d.Match(output="P1", column="T [°C]"),), noise=d.GaussianKnown(sd=0.4))
    controller.problem.edit("x", outputs=own, meaning=meaning)
    trial_run(page, engines, PRINTED)
    page.tabs.setCurrentIndex(1)
    click(qtbot, page.matching.mismatch.label)
    assert pairs(controller) == [("P1", "P1 [°C]"), ("P2", "P2 [°C]")]
    assert page.trial.unfit() is None


def test_labels_that_name_no_column_are_at_least_said(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "other.csv", "day,foot\n1,44\n2,54\n3,64\n")
    click(qtbot, page.importer.use)
    controller.problem.edit("x", meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.4)))
    compare(controller, "T_degC", "foot")
    trial_run(page, engines, PRINTED)
    page.tabs.setCurrentIndex(1)
    part = page.matching.mismatch
    assert "3 times the rows P1, P2, P3. If one of these rows was measured, mark it alone" in part.message.suggestion()
    assert not part.label.isVisible()
    assert part.other.isVisible()


def test_every_column_of_the_measured_table_is_in_sight_where_its_words_have_room(
    qtbot: QtBot, page: DataPage, tmp_path: Path
) -> None:
    opened(page, tmp_path / "measured.csv", WIDE)
    click(qtbot, page.importer.use)
    last = page.model.columnCount() - 1
    assert page.model.headerData(last, Qt.Orientation.Horizontal) == "Heat loss [W/m]"
    assert page.table.columnViewportPosition(last) + page.table.columnWidth(last) <= page.table.viewport().width()


def test_a_time_column_is_the_axis_of_rows_that_are_paired_in_order(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "measured.csv", WIDE)
    click(qtbot, page.importer.use)
    compare(controller, "Q_cool", "Heat loss [W/m]")
    for tried in (False, True):
        if tried:
            trial_run(page, engines, PRINTED)
        (shown,) = [s for s in page.plot._shown if s.y_label == "Heat loss [W/m]"]
        assert shown.x_label == "Time [hh:mm:ss], in s"
        assert list(shown.x) == [600.0, 1200.0, 1800.0]
    (column,) = columns_of(controller.problem.declared)
    assert column.place(1) == "Time [hh:mm:ss], in s = 1200"


def test_numbers_of_samples_are_not_the_axis_where_another_column_is_left() -> None:
    columns = {"Lab no": (1.0, 2.0, 3.0), "dose": (5.0, 7.0, 6.0), "volume": (2.0, 4.0, 3.0)}
    assert axis_of(d.DataTable(columns=columns)) == "dose"
    del columns["dose"]
    assert axis_of(d.DataTable(columns=columns)) == "Lab no"
