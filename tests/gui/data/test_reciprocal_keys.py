"""Data keyed by photon energies or frequencies, a program's table by wavelengths or periods: said in words, one button pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from data_pages import PROBLEM, click, column, matches, opened, trial_run, typed, words
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import compare_match
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.pages.data.page import DataPage

HC = 1239.84198433  # eV nm
WAVELENGTHS = np.arange(300.0, 1001.0, 50.0)
ENERGIES = (1.4, 1.8, 2.35, 2.9, 3.6)


def psi(nm: Any) -> Any:
    return 20.0 + 3.0 * HC / np.asarray(nm)  # straight over the energy


PRINTED = "".join(f"{nm:g} {psi(nm):.6f} {2 * psi(nm):.6f}\n" for nm in WAVELENGTHS)
MEASURED = "".join(f"{e:g};{20 + 3 * e:.4f};{40 + 6 * e:.4f}\n" for e in ENERGIES)


@pytest.fixture
def problem() -> d.Problem:
    wavelength = msgspec.structs.replace(column("lambda", 0), unit="nm")
    return msgspec.structs.replace(
        PROBLEM, outputs=(wavelength, column("psi", 1), column("delta", 2)),
        meaning=d.Predictions(
            matches=tuple(d.Match(output=n, column=n) for n in ("psi", "delta")), noise=d.GaussianKnown(sd=0.1)
        ),
    )  # fmt: skip


def tried(page: DataPage, folder: Path, engines: list[Any], heading: str, rows: str = MEASURED, text: str = PRINTED) -> None:
    opened(page, folder / "ellipsometry.csv", f"{heading};psi;delta\n{rows}")
    page.importer.use.click()
    trial_run(page, engines, text)
    QApplication.processEvents()


def predicted(page: DataPage, index: int = 0) -> list[float]:
    found = compared(page.problem.declared, index, page.trial.report)
    assert found is not None
    return compare_match(*found[:3]).prediction.tolist()


@pytest.mark.parametrize("heading", ["Photon energy (eV)", "E_eV", "Energy / eV"])
def test_energies_are_paired_with_wavelengths_at_one_button_that_says_so(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any], heading: str
) -> None:
    tried(page, tmp_path, engines, heading)
    told = page.message.suggestion()
    assert f"“{heading}” is 1239.84 / “lambda”: a photon energy in eV, and a wavelength in nm." in told
    assert "it is interpolated" in told
    assert all(not m.keys for m in matches(controller)), "nothing is done silently"
    assert words(page.message._button) == "Pair them so"
    click(qtbot, page.message._button)
    assert {(m.key_column, m.key_inverse, m.interpolate) for m in matches(controller)} == {(heading, True, True)}
    assert {m.key_factor for m in matches(controller)} == {HC}
    np.testing.assert_allclose(predicted(page), 20.0 + 3.0 * np.array(ENERGIES), atol=1e-4)
    assert page.status()[0] == "done", page.message.words()
    assert page.matching.model.index(0, 2).data() == f"interpolated in {heading} (1239.84 / lambda)"


def test_the_other_way_and_wave_numbers_and_frequencies_too(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    waves = "".join(f"{1e7 / nm:.4f};{psi(nm):.4f};{2 * psi(nm):.4f}\n" for nm in (400.0, 550.0, 700.0, 950.0))
    tried(page, tmp_path, engines, "wavenumber (cm^-1)", waves)
    assert "“wavenumber (cm^-1)” is 1e7 / “lambda”" in page.message.suggestion()
    page.message._button.click()
    np.testing.assert_allclose(predicted(page), [psi(nm) for nm in (400.0, 550.0, 700.0, 950.0)], atol=1e-3)
    assert not matches(controller)[0].interpolate, "the program prints these places"


def test_a_column_that_no_output_reads_yet_is_known_by_its_heading(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=tuple(
        d.Output(name=n, source="res.txt", extractor=d.CsvColumn(column=k, delimiter=" ", header=True))
        for n, k in (("psi", 1), ("delta", 2))
    ))  # fmt: skip
    tried(page, tmp_path, engines, "Photon energy (eV)", text=f"wavelength(nm) psi delta\n{PRINTED}")
    assert "1239.84 over them is taken: a photon energy in eV, and a wavelength in nm" in page.message.suggestion()
    click(qtbot, page.message._button)
    assert {(m.key_factor, m.key_inverse, m.interpolate) for m in matches(controller)} == {(HC, True, True)}
    np.testing.assert_allclose(predicted(page), 20.0 + 3.0 * np.array(ENERGIES), atol=1e-4)


def test_where_no_unit_is_named_it_is_chosen_by_hand(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    controller.problem.edit("x", outputs=(column("lambda", 0), column("psi", 1), column("delta", 2)))
    tried(page, tmp_path, engines, "place")
    page.tabs.setCurrentIndex(1)
    form = page.matching.form
    form.editor("key_output").chosen.emit("lambda")  # type: ignore[attr-defined]
    form.editor("key_column").chosen.emit("place")  # type: ignore[attr-defined]
    typed(form.editor("key_factor"), "1239.84198433", qtbot)
    form.editor("key_inverse").click()  # type: ignore[attr-defined]
    form.editor("interpolate").click()  # type: ignore[attr-defined]
    QApplication.processEvents()
    match = matches(controller)[0]
    assert (match.key_factor, match.key_inverse, match.interpolate) == (HC, True, True)
    np.testing.assert_allclose(predicted(page), 20.0 + 3.0 * np.array(ENERGIES), atol=1e-4)
    form.editor("key_output").chosen.emit("")  # type: ignore[attr-defined]
    assert matches(controller)[0].key_inverse is False, "it was that of the key"


def test_a_time_that_starts_at_zero_is_no_period(page: DataPage, tmp_path: Path, engines: list[Any]) -> None:
    output = msgspec.structs.replace(column("lambda", 0), unit="s")
    page.problem.edit("x", outputs=(output, column("psi", 1), column("delta", 2)))
    text = "".join(f"{s:g} {s:g} {s:g}\n" for s in np.arange(0.0, 5.0, 0.25))
    tried(page, tmp_path, engines, "f (Hz)", "0.3;1;1\n0.5;2;2\n1.5;3;3\n", text)
    assert "period" not in page.message.suggestion()
