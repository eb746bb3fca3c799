"""A Touchstone file beside a program that prints real and imaginary parts: decibels are not compared with these in silence."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import click, column, matches, opened, trial_run, words
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

S1P = "! antenna\n# GHz S DB R 50\n1.0 -20 0\n2.0 -6.0206 90\n3.0 0 180\n"


def compared(page: DataPage, controller: SessionController, tmp_path: Path, *pairs: tuple[str, str]) -> None:
    names = tuple(output for output, _ in pairs)
    outputs = tuple(column(n, k) for k, n in enumerate(names))
    controller.problem.replace(msgspec.structs.replace(controller.problem.declared, outputs=outputs), "outputs")
    opened(page, tmp_path / "antenna.s1p", S1P)
    page.importer.use.click()
    meaning = controller.problem.declared.meaning
    found = tuple(d.Match(output=o, column=c) for o, c in pairs)
    controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=found))
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    QApplication.processEvents()


def button(page: DataPage, text: str) -> QPushButton:
    return next(b for b in page.matching.units.findChildren(QPushButton) if words(b) == text)


def test_decibels_and_degrees_become_real_and_imaginary_parts(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    compared(page, controller, tmp_path, ("S11_re", "S11 [dB]"), ("S11_im", "S11 angle [deg]"))
    assert "“S11_re” is a real part, as it says, and “S11 [dB]” in decibels." in page.matching.units.words()
    assert page.status()[0] == "todo"
    click(qtbot, button(page, "Convert both"))
    assert [m.column for m in matches(controller)] == ["S11 real", "S11 imaginary"]
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["S11 real"] == pytest.approx((0.1, 0.0, -1.0), abs=1e-6)
    assert data.columns["S11 imaginary"] == pytest.approx((0.0, 0.5, 0.0), abs=1e-6)
    assert not page.matching.units.isVisible()


def test_a_magnitude_beside_decibels_is_no_other_sign(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list, tmp_path: Path
) -> None:
    compared(page, controller, tmp_path, ("S11_mag", "S11 [dB]"))
    trial_run(page, engines, "0.1\n0.4\n0.9\n")
    page.matching.show_comparison(0)
    assert "opposite sign" not in page.matching.units.words()
    click(qtbot, button(page, "Convert to magnitudes"))
    assert matches(controller)[0].column == "S11 magnitude"
    assert matches(controller)[0].factor == 1.0


def test_a_part_that_the_table_does_not_tell_is_asked_for_without_a_button(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    compared(page, controller, tmp_path, ("S11_re", "S11 [dB]"))
    problem = controller.problem.declared
    assert problem.data is not None
    alone = {n: c for n, c in problem.data.columns.items() if "angle" not in n}
    controller.problem.replace(msgspec.structs.replace(problem, data=d.DataTable(columns=alone)), "x")
    page.matching.show_comparison(0)
    assert "Choose a column of the same part" in page.matching.units._suggestion.text()
    page.tabs.setCurrentIndex(0)
    QApplication.processEvents()
    assert "is a real part, as it says" in page.message.words()
    click(qtbot, page.message._button)
    assert controller.problem.declared.data == d.DataTable(columns=alone), "the button only shows the comparison"
    assert page.tabs.currentIndex() == 1
    assert not [b for b in page.matching.units.findChildren(QPushButton) if b.isVisible() and "Convert" in b.text()]
