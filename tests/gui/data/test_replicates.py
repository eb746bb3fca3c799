"""One column for each repeated measurement: the output of the first predicts the others too, at one button."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

PRINTED = "0 1.0 9\n1 0.9 9\n5 0.6 9\n10 0.1 9\n"


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("u", 1),))


def compared_first(page: DataPage, tmp_path: Path, engines: list[Any], table: str) -> None:
    opened(page, tmp_path / "plate.csv", table)
    page.importer.use.click()
    data = page.problem.declared.data
    assert data is not None
    first = next(c for c in data.columns if c != "dose")
    meaning = d.Predictions(matches=(d.Match(output="u", column=first),), noise=d.GaussianKnown(sd=0.1), aside=("dose",))
    page.problem.edit("x", meaning=meaning)
    trial_run(page, engines, PRINTED)


@pytest.mark.parametrize("names", [("rep 1", "rep 2", "rep 3"), ("OD_1", "OD_2", "OD_3"), ("run A", "run B", "run C")])
def test_repeated_measurements_are_compared_with_the_same_output(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], names: tuple[str, ...]
) -> None:
    table = f"dose;{';'.join(names)}\n0;1,02;0,98;1,05\n1;0,91;0,88;0,95\n5;0,55;0,61;0,58\n10;0,12;0,15;0,11\n"
    compared_first(page, tmp_path, engines, table)
    assert page.message.words() == "Compare the 2 repeated measurements too?"
    assert words(page.message._button) == "Compare them too"
    click(qtbot, page.message._button)
    assert [(m.output, m.column) for m in matches(controller)] == [("u", name) for name in names]
    assert page.trial.unfit() is None


def test_columns_that_hold_other_values_are_no_repeated_measurements(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    compared_first(page, tmp_path, engines, "dose;u 1;u 2\n0;1,02;0,1\n1;0,91;3,0\n5;0,55;2,5\n10;0,12;0,9\n")
    assert "too?" not in page.message.words()
