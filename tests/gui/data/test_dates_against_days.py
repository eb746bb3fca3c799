"""Data whose only times are dates, and a program that prints day numbers: the way to pair them is offered where it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, typed
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.rows.text_keys import counts_from_zero
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.dates.counted_dates import counting, unit_said
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.widgets.day_zero import PROPOSED

WARD = "date,beds,swabs\n2024-01-13,5,75\n2024-01-18,4,138\n2024-01-23,6,\n2024-01-28,22,547\n"
HALF_DAYS = "".join(f"{k / 2:g} {10 + k} {70 - k}\n" for k in range(121))
NAMED = "date (d since 2024-01-13)"


@pytest.fixture
def problem() -> d.Problem:
    outputs = (column("day", 0), column("H", 1), column("I", 2))
    pairs = (d.Match(output="H", column="beds"), d.Match(output="I", column="swabs"))
    return msgspec.structs.replace(
        PROBLEM, outputs=outputs, meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=0.1))
    )


def paired(controller: SessionController, *pair: str) -> None:
    """The first comparison by hand, as in the form."""
    (first, *rest) = matches(controller)
    first = msgspec.structs.replace(first, key_output=pair[0], key_column=pair[1])
    controller.problem.edit("x", meaning=d.Predictions(matches=(first, *rest), noise=d.GaussianKnown(sd=0.1)))


def test_the_import_offers_to_count_dates_in_the_days_that_the_program_prints(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, HALF_DAYS)
    opened(page, tmp_path / "ward.csv", WARD)
    offer = page.importer.dates_message
    assert offer.words() == "“date” holds dates, but output “day” counts 0, 0.5, 1 and so on."
    assert "seconds since 1970" not in page.importer.message.words()
    assert offer._button.text().replace("&", "") == "Count in days from a day 0"
    click(qtbot, offer._button)
    assert not offer.isVisible()
    assert page.importer.day_zero.field.hasFocus()
    assert page.importer.day_zero.field.text() == "2024-01-13"
    typed(page.importer.day_zero.field, "2024-01-08", qtbot)
    click(qtbot, page.importer.use)
    assert controller.problem.declared.data is not None
    assert controller.problem.declared.data.columns["date (d since 2024-01-08)"] == (5.0, 10.0, 15.0, 20.0)


def test_before_a_test_run_the_name_of_an_output_is_enough(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "ward.csv", WARD)
    assert page.importer.dates_message.words() == "“date” holds dates, but output “day” counts in days."


@pytest.mark.parametrize("by_hand", [True, False], ids=["paired with dates by hand", "not paired yet"])
def test_rows_that_do_not_fit_are_mended_by_the_first_button_and_nothing_useless_is_said(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], by_hand: bool
) -> None:
    opened(page, tmp_path / "ward.csv", WARD)
    click(qtbot, page.importer.use)
    if by_hand:
        paired(controller, "day", "date")
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, HALF_DAYS)
    part = page.matching.mismatch
    assert "output “day” counts 0, 0.5, 1 and so on" in part.message.suggestion()
    assert part._grid.itemAtPosition(0, 0).widget() is part.count  # type: ignore[union-attr]
    assert part.count.text().replace("&", "") == "Count in days from a day 0"
    assert not part.nearest.isVisible()
    assert page.matching.day_zero.field.text() == "2024-01-13"
    assert page.matching.day_zero.hint.text() == PROPOSED
    assert "so must the output" not in page.matching.form._notices["key_column"].text()
    assert "On the Data page" not in page.message.suggestion()
    click(qtbot, part.count)
    assert {m.keys for m in matches(controller)} == {(("day", NAMED),)}, "the other comparison too"
    assert not part.isVisible()
    assert page.matching.day_zero.field.hasFocus()
    typed(page.matching.day_zero.field, "2024-01-08", qtbot)
    assert {m.key_column for m in matches(controller)} == {"date (d since 2024-01-08)"}


def test_a_day_0_typed_at_once_counts_the_dates_from_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "ward.csv", WARD)
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(1)
    trial_run(page, engines, HALF_DAYS)
    typed(page.matching.day_zero.field, "2024-01-08", qtbot)
    assert {m.keys for m in matches(controller)} == {(("day", "date (d since 2024-01-08)"),)}
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.data is not None
    assert "date" in controller.problem.declared.data.texts


def test_the_banner_of_the_page_has_the_same_button_and_leads_to_day_0(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "ward.csv", WARD)
    click(qtbot, page.importer.use)
    trial_run(page, engines, HALF_DAYS)
    page.tabs.setCurrentIndex(0)
    assert page.message._button.text().replace("&", "") == "Count in days from a day 0"
    click(qtbot, page.message._button)
    assert {m.keys for m in matches(controller)} == {(("day", NAMED),)}
    qtbot.waitUntil(page.matching.day_zero.field.hasFocus)


def test_a_day_0_is_proposed_with_which_most_dates_are_among_the_outputs() -> None:
    dates = ("2024-01-13", "2024-01-18", "2024-01-23")
    found = counting("date", dates, {"step": np.array([5.0, 10.0, 15.0, 20.0])})
    assert found is not None
    assert (found.unit, found.start, found.rows) == ("d", 1704672000.0, 3), "2024-01-08"
    hours = counting("date", dates, {"t (h)": np.arange(0.0, 300.0, 12.0)})
    assert hours is not None
    assert (hours.unit, hours.button.replace("&", "")) == ("h", "Count in hours from a day 0")


def test_numbers_that_are_years_or_dates_or_fall_are_no_time_since_a_start() -> None:
    assert counts_from_zero(np.array([0.0, 0.5, 1.0]))
    assert not counts_from_zero(np.array([1990.0, 2000.0, 2010.0]))
    assert not counts_from_zero(np.array([0.0, 2.0, 1.0]))
    assert not counts_from_zero(1.7e9 + np.arange(3.0))
    assert not counts_from_zero(np.array([]))
    assert [unit_said(n) for n in ("day", "t (h)", "S", "D", "time_s", "Inf")] == ["d", "h", "", "", "s", ""]


def test_a_run_whose_days_fit_no_date_says_to_count_the_dates() -> None:
    data = d.DataTable(columns={"beds": (5.0, 4.0)}, texts={"date": ("2024-01-13", "2024-01-18")})
    match = d.Match(output="H", column="beds", key_output="day", key_column="date")
    with pytest.raises(ComparisonError) as error:
        compare_match(match, data, {"H": np.ones(3), "day": np.arange(3.0)})
    assert error.value.suggestion.startswith("Count the dates from the day")


def test_a_size_that_is_no_number_is_said_of_the_size_and_not_of_all_columns(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "ward.csv", "t,beds,swabs\n0,5,75\n1,4,138\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(2)
    typed(page.shared.sizes.editor("of_0"), "ten", qtbot)
    assert page.message.words().startswith("Size of the errors: beds must be a number")
    assert "beds swabs" not in page.message.words()


def test_names_given_below_the_present_table_are_not_said_where_it_is_to_be_replaced(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "ward.csv", WARD)
    click(qtbot, page.importer.use)
    opened(page, tmp_path / "ward.csv", WARD)
    importer = page.importer
    assert importer.use.property("kind") == "primary"
    assert importer.use.text().startswith("&Replace")
    assert not importer.columns_message.isVisible()
    assert "added as “beds (ward.csv)" in importer.add.toolTip()
