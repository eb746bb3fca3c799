"""FreeFem++ (finite elements) from the empty window to a posterior: two outputs, measured on two sheets of one workbook."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import export_samples, run_some, set_priors

MOST = 48  # of the newcomer's first walk: 70
# By importance sampling on an interpolation of 216 runs; the data were made at 14.7, 1.18, 31.
MEANS, SDS = np.array([14.769, 1.1892, 30.915]), np.array([0.498, 0.0149, 0.177])
STUDY = Path(__file__).parent / "freefem_foot"
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("FreeFem++") is None, reason="FreeFem++ is missing: apt-get install -y freefem++"),
]


@pytest.mark.usefixtures("nothing_left_behind")
def test_two_sheets_of_one_workbook_are_compared_with_two_outputs(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type("FreeFem++ -nw -v 0 heatfoot.edp")
    h.file("It has unknown numbers", tmp_path / "study" / "heatfoot.edp")
    deck = h.pane("real kplate")
    for number in ("12.0", "1.5", "25.0"):
        h.mark(number, double=True, pane=deck)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.picture(tmp_path / "inputs.png")
    h.click("Mark numbers")
    h.wait_for("Numbers with a dotted line")  # the run at other values says which text to read first
    h.choose("Text to mark in", "Printed text")
    h.mark("T[degC]", pane=h.pane("probe    x[mm]"))
    h.picture(tmp_path / "outputs.png")
    h.fill("as", "Ttc", end="")
    h.click("Add output")
    h.choose("Text to mark in", "topline.txt")
    h.mark("T[degC]", pane=h.pane("# x[mm]"))
    h.fill("as", "Tir", end="")
    h.click("Add output")
    h.picture(tmp_path / "outputs2.png")

    h.click("Data")
    h.file("Open a data file", tmp_path / "study" / "heating_test.xlsx")
    h.picture(tmp_path / "import.png")
    h.click("Count them as missing")
    h.picture(tmp_path / "import2.png")
    h.click("Use this table")
    h.picture(tmp_path / "data.png")
    h.click("Add “IR line”")
    h.picture(tmp_path / "import3.png")
    h.key("Return")
    h.picture(tmp_path / "data2.png")
    h.click("Compare all 2 like this")
    h.picture(tmp_path / "data3.png")
    h.click("Use it")
    h.picture(tmp_path / "data4.png")
    h.click("Take them")
    h.wait_for("19 of 20 rows compared")
    h.picture(tmp_path / "data5.png")
    set_priors(h, "uniform(5, 40)", "uniform(0.4, 4)", "truncnorm(25, 8, 0)")
    h.picture(tmp_path / "parameters.png")
    run_some(h, 40)
    draws = export_samples(h, tmp_path)
    assert len(h.actions) < MOST, h.actions
    assert (np.abs(draws.mean(0) - MEANS) < 0.5 * SDS).all()
