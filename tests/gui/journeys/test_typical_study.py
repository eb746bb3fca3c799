"""A typical study from nothing to Start, in real windows: a deck, two result tables, a laboratory's file with titles, units,
blank rows, two quantities and errors in a column of one of them. Every action is counted."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import set_priors

STUDY = Path(__file__).parent / "cell"
MOST = 30  # actions: none that has one sensible answer
pytestmark = [pytest.mark.long, pytest.mark.window, pytest.mark.timeout(300)]


@pytest.mark.usefixtures("nothing_left_behind")
@pytest.mark.parametrize(("file", "rows"), [("k17.csv", 12), ("k17_long.csv", 24)])
def test_a_typical_study_is_started_with_few_actions(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow], file: str, rows: int
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    study = tmp_path / "study"
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(f"{sys.executable} {study / 'cell.py'} {study / 'k17.deck'}")
    h.click("It has unknown numbers")
    deck = h.pane("one diode")
    for number in ("3.000", "0.0200", "20.0 "):
        h.mark(number, double=True, pane=deck)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.mark("IRRADIANCE", pane=h.pane("IRRADIANCE"))
    h.picture(tmp_path / "outputs.png")
    h.click("Add all 2 tables: 6 outputs")

    h.click("Data")
    h.file("Open a data file", study / file)
    h.wait_for(f"{rows} rows")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.wait_for("How large are the errors of T 1000 (°C) and T 600 (°C)?")
    h.click("Say how large")
    h.type("0.3")
    h.picture(tmp_path / "data.png")
    h.wait_for(f"all {rows} rows compared", 5)

    set_priors(h, "uniform(2.5, 3.5)", "uniform(0, 0.05)", "uniform(10, 40)")
    h.picture(tmp_path / "parameters.png")
    h.click("Run")
    h.picture(tmp_path / "run.png")
    assert h.find("Start").isEnabled()
    h.click("Start")
    h.wait(lambda: h.sees("Stop"), 60)
    assert len(h.actions) <= MOST, h.actions
    h.click_and_answer("Stop", "End now")
    h.wait(lambda: h.sees("Resume"), 60)
