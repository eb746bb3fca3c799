"""MPB (optics) from the empty window to a posterior: bands over many lines, measured in a long table that numbers them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_some, set_priors

STUDY = Path(__file__).parent / "mpb_rods"
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("mpb") is None, reason="MPB is missing: apt-get install -y mpb"),
]
# The data were made at .228, 9.4, 2.13 (radius of the rods, dielectric constants of rods and background).
MEANS, SDS = np.array([0.2276, 9.50, 2.128]), np.array([0.0080, 0.53, 0.023])  # by importance sampling with 2,200 runs


@pytest.mark.usefixtures("nothing_left_behind")
def test_bands_that_a_column_numbers_find_their_outputs(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type("mpb rods.ctl")
    h.file("It has unknown numbers", tmp_path / "study" / "rods.ctl")
    deck = h.pane("geometry-lattice")
    for number in ("0.25", "9.0", "2.0"):
        h.mark(number, double=True, pane=deck)
        h.key("Return")  # the name that is proposed: the deck's own
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.picture(tmp_path / "inputs.png")
    h.click("Mark numbers")
    h.mark("k index")
    h.click("Table")
    h.click("Add 10 outputs")
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file", tmp_path / "study" / "bands_B2.csv")
    h.wait_for("5 quantities: band 1, band 2, band 3, band 4, band 5")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.click("Compare by name")
    h.wait_for("19 of 21 rows compared", 5)
    h.picture(tmp_path / "data.png")

    set_priors(h, "uniform(0.15, 0.35)", "uniform(6, 14)", "normal(2.2, 0.1)")
    run_some(h, 25)
    draws = export_samples(h, tmp_path)
    assert len(h.actions) < MOST_ACTIONS, h.actions
    assert (np.abs(draws.mean(0) - MEANS) < SDS).all()
