"""EPANET (water networks) from the empty window to a posterior at 1024 x 700: pressures at named nodes, at two times."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, python_with, run_some, set_priors

STUDY = Path(__file__).parent / "epanet"
PYTHON = python_with("epanet.toolkit")
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not PYTHON, reason="owa-epanet (PyPI) is not installed"),
]
# The data were made at 81.0, 1.15 (Hazen-Williams coefficient of the old pipes, demand beside the normal one).


@pytest.mark.usefixtures("nothing_left_behind")
def test_pressures_at_named_nodes_meet_the_tables_of_their_times(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    hands = Hands(empty_window(1024, 700))
    hands.click("New analysis")
    hands.type(f"{PYTHON} -W ignore run.py")
    hands.file("It never changes", tmp_path / "study" / "run.py")
    hands.tab("Inputs")
    hands.file("Open an input file", tmp_path / "study" / "hillside.inp")
    deck = hands.pane("[RESERVOIRS]")
    hands.find_in_text(deck, " 95 ")
    for pipe in ("P3", "P4", "P5", "P6"):
        hands.mark(" 95 ", after=f" {pipe}  ", double=True, pane=deck)
        hands.type("c_old")
    hands.find_in_text(deck, "Multiplier")
    hands.mark("1.0", after="Demand Multiplier", double=True, pane=deck)
    hands.type("demand")
    hands.click("Test run")
    hands.wait_for("Mark numbers")
    hands.picture(tmp_path / "inputs.png")
    hands.click("Mark numbers")
    hands.click("Run at other values")
    hands.wait_for("Numbers with a dotted line")
    report = hands.pane("Node Results at 8:00:00")
    for time, name in (("8:00:00", "at_8"), ("12:00:00", "at_12")):
        hands.find_in_text(report, f"Node Results at {time}")
        hands.mark("Pressure", after=f"Node Results at {time}", pane=report)
        hands.click("Column")
        assert hands.reads(f"below “Node Results at {time} hrs”")
        hands.type(name)
    hands.picture(tmp_path / "outputs.png")

    hands.click("Data")
    hands.file("Open a data file", tmp_path / "study" / "pressures.csv")
    hands.choose("Split by this column", "Time")
    hands.click("Use this table")
    hands.click("Compare all 2")
    hands.click("Say how large")
    hands.type("0.3")
    hands.picture(tmp_path / "data.png")

    set_priors(hands, "uniform(50, 140)", "normal(1, 0.2)")
    hands.picture(tmp_path / "parameters.png")
    run_some(hands, 12)
    draws = export_samples(hands, tmp_path)
    assert len(hands.actions) < MOST_ACTIONS, hands.actions
    assert len(draws) == 10_000  # so few runs settle nothing: that the samples are those of this study is what is looked at
    assert ((draws >= (50.0, 0.0)) & (draws <= (140.0, 2.0))).all()
