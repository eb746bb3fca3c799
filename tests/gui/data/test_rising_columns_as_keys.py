"""A first column that only rises is a key whatever it is called: strains, doses, angles; one button interpolates over it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run, words
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.keys.between_keys import between_keys
from bayescope.gui.pages.data.page import DataPage

GRID = [k / 100 for k in range(11)]
OFF_GRID = [0.012, 0.033, 0.051, 0.082]
SHIFTED = [*(x + 0.003 for x in GRID[:-1]), 0.0999]


def printed(one: str, two: str, places: Sequence[float] = GRID) -> str:
    return f"pull test\n\n {one}   {two}\n" + "".join(f" {x:.5f}  {200 * x - 300 * x * x:.5f}\n" for x in places)


def measured(one: str, two: str, places: Sequence[float]) -> str:
    return f"{one};{two}\n" + "".join(f"{x:.4f};{200 * x - 300 * x * x + 0.01:.3f}\n" for x in places)


@pytest.fixture
def problem() -> d.Problem:
    force = d.Region(anchor="pull test", columns=(2,), by="word", form="nn")
    return msgspec.structs.replace(PROBLEM, outputs=(d.Output(name="sig", source="res.txt", extractor=force),))


def compared(page: DataPage, tmp_path: Path, engines: list[Any], table: str, text: str) -> None:
    opened(page, tmp_path / "pull.csv", table)
    page.importer.use.click()
    meaning = d.Predictions(
        matches=(d.Match(output="sig", column=list(page.problem.declared.data.columns)[-1]),), noise=d.GaussianKnown(sd=0.1)
    )
    page.problem.edit("x", meaning=meaning)
    trial_run(page, engines, text)
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    QApplication.processEvents()


@pytest.mark.parametrize("names", [("strain", "stress"), ("Dehnung", "Spannung"), ("dose", "response")])
def test_other_places_than_those_printed_are_interpolated_over_at_one_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], names: tuple[str, str]
) -> None:
    compared(page, tmp_path, engines, measured(*names, OFF_GRID), printed("eps", "sig"))
    assert words(page.matching.mismatch.other) == f"Interpolate over {names[0]}"
    click(qtbot, page.matching.mismatch.other)
    match = matches(controller)[0]
    assert match.key_column == names[0]
    assert match.interpolate
    assert page.trial.unfit() is None


def test_as_many_rows_at_other_places_are_not_silently_taken_in_order(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    compared(page, tmp_path, engines, measured("strain", "stress", SHIFTED), printed("eps", "sig"))
    assert page.trial.unfit() is None, "as many"
    assert "contradicts “strain”: row 1, where it is 0.003" in page.message.words()
    assert "row 1, where it is 0.003" in page.matching.mismatch.message.words()
    click(qtbot, page.message._button)
    assert matches(controller)[0].interpolate
    assert page.message.level != "warning"


def test_the_order_of_other_places_can_be_said_to_be_right(
    qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    compared(page, tmp_path, engines, measured("strain", "stress", SHIFTED), printed("eps", "sig"))
    page.message.dismissed.emit()
    QApplication.processEvents()
    assert "contradicts" not in page.message.words()


@pytest.mark.parametrize("places", [GRID, [x + 0.0002 for x in GRID[:-1]] + [0.0999]])
def test_places_that_agree_are_left_in_order(
    page: DataPage, tmp_path: Path, engines: list[Any], places: list[float]
) -> None:
    compared(page, tmp_path, engines, measured("Dehnung", "stress", places), printed("eps", "sig"))
    assert "contradicts" not in page.message.words()


def test_places_in_another_unit_are_not_interpolated_over(page: DataPage, tmp_path: Path, engines: list[Any]) -> None:
    table = measured("Dehnung [%]", "stress", [100 * x for x in OFF_GRID])
    compared(page, tmp_path, engines, table, printed("eps", "sig"))
    assert between_keys(page.problem.declared, 0, page.trial.report) == []
    days = measured("Dehnung", "stress", [0.01 * x for x in OFF_GRID])  # in the range, squeezed in its first hundredth
    opened(page, tmp_path / "pull.csv", days)
    page.importer.use.click()
    assert between_keys(page.problem.declared, 0, page.trial.report) == []
