"""Ngspice: an oscillator that does not swing, or swings too fast to be followed in time, in parts of the ranges."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.style.theme import theme
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, ended, export_samples, run_budget, set_priors

STUDY = Path(__file__).parent / "ngspice_oscillator"
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(400),
    pytest.mark.skipif(shutil.which("ngspice") is None, reason="ngspice is not installed"),
]
# The data were made near 0.3 uH, 40 pF.


@pytest.mark.usefixtures("nothing_left_behind")
def test_where_the_oscillator_is_too_fast_and_where_it_is_silent_are_told_apart(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    h = Hands(empty_window(1440, 900))
    h.click("New analysis")
    h.type("ngspice -b oscillator.cir")
    h.file("It has unknown numbers", tmp_path / "study" / "oscillator.cir")
    deck = h.pane("L1 1 2 0.5u")
    for number, name in (("0.5u", "L"), ("40p", "C")):
        h.mark(number, double=True, pane=deck)
        h.type(name)
    set_priors(h, "log-uniform(0.03, 3)", "log-uniform(2, 150)")
    h.click("Simulator")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    report = h.pane("Measurements for Transient Analysis")
    for name, number in (("period", "3.06"), ("swing", "3.76")):
        h.mark(number, after=f"{name}  ", pane=report)
        h.picture(Path(f"/tmp/n_{name}.png"))
        h.type(name)
    h.picture(Path("/tmp/n1.png"))
    h.tab("Limits")
    h.fill("Or beyond the usual", "4")
    h.picture(Path("/tmp/n2.png"))

    h.click("Data")
    h.file("Open a data file", tmp_path / "study" / "measured.csv")
    h.click("Use this table")
    h.picture(Path("/tmp/n3.png"))
    h.wait_for("compared", 5)
    run_budget(h, 40)
    h.picture(tmp_path / "run.png")
