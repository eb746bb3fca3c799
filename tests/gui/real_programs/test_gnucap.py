"""Gnucap (circuits) from the empty window to a posterior: it prints 1.K for 1000, and was measured between its rows."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_some, set_priors

STUDY = Path(__file__).parent / "gnucap"
GNUCAP = Path(shutil.which("gnucap") or "/usr/bin/gnucap")
PLUGINS = any((GNUCAP.parents[1] / "lib").glob("*/gnucap*/gnucap-default-plugins.so"))  # beside it, where it is only unpacked
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not GNUCAP.exists(), reason="gnucap is not installed"),
    pytest.mark.skipif(not PLUGINS, reason="gnucap-default-plugins0 is not installed"),
]
# The data were made at 1.95, 26.0, 3.3 (mH, nF, kOhm).


@pytest.mark.usefixtures("nothing_left_behind")
def test_a_filter_is_measured_at_frequencies_that_gnucap_does_not_print(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    hands = Hands(empty_window(1280, 800))
    hands.click("New analysis")
    hands.type("gnucap -b filter.ckt")
    hands.file("It has unknown numbers", tmp_path / "study" / "filter.ckt")
    deck = hands.pane("C2 3 0 22n")
    for number, name in (("2.2m", "L"), ("22n", "C"), ("4.7k", "R")):
        hands.mark(number, double=True, pane=deck)
        hands.type(name)
    hands.click("Test run")
    hands.wait_for("Mark numbers")
    hands.picture(tmp_path / "inputs.png")
    hands.click("Mark numbers")
    hands.mark("vdb(3)", after="#Freq")
    hands.click("Table")
    assert hands.reads("“1.K” is 1000")
    hands.type("Frequency, Gain, Phase, v4")
    hands.picture(tmp_path / "outputs.png")

    hands.click("Data")
    hands.file("Open a data file", tmp_path / "study" / "bode.csv")
    hands.click("Use this table")
    assert hands.reads("measured rows have no row of “Gain” with the same key")
    hands.click("Show them")
    hands.click("Interpolate between rows")
    hands.click("Say how large")
    hands.type("0.1")
    assert hands.reads("One size for Gain (dB) and Phase (deg).")
    hands.click("Phase (deg)", QLineEdit)
    hands.type("1")
    assert not hands.reads("One size for")
    hands.picture(tmp_path / "data.png")

    set_priors(hands, "uniform(1, 4)", "uniform(10, 40)", "log-uniform(1, 20)")
    hands.picture(tmp_path / "parameters.png")
    run_some(hands, 12)
    draws = export_samples(hands, tmp_path)
    assert len(hands.actions) < MOST_ACTIONS, hands.actions
    assert len(draws) == 10_000  # so few runs settle nothing: that the samples are those of this study is what is looked at
    assert ((draws >= (1.0, 10.0, 1.0)) & (draws <= (4.0, 40.0, 20.0))).all()
