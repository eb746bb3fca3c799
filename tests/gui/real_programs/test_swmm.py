"""SWMM (urban drainage) from the empty window to a posterior: its report has a table for each link, with dates and times."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, python_with, run_some, set_priors

STUDY = Path(__file__).parent / "swmm"
PYTHON = python_with("swmm.toolkit")
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not PYTHON, reason="swmm-toolkit (PyPI) is not installed"),
]
# The data were made at 31.0, 0.018, 0.027 (impervious share in %, roughness of the surface and of the pipes).


@pytest.mark.usefixtures("nothing_left_behind")
def test_a_flow_logged_at_some_times_meets_the_table_of_its_link(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    hands = Hands(empty_window(1280, 800))
    hands.click("New analysis")
    hands.type(f"{PYTHON} run.py")
    hands.file("It never changes", tmp_path / "study" / "run.py")
    hands.tab("Inputs")
    hands.file("Open an input file", tmp_path / "study" / "catchment.inp")
    deck = hands.pane("[SUBAREAS]")
    hands.mark("25", after="S1       RG1        J1      12.5   ", double=True, pane=deck)
    hands.type("imperv1")
    for number, name in (("0.013", "n_imp"), ("0.020", "n_pipe")):
        hands.find_in_text(deck, number)
        for _ in range(2):  # in two lines each
            hands.mark(number, double=True, pane=deck)
            hands.type(name)
    hands.click("Test run")
    hands.wait_for("Mark numbers")
    hands.picture(tmp_path / "inputs.png")
    hands.click("Mark numbers")
    report = hands.pane("<<< Link C2 >>>")
    hands.find_in_text(report, "Link C2")
    hands.mark("Flow", after="<<< Link C2 >>>", pane=report)
    hands.click("Column")
    assert hands.reads("Reads 36 numbers: 0, 0, 0.002")
    hands.picture(tmp_path / "outputs.png")
    hands.click("Add output")

    hands.click("Data")
    hands.file("Open a data file", tmp_path / "study" / "gauge.csv")
    hands.click("Use this table")
    hands.wait_for("all 12 rows compared")  # by the time beside the marked column: it was not asked for
    hands.picture(tmp_path / "data.png")

    set_priors(hands, "uniform(10, 60)", "uniform(0.005, 0.04)", "uniform(0.01, 0.05)")
    hands.picture(tmp_path / "parameters.png")
    run_some(hands, 12)
    draws = export_samples(hands, tmp_path)
    assert len(hands.actions) < MOST_ACTIONS, hands.actions
    assert len(draws) == 10_000  # so few runs settle nothing: that the samples are those of this study is what is looked at
    assert ((draws >= (10.0, 0.005, 0.01)) & (draws <= (60.0, 0.04, 0.05))).all()
