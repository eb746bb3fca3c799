"""GetDP (finite elements) set up by mouse and keyboard: heat through a wall, three conductivities, tables without headings."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QPlainTextEdit

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_budget, set_priors

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("getdp") is None, reason="GetDP is missing: apt-get install -y getdp"),
    pytest.mark.skipif(shutil.which("gmsh") is None, reason="Gmsh is missing: apt-get install -y gmsh"),
]
STUDY = Path(__file__).parent / "getdp_wall"
TRUTH = np.array([0.93, 0.041, 21.0])  # with which the measured values were made
SD = np.array([0.044, 0.0054, 12.0])  # of the posterior, converged after 114 runs


def test_a_wall_in_getdp_from_nothing_to_a_posterior(empty_window: Callable[[int, int], MainWindow], tmp_path: Path) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    mesh = ["gmsh", "-2", "wall.geo", "-format", "msh2", "-o", "wall.msh"]
    subprocess.run(mesh, cwd=study, check=True, capture_output=True)
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type("getdp wall.pro -msh wall.msh -solve Heat -pos Report")
    h.file("It has unknown numbers…", study / "wall.pro")
    for number, name in (("0.80", "k_brick"), ("0.050", "k_ins"), ("15.0", "k_steel")):
        h.mark(number, double=True)
        h.type(name)
    h.click("Test run")
    h.wait_for("Nothing puts “wall.msh”")
    h.click("Put it there")
    h.click("It never changes")  # it lies beside wall.pro
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.click("Run at other values")
    h.wait_for("Numbers with a dotted line")
    _column_of_table(h, "heat.txt", "joint.txt", "0.0375", "T_joint", "height")
    _column_of_table(h, "joint.txt", "through.txt", "0.06", "T_core", "depth")
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file…", study / "logger.txt", study / "core.csv")
    h.click("Use this table")
    h.click("Add below the present table")
    h.click("Compare all 2")
    h.click("It does not count")  # the sd of one of the two files: the size is said for both
    h.click("Say how large")
    h.type("0.2")
    h.picture(tmp_path / "data.png")

    set_priors(h, "uniform(0.3, 1.8)", "uniform(0.01, 0.1)", "uniform(5, 60)")
    h.picture(tmp_path / "parameters.png")
    run_budget(h, 24)
    samples = export_samples(h, tmp_path)
    assert np.all(np.abs(samples.mean(axis=0) - TRUTH) < 4.0 * SD)
    assert len(h.actions) < MOST_ACTIONS, h.actions


def _column_of_table(h: Hands, shown: str, wanted: str, place: str, values: str, where: str) -> None:
    """Two columns of a table without headings: the numbers that changed, at the end of its second line, and the places."""
    h.choose(shown, wanted)
    lines = (line for pane in h.seen(QPlainTextEdit) for line in pane.toPlainText().splitlines())
    line = next(line for line in lines if place in line.split())
    for number, name in ((line.split()[-1], values), (place, where)):
        h.mark(number)
        h.click("Column")
        h.type(name)
