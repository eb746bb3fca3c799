"""An enzyme cascade in libRoadRunner: a laboratory's workbook with a sheet per experiment and replicates A, B, C side by side."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, python_with, set_priors

STUDY = Path(__file__).parent / "roadrunner_cascade"
PYTHON = python_with("roadrunner") and python_with("antimony")
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not PYTHON, reason="libroadrunner and antimony (PyPI) are not installed"),
]
# The data were made at kcat1 2.4, Km1 42 µM, kcat2 8.5, Km2 7 µM; errors of S 0.6 µM, of P 0.8 µM.
# By emcee on the model itself, the priors below: means 2.372, 40.87 µM, 8.217, 6.621 µM, 0.600, 0.935; sds 0.022, 0.88, 0.21,
# 0.27, 0.057, 0.095; kcat and Km of each enzyme correlate by 0.98.


def test_replicates_of_two_experiments_on_two_sheets_meet_the_two_files_of_the_program(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(f"{PYTHON} {study / 'simulate.py'} {study / 'cascade.ant'}")
    h.click("It has unknown numbers")
    for number, after in (("3.0", "kcat1 = "), ("3.0e-5", "Km1 = "), ("10.0", "kcat2 = "), ("1.0e-5", "Km2 = ")):
        h.mark(number, after=after, double=True)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers", 120)
    h.click("Mark numbers")
    h.choose("Text to mark in", "progress_exp1.csv")
    h.drag("time [s]", "[P] [M]")
    h.click("Add all 2 files")
    outputs = h.window.controller.problem.declared.outputs
    assert [(o.name, o.unit) for o in outputs[:4]] == [("time_1", "s"), ("S_1", "M"), ("I_1", "M"), ("P_1", "M")]
    h.click("Data")
    h.file("Open a data file", study / "cascade_timecourses.xlsx")
    h.wait_for("Take both")
    h.click("Take both")
    h.click("Use this table")
    h.wait_for("Names tell each quantity")
    h.click("Compare all 6 like this")
    h.wait_for("Pair them so", 30)
    h.click("Pair them so")
    h.wait_for("repeated measurements too?")
    h.click("Compare them too")
    h.wait_for("each as its unit says")
    h.click("All 18, each as its unit says")
    h.click("Say how large")
    h.choose("Measurement errors", "Normal, size to be learned")
    h.click("Keep 6 their own errors")
    h.click("One size for each of 2 quantities")
    set_priors(h, "3 */ 1.5", "3e-5 */ 2", "10 */ 1.5", "1e-5 */ 2")
    h.click("Run")
    h.wait_for("Ready to start")
    meaning = h.window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert len(meaning.matches) == 18
    for match in meaning.matches:
        sheet = "200 µM" if match.output.endswith("_1") else "20 µM"
        assert match.column.endswith(f"({sheet})")
        assert match.factor == (1e9 if match.output.startswith("I") else 1e6)
        assert match.keys == ((f"time_{match.output[-1]}", "Time (min)"),)
        own = match.noise
        if match.output.startswith("I"):
            assert own == d.GaussianKnown(sd_column=f"SD I (nM) ({sheet})")
        else:
            size = own if own is not None else meaning.noise
            assert size == d.GaussianInferred(parameter=f"sigma_{match.output[0]}")
    h.picture(tmp_path / "ready.png")
    assert len(h.actions) + 1 < MOST_ACTIONS, h.actions
