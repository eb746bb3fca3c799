"""Columns of dates used as numbers: the day from which they count is said, can be changed, and is one for all tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, typed
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.day_zero import ASKED, SAID
from sheet_files import ods

# a well that begins producing on day 10 of the run
WELL = "Date,u\n2022-01-11,1.5\n2022-01-21,2.5\n2022-01-31,3.5\n"
EVERY_TEN_DAYS = "".join(f"{day} {0.1 * day}\n" for day in range(10, 40, 10))
EVERY_DAY = "".join(f"{day} {0.1 * day}\n" for day in range(1, 60))


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("Date", 0), column("u", 1)))


def in_days(page: DataPage, name: str = "Date") -> None:
    model = page.importer.columns
    row = next(i for i, r in enumerate(model.rows) if r[0] == name)
    model.setData(model.index(row, 2), "in d")
    QApplication.processEvents()


def numbers(controller: SessionController) -> dict[str, tuple[float | None, ...]]:
    assert controller.problem.declared.data is not None
    return dict(controller.problem.declared.data.columns)


def paired_by_dates(page: DataPage, controller: SessionController, tmp_path: Path, qtbot: QtBot) -> None:
    opened(page, tmp_path / "well.csv", WELL)
    in_days(page)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    assert matches(controller)[0].keys == (("Date", "Date (d since 2022-01-11)"),)




def test_day_0_is_said_and_changed_before_the_table_is_taken(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "well.csv", WELL)
    assert not page.importer.day_zero.isVisible()
    in_days(page)
    assert page.importer.day_zero.isVisible()
    assert page.importer.day_zero.field.text() == "2022-01-11"
    assert page.importer.day_zero.hint.text() == ASKED
    assert page.importer.columns.rows[0][1] == "Date (d since 2022-01-11)"
    typed(page.importer.day_zero.field, "soon", qtbot)
    assert "no date" in page.importer.day_zero.notice.text()
    typed(page.importer.day_zero.field, "2022-01-01", qtbot)
    assert page.importer.day_zero.hint.text() == SAID
    assert page.importer.columns.rows[0][1] == "Date (d since 2022-01-01)"
    click(qtbot, page.importer.use)
    assert list(numbers(controller)) == ["Date (d since 2022-01-01)", "u"], "where it was in the file"
    assert numbers(controller)["Date (d since 2022-01-01)"] == (10.0, 20.0, 30.0)


def test_a_name_of_ones_own_keeps_its_day_0(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "well.csv", WELL)
    in_days(page)
    model = page.importer.columns
    model.setData(model.index(0, 1), "time")
    assert model.rows[0][1] == "time (d since 2022-01-11)"
    model.setData(model.index(0, 2), "in h")
    assert model.rows[0][1] == "time (h since 2022-01-11)"
    model.setData(model.index(0, 2), "take")
    assert model.rows[0][1] == "time"


def test_all_sheets_count_from_one_day(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    sheets = {
        "B": [["day", "b"], ["2022-02-10", 4], ["2022-02-20", 5]],
        "A": [["Date", "a"], ["2022-01-11", 1], ["2022-01-21", 2]],
    }
    opened(page, tmp_path / "wells.ods", ods(sheets))
    page.importer.part.choose("-1")
    page.importer.part.chosen.emit("-1")
    in_days(page)
    in_days(page, "day")
    assert page.importer.day_zero.field.text() == "2022-01-11"
    click(qtbot, page.importer.use)
    found = numbers(controller)
    assert found["day (d since 2022-01-11)"] == (30.0, 40.0, None, None)
    assert found["Date (d since 2022-01-11)"] == (None, None, 0.0, 10.0)


def test_a_table_below_another_counts_from_the_same_day(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "one.csv", WELL)
    in_days(page)
    click(qtbot, page.importer.use)
    opened(page, tmp_path / "two.csv", "Date,v\n2022-03-02,7\n2022-03-12,8\n")
    in_days(page)
    assert page.importer.day_zero.field.text() == "2022-01-11"
    click(qtbot, page.importer.add)
    assert numbers(controller)["Date (d since 2022-01-11)"] == (0.0, 10.0, 20.0, 50.0, 60.0)
    opened(page, tmp_path / "three.csv", "Date,w\n2022-03-22,9\n2022-04-01,9\n")
    in_days(page)
    typed(page.importer.day_zero.field, "2022-01-01", qtbot)
    click(qtbot, page.importer.used.zeros._button)
    assert "of the present table change by +10 days" in page.importer.used.zeros.words()
    click(qtbot, page.importer.add)
    assert numbers(controller)["Date (d since 2022-01-01)"] == (10.0, 20.0, 30.0, 60.0, 70.0, 80.0, 90.0)
    assert matches(controller)[0].key_column == "Date (d since 2022-01-01)"


def test_the_only_day_0_that_gives_all_rows_a_partner_is_offered(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    paired_by_dates(page, controller, tmp_path, qtbot)
    trial_run(page, engines, EVERY_TEN_DAYS)
    part = page.matching.mismatch
    assert "1 of 3 measured rows has no row" in part.message.words()
    assert "counts from 2022-01-11" in part.message.suggestion()
    assert "From 2022-01-01, all 3 keys" in part.message.suggestion()
    assert part.day.text().replace("&", "") == "Day 0 is 2022-01-01"
    click(qtbot, part.day)
    assert numbers(controller)["Date (d since 2022-01-01)"] == (10.0, 20.0, 30.0)
    assert matches(controller)[0].keys == (("Date", "Date (d since 2022-01-01)"),)
    assert page.test_words.text().startswith("Line:")
    controller.problem.undo_stack.undo()
    assert numbers(controller)["Date (d since 2022-01-11)"] == (0.0, 10.0, 20.0)


def test_where_several_days_would_do_the_button_leads_to_the_field(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    paired_by_dates(page, controller, tmp_path, qtbot)
    trial_run(page, engines, EVERY_DAY)
    part = page.matching.mismatch
    assert "From another one, all 3 keys" in part.message.suggestion()
    click(qtbot, part.day)
    assert page.matching.day_zero.field.hasFocus()
    assert page.matching.day_zero.field.text() == "2022-01-11"
    typed(page.matching.day_zero.field, "2022-01-01", qtbot)
    assert numbers(controller)["Date (d since 2022-01-01)"] == (10.0, 20.0, 30.0)
    assert not part.isVisible()


def test_where_every_row_finds_a_partner_days_off_the_page_still_asks_for_day_0(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    paired_by_dates(page, controller, tmp_path, qtbot)
    trial_run(page, engines, "0 0.1\n" + EVERY_DAY)
    assert not page.matching.mismatch.isVisible()
    field = page.matching.day_zero
    assert field.isVisible()
    assert field.hint.text() == ASKED
    typed(field.field, "2022-01-01", qtbot)
    assert field.hint.text() == SAID
    assert numbers(controller)["Date (d since 2022-01-01)"] == (10.0, 20.0, 30.0)


def test_the_nearest_key_says_how_far_it_is_and_stays_said_where_it_is_far(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    paired_by_dates(page, controller, tmp_path, qtbot)
    trial_run(page, engines, "4 1\n9 2\n14 3\n19 4\n")
    part = page.matching.mismatch
    assert part.nearest.text().replace("&", "") == "Use the nearest key, up to 4 days away"
    far = "With the nearest key: Rows are up to 4 days away from the nearest key of “Date”, whose keys are 5 days apart."
    assert far in part.message.suggestion()
    click(qtbot, part.nearest)
    assert "up to 4 days away" in part.message.words(), "not forgotten once it is done"
    assert part.message.level == "warning"
    assert "up to 4 days away" in page.matching.form._notices["key_tolerance"].text()


def test_a_key_a_whole_row_away_is_not_offered_as_the_nearest(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    paired_by_dates(page, controller, tmp_path, qtbot)
    trial_run(page, engines, "7 1\n12 2\n17 3\n22 4\n")
    assert not page.matching.mismatch.nearest.isVisible()


@pytest.mark.parametrize(
    ("start", "text"),
    [("2022-01-11", "2022-01-11"), ("11.01.2022 06:30", "2022-01-11 06:30"), ("1959-12-31", "1959-12-31")],
)
def test_day_0_is_written_as_it_is_read(start: str, text: str) -> None:
    found = day_zero.read(start)
    assert found is not None
    name = day_zero.named("Date (x)", "h", found)
    assert name == f"Date (h since {text})"
    assert day_zero.counted(name) == day_zero.Counted("Date", "h", found)


def test_dates_before_1973_are_dates(tmp_path: Path) -> None:
    from bayescope.engine.problem.data.tables import long_form

    assert long_form.times_as_numbers(("1960-01-03", "1960-01-01"), 86400.0) == (2.0, 0.0)


@pytest.mark.parametrize("program", ["Date", "step"], ids=["one name", "by what they hold"])
def test_a_key_that_data_and_outputs_share_is_offered_to_all_at_once(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], program: str
) -> None:
    outputs = (column(program, 0), column("u", 1), column("v", 2), column("w", 3))
    controller.problem.edit("x", outputs=outputs)
    opened(page, tmp_path / "wells.csv", "Date,u,v,w\n2022-01-11,1,2,3\n2022-01-21,2,3,4\n2022-01-31,3,4,5\n")
    in_days(page)
    click(qtbot, page.importer.use)
    bare = tuple(d.Match(output=name, column=name) for name in "uvw")
    controller.problem.edit("x", meaning=d.Predictions(matches=bare, noise=d.GaussianKnown(sd=0.1)))
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, "".join(f"{day} {day} 2 3\n" for day in range(10, 60, 10)))
    part = page.matching.mismatch
    assert "5 values of “u”, but 3 were measured" in part.message.words()
    assert part.all.text().startswith("Pair all by Date")
    click(qtbot, part.all)
    assert {m.keys for m in matches(controller)} == {((program, "Date (d since 2022-01-11)"),)}
    click(qtbot, part.day)  # the first day fits no row
    assert page.matching.day_zero.field.hasFocus()


def test_rows_that_fit_in_order_are_rather_paired_by_the_key_that_is_there(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "well.csv", "Date,u\n10,1\n20,2\n30,3\n")
    click(qtbot, page.importer.use)
    bare = d.Match(output="u", column="u")
    controller.problem.edit("x", meaning=d.Predictions(matches=(bare,), noise=d.GaussianKnown(sd=0.1)))
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, "30 1\n20 2\n10 3\n")
    words = "The order of the rows contradicts “Date”: row 1, where it is 10, is compared with the value where “Date” is 30."
    assert page.matching.mismatch.message.words() == words
    click(qtbot, page.matching.mismatch.message._button)
    assert matches(controller)[0].keys == (("Date", "Date"),)
    assert not page.matching.mismatch.isVisible()


def test_counts_on_some_days_are_summarized_at_those_days_of_a_program_that_prints_all(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "counts.csv", "Date,u\n10,1\n20,2\n30,3\n")
    click(qtbot, page.importer.use)
    summary = d.Summary(output="u", column="u")
    controller.problem.edit("x", meaning=d.SyntheticLikelihood(summaries=(summary,)))
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, EVERY_DAY)
    (finding,) = controller.problem.findings("meaning.summaries[0]", "error")
    assert "Pair by a key that both have" in finding.suggestion
    page.summaries.form.editor("key_output").choose("Date")  # type: ignore[attr-defined]
    page.summaries.form.editor("key_column").choose("Date")  # type: ignore[attr-defined]
    assert not controller.problem.findings("meaning.summaries", "error")
    trial_run(page, engines, "1 1\n10 2\n20 4\n")
    (finding,) = controller.problem.findings("meaning.summaries[0]", "error")
    assert finding.message == "The program gave no value of “u” for row 3 of the data, whose key is 30."
