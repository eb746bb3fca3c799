"""Columns of repeated measurements that bear the name of an output (CC I, CC II, CC III): the name decides, none is guessed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from crop_pages import CROP, REPEATS, of_output, taken
from data_pages import words

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.partly import partly_words
from bayescope.gui.models.data.taking_part import set_aside
from bayescope.gui.pages.data.page import DataPage

pytestmark = pytest.mark.window


@pytest.fixture
def problem() -> d.Problem:
    return CROP


def test_the_proposal_keeps_an_output_with_the_columns_of_its_name(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path)
    found = page.matching.told.told(False).proposal
    assert found is not None
    lines = {line.output: line for line in found.lines}
    assert (lines["CC"].column, lines["CC"].why) == ("CC I (%)", "name")
    assert {lines[o].column for o in ("th2", "th5")} == {"SW 15 (vol-%)", "SW 40-50 (mm)"}


def test_compare_by_name_adds_every_repeated_measurement_as_its_siblings_are(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, ("Biomass", "Biomass (t/ha)", 0.001))
    page.matching.match_by_name()
    assert of_output(controller, "CC") == [(name, 1.0) for name in REPEATS]
    taken(page, engines, tmp_path, ("CC", "CC I (%)", 100.0))
    page.matching.match_by_name()
    assert sorted(of_output(controller, "CC")) == [(name, 100.0) for name in REPEATS]


def test_a_column_is_used_with_the_output_of_its_name_and_in_the_unit_of_its_sibling(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, ("Biomass", "Biomass (t/ha)", 0.001), ("CC", "CC I (%)", 100.0))
    assert "CC II (%)" in words(page.matching.message._button)
    page.matching.message._button.click()
    assert of_output(controller, "CC") == [("CC I (%)", 100.0), ("CC II (%)", 100.0)]
    assert of_output(controller, "th2") == []


def test_what_is_left_of_them_is_asked_for_with_its_output_before_anything_is_guessed(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, ("Biomass", "Biomass (t/ha)", 0.001), ("CC", "CC I (%)", 100.0))
    assert page.message.words() == "Compare the 2 repeated measurements too?"
    page.message._button.click()
    assert of_output(controller, "CC") == [(name, 100.0) for name in REPEATS]


def test_of_repeated_measurements_left_it_is_said_which_output_may_predict_them(
    page: DataPage, tmp_path: Path, engines: list[Any]
) -> None:
    taken(page, engines, tmp_path, ("CC", "CC I (%)", 100.0))
    others = ("Biomass", "th2", "th5", "Biomass (t/ha)", "SW 15 (vol-%)", "SW 40-50 (mm)")
    problem = set_aside(page.problem.declared, others)
    said = partly_words(problem, page.trial)
    assert said.few == "2 columns in no comparison"
    assert said.more == "Output “CC” may predict them too: compare them on the Data page, or say there that they do not count."
