"""A program whose years have no leap days, or twelve months of 30 days: dates are counted by its calendar, and that is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data_pages import SERIES, click, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

DATES = "date,T\n2000-02-28,12\n2000-03-01,17\n2004-03-01,24\n"


def printed(calendar: str) -> str:
    """Every day of five years from 1 January 2000 on."""
    head = f'# time:units = "days since 2000-01-01" ; time:calendar = "{calendar}" ;\n'
    return head + "".join(f"{day} {10 + 0.1 * (day % 365):.1f}\n" for day in range(5 * 366))


@pytest.fixture
def problem() -> d.Problem:
    return SERIES


@pytest.mark.parametrize(
    ("calendar", "numbers"),
    [("noleap", (58.0, 59.0, 1519.0)), ("360_day", (57.0, 60.0, 1500.0)), ("366_day", (58.0, 60.0, 1524.0))],
)
def test_dates_are_counted_by_the_calendar_that_the_program_states(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], calendar: str,
    numbers: tuple[float, ...],
) -> None:  # fmt: skip
    trial_run(page, engines, printed(calendar))
    opened(page, tmp_path / "m.csv", DATES)
    said = page.importer.dates_message
    told = {"366_day": "all_leap"}.get(calendar, calendar)
    assert f"“days since 2000-01-01, calendar {told}”" in said.words()
    assert "Comparison counts them by that calendar" in said.suggestion()
    assert not said._button.isVisible(), "here they would be counted as civil dates"
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    part = page.matching.mismatch
    assert words(part.count) == "Count in days from 2000-01-01"
    assert told in part.message.suggestion()
    click(qtbot, part.count)
    name = f"date (d since 2000-01-01, {told})"
    assert matches(controller)[0].keys == (("time", name),)
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns[name] == numbers
    assert page.matching.details.calm.text() == "✓  Every measured value has its predicted one."
    assert page.matching.details.calm.property("role") == "ok"
    assert not page.matching.day_zero.isVisible()


def test_dates_before_the_first_leap_day_count_as_ever(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, printed("noleap"))
    opened(page, tmp_path / "m.csv", "date,T\n2000-01-02,12\n2000-01-05,17\n2000-02-01,24\n")
    offer = page.importer.dates_message
    assert words(offer._button) == "Count in days from 2000-01-01"
    click(qtbot, offer._button)
    assert page.importer.day_zero.hint.text() == "as the program says: “days since 2000-01-01, calendar noleap”"


def test_dates_already_counted_as_civil_ones_are_doubted_and_counted_anew(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "date (d since 2000-01-01),T\n58,12\n60,17\n1521,24\n59,1\n")
    click(qtbot, page.importer.use)
    pair = d.Match(output="T", column="T", key_output="time", key_column="date (d since 2000-01-01)")
    meaning = d.Predictions(matches=(pair,), noise=d.GaussianKnown(sd=0.1))
    controller.problem.edit("Pair", meaning=meaning)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, printed("noleap"))
    assert page.message.words() == (
        "“date” counts civil dates, but the program says “days since 2000-01-01, calendar noleap”."
    )
    assert (page.message.level, words(page.message._button)) == ("warning", "Count by its calendar")
    assert page.matching.details.calm.property("role") == "warning"
    assert page.matching.details.calm.text().endswith("if day 0 is 2000-01-01: the program says another calendar.")
    click(qtbot, page.message._button)
    name = "date (d since 2000-01-01, noleap)"
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns[name] == (58.0, 59.0, 1519.0, None), "29 February 2000 is no day of that calendar"
    assert matches(controller)[0].keys == (("time", name),)
    assert page.status() == ("done", "3 of 4 rows compared, 1 without a key")
    assert page.matching.details.calm.text() == "✓  3 of 4 rows are paired; 1 has no key."
    controller.problem.undo_stack.undo()
    click(qtbot, page.message._dismiss)
    assert "calendar" not in page.message.words(), "asked once"


def test_the_30th_of_february_is_a_date_where_the_program_counts_months_of_30_days(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, printed("360_day"))
    opened(page, tmp_path / "m.csv", "date,T\n2000-02-28,12\n2001-02-30,17\n2004-03-01,24\n")
    assert "calendar 360_day" in page.importer.dates_message.words()
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    click(qtbot, page.matching.mismatch.count)
    name = "date (d since 2000-01-01, 360_day)"
    assert matches(controller)[0].keys == (("time", name),)
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns[name] == (57.0, 419.0, 1500.0)
    assert page.matching.details.calm.text() == "✓  Every measured value has its predicted one."
