"""Before any test run nobody knows whether rows in order are those of the places of the data: Run asks for one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.data.page import DataPage

TABLE = "time (s);v\n1;2.1\n2;4.1\n3;6.1\n4;8.1\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(
        PROBLEM, outputs=(column("v", 1),),
        meaning=d.Predictions(matches=(d.Match(output="v", column="v"),), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


def imported(page: DataPage, folder: Path) -> None:
    opened(page, folder / "a.csv", TABLE)
    page.importer.use.click()


def test_run_waits_for_a_test_run_and_the_data_page_makes_one(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    imported(page, tmp_path)
    assert matches(controller)[0].keys == ()
    assert "no test run has shown that the program's are those of “time (s)”" in page.message.words()
    assert page.status() == ("todo", "Are the rows in the right order?")
    assert step_status(controller, "run")[0] == "locked"
    assert words(page.message._button) == "Test run"
    before = len(engines)
    click(qtbot, page.message._button)
    assert len(engines) > before
    page.trial.cancel()


@pytest.mark.parametrize(("start", "opens"), [(1, True), (0, False)])
def test_a_test_run_opens_run_unless_it_speaks_against_the_order(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], start: int, opens: bool
) -> None:
    imported(page, tmp_path)
    trial_run(page, engines, "".join(f"{start + k} {2 * (start + k)}\n" for k in range(4)))
    assert (step_status(controller, "run")[0] != "locked") is opens, page.message.words()
    assert ("The order of the rows contradicts" in page.message.words()) is not opens


def test_one_click_says_that_the_order_is_right(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    imported(page, tmp_path)
    page.message.dismissed.emit()
    assert "no test run has shown" not in page.message.words()
    assert step_status(controller, "run")[0] != "locked"


def test_rows_that_a_key_pairs_need_no_test_run(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    controller.problem.edit("x", outputs=(column("t", 0), column("v", 1)))
    imported(page, tmp_path)
    keyed = d.Match(output="v", column="v", key_output="t", key_column="time (s)")
    page.problem.edit("x", meaning=d.Predictions(matches=(keyed,), noise=d.GaussianKnown(sd=0.1)))
    assert "no test run has shown" not in page.message.words()
    assert step_status(controller, "run")[0] != "locked"
