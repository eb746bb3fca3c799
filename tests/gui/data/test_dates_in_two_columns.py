"""A program prints date and time in two columns, the data have both in one: they are one key, whose month is told or asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

REPORT = "  <<< Node A1 >>>\n  -----------------\n                        Inflow\n  Date        Time         LPS\n  -----\n"
FLOW = d.Output(
    name="Inflow", source="res.txt", extractor=d.Region(anchor="<<< Node A1 >>>", by="word", form="ttn", columns=(3,))
)
KEY = msgspec.structs.replace(
    FLOW, name="When", extractor=msgspec.structs.replace(FLOW.extractor, columns=(1,)), text=True, label_columns=2
)


def report(*days: str, minute: int = 0) -> str:
    return REPORT + "".join(f"   {day} {h:02}:{minute:02}:00   {i}.{h:02}\n" for i, day in enumerate(days) for h in range(24))


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(FLOW,))


GAUGE = "Zeitpunkt;Inflow\n2024-05-03 14:00;1\n2024-05-03 15:00;2\n2024-05-05 04:00;3\n2024-05-05 16:00;4\n"


def test_the_two_columns_are_one_key_and_the_month_is_that_by_which_the_dates_agree(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any], controller: SessionController
) -> None:
    trial_run(page, engines, report("05/03/2024", "05/04/2024", "05/05/2024"))
    opened(page, tmp_path / "gauge.csv", GAUGE)
    click(qtbot, page.importer.use)
    assert matches(controller)[0].keys == (("Zeitpunkt", "Zeitpunkt"),)
    read = controller.problem.declared.outputs[-1]
    assert (read.text, read.label_columns, read.month) == (True, 2, "first")
    assert page.status()[0] == "done"


def test_a_comparison_in_order_that_does_not_fit_is_paired_by_them_at_a_button(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any], controller: SessionController
) -> None:
    opened(page, tmp_path / "gauge.csv", GAUGE)
    click(qtbot, page.importer.use)
    trial_run(page, engines, report("03/05/2024", "04/05/2024", "05/05/2024"))
    page.tabs.setCurrentIndex(1)
    button = page.matching.mismatch.other
    assert words(button) == "Pair by Zeitpunkt"
    click(qtbot, button)
    assert controller.problem.declared.outputs[-1].month == "second"
    assert matches(controller)[0].keys == (("Zeitpunkt", "Zeitpunkt"),)


def test_dates_of_which_some_are_beyond_the_run_are_read_at_a_button(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any], controller: SessionController
) -> None:
    opened(page, tmp_path / "gauge.csv", GAUGE)
    click(qtbot, page.importer.use)
    trial_run(page, engines, report("05/03/2024", "05/04/2024"))
    page.tabs.setCurrentIndex(1)
    part = page.matching.mismatch
    assert words(part.read) == "Read “Date” too"
    click(qtbot, part.read)
    assert matches(controller)[0].keys == (("Date", "Zeitpunkt"),)
    assert controller.problem.declared.outputs[-1].month == "first"
    assert [row.row for row in part.model.rows] == [3, 4]
    assert part.message.words().startswith("2 of 4 measured rows have no row of “Inflow” with the same key. 2 lie ")


def test_which_number_is_the_month_is_asked_where_nothing_tells_and_nothing_lies_days_before_labels(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any], controller: SessionController
) -> None:
    opened(page, tmp_path / "gauge.csv", GAUGE)
    click(qtbot, page.importer.use)
    controller.problem.edit("Read the dates", outputs=(FLOW, KEY))
    trial_run(page, engines, report("05/03/2024", "05/04/2024", "05/05/2024", minute=30))
    page.tabs.setCurrentIndex(1)
    form = page.matching.form.editor("key_output")
    assert "When" in [form.itemText(i) for i in range(form.count())]  # type: ignore[attr-defined]
    form.choose("When")  # type: ignore[attr-defined]
    assert matches(controller)[0].keys == (("When", "Zeitpunkt"),), "the one column of texts comes with it"
    part = page.matching.mismatch
    assert "days before" not in part.message.words()
    asked = "The program prints “When” as dates such as 05/03/2024 00:30:00: is that 5 Mar 2024 or 3 May 2024?"
    assert part.message.words() == asked
    assert [words(b) for b in part.months if b.isVisible()] == ["5 Mar 2024", "3 May 2024"]
    click(qtbot, part.months[1])
    assert controller.problem.declared.outputs[-1].month == "first"
    assert "4 of 4 measured rows have no row" in part.message.words(), "told without another test run"
    assert "Interpolate" in words(part.between)
    assert part.between.isVisible()


def test_dates_on_the_other_side_tell_the_month_too(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any], controller: SessionController
) -> None:
    opened(page, tmp_path / "gauge.csv", GAUGE)
    click(qtbot, page.importer.use)
    controller.problem.edit("Read the dates", outputs=(FLOW, KEY))
    trial_run(page, engines, report("05/03/2024", "05/04/2024", "05/05/2024"))
    page.tabs.setCurrentIndex(1)
    page.matching.form.editor("key_output").choose("When")  # type: ignore[attr-defined]
    part = page.matching.mismatch
    assert part.message.words().endswith("such as 05/03/2024 00:00:00: by the dates on the other side that is 3 May 2024.")
    assert [words(b) for b in part.months if b.isVisible()] == ["It is 3 May 2024"]
    click(qtbot, part.months[0])
    assert page.status()[0] == "done", "told without another test run"
