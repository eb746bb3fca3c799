"""A footbridge in a script for Pynite, which prints tables of nodes and bars for two load cases; a laboratory's report has two
tables of some of them in other units with the other sign, a failed gauge, and expanded uncertainties that a footnote explains."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import ended, export_samples, set_priors

pytestmark = [pytest.mark.long, pytest.mark.window, pytest.mark.timeout(400)]
STUDY = Path(__file__).parent / "pynite_footbridge"
MOST_TO_START = 38
# E, perdita, k_pila, lambda_2 by importance sampling with the program itself, 1400 runs of which 1105 count
MEAN, SD = np.array([2.13338e11, 14.807, 5.62556e6, 1.130865]), np.array([4.64e9, 4.318, 6.026e4, 0.00696])


def test_tables_of_a_frame_are_compared_with_a_report_of_a_laboratory(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow], python_with: Callable[[str], str]
) -> None:
    python = python_with("Pynite")
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    window = empty_window(1280, 800)
    h = Hands(window)
    h.click("New analysis")
    h.type(f"{python} {study / 'passerella.py'}")
    h.tab("Inputs")
    h.click("Open “passerella.py”")
    for number, after in (("2.10e11", "E = "), ("0.0", "perdita = "), ("8.0e6", "k_pila = "), ("1.00", "lambda_2 = ")):
        h.mark(number, after=after, double=True)
        h.key("Return")
    declared = window.controller.problem.declared
    assert [(p.name, p.unit) for p in declared.parameters] == [
        ("E", "Pa"), ("perdita", "%"), ("k_pila", "N/m"), ("lambda_2", "")
    ]  # fmt: skip
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    for heading in ("DY [m]", "N [N]"):
        h.mark(heading)
        h.click("Add all 2 tables")
    h.picture(tmp_path / "outputs.png")
    h.click("Data")
    h.file("Open a data file", study / "rapporto.csv")
    h.click("Count")
    h.click("Take both")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.click("Compare all 4")
    h.click("All 4, each as its unit and sign say")
    h.wait_for("21 values", 5)
    h.picture(tmp_path / "compared.png")
    set_priors(h, "210 ± 8 GPa", "0 to 25", "log-uniform 1 to 50 MN/m", "1.0 ± 0.2, at least 0.5")
    h.click("Run")
    h.click("Start")
    assert len(h.actions) <= MOST_TO_START, h.actions
    meaning = window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column, m.factor, m.sd_column) for m in meaning.matches] == [
        ("DY_PC1", "PC1 (mm)", -1e3, "± PC1 (mm)"), ("DY_PC2", "PC2 (mm)", -1e3, "± PC2 (mm)"),
        ("N_PC1", "PC1 (kN)", -1e-3, "± PC1 (kN)"), ("N_PC2", "PC2 (kN)", -1e-3, "± PC2 (kN)"),
    ]  # fmt: skip
    h.wait(lambda: ended(h), 300)
    samples = export_samples(h, tmp_path)
    assert np.all(np.abs(samples.mean(axis=0) - MEAN) < 0.25 * SD)
    np.testing.assert_allclose(samples.std(axis=0), SD, rtol=0.15)
