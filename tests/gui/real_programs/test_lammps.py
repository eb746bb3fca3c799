"""LAMMPS (molecular dynamics) set up by mouse and keyboard: solid argon, two numbers of its potential, the thermo table."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLineEdit

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_budget, set_priors

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("lmp") is None, reason="LAMMPS is missing: apt-get install -y lammps"),
]
STUDY = Path(__file__).parent / "lammps_argon"
TRUTH = np.array([0.2385, 3.405])  # with which the measured values were made
NEAR = np.array([0.03, 0.03])  # a budget of 140 brings it within 6e-4 of the truth; this one is short


def test_argon_in_lammps_from_nothing_to_a_posterior(empty_window: Callable[[int, int], MainWindow], tmp_path: Path) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = Hands(empty_window(1024, 700))
    h.click("New analysis")
    h.type("lmp -in in.argon")
    h.file("It has unknown numbers…", study / "in.argon")
    for number, name in (("0.2300", "eps"), ("3.300", "sigma")):
        h.mark(number, double=True)
        h.type(name)
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.click("Run at other values")
    h.wait_for("Numbers with a dotted line")
    h.choose("Text to mark in", "Printed text")  # its log, which holds more numbers, may have come first
    h.mark("f_av[1]", after="Step Temp Density ")
    h.click("Table")
    h.wait_for("Found in the run at other values too.")
    assert h.find("Name of the output", QLineEdit).text() == "Step, Temp, Density, f_av_1, f_av_2"
    h.type("step, temp, density, pressure, energy")
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file…", study / "argon_40K.csv")
    h.click("Use this table")
    h.click("Test run")
    h.wait_for("Line: the newest test run")  # the rows are paired by density, which the table rounds
    h.tab("Errors")
    h.click("Standard deviation", QLineEdit)
    h.type("2.5")
    h.tab("Comparison")
    h.wait_for("8 rows compared: 12 values, 4 values missing")
    h.picture(tmp_path / "data.png")

    set_priors(h, "uniform(0.2, 0.28)", "uniform(3.3, 3.5)")
    h.picture(tmp_path / "parameters.png")
    run_budget(h, 16)
    samples = export_samples(h, tmp_path)
    assert np.all(np.abs(samples.mean(axis=0) - TRUTH) < NEAR)
    assert len(h.actions) < MOST_ACTIONS, h.actions
