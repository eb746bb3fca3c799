"""Outputs that count the other way than what was measured, and one factor for outputs of a file in one unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, matches, opened, trial_run, words
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.fits_words import FITS
from bayescope.gui.pages.data.page import DataPage

NAMES = ("D1_LF1", "D2_LF1", "D4_LF1", "D1_LF2", "D2_LF2", "D4_LF2")
UNITS = ",".join("mm" for _ in NAMES)
SDS = ("0.04", "0.04", "0.02") * 2
HEADING = ",".join(f"{n} (mm),{n} sd (mm)" for n in NAMES)


def table(*values: str) -> str:
    return f"{HEADING}\n{','.join(f'{v},{s}' for v, s in zip(values, SDS, strict=True))}\n"


def printed(*values: float) -> str:
    return "".join(f"{n} = {v}\n" for n, v in zip(NAMES, values, strict=True))


def labelled(name: str) -> d.Output:
    return d.Output(name=name, source="res.txt", extractor=d.LabelledNumber(label=f"{name} ="), length=1)


@pytest.fixture
def problem() -> d.Problem:
    meaning = d.Predictions(matches=(), noise=d.GaussianKnown())
    return msgspec.structs.replace(PROBLEM, outputs=tuple(labelled(n) for n in NAMES), meaning=meaning)


def factors(controller: SessionController) -> dict[str, float]:
    return {m.output: m.factor for m in matches(controller)}


def button(page: DataPage, text: str) -> QPushButton:
    buttons = {words(b): b for b in page.message.findChildren(QPushButton)}
    assert text in buttons, page.message.words()
    return buttons[text]


@pytest.mark.parametrize("nothing", ["-0.06", "0.00"])
def test_one_click_for_the_unit_and_one_for_the_signs_make_all_comparisons_right(
    nothing: str, qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", table("3.13", "6.00", "0.68", nothing, "0.87", "2.04"))
    page.importer.use.click()
    # what is measured as nearly nothing is predicted as 6 micrometres: no factor can be read off
    trial_run(page, engines, printed(2.9e-3, 5.5e-3, -0.7e-3, -6e-6, 0.9e-3, -2.2e-3))
    said = page.message.words()
    assert "Every value of “D1_LF1” is some 1,000 times smaller than what was measured. So are “D2_LF1” and “D2_LF2”" in said
    assert "“D1_LF2” is in the same unit, too near zero to tell" in said
    assert "D4_LF1" not in said
    click(qtbot, button(page, "Multiply all 4 by 1000"))
    said = page.message.words()
    assert "“D4_LF1” is some 1,000 times smaller than what was measured, and has the opposite sign" in said
    assert "So is “D4_LF2”. “D1_LF1”, also compared in mm, is multiplied by 1000 already." in said
    assert page.status()[0] != "done"
    click(qtbot, button(page, "Multiply both by -1000"))
    assert factors(controller) == dict.fromkeys(("D1_LF1", "D2_LF1", "D1_LF2", "D2_LF2"), 1e3) | dict.fromkeys(
        ("D4_LF1", "D4_LF2"), -1e3
    )
    assert page.message.words().count("sign") == page.message.words().count("times") == 0
    assert page.status()[0] == "done"


def test_a_sign_that_is_opposite_beyond_the_errors_is_asked_about_and_never_called_fitting(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", table("3.13", "6.00", "0.68", "-0.06", "0.87", "2.04"))
    page.importer.use.click()
    trial_run(page, engines, printed(2.9, 5.5, -0.7, 0.01, 0.9, -2.2))
    assert "“D4_LF1” has the opposite sign to what was measured. So has “D4_LF2”." in page.message.words()
    assert "D1_LF2" not in page.message.words(), "its sign is within its errors"
    assert page.status()[0] != "done"
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison([m.output for m in matches(controller)].index("D4_LF2"))
    calm = page.matching.details.calm
    assert calm.text() == "⚠  Every measured value has its predicted one, but the predictions have the opposite sign."
    page.matching.show_comparison([m.output for m in matches(controller)].index("D1_LF2"))
    assert calm.text() == FITS
    click(qtbot, button(page, "Multiply both by -1"))
    page.matching.show_comparison([m.output for m in matches(controller)].index("D4_LF2"))
    assert calm.text() == FITS
    assert factors(controller)["D4_LF2"] == -1.0


def test_that_the_sign_is_right_is_said_once(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", table("3.13", "6.00", "0.68", "-0.06", "0.87", "2.04"))
    page.importer.use.click()
    trial_run(page, engines, printed(2.9, 5.5, -0.7, 0.01, 0.9, -2.2))
    assert words(page.message._dismiss) == "The sign is right"
    click(qtbot, page.message._dismiss)
    trial_run(page, engines, printed(2.9, 5.5, -0.7, 0.01, 0.9, -2.2))
    assert "sign" not in page.message.words()
    assert page.status()[0] == "done"
    assert set(factors(controller).values()) == {1.0}


def test_an_output_near_zero_takes_the_factor_of_its_file_and_the_sign_of_its_place(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", table("3.13", "6.00", "0.68", "1.2", "0.87", "0.01"))
    page.importer.use.click()
    trial_run(page, engines, printed(2.9e-3, 5.5e-3, -0.7e-3, 1.1e-3, 0.9e-3, 8e-8))
    click(qtbot, button(page, "Multiply all 4 by 1000"))
    assert "“D4_LF2” is in the same unit, too near zero to tell" in page.message.words()
    click(qtbot, button(page, "Multiply both by -1000"))
    assert factors(controller)["D4_LF2"] == -1e3


def test_what_a_whole_file_is_off_by_is_one_factor_though_a_single_output_is_nearer_to_another(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", table("3.13", "6.00", "0.68", "1.2", "0.87", "2.04"))
    page.importer.use.click()
    trial_run(page, engines, printed(2.9e-3, 5.5e-3, 0.7e-3, 0.26e-3, 0.9e-3, 2.2e-3))  # D1_LF2: a factor of 4,600
    click(qtbot, button(page, "Multiply all 6 by 1000"))
    assert set(factors(controller).values()) == {1e3}


def test_an_output_that_was_left_out_is_given_the_factor_of_those_beside_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", table("3.13", "6.00", "0.68", "-0.06", "0.87", "2.04"))
    page.importer.use.click()
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    changed = tuple(m if m.output == "D1_LF2" else msgspec.structs.replace(m, factor=1e3) for m in meaning.matches)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=changed))
    trial_run(page, engines, printed(2.9e-3, 5.5e-3, 0.7e-3, -6e-6, 0.9e-3, 2.2e-3))
    assert "of the same file and also compared in mm, is multiplied by 1000. “D1_LF2” is taken as it is" in page.message.words()
    click(qtbot, button(page, "Multiply by 1000"))
    assert set(factors(controller).values()) == {1e3}
    assert page.status()[0] == "done"


def test_degrees_below_zero_have_no_direction(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    head = HEADING.replace("(mm)", "(°C)")
    opened(page, tmp_path / "lab.csv", f"{head}\n3,0.1,6,0.1,2,0.1,3,0.1,5,0.1,4,0.1\n")
    page.importer.use.click()
    trial_run(page, engines, printed(-3, -2, -4, -1, -3, -3))
    assert "sign" not in page.message.words()
