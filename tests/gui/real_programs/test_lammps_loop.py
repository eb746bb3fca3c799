"""LAMMPS as a newcomer set it up: a curve of which the deck prints one row per pass of a loop, between all its own lines."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, run_some, set_priors

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("lmp") is None, reason="LAMMPS is missing: apt-get install -y lammps"),
]
STUDY = Path(__file__).parent / "lammps_copper"


def test_copper_in_lammps_from_nothing_to_its_start(empty_window: Callable[[int, int], MainWindow], tmp_path: Path) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type("lmp -in in.cu_eos")
    h.file("It has unknown numbers…", study / "in.cu_eos")
    for number, name in (("0.3429", "D0"), ("1.3588", "alpha"), ("2.866", "r0")):
        h.mark(number, double=True)
        h.type(name)
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.picture(tmp_path / "marking.png")
    h.choose("Text to mark in", "Printed text")
    h.mark("Press", after="Latt PotEng")
    h.picture(tmp_path / "heading.png")
    h.wait_for("Found in the run at other values too")
    h.click("Table")
    h.click("Add 4 outputs")
    text = h.pane("Latt PotEng")
    h.find_in_text(text, "bulk modulus")
    h.drag("lattice constant =", "GPa", after="builds = 0\n-----", pane=text)
    h.picture(tmp_path / "three.png")
    h.click("Add 3 outputs")
    h.picture(tmp_path / "outputs.png")
    set_priors(h, "uniform(0.2, 0.5)", "uniform(1, 1.8)", "uniform(2.6, 3.1)")
    h.click("Data")
    h.file("Open a data file", study / "cu_measured.xlsx")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.picture(tmp_path / "data.png")
    h.click("Compare by name")
    h.click("Take them")  # the errors that the heading of the pressures states
    h.picture(tmp_path / "data.png")
    declared = h.window.controller.problem.declared
    keys = {match.output: match.keys for match in declared.meaning.matches}
    assert keys["Press"] == (("Latt", "Lattice const [Å]"),)
    run_some(h, 8)
    h.picture(tmp_path / "run.png")
    assert len(h.actions) < MOST_ACTIONS, h.actions
    assert any(e.outcome == "ok" for e in h.window.controller.run.data.evaluations)
