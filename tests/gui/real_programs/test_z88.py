"""Z88 (finite elements) set up by mouse and keyboard: a truss bridge under two load cases, whose tables have one heading."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_budget, set_priors

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("z88f") is None, reason="Z88 is missing: apt-get install -y z88"),
]
MEAN, SD = np.array([186390.0, 170405.0, 31781.5]), np.array([2262.0, 2285.0, 305.1])  # by 4096 draws of importance sampling
STUDY = Path(__file__).parent / "z88_bridge"


def test_a_bridge_under_two_load_cases_is_compared_by_node_and_load_case(
    empty_window: Callable[[int, int], MainWindow], tmp_path: Path
) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    window = empty_window(1280, 800)
    h = Hands(window)
    h.click("New analysis")
    h.type(str(study / "bridge.sh"))
    h.click("It has unknown numbers")
    for name, row in (("E_chord", "    1    6"), ("E_chord", "    7   10"), ("E_diag", "   16   21"), ("k_pier", "   22   22")):
        h.mark("40000." if name == "k_pier" else "206000.", after=row, double=True)
        h.type(name)
    h.picture(tmp_path / "inputs.png")
    h.click("Test run")
    h.wait_for("lie in")
    h.click("Put them there")
    h.wait_for("are put into each run's folder now")
    h.picture(tmp_path / "put.png")
    h.click("Say it")
    h.click("It never changes")
    h.click("It never changes")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.click("Run at other values")
    h.wait_for("Numbers with a dotted line")
    text = h.pane("LOAD CASE 1")  # the file that holds both, not that of the last
    h.mark("2", after="Knoten         U(1)              U(", pane=text)
    h.click("Table")
    h.choose("this table", "all these tables")
    h.picture(tmp_path / "tables.png")
    h.click("Add 4 outputs")
    h.mark("+3.52991E+04", after="now the nodal sums", pane=text)
    h.choose("this table", "all these tables")
    h.click("Add output")
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file…", study / "load_test.xlsx")
    h.click("Take both")
    h.click("Use this table")
    h.click("Compare all 3")
    h.picture(tmp_path / "compared.png")
    h.wait_for("ux (mm) ±0.02 mm; uy (mm) ±0.02 mm; reaction (kN) ±0.4 kN")
    h.click("Take them")
    h.tab("Comparison")
    h.cell("Measured", 2)  # the program counts in newtons
    h.click("Multiply by 0.001")
    h.picture(tmp_path / "data.png")
    meaning = window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column, len(m.keys), m.factor, m.noise) for m in meaning.matches] == [
        ("U_1", "ux (mm)", 2, 1.0, d.GaussianKnown(sd=0.02)), ("U_2", "uy (mm)", 2, 1.0, d.GaussianKnown(sd=0.02)),
        ("F_2", "reaction (kN)", 1, 0.001, d.GaussianKnown(sd=0.4)),
    ]  # fmt: skip

    set_priors(h, "200000 ± 15000", "120000 to 240000", "loguniform(10000, 100000)")
    run_budget(h, 24)
    samples = export_samples(h, tmp_path)
    assert np.all(np.abs(samples.mean(axis=0) - MEAN) < 4.0 * SD)
    assert len(h.actions) < MOST_ACTIONS, h.actions
