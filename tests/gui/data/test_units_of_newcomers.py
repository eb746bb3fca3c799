"""Units that newcomers had and that passed in silence, or were answered with another factor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import click, column, matches, opened, trial_run, words
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.units.offsets import common_offset, stated_offset
from bayescope.gui.pages.data.page import DataPage

Shown = Callable[..., DataPage]
UNKNOWN = np.full(3, np.nan)


@pytest.fixture
def shown(page: DataPage, controller: SessionController, engines: list[Any], tmp_path: Path) -> Shown:
    """The page with a test run of a program with outputs of these names, beside a table."""

    def made(table: str, printed: str, names: tuple[str, ...], pairs: dict[str, str], units: tuple[str, ...] = ()) -> DataPage:
        outputs = tuple(
            msgspec.structs.replace(column(n, k), unit=units[k] if units else "") for k, n in enumerate(names)
        )
        controller.problem.replace(msgspec.structs.replace(controller.problem.declared, outputs=outputs), "outputs")
        opened(page, tmp_path / "lab.csv", table)
        page.importer.use.click()
        meaning = controller.problem.declared.meaning
        found = tuple(d.Match(output=o, column=c) for o, c in pairs.items())
        controller.problem.edit("x", meaning=msgspec.structs.replace(meaning, matches=found))
        trial_run(page, engines, printed)
        page.tabs.setCurrentIndex(1)
        return page

    return made


def button(page: DataPage, text: str) -> QPushButton:
    return next(b for b in page.matching.units.findChildren(QPushButton) if words(b) == text)


def offered(page: DataPage) -> list[str]:
    return [words(b) for b in page.matching.units.findChildren(QPushButton) if b.isVisible() and b.text()]


@pytest.mark.parametrize("heading", ["U_conf / kcal mol⁻¹", "U (kcal mol-1)", "U [kcal mol^-1]", "U (kcal/mol)"])
def test_kilojoules_a_mole_against_kilocalories_a_mole_are_asked(
    qtbot: QtBot, shown: Shown, controller: SessionController, heading: str
) -> None:
    table = f"{heading};p / MPa\n-1.306;18.1\n-1.196;16.3\n-1.084;14.2\n-0.968;\n"
    page = shown(table, "-5.79 328\n-5.47 54\n-4.90 117\n-4.42 72\n", ("U", "P"), {"U": heading}, ("kJ/mol", "bar"))
    page.matching.show_comparison(0)
    assert "“U” is in kJ/mol, as it says" in page.matching.units.words()
    click(qtbot, button(page, "Multiply U by 0.239005736138"))
    assert matches(controller)[0].factor == pytest.approx(1 / 4.184)
    assert not page.matching.units.isVisible()


def test_a_column_in_nanomolar_beside_one_in_micromolar_is_asked(
    qtbot: QtBot, shown: Shown, controller: SessionController
) -> None:
    table = "A [µM];D [nM]\n69.5;551\n51.6;1394\n23.9;7450\n5.1;16212\n"
    page = shown(table, "60 0.02\n50 0.9\n20 5.5\n4 14.7\n", ("A", "D"), {"A": "A [µM]", "D": "D [nM]"})
    assert "“D [nM]” was measured in nM and “A [µM]” in µM" in page.message.words().replace("μ", "µ")
    assert page.status()[0] == "todo"
    page.matching.show_comparison(1)
    click(qtbot, button(page, "Multiply D by 1000"))
    assert [m.factor for m in matches(controller)] == [1.0, 1000.0]


def test_hundredths_of_a_millimetre_are_a_factor_and_no_temperature(shown: Shown, controller: SessionController) -> None:
    table = "Halt 1;Halt 2\n217.2;418.6\n286.8;579.2\n235.5;459.3\n"
    page = shown(table, "2.2 4.2\n2.8 5.8\n2.4 4.6\n", ("ur_7", "ur_13"), {"ur_7": "Halt 1", "ur_13": "Halt 2"})
    page.matching.show_comparison(0)
    assert "kelvins" not in page.matching.units.words()
    assert offered(page) == ["Multiply by 100", "Multiply both by 100"]
    button(page, "Multiply both by 100").click()
    assert [(m.factor, m.offset) for m in matches(controller)] == [(100.0, 0.0)] * 2


def test_one_button_for_several_does_to_each_what_it_says(shown: Shown, controller: SessionController) -> None:
    table = "a;b;c\n20.5;300;900\n0;410;700\n41;520;800\n"
    page = shown(table, "300 3 9\n280 4 7\n320 5 8\n", ("a", "b", "c"), {"a": "a", "b": "b", "c": "c"})
    page.matching.show_comparison(0)
    assert offered(page) == ["Add -273.15"], "nothing is added to the others, and they are not multiplied by this button"
    page.matching.show_comparison(1)
    button(page, "Multiply both by 100").click()
    assert [(m.factor, m.offset) for m in matches(controller)] == [(1.0, 0.0), (100.0, 0.0), (100.0, 0.0)]


TRANSITS = "N;T_mid\n1;1538.05673\n4;1548.37148\n6;1568.99932\n13;1641.20621\n"
PRINTED = "2458538.06 0\n2458548.35 0\n2458569.01 0\n2458641.22 0\n"


def test_julian_dates_against_days_counted_from_later_are_a_constant(
    qtbot: QtBot, shown: Shown, controller: SessionController
) -> None:
    page = shown(TRANSITS, PRINTED, ("T", "v"), {"T": "T_mid"})
    page.matching.show_comparison(0)
    assert "“T” is 2457000 larger than what was measured" in page.matching.units.words()
    assert "0.001" not in " ".join(offered(page))
    click(qtbot, button(page, "Add -2457000"))
    assert (matches(controller)[0].factor, matches(controller)[0].offset) == (1.0, -2457000.0)
    assert not page.matching.units.isVisible()


def test_a_remark_of_the_file_confirms_the_constant(shown: Shown, controller: SessionController) -> None:
    table = "# BTJD = BJD - 2457000.0\n" + TRANSITS.replace("T_mid", "T_mid (BTJD)")
    page = shown(table, PRINTED, ("T",), {"T": "T_mid (BTJD)"})
    page.matching.show_comparison(0)
    assert "The data file says “BTJD = BJD - 2457000.0”." in page.matching.units.words()
    assert "The data file says" in page.message.words()
    button(page, "Add -2457000").click()
    assert matches(controller)[0].offset == -2457000.0


def test_names_of_day_counts_tell_the_constant_before_any_run(
    controller: SessionController, page: DataPage, tmp_path: Path
) -> None:
    known = d.GaussianKnown(sd=0.1)
    meaning = d.Predictions(matches=(d.Match(output="T_mid_JD", column="T_mid (BTJD)"),), noise=known)
    opened(page, tmp_path / "lab.csv", TRANSITS.replace("T_mid", "T_mid (BTJD)"))
    page.importer.use.click()
    controller.problem.edit("x", outputs=(column("T_mid_JD", 0),), meaning=meaning)
    assert "“T_mid_JD” is in JD, as it says, and “T_mid (BTJD)” was measured in BTJD." in page.message.words()
    page.message._button.click()
    assert (matches(controller)[0].factor, matches(controller)[0].offset) == (1.0, -2457000.0)


def test_kelvins_in_a_name_are_against_degrees_in_another(controller: SessionController, page: DataPage, tmp_path: Path) -> None:
    meaning = d.Predictions(matches=(d.Match(output="T_K", column="T / °C"),), noise=d.GaussianKnown(sd=0.1))
    opened(page, tmp_path / "lab.csv", "t;T / °C\n1;20\n2;30\n3;45\n")
    page.importer.use.click()
    outputs = (msgspec.structs.replace(column("T_K", 0), unit="K"),)
    controller.problem.edit("x", outputs=outputs, meaning=meaning)
    assert words(page.message._button) == "Add -273.15 to T_K"


@pytest.mark.parametrize(
    ("measured", "predicted", "temperature", "offset"),
    [
        ((20.5, 0.0, 41.0), (300.0, 280.0, 320.0), None, -273.15),
        ((124.9, 203.1, 297.8, 392.2, 439.6, 611.5), (398.0, 476.3, 571.0, 665.3, 773.0, 884.7), None, -273.15),  # a loose wire
        ((124.9, 203.1, 297.8, 339.6), (398.0, 476.3, 571.0, 673.0), None, None),  # ... or not: one in four
        ((217.0, 287.0, 235.0), (2.2, 2.8, 2.4), None, None),  # a factor
        ((20.5, 0.0, 41.0), (300.0, 280.0, 320.0), False, None),  # in mm
        ((20.0, 25.0, 60.0), (300.0, 320.0, 310.0), None, None),  # not the same, and nothing says that they are degrees
        ((20.0, 25.0, 60.0), (300.0, 320.0, 310.0), True, -273.15),
        ((25.0,), (301.0,), None, None),  # of one value nothing tells
        ((10.0, 20.0, 30.0), (12.0, 22.0, 32.0), None, None),  # parameters
        ((0.0, 4.0, 9.0), (-1000.0, -996.1, -991.0), None, 1000.0),
        ((58530.318, 58564.953, 58571.16), (2458530.3, 2458565.0, 2458571.2), None, -2400000.0),
        ((0.1, 0.2, 0.3), (1e4, 2e4, 3e4), None, None),
        ((1.0, 2.0, 3.0), (1e6, 1e6, 1e6), None, None),
    ],
)  # fmt: skip
def test_a_constant_is_told_only_where_differences_are_the_same(
    measured: tuple[float, ...], predicted: tuple[float, ...], temperature: bool | None, offset: float | None
) -> None:
    sds = np.full(len(measured), np.nan)
    assert common_offset(np.array(measured), np.array(predicted), sds, temperature) == offset


def test_differences_within_their_errors_are_the_same() -> None:
    measured, predicted = np.array([20.0, 25.0, 30.0]), np.array([1020.9, 1024.2, 1031.0])
    assert common_offset(measured, predicted, UNKNOWN, None) is None
    assert common_offset(measured, predicted, np.full(3, 0.7), None) == -1000.0


def test_remarks_state_a_constant_of_the_column_they_name_only() -> None:
    lines = ("# rjd = BJD_TDB - 2400000 ; vrad, svrad in km/s", "# BTJD = BJD - 2457000.0;   error in minutes")
    assert stated_offset(lines, "T_mid (BTJD)", -2457000.5) == (-2457000.0, "BTJD = BJD - 2457000.0")
    assert stated_offset(lines, "rjd", -2400001.0) == (-2400000.0, "rjd = BJD_TDB - 2400000")
    assert stated_offset(lines, "T_mid (BTJD)", -2400000.0 * 2) is None
    assert stated_offset(lines, "T_mid (HJD)", -2457000.0) is None
