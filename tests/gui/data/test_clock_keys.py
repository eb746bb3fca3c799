"""A program that prints mm:ss or hh:mm:ss beside numbers of seconds or minutes in the data, and the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import compare_match
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.dates.day_doubt import DayDoubt
from bayescope.gui.models.data.keys.told_start_key import with_told_start
from bayescope.gui.pages.data.page import DataPage

SECONDS = np.arange(30.0, 481.0, 30.0)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM, outputs=(column("clock", 0, text=True), column("T", 1)),
        meaning=d.Predictions(matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


def clock(seconds: float, hours: bool) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole % 3600 // 60:02}:{whole % 60:02}" if hours else f"{whole // 60:02}:{whole % 60:02}"


def printed(hours: bool) -> str:
    return "".join(f"{clock(s, hours)} {s / 10:g}\n" for s in SECONDS)


def tried(page: DataPage, folder: Path, engines: list[Any], table: str, text: str) -> None:
    opened(page, folder / "log.csv", table)
    page.importer.use.click()
    trial_run(page, engines, text)
    QApplication.processEvents()


def predicted(page: DataPage) -> list[float]:
    found = compared(page.problem.declared, 0, page.trial.report)
    assert found is not None
    return compare_match(*found[:3]).prediction.tolist()


@pytest.mark.parametrize("hours", [True, False])
@pytest.mark.parametrize(("heading", "unit"), [("time (min)", 60.0), ("elapsed [s]", 1.0), ("time (h)", 3600.0)])
def test_times_that_the_program_prints_pair_with_numbers_in_any_unit(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any],
    hours: bool, heading: str, unit: float,
) -> None:  # fmt: skip
    rows = "".join(f"{s / unit:.6g};{s / 10 + 0.01:g}\n" for s in (60.0, 150.0, 210.0, 450.0))
    tried(page, tmp_path, engines, f"{heading};T\n{rows}", printed(hours))
    if not matches(controller)[0].keys:
        click(qtbot, page.message._button)
    match = matches(controller)[0]
    assert match.keys == (("clock", heading),)
    assert match.key_factor == pytest.approx((1.0 if hours else 1 / 60) / unit)
    np.testing.assert_allclose(predicted(page), [6.0, 15.0, 21.0, 45.0])
    assert page.status()[0] == "done", page.message.words()


def test_the_page_says_how_times_of_two_parts_are_taken(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    rows = "".join(f"{s:g};{s / 10 + 0.01:g}\n" for s in (60.0, 150.0, 210.0, 450.0))
    tried(page, tmp_path, engines, f"elapsed [s];T\n{rows}", printed(hours=False))
    assert "The times of “clock” are taken as minutes and seconds." in page.message.suggestion()


@pytest.mark.parametrize("unit", ["s", "min"])
@pytest.mark.parametrize("between", [False, True])
def test_times_in_the_data_pair_with_numbers_of_the_program(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], unit: str, between: bool
) -> None:
    size = 60.0 if unit == "min" else 1.0
    outputs = (msgspec.structs.replace(column("t", 0), unit=unit), column("T", 1))
    controller.problem.edit("x", outputs=outputs)
    places = (70.0, 150.0, 215.0, 440.0) if between else (60.0, 150.0, 210.0, 450.0)
    rows = "".join(f"{clock(s, True)};{s / 10 + 0.01:g}\n" for s in places)
    text = "".join(f"{s / size:g} {s / 10:g}\n" for s in SECONDS)
    tried(page, tmp_path, engines, f"clock;T\n{rows}", text)
    if not matches(controller)[0].keys:
        click(qtbot, page.message._button)
    match = matches(controller)[0]
    assert (match.keys, match.key_factor, match.interpolate) == ((("t", "clock"),), size, between)
    np.testing.assert_allclose(predicted(page), np.array(places) / 10, rtol=1e-9)
    assert page.status()[0] == "done", page.message.words()


def test_the_start_that_the_file_tells_is_offered_as_the_zero_of_a_clock(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=(column("t", 0), column("T", 1)))
    rows = "".join(f"{clock(37920.0 + s, True)};{s / 10 + 0.01:g}\n" for s in (60.0, 150.0, 210.0, 450.0))
    printed_times = "".join(f"{s:g} {s / 10:g}\n" for s in SECONDS)
    tried(page, tmp_path, engines, f"# logger 7\n# pump on 10:32\nclock;T\n{rows}", printed_times)
    assert "The data file says “pump on 10:32”: “t” is counted from then on." in page.message.suggestion()
    click(qtbot, page.message._button)
    assert predicted(page) == pytest.approx([6.0, 15.0, 21.0, 45.0])
    (match,) = matches(controller)
    assert (match.key_output, match.key_column, match.key_offset, match.left_out) == ("t", "clock", 37920.0, ())


def test_a_guessed_day_0_gives_way_to_the_start_that_the_file_tells() -> None:
    start, name = 1614902400.0, "time (s since 2021-03-05 00:00:00)"
    doubt = DayDoubt(0, start, "Is it?", "A guess.", "It &is", "Another")
    data = d.DataTable(columns={name: (0.0, 60.0), "T": (1.0, 2.0)})
    problem = msgspec.structs.replace(PROBLEM, data=data)
    found = with_told_start(problem, doubt, ["heater on at 00:01"], ())
    assert found is not None
    assert found.stated is not None
    assert (found.stated.start, "“heater on at 00:01”" in found.question) == (start + 60.0, True)
    assert with_told_start(problem, doubt, ["heater off at 00:01"], ()) is doubt
    assert with_told_start(problem, None, ["heater on at 00:01"], ()) is None
