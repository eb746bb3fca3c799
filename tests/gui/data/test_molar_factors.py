"""A program that prints amounts of substances, and a laboratory that measured their masses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, column, matches, opened, trial_run, words

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.units.molar_masses import common_substance, molar_mass, substance_in
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.units.changes import changes_of
from bayescope.gui.models.data.units.molar_factors import molar
from bayescope.gui.models.data.units.sides import Sides
from bayescope.gui.pages.data.page import DataPage

LAB = """t,Ca (mg/l),Na (mg/l),K (mg/l)
6,,102.2,15.5
12,,111.1,16.4
18,,110.6,23.3
20,,93.8,42.3
22,,73.2,88.0
24,15.4,37.4,113.0
26,74.7,10.9,47.6
28,89.9,3.55,18.3
32,108.5,0.45,3.40
36,104.7,,0.64
"""
COLUMN = """6 0 5.0e-3 4.0e-4
12 1e-25 4.3e-3 3.4e-4
18 5.6e-20 3.97e-3 3.2e-4
20 2e-17 3.93e-3 3.3e-4
22 8e-15 3.88e-3 3.6e-4
24 3e-12 3.73e-3 5.1e-4
26 9e-10 3.24e-3 1.0e-3
28 1.7e-7 2.2e-3 2.0e-3
32 3.0e-4 6.0e-4 2.6e-3
36 1.75e-3 4.6e-5 6.9e-4
"""  # mol/kgw: the front comes later than it did


@pytest.fixture
def problem() -> d.Problem:
    names = ("t", "Ca", "Na", "K")
    return msgspec.structs.replace(PROBLEM, outputs=tuple(column(n, i) for i, n in enumerate(names)))


def test_each_substance_has_its_molar_mass_where_a_front_passes(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", LAB)
    page.importer.use.click()
    trial_run(page, engines, COLUMN)
    page.tabs.setCurrentIndex(1)
    page.matching.show_comparison([m.output for m in matches(controller)].index("Ca"))
    assert "“Ca” seems to be in mol and “Ca (mg/l)” was measured in mg/l" in page.matching.units.words()
    page.matching.units._dismiss.click()
    assert {m.output: m.factor for m in matches(controller)} == {"Ca": 40078.0, "Na": 22990.0, "K": 39098.0}
    assert not page.matching.units.isVisible()


def test_one_click_above_the_page_gives_each_substance_its_own(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", LAB)
    page.importer.use.click()
    trial_run(page, engines, COLUMN)
    assert "1 mol of Ca is 40.078 g. So are “Na” and “K”, in theirs." in page.message.words()
    assert words(page.message._button) == "Multiply all 3, each by its molar mass"
    page.message._button.click()
    assert {m.output: m.factor for m in matches(controller)} == {"Ca": 40078.0, "Na": 22990.0, "K": 39098.0}


def test_a_factor_that_is_typed_for_one_substance_is_not_another_ones(
    page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path
) -> None:
    opened(page, tmp_path / "lab.csv", LAB)
    page.importer.use.click()
    trial_run(page, engines, COLUMN)
    at = [m.output for m in matches(controller)].index("Ca")
    typed = controller.problem.declared
    assert isinstance(typed.meaning, d.Predictions)
    mended = list(typed.meaning.matches)
    mended[at] = msgspec.structs.replace(mended[at], factor=40080.0)
    meaning = msgspec.structs.replace(typed.meaning, matches=tuple(mended))
    found = changes_of(msgspec.structs.replace(typed, meaning=meaning), page.trial.report)
    assert at not in found
    assert sorted(c.times for c in found.values()) == [22990.0, 39098.0]


def test_an_element_is_compared_with_its_name_whatever_the_sizes() -> None:
    columns = ["Calcium (mg/l)", "Natrium (mg/l)", "Kalium (mg/l)", "Chlorid (mg/l)", "Eisen (mg/l)"]
    assert names_told(["Fe", "K", "Na", "Ca", "Cl"], columns) == dict(zip(["Ca", "Na", "K", "Cl", "Fe"], columns, strict=True))
    assert names_told(["Ca_in", "Ca_out"], ["Calcium (mg/l)"]) == {}


def test_a_prediction_that_is_near_zero_before_a_front_tells_no_factor() -> None:
    clear = np.ones(6, dtype=bool)
    before = Sides(np.full(6, 50.0), np.array([1e-20, 1e-15, 1e-12, 1e-9, 1e-7, 1e-3]), clear, True)
    assert before.power is None
    even = Sides(np.full(6, 50.0), np.array([5e-5, 4e-5, 6e-5, 5e-5, 5e-5, 1e-12]), clear, True)
    assert even.power == pytest.approx(6.0, abs=0.1)


@pytest.mark.parametrize(("name", "formula"), [
    ("Ca", "Ca"), ("Calcium (mg/l)", "Ca"), ("Ca+2", "Ca"), ("Ca(mol/kgw)", "Ca"), ("Sulfat [mg/L]", "SO4"), ("SO4-2", "SO4"),
    ("Fer", "Fe"), ("Eisen", "Fe"), ("K_sat", ""), ("NO3-N", ""), ("m_CaX2", ""),
])  # fmt: skip
def test_names_tell_the_substance(name: str, formula: str) -> None:
    assert substance_in(name) == formula


def test_a_lone_letter_is_no_element_unless_the_other_name_says_so() -> None:
    assert (common_substance("K", "k measured"), common_substance("K", "Kalium")) == ("", "K")
    assert common_substance("Ca", "Natrium") == ""


def test_molar_masses_are_sums_of_atomic_weights() -> None:
    assert molar_mass("SO4") == pytest.approx(96.06, abs=0.01)
    assert molar_mass("NO3") == pytest.approx(62.005, abs=0.002)
    assert molar_mass("HCO3") == pytest.approx(61.017, abs=0.002)


@pytest.mark.parametrize(("output", "column", "factor"), [
    ("Ca(mol/kgw)", "Calcium (mg/l)", 40078.0), ("Ca [mmol/l]", "Ca [mg/L]", 40.078), ("Na (mol/l)", "Na (g/l)", 22.99),
    ("Cl (mmol/l)", "Chlorid (µg/l)", 35450.0), ("Ca (mg/l)", "Calcium (mg/l)", None), ("Ca", "Calcium (mmol/l)", None),
    ("Ca (mg/l)", "Calcium (mmol/l)", 1 / 40.078), ("Glucose (mg/dl)", "Glucose (mmol/L)", 10 / 180.156),
    ("G", "Glucose (mmol/L)", 10 / 180.156), ("glc (mmol/l)", "Glucose [mg/dL]", 18.0156), ("G (kg)", "Glucose (mmol/L)", None),
])  # fmt: skip
def test_the_factor_is_that_between_both_units(output: str, column: str, factor: float | None) -> None:
    found = molar(PROBLEM, d.Match(output=output, column=column))
    assert (None if found is None else found.factor) == (factor if factor is None else pytest.approx(factor))
