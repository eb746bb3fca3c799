"""Percentages compared with fractions, and a factor that one row in many hides: both are asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.percent_names import is_percent
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

SHARES = (0.24, 0.088, 0.21, 0.19, 0.16, 0.13, 0.11, 0.098)  # the second as of a dry spell that the program exaggerates
MEASURED = (22.0, 13.3, 20.1, 18.0, 14.2, 11.0, 8.9, 7.0)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("t", 0), column("u", 1)))


def compared(page: DataPage, engines: list[Any], path: Path, heading: str, measured: tuple[float, ...]) -> None:
    opened(page, path, f"t,{heading}\n" + "".join(f"{k},{v}\n" for k, v in enumerate(measured, 1)))
    page.importer.use.click()
    trial_run(page, engines, "".join(f"{k} {v}\n" for k, v in enumerate(SHARES, 1)))


@pytest.mark.parametrize("unit", ["vol-%", "Vol.-%", "%", "wt%", "% v/v", "percent", "% (w/w)"])
def test_units_that_are_hundredths_are_known(unit: str) -> None:
    assert is_percent(unit)


@pytest.mark.parametrize("unit", ["", "mm", "m3/m3", "%/h", "% of control", "ppm", "dm"])
def test_other_units_are_none(unit: str) -> None:
    assert not is_percent(unit)


def test_percentages_against_fractions_are_asked_about_and_one_click_multiplies(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    compared(page, engines, tmp_path / "soil.csv", "u (vol-%)", MEASURED)
    assert "“u (vol-%)” was measured in vol-%, and all values of “u” lie between 0 and 1" in page.message.words()
    click(qtbot, page.message._button)
    assert [m.factor for m in matches(controller)] == [100.0]
    assert "fractions" not in page.message.words()


def test_nothing_is_asked_where_percentages_are_small_too(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    compared(page, engines, tmp_path / "soil.csv", "u (%)", tuple(3.0 * v for v in SHARES))
    assert [m.factor for m in matches(controller)] == [1.0]
    assert "fractions" not in page.message.words()


def test_a_factor_is_seen_though_one_row_in_many_is_off_by_itself(
    page: DataPage, engines: list[Any], tmp_path: Path
) -> None:
    off = tuple(1.2 * v if k != 1 else 0.03 * v for k, v in enumerate(MEASURED))
    compared(page, engines, tmp_path / "soil.csv", "u (mm)", off)
    assert "Nearly every value of “u” is some 100 times smaller than what was measured." in page.message.words()


def test_no_factor_is_seen_where_many_rows_are_off_by_others(page: DataPage, engines: list[Any], tmp_path: Path) -> None:
    off = tuple(1.2 * v if k % 3 else 0.03 * v for k, v in enumerate(MEASURED))
    compared(page, engines, tmp_path / "soil.csv", "u (mm)", off)
    assert "times smaller" not in page.message.words()
