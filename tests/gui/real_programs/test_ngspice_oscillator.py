"""Ngspice: an oscillator that does not swing, or swings too fast to be followed in time, in parts of the ranges."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

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
# The data were made near 0.07 uH, 50 pF.


@pytest.mark.usefixtures("nothing_left_behind")
def test_where_the_oscillator_is_too_fast_and_where_it_is_silent_are_told_apart(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    h = Hands(empty_window(1440, 900))
    h.click("New analysis")
    h.type("ngspice -b oscillator.cir")
    h.file("It has unknown numbers", tmp_path / "study" / "oscillator.cir")
    deck = h.pane("L1 1 2 0.1u")
    for number, name in (("0.1u", "L"), ("60p", "C")):
        h.mark(number, double=True, pane=deck)
        h.type(name)
    set_priors(h, "log-uniform(0.005, 1)", "log-uniform(1, 150)")
    h.click("Simulator")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    report = h.pane("Measurements for Transient Analysis")
    for name, number in (("period", "1.65"), ("swing", "3.23")):
        h.mark(number, after=f"{name}  ", pane=report)
        h.type(name)
    h.tab("Limits")
    h.fill("Or beyond the usual", "3")

    h.click("Data")
    h.click("They predict what was measured")
    h.file("Open a data file", tmp_path / "study" / "measured.csv")
    h.click("Use this table")
    h.wait_for("compared", 5)
    run_budget(h, 40)
    draws = export_samples(h, tmp_path)
    assert ((draws >= (0.005, 1.0)) & (draws <= (1.0, 150.0))).all()

    h.click("Run")
    h.tab("Points")
    h.wait_for("coloured by the likeliest reason")
    for look in ("dark", "light"):
        theme.choose(look)
        h.picture(tmp_path / f"points_{look}.png")
    h.tab("Runs")
    h.picture(tmp_path / "short.png")
    assert h.reads("Output unreadable")
    stopped = _out_of_time(h)
    assert stopped
    h.click("Why some failed")
    h.click("Allow 3 times as long")
    assert h.reads("The limit of 3 times the median of the good runs becomes 9 times.")
    h.picture(tmp_path / "why.png")
    h.click_and_answer("Try these again: ran out of time", "Run it here")
    h.wait(lambda: h.sees("Stop", QPushButton), 20)
    h.wait(lambda: ended(h) and not h.sees("Stop", QPushButton), 200)
    h.picture(tmp_path / "again.png")
    assert _out_of_time(h) <= stopped  # the fastest oscillations may take longer than that, too
    assert len(h.actions) < MOST_ACTIONS, h.actions


def _out_of_time(h: Hands) -> int:
    """Runs that were, as the line says it, shut or open."""
    found = re.search(r"Ran out of time: ([0-9]+)|([0-9]+) runs?: ran out of time", h.read())
    return int(found[1] or found[2]) if found else 0
