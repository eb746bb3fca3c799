"""Displacements downwards negative in metres and forces in newtons with pressure positive, measured in millimetres downwards and
in kilonewtons of tension: unit and sign are one answer, which is not asked about again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

MEASURED = "w1 [mm];w2 [mm];N [kN]\n2.6;2.0;41.4\n3.1;2.9;19.5\n2.5;3.5;-36.9\n1.8;4.1;-18.9\n"
PRINTED = "-2.2e-3 -1.4e-3 -36700\n-2.6e-3 -2.0e-3 -16200\n-2.0e-3 -2.4e-3 35400\n-1.5e-3 -3.2e-3 16500\n"


@pytest.fixture
def problem() -> d.Problem:
    units = {"w1": "m", "w2": "m", "N": "N"}
    outputs = tuple(msgspec.structs.replace(column(name, k), unit=unit) for k, (name, unit) in enumerate(units.items()))
    return msgspec.structs.replace(PROBLEM, outputs=outputs)


@pytest.fixture
def asked(page: DataPage, engines: list[Any], tmp_path: Path) -> DataPage:
    """The page with a comparison of each output, after a test run."""
    opened(page, tmp_path / "lab.csv", MEASURED)
    page.importer.use.click()
    trial_run(page, engines, PRINTED)
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    return page


def buttons(page: DataPage) -> dict[str, QPushButton]:
    return {words(b): b for b in page.matching.units.findChildren(QPushButton) if b.isVisible() and b.text()}


def test_one_click_gives_each_output_its_unit_and_its_sign(qtbot: QtBot, asked: DataPage, controller: SessionController) -> None:
    said = asked.matching.units.words()
    assert "was measured in mm, with the opposite sign. It is taken as it is. 2 more are in another unit" in said
    assert "Multiply w1 by -1000" in buttons(asked)
    assert "All 3, each as its unit and sign say" in buttons(asked)
    assert words(asked.message._button) == "All 3, each as its unit and sign say"
    click(qtbot, asked.message._button)
    assert [m.factor for m in matches(controller)] == [-1e3, -1e3, -1e-3]
    assert not asked.matching.units.isVisible()
    assert "sign" not in asked.message.words()


def test_a_factor_of_the_right_size_with_the_other_sign_is_no_question_of_units(
    qtbot: QtBot, asked: DataPage, controller: SessionController
) -> None:
    click(qtbot, buttons(asked)["Multiply w1 by -1000"])
    assert matches(controller)[0].factor == -1e3
    assert not asked.matching.units.isVisible()
    asked.matching.show_comparison(1)
    assert "Multiply w2 by -1000" in buttons(asked), "the others keep their question"


def test_a_sign_that_was_turned_before_stays_where_the_unit_is_mended(
    qtbot: QtBot, asked: DataPage, controller: SessionController
) -> None:
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    turned = tuple(msgspec.structs.replace(m, factor=-1.0) for m in meaning.matches)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=turned))
    asked.matching.show_comparison(0)
    assert "opposite" not in asked.matching.units.words()
    click(qtbot, buttons(asked)["All 3, each as its unit says"])
    assert [m.factor for m in matches(controller)] == [-1e3, -1e3, -1e-3]
