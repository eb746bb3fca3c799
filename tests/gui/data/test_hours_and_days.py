"""A program that prints days beside data whose times are hours or stamps: counted and converted as the words of either say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.compared import compare
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.dates.clock_units import clock_unit, unit_of_times
from bayescope.gui.models.data.dates.counted_dates import counting
from bayescope.gui.pages.data.page import DataPage

YEAR = np.arange(0.0, 366.0)
SIX_HOURLY = tuple(f"2024-03-{1 + h // 24:02d} {h % 24:02d}:00" for h in range(6, 240, 30))
TWO_MONTHS = tuple(f"2024-{3 + k // 5:02d}-{1 + 6 * (k % 5):02d} {7 + k % 4:02d}:00" for k in range(10))
DAILY = "".join(f"{day} {20 + 0.5 * day:.1f}\n" for day in range(61))
HOURS = "time (h),T\n24,20.6\n48,21\n96,22.1\n120,22.4\n"
NEAR = "hours,T\n6,20.2\n12,20.3\n24,20.6\n48,21\n"  # all of them days of the program too


def output(**said: Any) -> d.Output:
    return d.Output(name="t", source="stdout", extractor=d.CsvColumn(column="x"), **said)


def test_what_an_output_counts_in_is_said_by_its_name_its_unit_or_its_heading() -> None:
    assert clock_unit(output()) == ""
    assert clock_unit(output(unit="days")) == "d"
    assert clock_unit(output(unit="hr")) == "h"
    assert clock_unit(msgspec.structs.replace(output(), name="day")) == "d"
    for heading, unit in (("Day", "d"), ("Time [days]", "d"), ("elapsed hours", "h"), ("t(min)", "min"), ("T [K]", "")):
        assert clock_unit(msgspec.structs.replace(output(), extractor=d.CsvColumn(column=heading))) == unit


def test_what_a_column_of_times_counts_in_is_said_by_its_unit_or_a_whole_word() -> None:
    told = {"time (h)": "h", "hours": "h", "elapsed days": "d", "time_h": "h", "Date (h since 2024-03-01)": "h", "T_min": "min"}
    assert {name: unit_of_times(name) for name in told} == told
    assert [unit_of_times(name) for name in ("T", "conc", "h", "stage h", "date")] == [""] * 5


def test_dates_are_counted_in_the_unit_that_words_say_though_hours_would_find_more_partners() -> None:
    blind = counting("when", SIX_HOURLY, {"time": YEAR})
    assert blind is not None
    assert (blind.unit, blind.rows) == ("h", len(SIX_HOURLY))
    told = counting("when", SIX_HOURLY, {"time": YEAR}, units={"time": "d"})
    assert told is not None
    assert told.unit == "d"
    assert told.button.replace("&", "") == "Count in days from a day 0"


def test_hours_that_would_lie_beyond_the_programs_end_speak_for_days() -> None:
    start = 1709251200.0  # 2024-03-01
    for known in (None, start):
        found = counting("when", TWO_MONTHS, {"time": YEAR}, known, sure=True)
        assert found is not None
        assert found.unit == "d"
        assert "after the program's last" not in found.words


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM, outputs=(column("day", 0), column("T", 1)),
        meaning=d.Predictions(matches=(d.Match(output="T", column="T"),), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


def predicted(page: DataPage) -> list[float]:
    outputs = {name: one.values for name, one in read_now(page.problem.declared, page.trial.report).items()}
    return [float(v) for v in compare(page.problem.declared, outputs)[0].prediction]


@pytest.mark.parametrize(("table", "expected"), [(HOURS, [20.5, 21.0, 22.0, 22.5]), (NEAR, [20.125, 20.25, 20.5, 21.0])])
def test_hours_are_paired_with_days_by_one_button_also_where_their_numbers_are_days_too(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], table: str,
    expected: list[float],
) -> None:  # fmt: skip
    opened(page, tmp_path / "m.csv", table)
    click(qtbot, page.importer.use)
    trial_run(page, engines, DAILY)
    name = table.split(",")[0]
    assert f"“{name}” is 24 times “day”, as d are against h." in page.message.suggestion() + page.message.words()
    assert words(page.message._button) == "Pair them so"
    click(qtbot, page.message._button)
    (match,) = matches(controller)
    assert (match.keys, match.key_factor) == ((("day", name),), 24.0)
    assert predicted(page) == pytest.approx(expected)
