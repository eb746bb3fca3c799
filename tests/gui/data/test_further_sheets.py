"""A workbook with a sheet for each output: the second sheet is offered after the first, and is added to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run, words
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks import Mark
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.data.rows.rows_without_value import _told, missing_words
from bayescope.gui.models.plain import one_name
from bayescope.gui.models.step_status import data_words
from bayescope.gui.pages.data.page import DataPage
from sheet_files import xlsx

pytestmark = pytest.mark.window

PRINTED = (
    "probe   x[mm]   y[mm]   T[degC]\n"
    + "".join(f"TC{i + 1}   {5 + 12 * (i % 3)}   {4 + 7 * (i // 3)}   {97.125 - 5.5 * i}\n" for i in range(9))
    + "\nx[mm]   T[degC]\n"
    + "".join(f"{5 * i}   {70.75 - 0.9 * i}\n" for i in range(25))
)
PROBES = [["Probe", "x", "y", "Reading", "Std. unc."], [None, "mm", "mm", "°C", "°C"]] + [
    [f"TC{i + 1}", 5 + 12 * (i % 3), 4 + 7 * (i // 3), None if i == 5 else round(95.3 - 5.3 * i, 1), 0.4] for i in range(9)
]
LINE = [["Position", "Temperature"], ["mm", "°C"], *([10 * i, round(70.1 - 1.7 * i, 1)] for i in range(1, 12))]
OFF_GRID = [*LINE[:2], *([7.3 + 10.2 * i, temperature] for i, (_, temperature) in enumerate(LINE[2:]))]
SHEETS = xlsx({"Thermocouples": PROBES, "IR line": LINE})


def output(name: str, after: str, heading: str) -> d.Output:
    at = PRINTED.index(heading, PRINTED.index(after)) + 1
    return d.Output(name=name, source="res.txt", extractor=Mark(PRINTED, at, at).offers("column")[0].proposals[0].extractor)


@pytest.fixture
def problem() -> d.Problem:
    return d.Problem(
        name="foot",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=(output("Ttc", "probe", "T[degC]"), output("Tir", "\nx[mm]", "T[degC]")),
        meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=1.5)),
    )


@pytest.fixture
def size() -> tuple[int, int]:
    return 1180, 760


def first_sheet(page: DataPage, folder: Path, engines: list[Any]) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, folder / "heating.xlsx", SHEETS)
    page.importer.part.choose("0")
    page.importer.use.click()
    QApplication.processEvents()


def paired(controller: SessionController) -> dict[str, tuple[str, str | None]]:
    return {m.output: (m.column, m.key_column) for m in matches(controller)}


BOTH = {"Ttc": ("Reading (°C)", "Probe"), "Tir": ("Temperature (°C)", "Position (mm)")}


def test_the_second_sheet_is_offered_after_the_first_and_both_outputs_find_their_columns(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    first_sheet(page, tmp_path, engines)
    assert "“IR line”" in page.message.words()
    assert page.status()[0] == "todo"
    click(qtbot, page.message._button)
    assert page.importer.part.currentText() == "IR line"
    assert page.importer.add.property("kind") == "primary"
    click(qtbot, page.importer.add)
    assert "IR line" not in page.message.words(), "it is in"
    click(qtbot, page.matching.proposed.button)
    assert paired(controller) == BOTH


@pytest.fixture
def reopened(
    show: Callable[..., None], make_controller: Callable[[], SessionController], tmp_path: Path, engines: list[Any]
) -> Callable[[SessionController], DataPage]:
    """Saves a session and opens it in another window, where the program is run once more."""

    def again(before: SessionController) -> DataPage:
        path = tmp_path / "s.bayescope"
        assert before.file.save_as(path)
        before.shut_down()
        controller = make_controller()
        page = DataPage(controller)
        show(page, 1180, 760)
        assert controller.file.open(path)
        trial_run(page, engines, PRINTED)
        return page

    return again


def test_a_sheet_that_was_left_is_asked_for_in_a_session_opened_again_and_its_file_is_chosen_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any],
    reopened: Callable[..., DataPage], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    first_sheet(page, tmp_path, engines)
    later = reopened(controller)
    assert "“IR line”" in later.message.words()
    assert "The file is asked for again." in later.message.suggestion()
    monkeypatch.setattr(type(ask), "files", lambda *_: [tmp_path / "heating.xlsx"])
    click(qtbot, later.message._button)
    assert later.importer.part.currentText() == "IR line"
    click(qtbot, later.importer.add)
    assert "IR line" not in later.message.words(), "it is in"


def test_a_sheet_that_was_said_not_to_be_needed_is_not_asked_for_in_a_session_opened_again(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any],
    reopened: Callable[..., DataPage],
) -> None:  # fmt: skip
    first_sheet(page, tmp_path, engines)
    click(qtbot, page.message._dismiss)
    assert "IR line" not in reopened(controller).message.words()


def test_a_sheet_that_is_not_needed_is_not_asked_for_again(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    first_sheet(page, tmp_path, engines)
    click(qtbot, page.message._dismiss)
    assert "IR line" not in page.message.words()


def test_a_sheet_is_still_asked_for_after_another_file_was_added_and_no_more_once_it_is_in(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    wells = "day,PB1,PB2,PB3\n" + "".join(f"{i},{0.5 * i},{0.25 * i},{0.1 * i}\n" for i in range(9))
    named = tuple(
        d.Output(name=n, source="res.txt", extractor=d.CsvColumn(column=n)) for n in ("day", "PB1", "PB2", "PB3")
    )
    controller.problem.edit("x", outputs=named)
    trial_run(page, engines, wells)
    sheet = [["day", "depth (cm)"], *([k, 200.0 + k] for k in range(9))]
    info = [["well", "rest"], ["P1", 3.5], ["P2", 4.5]]
    opened(page, tmp_path / "loggers.xlsx", xlsx({"info": info, "PB1": sheet, "PB2": sheet}))
    page.importer.part.choose("1")
    page.importer.use.click()
    (tmp_path / "dips.csv").write_text("day;PB3\n1;2.5\n2;2.75\n4;2.875\n")
    page.open_file(tmp_path / "dips.csv", together=True)
    page.importer.add.click()
    assert "“PB2” of loggers.xlsx" in page.message.words(), "before “info”, since an output is called so"
    assert page.status()[0] == "todo"
    click(qtbot, page.message._button)
    assert page.importer.part.currentText() == "PB2"
    click(qtbot, page.importer.add)
    assert "“PB2” of" not in page.message.words()
    assert "PB2” measured too" not in page.status()[1]


def test_all_sheets_are_taken_by_one_button_of_the_import(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "heating.xlsx", SHEETS)
    QApplication.processEvents()
    assert words(page.importer.message._button) == "Take both"
    click(qtbot, page.importer.message._button)
    assert page.importer.part.currentText() == "All, below each other"
    click(qtbot, page.importer.use)
    click(qtbot, page.matching.proposed.button)
    assert paired(controller) == BOTH


def test_another_sheet_of_the_same_file_is_rather_added_and_the_same_sheet_replaces(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    first_sheet(page, tmp_path, engines)
    page.open_file(tmp_path / "heating.xlsx")
    page.importer.part.choose("1")
    assert page.importer.add.property("kind") == "primary"
    page.importer.part.choose("0")
    assert page.importer.use.property("kind") == "primary"
    assert page.importer.use.text() == "&Replace the present table"


def test_a_comparison_that_a_replaced_table_took_away_comes_back_with_its_key(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    test_the_second_sheet_is_offered_after_the_first_and_both_outputs_find_their_columns(
        qtbot, page, controller, tmp_path, engines
    )
    opened(page, tmp_path / "again.xlsx", xlsx({"Thermocouples": PROBES, "IR line": OFF_GRID}))
    page.importer.part.choose("0")
    page.importer.use.click()
    assert paired(controller) == {"Ttc": BOTH["Ttc"], "Tir": ("", None)}
    assert "Split" not in page.message._button.text(), "rows are paired by Probe: it names no quantities"
    assert "“IR line”" in page.message.words()
    click(qtbot, page.message._button)
    click(qtbot, page.importer.add)
    assert paired(controller) == BOTH


def stacked(page: DataPage, controller: SessionController, folder: Path, line: list[list[Any]]) -> None:
    """Both sheets, Ttc by Probe, and Tir, whose column is chosen, in order."""
    opened(page, folder / "both.xlsx", xlsx({"Thermocouples": PROBES, "IR line": line}))
    page.importer.part.choose("-1")
    page.importer.use.click()
    pairs = (d.Match("Ttc", "Reading (°C)"), d.Match("Tir", "Temperature (°C)"))
    controller.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=1.5)))


@pytest.mark.parametrize(("line", "button"), [(LINE, "Pair by Position"), (OFF_GRID, "Interpolate over Position")])
def test_rows_in_order_that_do_not_fit_are_paired_by_the_places_that_the_program_prints(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any],
    line: list[list[Any]], button: str,
) -> None:  # fmt: skip
    trial_run(page, engines, PRINTED)
    stacked(page, controller, tmp_path, line)
    assert page.message.words() == "The program gave 25 values of “Tir”, but 11 were measured."
    assert page.message.level == "error"
    assert words(page.message._button) == button
    click(qtbot, page.message._button)
    assert paired(controller)["Tir"] == BOTH["Tir"]
    assert page.trial.unfit() is None


def test_a_table_that_no_test_run_was_compared_with_is_not_called_settled(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    stacked(page, controller, tmp_path, LINE)
    click(qtbot, page.message._dismiss)  # the column of errors
    assert page.message.level != "ok"
    assert "test run" in page.message.words()
    assert words(page.message._button) == "Test run"


def test_a_column_that_is_chosen_before_any_test_run_gets_the_key_of_its_name(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    place = d.Output(name="Position__mm", source="res.txt", extractor=d.CsvColumn(column=0), text=True)
    controller.problem.edit("x", outputs=(*controller.problem.declared.outputs, place))
    stacked(page, controller, tmp_path, LINE)
    controller.problem.edit("x", meaning=d.Predictions(
        matches=(d.Match("Tir", ""),), noise=d.GaussianKnown(sd=1.5)
    ))  # fmt: skip
    page.matching.show_comparison(0)
    page.matching.form.editor("column").choose("Temperature (°C)")
    assert paired(controller) == {"Tir": ("Temperature (°C)", "Position (mm)")}


def test_that_a_column_names_no_quantities_can_be_said(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=tuple(
        d.Output(name=n, source="out.csv", extractor=d.CsvColumn(column=n)) for n in ("Probe_A", "Probe_B")
    ), meaning=d.Predictions(matches=(d.Match("Probe_A", ""),), noise=d.GaussianKnown(sd=1.0)))  # fmt: skip
    opened(page, tmp_path / "long.csv", "what;T\nProbe A;1\nProbe A;2\nProbe B;3\nProbe B;4\n")
    page.importer.split.choose("")
    page.importer.use.click()
    assert words(page.message._button) == "Split the table by “what”"
    click(qtbot, page.message._dismiss)
    assert "Split" not in page.message._button.text()
    assert page.message.words() == "Which column holds the measured values of Probe_A?"


def test_a_row_whose_value_is_missing_is_told_as_that(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED)
    stacked(page, controller, tmp_path, LINE)
    click(qtbot, page.message._button)
    while page.message._dismiss.isVisible():
        click(qtbot, page.message._dismiss)
    assert page.status() == ("done", "19 of 20 rows compared, 1 without a value")
    assert page.message.words() == (
        "Nothing is left to do here: 19 of 20 rows compared, 1 without a value. Row 6 (“TC6”) has no “Reading (°C)”."
    )


def test_a_missing_value_of_the_only_comparison_is_counted_once(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, tmp_path / "one.xlsx", xlsx({"Thermocouples": PROBES}))
    page.importer.use.click()
    pairs = (d.Match("Ttc", "Reading (°C)", sd_column="Std. unc. (°C)"),)
    controller.problem.edit("x", meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=1.5)))
    assert data_words(controller.problem.declared) == "8 of 9 rows compared, 1 missing"
    assert missing_words(controller.problem.declared) == "Row 6 (“TC6”) has no “Reading (°C)”."


def test_nothing_is_proposed_before_the_second_sheet_is_in_and_places_are_no_measured_values(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    first_sheet(page, tmp_path, engines)
    assert not page.matching.proposed.isVisible()
    click(qtbot, page.message._dismiss)
    found = page.matching.told.told(False).proposal
    assert found is None or "y (mm)" not in found.columns


def test_errors_that_stand_beside_one_compared_column_alone_are_its_own_by_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, PRINTED)
    stacked(page, controller, tmp_path, LINE)
    click(qtbot, page.message._button)  # by Position
    assert page.message.words() == "Does Std. unc. (°C) hold the errors of Reading (°C)?"
    click(qtbot, page.message._button)
    assert [m.sd_column for m in matches(controller)] == ["Std. unc. (°C)", None]
    assert page.message.level == "ok", "places are in no comparison, and need not be"


def test_a_row_whose_label_is_the_quantity_names_it_once() -> None:
    data = d.DataTable(columns={"band 1 (c/a)": (0.1, 0.2, None), "band 4 (c/a)": (None, None, None), "k": (1.0, 2.0, 3.0)},
                       texts={"band": ("band 1", "band 1", "band 4")})  # fmt: skip
    problem = msgspec.structs.replace(PROBLEM, data=data, meaning=d.Predictions(
        matches=(d.Match(output="u", column="band 1 (c/a)"), d.Match(output="v", column="band 4 (c/a)")),
        noise=d.GaussianKnown(sd=1.0)))  # fmt: skip
    assert _told(problem, 2, ("band 4 (c/a)",)) == "row 3 has no “band 4 (c/a)”"
    assert _told(problem, 2, ("k",)) == "row 3 (“band 4”) has no “k”"


def test_a_row_among_those_of_one_output_is_said_to_lack_that_outputs_value() -> None:
    """Three wells below each other in one table; the seventh row has the flag of an error and no level."""
    level = (5.0, 6.0, 7.0)
    data = d.DataTable(
        columns={
            "time": (0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0),
            "PB3": (None,) * 7 + level, "PB1": (*level, *(None,) * 7),
            "PB2": (None, None, None, 1.0, 2.0, None, 3.0, None, None, None),
        },
        texts={"flag": (None, None, None, None, None, "E", None, None, None, None)},
    )  # fmt: skip
    outputs = tuple(d.Output(name=n, source="res.txt", extractor=d.CsvColumn(column=n)) for n in ("time", "PB1", "PB2", "PB3"))
    pairs = tuple(d.Match(n, n, key_output="time", key_column="time") for n in ("PB3", "PB1", "PB2"))
    problem = msgspec.structs.replace(
        PROBLEM, outputs=outputs, data=data, meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=1.0))
    )
    assert missing_words(problem) == "Row 6 (“E”) has no “PB2”."


def test_a_long_name_keeps_the_bracket_that_tells_its_well() -> None:
    assert one_name("depth to water [cm below top of casing] (PB1)", 24) == "depth to water [c… (PB1)"
    assert one_name("depth (PB1)", 24) == "depth (PB1)"
    assert one_name("a long name without any bracket", 12) == "a long name…"
    assert one_name("x (a bracket that is longer than all the room there is)", 12) == "x (a bracke…"
