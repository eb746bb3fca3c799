"""EPANET (water networks) from the empty window to a posterior at 1024 x 700: pressures at named nodes, at two times."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from desk import MOST_ACTIONS, open_file, python_with, run_and_export, set_priors
from desk_hands import Hands
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTableView

from bayescope.gui.main_window import MainWindow

STUDY = Path(__file__).parent / "epanet"
PYTHON = python_with("epanet.toolkit")
pytestmark = [
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
    hands.type(None, f"{PYTHON} -W ignore run.py")
    open_file(hands, "It never changes", tmp_path / "study" / "run.py")
    hands.tab("2 Inputs")
    open_file(hands, "Open an input file", tmp_path / "study" / "hillside.inp")
    deck = hands.pane("[RESERVOIRS]")
    hands.find_in_text(deck, " 95 ")
    for pipe in ("P3", "P4", "P5", "P6"):
        hands.click_text(deck, " 95 ", after=f" {pipe}  ", double=True)
        hands.type(None, "c_old")
    hands.find_in_text(deck, "Multiplier")
    hands.click_text(deck, "1.0", after="Demand Multiplier", double=True)
    hands.type(None, "demand")
    hands.click("Test run")
    hands.wait(lambda: hands.sees("Mark numbers", QPushButton))
    hands.picture(tmp_path / "inputs.png")
    hands.click("Mark numbers")
    hands.click("Run at other values")
    hands.wait(lambda: hands.reads("Numbers with a dotted line"))
    report = hands.pane("Node Results at 8:00:00")
    for time, name in (("8:00:00", "at_8"), ("12:00:00", "at_12")):
        hands.find_in_text(report, f"Node Results at {time}")
        hands.click_text(report, "Pressure", after=f"Node Results at {time}")
        hands.click("Column")
        assert hands.reads(f"below “Node Results at {time} hrs”")
        hands.type("Pressure", name)
    hands.picture(tmp_path / "outputs.png")

    hands.click("Data")
    open_file(hands, "Open a data file", tmp_path / "study" / "pressures.csv")
    hands.choose("Split by this column", "Time")
    hands.click("Use this table")
    hands.tab("2 Comparison")
    for column in ("8:00:00", "12:00:00"):
        hands.click("Add comparison")
        hands.choose("Measured column", column)
    comparisons = next(v for v in hands.seen(QTableView) if v.model().rowCount() == 2)
    for row in (1, 0):
        hands.cell(comparisons, row, 0)
        QTest.qWait(100)
        hands.click("Pair by Node")
    hands.click("Say how large")
    hands.type(None, "0.3")
    hands.picture(tmp_path / "data.png")

    set_priors(hands, "uniform(50, 140)", "normal(1, 0.2)")
    hands.picture(tmp_path / "parameters.png")
    draws = run_and_export(hands, 30, tmp_path)
    assert hands.count < MOST_ACTIONS, hands.actions
    assert len(draws) == 10_000  # so few runs settle nothing: that the samples are those of this study is what is looked at
    assert ((draws >= (50.0, 0.0)) & (draws <= (140.0, 2.0))).all()
