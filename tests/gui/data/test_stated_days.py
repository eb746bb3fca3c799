"""A program that says from when its hours count, and data of which only the dates are known: the page's words and buttons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import SERIES, click, matches, opened, trial_run, typed, words
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.day_zero import written
from bayescope.engine.problem.extract import read_output
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.dates.counted_dates import clocks, counting
from bayescope.gui.models.data.dates.lasting import apart, beyond, lasting
from bayescope.gui.models.data.dates.stated_days import stated_day
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.day_zero import ASKED, GUESSED

HEAD = "# time(hours since 2019-09-01 00:00:00) T\n"
HOURLY = HEAD + "".join(f"{h} {10 + 0.1 * h:.1f}\n" for h in range(0, 10 * 24, 3))
LATE = HEAD + "".join(f"{h} {10 + 0.1 * h:.1f}\n" for h in range(6, 10 * 24, 12))  # 6 h and 18 h
PLAIN = "".join(f"{h} {10 + 0.1 * h:.1f}\n" for h in range(0, 10 * 24, 3))
COUNTED = "date (h since 2019-09-01)"
DATES = {
    "ISO": "date,T\n2019-09-02,12\n2019-09-04,17\n2019-09-07,24\n",
    "slashes": "date,T\n02/09/2019,12\n04/09/2019,17\n27/09/2019,24\n",
    "names of months": "date,T\n2 Sep 2019,12\n4 Sep 2019,17\n7 Sep 2019,24\n",
}


@pytest.fixture
def problem() -> d.Problem:
    return SERIES


def compared(qtbot: QtBot, page: DataPage, folder: Path, table: str, engines: list[Any], printed: str) -> None:
    """A table is imported as it is proposed, and a test run printed something: Comparisons is shown."""
    opened(page, folder / "soil.csv", table)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, printed)


@pytest.mark.parametrize("written_as", ["ISO", "names of months"])
def test_the_import_offers_the_day_0_that_the_program_states(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], written_as: str
) -> None:
    trial_run(page, engines, HOURLY)
    opened(page, tmp_path / "soil.csv", DATES[written_as])
    offer = page.importer.dates_message
    said = "“date” holds dates, but output “time” counts 0, 3, 6 and so on: “hours since 2019-09-01 00:00:00”."
    assert offer.words() == said
    assert words(offer._button) == "Count in hours from 2019-09-01"
    click(qtbot, offer._button)
    assert page.importer.day_zero.field.text() == "2019-09-01"
    assert page.importer.day_zero.hint.text() == "as the program says: “hours since 2019-09-01 00:00:00”"
    assert page.importer.day_zero.hint.property("role") == "hint", "it is no guess"
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns[COUNTED] == (24.0, 72.0, 144.0)


EITHER = "date,T\n02/09/2019,12\n04/09/2019,17\n07/09/2019,24\n"


@pytest.mark.parametrize("day_first", [True, False])
def test_dates_whose_month_no_number_tells_are_asked_about_with_both_readings(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], day_first: bool
) -> None:
    trial_run(page, engines, HOURLY)
    opened(page, tmp_path / "soil.csv", EITHER)
    asked = page.importer.month_message
    assert asked.words() == "“date” holds dates such as 02/09/2019: is that 2 Sep 2019 or 9 Feb 2019?"
    assert (asked.level, words(asked._button), words(asked._dismiss)) == ("warning", "2 Sep 2019", "9 Feb 2019")
    assert "may be the month" not in page.importer.message.words()
    assert not page.importer.dates_message.isVisible()
    click(qtbot, asked._button if day_first else asked._dismiss)
    assert asked.words() == f"“date”: 02/09/2019 is taken as {'2 Sep' if day_first else '9 Feb'} 2019."
    found = page.importer._check()
    assert found is not None
    assert found.texts["date"][0] == ("2019-09-02" if day_first else "2019-02-09")
    assert page.importer.dates_message.isVisible()
    click(qtbot, asked._button)  # the other way, after all
    found = page.importer._check()
    assert found is not None
    assert found.texts["date"][0] == ("2019-02-09" if day_first else "2019-09-02")
    opened(page, tmp_path / "other.csv", EITHER)
    assert asked.level == "warning", "another file is asked about anew"


def test_dates_beyond_what_the_program_computed_are_counted_before_they_are_taken(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, HOURLY)
    opened(page, tmp_path / "soil.csv", DATES["slashes"])
    offer = page.importer.dates_message
    assert offer.words().endswith("2 of 3 dates find a partner then; 1 lies 16.1 days after the program's last.")


def test_counted_from_the_stated_day_the_page_asks_which_value_of_a_day_belongs_to_a_date(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(qtbot, page, tmp_path, DATES["ISO"], engines, HOURLY)
    part, day = page.matching.mismatch, page.matching.day_zero
    assert words(part.count) == "Count in hours from 2019-09-01"
    assert "Count the dates from 2019-09-01." in part.message.suggestion()
    click(qtbot, part.count)
    assert matches(controller)[0].keys == (("time", COUNTED),)
    assert day.hint.text().startswith("as the program says")
    assert not day.right.isVisible()
    asked = "The dates of “date” say no hour, and “time” has 8 values on a day: rows are paired with the one"
    assert page.message.words().startswith(asked)
    assert page.message.level == "warning"
    assert page.status()[0] == "todo", "no silent green"
    assert words(page.message._button) == "Pair by the day"
    click(qtbot, page.message._button)
    assert matches(controller)[0].by_day
    note = page.matching.form._notices["by_day"].text()
    assert "the value of its day of 8 that is nearest to 12 h" in note
    assert "equally near" not in note
    assert "By the day" not in page.message.words()
    controller.problem.undo_stack.undo()
    click(qtbot, page.message._dismiss)
    assert not matches(controller)[0].by_day
    assert not page.message.words().startswith("The dates"), "asked once"


def test_hours_that_miss_midnight_are_paired_by_the_day_first_and_ties_are_said(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(qtbot, page, tmp_path, DATES["ISO"], engines, LATE)
    part = page.matching.mismatch
    click(qtbot, part.count)
    assert "3 of 3 measured rows have no row" in part.message.words()
    assert part._grid.itemAtPosition(0, 0).widget() is part.daily  # type: ignore[union-attr]
    assert "On 3 days two are equally near (6 h and 18 h): the earlier one counts." in part.message.suggestion()
    assert not page.matching.mismatch.day.isVisible(), "day 0 is the program's"
    assert (page.message.level, words(page.message._button)) == ("error", "Pair by the day")
    assert part.model.rows[0].key == "2019-09-02"
    assert part.model.rows[0].nearest.startswith("2019-09-01 18:00 (6 h before), 2019-09-02 06:00 (6 h after)")
    click(qtbot, part.daily)
    assert matches(controller)[0].by_day
    assert not part.isVisible()
    assert "equally near" in page.matching.form._notices["by_day"].text()
    calm = page.matching.details.calm
    assert (calm.isVisible(), calm.property("role")) == (True, "ok")
    said = "✓  Every measured value has its predicted one. On 3 days two are equally near (6 h and 18 h): the earlier one counts."
    assert calm.text() == said


def test_rows_that_lie_before_the_program_s_first_time_are_told_and_shown_once_they_are_left_out(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    table = "date,T\n2019-08-29,9\n2019-08-29 06:00,8\n2019-09-04,17\n2019-09-07,24\n"
    compared(qtbot, page, tmp_path, table, engines, HOURLY)
    part = page.matching.mismatch
    assert "2 of 4 dates find a partner then; 2 lie up to 3 days before the program's first" in part.message.suggestion()
    click(qtbot, part.count)
    assert part.message.words().endswith("with the same key. 2 lie up to 3 days before the program's first.")
    click(qtbot, part.drop)
    assert not part.isVisible()
    assert page.matching.details.calm.text() == "✓  2 of 4 rows are paired; 2 are left out."
    assert page.matching.details.calm.isVisible()


def test_a_day_0_that_nobody_said_is_amber_until_it_is_confirmed(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(qtbot, page, tmp_path, DATES["ISO"], engines, PLAIN)
    click(qtbot, page.matching.mismatch.count)
    day = page.matching.day_zero
    assert (day.hint.text(), day.hint.property("role"), day.sign.isVisible()) == (ASKED, "warning", True)
    calm = page.matching.details.calm
    assert (calm.isVisible(), calm.property("role")) == (True, "warning")
    assert calm.text() == "⚠  Every measured value has its predicted one, if day 0 is 2019-09-02: nobody said so yet."
    assert page.message.words() == "Is 2019-09-02 day 0 of the program, from which “date” counts?"
    assert page.message.level == "warning"
    assert page.status() == ("todo", "Which date is day 0 of the program?")
    click(qtbot, page.message._dismiss)  # another one
    qtbot.waitUntil(day.field.hasFocus)
    click(qtbot, day.right)
    assert not day.right.isVisible()
    assert day.hint.property("role") == "hint"
    assert "day 0" not in page.message.words()


def test_a_day_0_proposed_because_most_rows_fit_waits_for_an_answer_too_and_typing_it_is_one(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(qtbot, page, tmp_path, DATES["ISO"], engines, "24 1\n72 2\n144 3\n500 4\n")
    click(qtbot, page.matching.mismatch.count)
    day = page.matching.day_zero
    assert (day.field.text(), day.hint.text()) == ("2019-09-01", GUESSED)
    assert page.message.words().startswith("Is 2019-09-01 day 0")
    typed(day.field, "2019-09-01 00:00", qtbot)
    assert not page.message.words().startswith("Is 2019-09-01 day 0")


def test_a_day_0_that_the_program_contradicts_is_asked_about_and_mended_with_one_click(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(qtbot, page, tmp_path, DATES["ISO"], engines, PLAIN)
    click(qtbot, page.matching.mismatch.count)
    trial_run(page, engines, HOURLY)
    said = "“date” counts from 2019-09-02, but the program says “hours since 2019-09-01 00:00:00”."
    assert page.message.words() == said
    assert page.matching.day_zero.hint.text() == "but the program says: “hours since 2019-09-01 00:00:00”"
    assert page.matching.details.calm.text().endswith("if day 0 is 2019-09-02: the program says another one.")
    assert words(page.message._button) == "Day 0 is 2019-09-01"
    click(qtbot, page.message._button)
    assert matches(controller)[0].key_column == COUNTED
    assert said not in page.message.words()


def test_a_stated_day_0_far_from_zero_is_counted_from_too() -> None:
    from bayescope.engine.problem.data.dates.stated_day_zero import statements

    (stated,) = statements("days since 1900-01-01")
    numbers = np.arange(43707.0, 43760.0)  # from 2019-09-01 on
    found = counting("date", ("2019-09-02", "2019-09-04"), {"time": numbers}, stated={"time": stated})
    assert found is not None
    assert (found.unit, written(found.start), found.rows, found.said) == ("d", "1900-01-01", 2, "days since 1900-01-01")
    (zoned,) = statements("days since 1900-01-01 00:00 -06:00")
    blind = counting("date", ("2019-09-02", "2019-09-04"), {"time": numbers}, sure=True, stated={"time": zoned})
    assert blind is not None
    assert blind.said == "", "in which zone the dates are, they do not say"


def test_numbers_that_rise_and_fall_are_no_times_though_the_program_states_a_day_0(problem: d.Problem) -> None:
    waves = HEAD + "".join(f"{6 + h} {15 + 5 * np.sin(h):.2f}\n" for h in range(0, 240, 3))
    files = (protocol.TrialFile(name="res.txt", role="produced", text=waves),)
    read = tuple(protocol.TrialOutput(name=o.name, source=o.source, values=read_output(o, waves).values) for o in problem.outputs)
    report = protocol.TrialRunReport(outcome="ok", outputs=read, files=files)
    assert stated_day(problem.outputs[1], report) is not None, "it is the only day 0 in the text"
    assert list(clocks(problem, report)) == ["time"]


NCDUMP = """netcdf heads {
variables:
\tdouble time(time) ;
\t\ttime:units = "days since 2019-09-01 00:00:00" ;
\tdouble head(time) ;
data:

 time = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 ;

 head = 32.25, 32.5, 32.75, 33, 33.25, 33.5, 33.75, 34, 34.25, 34.5 ;
}
"""


@pytest.fixture
def of_lists(controller: SessionController) -> SessionController:
    """With one output of the two lists that the program prints."""
    head = d.Output(name="head", source="res.txt", extractor=d.NumberList(name="head =", end=";"))
    meaning = d.Predictions(matches=(d.Match(output="head", column="head"),), noise=d.GaussianKnown(sd=0.1))
    controller.problem.edit("x", outputs=(head,), meaning=meaning)
    return controller


def test_what_is_said_of_one_variable_is_not_taken_for_another_that_rises_too(
    qtbot: QtBot, page: DataPage, of_lists: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, NCDUMP)
    opened(page, tmp_path / "wells.csv", "date,head\n2019-09-02,32.4\n2019-09-04,33.1\n")
    offer = page.importer.dates_message
    assert offer.words() == (
        "“date” holds dates. “time” of the program, which no output reads yet, counts days: “days since 2019-09-01 00:00:00”."
    )
    assert offer._suggestion.text() == (
        "Rows pair once the dates are counted from 2019-09-01 and “time” is read: click its name (Simulator page, tab Outputs)."
    )
    assert words(offer._button) == "Count in days from 2019-09-01"
    click(qtbot, offer._button)
    click(qtbot, page.importer.use)
    data = of_lists.problem.declared.data
    assert data is not None
    assert data.columns["date (d since 2019-09-01)"] == (1.0, 3.0)
    time = d.Output(name="t", source="res.txt", extractor=d.NumberList(name="time =", end=";"))
    of_lists.problem.edit("Read it", outputs=(time, *of_lists.problem.declared.outputs))
    trial_run(page, engines, NCDUMP)
    found = stated_day(time, page.trial.report)
    assert found is not None, "by another name it is the same variable"
    assert (found.of, written(found.start)) == ("time", "2019-09-01")


def test_the_words_of_a_program_are_looked_for_in_the_text_of_the_output_first_then_in_its_other_texts() -> None:
    dump = 'time:units = "hours since 2019-09-01 00:00:00" ;\ndata:\n time = 0, 3, 6 ;\n T = 10, 11, 12 ;\n'
    listed = d.Output(name="time", source="stdout", extractor=d.NumberList(name="time ="))
    report = protocol.TrialRunReport(outcome="ok", stdout=dump, stderr="day 0 is 2001-01-01")
    found = stated_day(listed, report)
    assert found is not None
    assert (found.unit, written(found.start)) == ("h", "2019-09-01")
    elsewhere = stated_day(msgspec.structs.replace(listed, source="stderr"), report)
    assert elsewhere is not None
    assert written(elsewhere.start) == "2001-01-01"
    headed = msgspec.structs.replace(listed, name="t", unit="days since 2000-1-1")
    own = stated_day(headed, report)
    assert own is not None
    assert (own.unit, written(own.start)) == ("d", "2000-01-01"), "its heading comes first"
    assert stated_day(msgspec.structs.replace(listed, text=True), report) is None
    assert stated_day(listed, None) is None


def test_lengths_of_time_are_said_as_people_say_them() -> None:
    asked = (30.0, 1800.0, 43200.0, 86400.0, 129600.0, 172800.0, 216000.0)
    assert [lasting(s) for s in asked] == ["30 s", "30 min", "12 h", "1 day", "36 h", "2 days", "2.5 days"]
    assert [apart(s) for s in (-43200.0, 0.0, 172800.0)] == ["12 h before", "at the same time", "2 days after"]
    times = np.array([0.0, 24.0, 48.0])
    assert beyond(np.array([-72.0, -72.0]), times, 3600.0) == "2 lie 3 days before the program's first"
    assert beyond(np.array([-72.0, 60.0]), times, 3600.0) == (
        "1 lies 3 days before the program's first and 1 lies 12 h after the program's last"
    )
    assert beyond(np.array([12.0]), times, 3600.0) == ""
