"""A thin film: reflectance at two angles in two polarizations, measured in one long table with flags."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_some, set_priors

STUDY = Path(__file__).parent / "film_stack"
pytestmark = [pytest.mark.long, pytest.mark.window, pytest.mark.timeout(300)]
# The program gives what tmm 0.2.0 (S. Byrnes) does. The data were made at 97.2, 2.412, 52.6.
# By importance sampling, 6,000 draws (effective 5,076) with the program's own formulas; log evidence 422.371.
MEANS, SDS = np.array([96.760, 2.4130, 52.706]), np.array([0.298, 0.0032, 0.140])


@pytest.mark.usefixtures("nothing_left_behind")
def test_rows_of_two_angles_and_two_polarizations_find_their_outputs_and_flagged_ones_are_left_out(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    study = tmp_path / "study"
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(f"{sys.executable} {study / 'film.py'} {study / 'stack.deck'}")
    h.click("It has unknown numbers")
    deck = h.pane("ambient")
    for number, name in (("95.0", "d_SiO2"), ("2.350", "n_TiO2"), ("55.0", "d_TiO2")):
        h.mark(number, double=True, pane=deck)
        h.type(name)
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.picture(tmp_path / "inputs.png")
    h.click("Mark numbers")
    h.mark("ANGLE OF INCIDENCE  20.0 deg")
    h.click("Add 5 outputs")
    h.mark("ANGLE OF INCIDENCE  60.0 deg")
    h.picture(tmp_path / "outputs.png")
    h.click("Add 5 outputs")

    h.click("Data")
    h.file("Open a data file", study / "reflectance.csv")
    h.wait_for("4 quantities: R s 20, R p 20, R s 60, R p 60")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.picture(tmp_path / "data.png")
    h.click("Interpolate all 4 over wavelength_nm")
    h.picture(tmp_path / "flags.png")
    h.click("Leave it out")
    h.wait_for("“lamp” (3)", 5)  # each flag is asked about by itself
    h.click("Leave them out")
    h.picture(tmp_path / "data.png")
    h.wait_for("94 of 100 rows compared", 5)

    set_priors(h, "uniform(70, 120)", "uniform(2.1, 2.7)", "uniform(40, 80)")
    run_some(h, 25)
    draws = export_samples(h, tmp_path)
    assert len(h.actions) < MOST_ACTIONS, h.actions
    assert (np.abs(draws.mean(0) - MEANS) < SDS).all()
