"""“Pair all by” takes the column of another file that holds the same key under another name or unit, and says which."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, column, matches, opened, trial_run
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.same_meaning import mean_the_same
from bayescope.engine.problem.data.rows.comparison import compare_match
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.same_pairing import for_all
from bayescope.gui.pages.data.page import DataPage

WAVELENGTHS = np.arange(300.0, 901.0, 50.0)
PRINTED = "".join(f"{nm:g} {nm / 10:g} {nm / 5:g}\n" for nm in WAVELENGTHS)
FIRST = (320.0, 470.0, 610.0, 880.0)
SECOND = (410.0, 555.0, 777.0)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("wl", 0), column("psi", 1), column("delta", 2)))


def two_files(page: DataPage, folder: Path, engines: list[Any], other: str, unit: float = 1.0) -> None:
    opened(page, folder / "a.csv", "Wavelength / nm;psi\n" + "".join(f"{nm};{nm / 10}\n" for nm in FIRST))
    page.importer.use.click()
    opened(page, folder / "b.csv", f"{other};delta\n" + "".join(f"{nm * unit};{nm / 5}\n" for nm in SECOND))
    page.importer.add.click()
    first = d.Match(output="psi", column="psi", key_output="wl", key_column="Wavelength / nm", interpolate=True)
    both = (first, d.Match(output="delta", column="delta"))
    page.problem.edit("x", meaning=d.Predictions(matches=both, noise=d.GaussianKnown(sd=0.1)))
    trial_run(page, engines, PRINTED)
    QApplication.processEvents()


@pytest.mark.parametrize(("other", "unit"), [("wavelength_nm", 1.0), ("lambda (nm)", 1.0), ("Wellenlänge [um]", 1e-3)])
def test_a_sibling_is_paired_by_its_own_column_of_the_same_meaning(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], other: str, unit: float
) -> None:
    two_files(page, tmp_path, engines, other, unit)
    found = for_all(page.problem.declared, 0, page.trial.report)
    assert found is not None
    assert f"called “{other}” there" in found.words
    page.matching.mend(found.problem, "x")
    match = matches(controller)[1]
    assert (match.key_output, match.key_column, match.interpolate) == ("wl", other, True)
    assert match.key_factor == pytest.approx(unit)
    whole = compared(page.problem.declared, 1, page.trial.report)
    assert whole is not None
    there = [v for v in compare_match(*whole[:3]).prediction if np.isfinite(v)]
    np.testing.assert_allclose(there, np.array(SECOND) / 5)
    assert for_all(page.problem.declared, 0, page.trial.report) is None, "nothing is left to pair"


def test_a_sibling_that_has_its_own_column_of_that_meaning_for_a_key_is_paired(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    two_files(page, tmp_path, engines, "lambda (um)", 1e-3)
    first, other = matches(controller)
    keyed = msgspec.structs.replace(other, key_output="wl", key_column="lambda (um)", key_factor=1e-3, interpolate=True)
    page.problem.edit("x", meaning=d.Predictions(matches=(first, keyed), noise=d.GaussianKnown(sd=0.1)))
    assert [for_all(page.problem.declared, i, page.trial.report) for i in (0, 1)] == [None, None]
    nearly = msgspec.structs.replace(keyed, interpolate=False, key_tolerance=0.03)
    page.problem.edit("x", meaning=d.Predictions(matches=(first, nearly), noise=d.GaussianKnown(sd=0.1)))
    assert for_all(page.problem.declared, 0, page.trial.report) is None, "nothing untrue is said of it"


def test_the_button_of_rows_that_do_not_fit_names_the_column(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    two_files(page, tmp_path, engines, "lambda (nm)")
    assert "“psi” is interpolated over “Wavelength / nm”; here that is “lambda (nm)”." in page.message.suggestion()
    page.message._button.click()
    assert matches(controller)[1].key_column == "lambda (nm)"


def test_a_column_of_another_quantity_is_not_taken(page: DataPage, tmp_path: Path, engines: list[Any]) -> None:
    two_files(page, tmp_path, engines, "angle (deg)")
    found = for_all(page.problem.declared, 0, page.trial.report)
    assert found is None or "angle" not in found.words


@pytest.mark.parametrize(
    ("one", "other"),
    [("Wavelength / nm", "wavelength_nm"), ("Wavelength / nm", "lambda (um)"), ("time (s)", "t [min]"), ("Zeit (s)", "time_s"),
     ("Frequenz (Hz)", "f (kHz)"), ("E (eV)", "Photon energy / eV"), ("Tiefe (m)", "depth (b.csv)")],
)  # fmt: skip
def test_names_that_mean_the_same(one: str, other: str) -> None:
    assert mean_the_same(one, other)
    assert mean_the_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("time (s)", "temperature (K)"), ("t", "T"), ("x (mm)", "x (s)"), ("T (K)", "T (s)"), ("psi", "delta"), ("T", "time")],
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not mean_the_same(one, other)
