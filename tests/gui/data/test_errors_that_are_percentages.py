"""Errors that are percentages of their values are taken so on every path, and asked about where only their size says it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened, words
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.archive.import_columns import ERRORS
from bayescope.gui.models.data.errors.errors_in_units import like_percentages
from bayescope.gui.pages.data.page import DataPage

pytestmark = pytest.mark.window


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("u", 1), column("v", 2)))


@pytest.mark.parametrize("heading", ["spread (% of value)", "scatter [%]", "repeatability, % of reading", "RSD (%)"])
def test_a_column_that_is_said_to_hold_errors_is_counted_in_the_unit_of_its_values(
    page: DataPage, controller: SessionController, tmp_path: Path, heading: str
) -> None:
    opened(page, tmp_path / "m.csv", f"n\tu (V)\tv (A)\t{heading}\n1\t800\t3\t4\n5\t500\t4\t3\n3\t20\t2\t5\n")
    page.importer.used.say(heading, ERRORS)
    made = page.importer.used.made()
    assert made is not None
    assert made.columns["v sd (A)"] == pytest.approx((0.12, 0.12, 0.1))
    assert f"Column “{heading}” is taken for percent of “v (A)”: 4 % of 3 is 0.12." in page.importer.message.words()
    page.importer.use.click()
    assert {m.output: m.sd_column for m in matches(controller)}["v"] == "v sd (A)"


def with_errors(page: DataPage, controller: SessionController, sds: str, cells: tuple[float, ...], name: str = "U [V]") -> None:
    declared = controller.problem.declared
    table = d.DataTable(columns={name: (0.5, 2.0, 1.0, 0.8), sds: cells})
    meaning = d.Predictions(matches=(d.Match(output="u", column=name, sd_column=sds),), noise=d.GaussianKnown())
    controller.problem.replace(msgspec.structs.replace(declared, data=table, meaning=meaning), "x")
    page.tabs.setCurrentIndex(1)
    QApplication.processEvents()
    page.matching.show_comparison(0)


def button(page: DataPage, text: str) -> QPushButton:
    return next(b for b in page.matching.units.findChildren(QPushButton) if words(b) == text)


@pytest.mark.parametrize("sds", ["spread (% of value)", "spread (%)", "spread, rel. sd"])
def test_those_of_values_without_a_unit_are_asked_about_too(
    qtbot: QtBot, page: DataPage, controller: SessionController, sds: str
) -> None:
    with_errors(page, controller, sds, (4.0, 4.0, 3.0, 5.0), "Abs")
    assert f"“{sds}” holds errors in % of each value, and “Abs” is not" in page.matching.units.words()
    click(qtbot, button(page, "Count them in the unit of the values"))
    data = controller.problem.declared.data
    assert data is not None
    assert list(data.columns.values())[1] == pytest.approx((0.02, 0.08, 0.03, 0.04))


def test_errors_larger_than_their_values_are_asked_about(qtbot: QtBot, page: DataPage, controller: SessionController) -> None:
    with_errors(page, controller, "u sd (V)", (4.0, 4.0, 3.0, 5.0))
    assert "The errors in “u sd (V)” are larger than most of the values in “U [V]”" in page.matching.units.words()
    assert "4 % of 0.5 is 0.02" in page.matching.units.suggestion()
    click(qtbot, button(page, "They are percentages"))
    data = controller.problem.declared.data
    assert data is not None
    assert data.columns["u sd (V)"] == pytest.approx((0.02, 0.08, 0.03, 0.04))


def test_that_they_are_in_the_unit_of_the_values_ends_the_question(
    qtbot: QtBot, page: DataPage, controller: SessionController
) -> None:
    with_errors(page, controller, "u sd (V)", (4.0, 4.0, 3.0, 5.0))
    assert "larger than most of the values" in page.message.words()
    assert words(page.message._dismiss) == "They are in the unit of the values"
    click(qtbot, page.message._dismiss)
    assert "larger than most of the values" not in page.message.words()
    assert not page.matching.units.isVisible()


def test_sizes_tell_percentages_from_large_errors() -> None:
    assert like_percentages((5.0, 5.0, 5.0), (1.0, 2.0, 8.0))
    assert not like_percentages((5.5, 5.5, 5.5), (1.0, 2.0, 8.0))
    assert not like_percentages((5.0, 5.0, 5.0), (10.0, 2.0, 8.0))
    assert not like_percentages((5.0, 5.0, 5.0), (1.0, -2.0, 1.0)), "about zero errors are larger than values"
    assert not like_percentages((5.0, 5.0), (1.0, 2.0))
