"""A program and a laboratory that give the same quantity in two units."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, words
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import compare_match
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.window.main_window import MainWindow

MEASURED = "t,u,v\n1,100,5\n2,180,6\n3,250,7\n"  # u in umol/L
PRINTED = "1 2e-5 4\n2 3e-5 5\n3 4e-5 9\n"  # u in mol/kg, at values that give a fifth of what was measured


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("t", 0), column("u", 1), column("v", 2)))


@pytest.fixture
def size() -> tuple[int, int]:
    return 1000, 720


def test_the_page_asks_for_the_unit_and_a_button_multiplies_the_output(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", MEASURED)
    page.importer.use.click()
    assert "unit" not in page.test_words.text()
    trial_run(page, engines, PRINTED)
    assert page.test_words.text().startswith("Is “u” in the unit of the program?")
    page.tabs.setCurrentIndex(1)
    shown = [m.output for m in matches(controller)]
    page.matching.show_comparison(shown.index("v"))
    assert not page.matching.units.isVisible()
    assert page.plot._which.currentText() == "v", "the picture shows the comparison that is looked at"
    page.matching.show_comparison(shown.index("u"))
    assert "some 6,000,000 times smaller" in page.matching.units.words(), "as it was seen"
    click(qtbot, next(b for b in page.matching.units.findChildren(QPushButton) if "ultiply by 1000000" in b.text()))
    assert {m.output: m.factor for m in matches(controller)} == {"u": 1e6, "v": 1.0}
    assert not page.matching.units.isVisible()
    assert "unit" not in page.test_words.text()


def test_the_page_says_it_in_its_message_and_one_click_mends_it(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", MEASURED)
    page.importer.use.click()
    trial_run(page, engines, PRINTED)
    assert "some 6,000,000 times smaller than what was measured" in page.message.words()
    assert any("1,000,000 is the nearest factor that is usual" in part.text() for part in page.message.findChildren(QLabel))
    assert page.status() == ("todo", "Is an output in another unit?"), "as the start asks"
    click(qtbot, page.message._button)
    assert {m.output: m.factor for m in matches(controller)} == {"u": 1e6, "v": 1.0}
    assert "1,000,000" not in page.message.words()


def test_that_the_factor_is_right_is_said_once(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", MEASURED)
    page.importer.use.click()
    trial_run(page, engines, PRINTED)
    click(qtbot, page.message._dismiss)
    trial_run(page, engines, PRINTED)
    assert "1,000,000" not in page.message.words()


@pytest.mark.window
def test_the_button_for_all_such_outputs_goes_and_nothing_scrolls(
    qtbot: QtBot, controller: SessionController, engines: list[Any], tmp_path: Path, put_away: Callable[[list[Any]], None]
) -> None:
    made = [MainWindow(controller)]
    made[0].resize(1024, 700)
    made[0].show()
    made[0].go("data")
    page = made[0].page("data")
    opened(page, tmp_path / "lab.csv", MEASURED)
    page.importer.use.click()
    trial_run(page, engines, "1 2e-5 4e-6\n2 3e-5 5e-6\n3 4e-5 9e-6\n")
    page.tabs.setCurrentIndex(1)
    made[0].activateWindow()
    qtbot.waitUntil(made[0].isActiveWindow)
    area, every = page.matching.area, page.matching.units._dismiss
    bar = area.verticalScrollBar()
    assert (every.text(), bar.value()) == ("Multiply both by 1000000", 0)
    assert bar.maximum() > 100, "there is somewhere to scroll to"
    every.setFocus(Qt.FocusReason.MouseFocusReason)
    area.ensureWidgetVisible(every)
    QApplication.processEvents()
    before = bar.value()
    click(qtbot, every)
    assert {m.output: m.factor for m in matches(controller)} == {"u": 1e6, "v": 1e6}
    assert not every.isVisible()
    assert bar.value() == before
    assert made[0].focusWidget() is page.matching.table
    put_away(made)


def test_predictions_and_the_curve_are_in_the_unit_of_the_data() -> None:
    data = d.DataTable(columns={"t": (1.0, 2.0), "u": (100.0, 180.0)})
    match = d.Match(output="u", column="u", key_output="t", key_column="t", factor=1e6)
    found = compare_match(match, data, {"t": np.array([2.0, 1.0]), "u": np.array([3e-5, 2e-5])})
    np.testing.assert_allclose(found.prediction, (20.0, 30.0))
    np.testing.assert_allclose(found.curve, (30.0, 20.0))


def test_what_has_a_unit_of_another_quantity_is_no_temperature(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", "t,u (mm/kyr),v\n1,285,5\n2,249,6\n3,264,7\n")
    page.importer.use.click()
    trial_run(page, engines, "1 2.1e-4 4\n2 2.5e-4 5\n3 2.2e-4 9\n")
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison([m.output for m in matches(controller)].index("u"))
    assert page.matching.units.words() == "Every value of “u” is some 1,000,000 times smaller than what was measured."


def test_kelvins_against_degrees_celsius_are_asked_for_and_a_button_adds_the_difference(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", "t,u,v\n1,20.5,5\n2,0,6\n3,41,7\n")
    page.importer.use.click()
    trial_run(page, engines, "1 300 4\n2 280 5\n3 320 9\n")
    page.tabs.setCurrentIndex(1)
    shown = [m.output for m in matches(controller)]
    page.matching.show_comparison(shown.index("u"))
    assert "as kelvins are against degrees Celsius" in page.matching.units.words()
    click(qtbot, next(b for b in page.matching.units.findChildren(QPushButton) if "Add -273.15" in b.text().replace("&", "")))
    assert {m.output: (m.factor, m.offset) for m in matches(controller)} == {"u": (1.0, -273.15), "v": (1.0, 0.0)}
    assert not page.matching.units.isVisible()


def test_what_is_added_to_an_output_is_in_the_unit_of_the_data() -> None:
    table = d.DataTable(columns={"u": (20.0, 25.0)})
    match = d.Match(output="T", column="u", factor=2.0, offset=-273.15)
    compared = compare_match(match, table, {"T": np.array([146.0, 149.0])})
    assert compared.prediction == pytest.approx([18.85, 24.85])


METRES = "1 0.02 0.04\n2 0.03 0.05\n3 0.04 0.09\n"
WELLS = "t,u (m),v (cm)\n1,0.1,5\n2,0.18,6\n3,0.25,7\n"


def test_headings_with_two_units_of_one_kind_are_asked_about_and_the_offered_factor_follows_from_them(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", WELLS)
    page.importer.use.click()
    page.tabs.setCurrentIndex(1)
    shown = [m.output for m in matches(controller)]
    page.matching.show_comparison(shown.index("u"))
    assert not page.matching.units.isVisible(), "of two units only one is another than the program's"
    page.matching.show_comparison(shown.index("v"))
    assert "“v (cm)” was measured in cm and “u (m)” in m. Does the program write both" in page.matching.units.words()
    trial_run(page, engines, METRES)
    assert "“v (cm)” was measured in cm" in page.message.words()
    assert page.status()[0] == "todo"
    controller.problem.edit("x", meaning=with_factor(controller, "v", 0.01))  # as a newcomer typed it
    words = page.matching.units.words()
    click(qtbot, next(b for b in page.matching.units.findChildren(QPushButton) if b.text() == "M&ultiply v by 100"))
    assert {m.output: m.factor for m in matches(controller)} == {"u": 1.0, "v": 100.0}
    assert "10,000" not in words
    assert not page.matching.units.isVisible()
    assert page.matching.details.words.text().startswith("100 × v compared with v (cm)")
    assert "“u (m)” and of “v (cm)”, which are in other units" in page.message.words(), "one size is of both"
    click(qtbot, next(b for b in page.message.findChildren(QPushButton) if b.text() == "It is of a&ll"))
    assert page.status()[0] == "done"


def test_the_unit_in_an_output_s_own_name_says_the_factor_before_any_run_and_a_no_is_kept(
    page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    outputs = (column("t", 0), column("u_mm", 1))
    known = d.GaussianKnown(sd=0.1)
    controller.problem.edit("x", outputs=outputs, meaning=d.Predictions(matches=(), noise=known))
    opened(page, tmp_path / "lab.csv", "t,u [m]\n1,0.1\n2,0.18\n3,0.25\n")
    page.importer.use.click()
    if not matches(controller):
        controller.problem.edit("x", meaning=d.Predictions(matches=(d.Match(output="u_mm", column="u [m]"),), noise=known))
    assert "“u_mm” is in mm, as it says, and “u [m]” was measured in m. It is taken as it is." in page.message.words()
    page.message.dismissed.emit()
    assert "u_mm" not in page.message.words()
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    assert not page.matching.units.isVisible()
    assert matches(controller)[0].factor == 1.0


def with_factor(controller: SessionController, output: str, factor: float) -> d.Meaning:
    changed = tuple(msgspec.structs.replace(m, factor=factor) if m.output == output else m for m in matches(controller))
    return msgspec.structs.replace(controller.problem.declared.meaning, matches=changed)


def test_bar_against_gpa_is_said_to_be_ten_thousand_times(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", "t,u\n1,75.1\n2,66.7\n3,54.7\n")
    page.importer.use.click()
    trial_run(page, engines, "1 704064 0\n2 601877 0\n3 504020 0\n")
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison(0)
    assert "some 10,000 times larger than what was measured" in page.matching.units.words()
    click(qtbot, next(b for b in page.matching.units.findChildren(QPushButton) if "ultiply by 0.0001" in b.text()))
    assert matches(controller)[0].factor == 1e-4


def test_one_button_multiplies_all_outputs_that_are_compared_in_one_unit_and_off_alike(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    names = ("UY_LC1", "UY_LC2", "UX_LC2")
    problem = msgspec.structs.replace(controller.problem.declared, outputs=tuple(column(n, k) for k, n in enumerate(names)))
    controller.problem.replace(problem, "outputs")
    head = ",".join(f"{n} [µm]" for n in names)
    opened(page, tmp_path / "lab.csv", f"{head}\n-107.6,-109.5,-38.4\n-1980,-1476,219.9\n")
    page.importer.use.click()
    trial_run(page, engines, "-0.1 -0.12 -0.04\n-1.8 -1.4 0.25\n")
    assert "“UY_LC2” and “UX_LC2”" in page.message.words()
    controller.problem.replace(thousandfold(controller.problem.declared, "UY_LC1"), "Another unit")
    assert "“UY_LC1”, also compared in μm, is multiplied so already" in page.message.words().replace("µ", "μ")
    assert page.status()[0] != "done", "what one comparison says of a unit is asked of the others"
    click(qtbot, next(b for b in page.message.findChildren(QPushButton) if words(b) == "Multiply both by 1000"))
    assert {m.output: m.factor for m in matches(controller)} == dict.fromkeys(names, 1000.0)
    assert page.status()[0] == "done"


def test_a_unit_is_asked_before_what_is_only_said_of_errors(
    qtbot: QtBot, page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    names = ("W1", "W3")
    problem = msgspec.structs.replace(controller.problem.declared, outputs=tuple(column(n, k) for k, n in enumerate(names)))
    controller.problem.replace(problem, "outputs")
    head = ",".join(f"{n} [µg/L]" for n in names)
    opened(page, tmp_path / "lab.csv", f"{head}\n0.25,0.3\n510,640\n")
    page.importer.use.click()
    trial_run(page, engines, "0.00031 0.00024\n0.62 0.51\n")
    changed = thousandfold(controller.problem.declared, "W1")
    assert isinstance(changed.meaning, d.Predictions)
    meaning = msgspec.structs.replace(changed.meaning, noise=d.GaussianKnown(percent=5.0))
    controller.problem.replace(msgspec.structs.replace(changed, meaning=meaning), "Another unit, 5 %")
    assert "“W1”, also compared in μg/L, is multiplied so already" in page.message.words().replace("µ", "μ")
    assert page.status()[0] != "done"
    click(qtbot, next(b for b in page.message.findChildren(QPushButton) if "ultiply by 1000" in words(b)))
    assert {m.output: m.factor for m in matches(controller)} == dict.fromkeys(names, 1000.0)
    assert "The smallest error of “W1 [µg/L]” is 0.013" in page.message.words().replace("μ", "µ")
    assert page.status()[0] == "done"


def thousandfold(problem: d.Problem, output: str) -> d.Problem:
    meaning = problem.meaning
    assert isinstance(meaning, d.Predictions)
    changed = tuple(msgspec.structs.replace(m, factor=1000.0) if m.output == output else m for m in meaning.matches)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=changed))
