"""One output, one factor: all its comparisons in one unit are asked about and multiplied together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from crop_pages import CROP, REPEATS, of_output, taken
from data_pages import matches
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.taking_part import set_aside
from bayescope.gui.pages.data.line_words import line_words
from bayescope.gui.pages.data.page import DataPage

pytestmark = pytest.mark.window


@pytest.fixture
def problem() -> d.Problem:
    return CROP


OTHERS = ("Biomass", "th5", "Biomass (t/ha)", "SW 40-50 (mm)", "CC I (%)", "CC III (%)")


def test_one_output_gets_one_factor_in_all_its_comparisons_and_their_columns_are_named(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, *(("CC", name, 1.0) for name in REPEATS), ("th5", "SW 40-50 (mm)", 1.0))
    for row in range(3):
        page.matching.show_comparison(row)
        QApplication.processEvents()
        said = page.matching.units.words()
        assert all(name in said for name in REPEATS), said
        assert "SW 40-50" in page.matching.units.suggestion(), "all 4 are changed by the second button"
        assert "“CC”, “CC”" not in said
    page.matching.units._button.click()
    assert of_output(controller, "CC") == [(name, 100.0) for name in REPEATS]
    assert of_output(controller, "th5") == [("SW 40-50 (mm)", 1.0)]


def test_a_comparison_in_another_unit_than_its_sibling_of_the_same_output_is_asked_about(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, ("CC", "CC I (%)", 100.0), ("CC", "CC II (%)", 1.0))
    page.matching.show_comparison(1)
    QApplication.processEvents()
    assert "CC I (%)" in page.matching.units.words()
    page.matching.units._button.click()
    assert of_output(controller, "CC") == [("CC I (%)", 100.0), ("CC II (%)", 100.0)]


def test_all_columns_in_doubt_are_counted_below_the_picture(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    pairs = [("Biomass", "Biomass (t/ha)", 1.0), *(("CC", name, 1.0) for name in REPEATS)]
    taken(page, engines, tmp_path, *pairs, ("th5", "SW 40-50 (mm)", 1.0))
    assert "and 4 more in the unit" in line_words(controller.problem.declared, page.trial, "")


def test_fractions_beside_per_cent_are_asked_about_before_the_errors_though_some_values_are_not_so_far_off(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, ("th2", "SW 15 (vol-%)", 1.0), ("CC", "CC II (%)", 1.0))
    said = "“SW 15 (vol-%)” was measured in vol-%, and all values of “th2” lie between 0 and 1: are they fractions?"
    controller.problem.edit("x", meaning=set_aside(controller.problem.declared, OTHERS).meaning)
    QApplication.processEvents()
    assert page.message.words().startswith(said)
    page.message._button.click()
    assert [m.factor for m in matches(controller)] == [100.0, 1.0]
    assert page.message.words().startswith("“CC II (%)” was measured in %, and all values of “CC” lie")
    page.message._button.click()
    assert [m.factor for m in matches(controller)] == [100.0, 100.0]
    assert page.message.words().startswith("How large are the errors")
