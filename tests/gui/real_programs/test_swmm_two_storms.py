"""SWMM with a gauge over two days and peaks at two manholes: a date and a time in two columns of the report are one key."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, python_with, run_some, set_priors

STUDY = Path(__file__).parent / "swmm_two_storms"
PYTHON = python_with("swmm.toolkit")
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not PYTHON, reason="swmm-toolkit (PyPI) is not installed"),
]
# The data were made at 52 (% impervious of S1), 120 (width of S1), 0.0145 (Manning's n) and 0.9 (depression storage).


@pytest.mark.usefixtures("nothing_left_behind")
def test_a_gauge_over_two_days_and_peaks_at_manholes_meet_the_tables_of_the_report(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    hands = Hands(empty_window(1280, 800))
    hands.click("New analysis")
    hands.type(f"{PYTHON} run_swmm.py muhlbach.inp")
    hands.file("It never changes", tmp_path / "study" / "run_swmm.py")
    hands.tab("Inputs")
    hands.file("Open an input file", tmp_path / "study" / "muhlbach.inp")
    deck = hands.pane("[SUBAREAS]")
    hands.mark("45", after="S1               RG1        ", double=True, pane=deck)
    hands.type("imperv")
    hands.mark("160", after="S1               RG1        ", double=True, pane=deck)
    hands.type("width")
    hands.find_in_text(deck, "Roughness")
    hands.mark("0.013", double=True, pane=deck)
    hands.type("manning")
    hands.wait_for("0.013, the value of manning, stands in 2 other places too")
    hands.wait(lambda: hands.window.controller.file.on_disk is not None, 10)  # the draft is written: the question stays
    hands.click("Mark these too")
    hands.find_in_text(deck, "[SUBAREAS]")
    hands.mark("1.3", double=True, pane=deck)
    hands.type("dstore")
    hands.click("Mark this too")
    hands.picture(tmp_path / "inputs.png")
    hands.click("Test run")
    hands.wait_for("Mark numbers")
    hands.click("Mark numbers")
    hands.picture(tmp_path / "marking.png")
    report = hands.pane("<<< Node A1 >>>")
    hands.find_in_text(report, "Node A1")
    hands.mark("Inflow", after="<<< Node A1 >>>", pane=report)
    hands.click("Column")
    assert hands.reads("below “<<< Node A1 >>>”"), "its own title tells the table"
    hands.click("Add output")
    hands.find_in_text(report, "Node Depth Summary")
    hands.mark("Depth", nth=1, after="Node Depth Summary", pane=report)
    hands.picture(tmp_path / "depth.png")
    hands.click("Column")
    hands.click("Add output")
    hands.picture(tmp_path / "outputs.png")

    set_priors(
        hands, "truncated normal(45, 7.5, 5, 95)", "160, factor 2 (95 %)", "uniform(0.010, 0.018)", "log-normal 0.5 to 3, 90 %"
    )
    hands.picture(tmp_path / "parameters.png")
    hands.click("Data")
    hands.file("Open a data file", tmp_path / "study" / "pegel_A1.csv", tmp_path / "study" / "spitzen.csv")
    hands.click("Use this table")
    hands.click("Add below the present table")
    hands.picture(tmp_path / "data.png")
    hands.click("Compare all 2 like this")
    hands.picture(tmp_path / "compared.png")
    meaning = hands.window.controller.problem.declared.meaning
    assert [m.keys for m in meaning.matches] == [(("Zeitpunkt", "Zeitpunkt"),), (("Schacht", "Schacht"),)]
    hands.click("Say how large")
    hands.type("5 % of the reading, at least 0.2 l/s")
    hands.wait_for("sd = the larger of 0.2 and 5 % of each measured value")
    hands.picture(tmp_path / "errors.png")
    meaning = hands.window.controller.problem.declared.meaning
    assert meaning.noise == d.GaussianKnown(sd=0.2, percent=5.0, together="larger")
    assert meaning.matches[1].sd_column == "+/- [m]"
    run_some(hands, 12)
    draws = export_samples(hands, tmp_path)
    assert len(hands.actions) < MOST_ACTIONS, hands.actions
    assert draws.shape == (10_000, 4)
    assert ((draws > 0.0) & (draws <= (95.0, 2000.0, 0.018, 50.0))).all()
