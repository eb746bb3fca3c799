"""XPPAUT set up by mouse and keyboard: a table without a heading, mg/dL against mmol/L, errors in a line of the data's head."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("xppaut") is None, reason="XPPAUT is missing: apt-get install -y xppaut"),
]
STUDY = Path(__file__).parent / "xppaut_glucose"
# The data were made at SG 0.0213, p2 0.0331, p3 1.72e-5, n 0.236, gam 0.00352, with errors of 1.5 and 6 %. Uniform priors from 0
# to twice the numbers of the file, row 10 left out, by importance sampling of the same equations: log Z -39.507, means .01710,
# .04118, 2.166e-5, .24326, .003763, sds .0032, .0056, 2.8e-6, .0057, .00022.


def test_a_glucose_model_in_xppaut_from_nothing_to_its_start(
    empty_window: Callable[[int, int], MainWindow], tmp_path: Path
) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = Hands(empty_window(1440, 900))
    h.click("New analysis")
    h.type(f"xppaut {study / 'minmod.ode'} -silent")
    h.click("It has unknown numbers")
    h.drag("0.026", "0.0041")
    h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.drag("0 279", "59.675007")
    h.type("t, G, X, I")
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file", study / "ivgtt_subject17.csv")
    h.click("Use this table")
    h.wait_for("G with Glucose (mmol/L), I with Insulin (mU/L)")
    h.click("Compare by name")
    h.wait_for("haemolysed")
    h.click("Leave it out")
    h.wait_for("1 mol of C6H12O6 is 180.156 g")
    h.click("Multiply G by 0.0555074")
    h.wait_for("Assay CV")
    h.click("Take them")
    h.picture(tmp_path / "data.png")
    h.click("Parameters")
    h.click("Use all 5 as they are")
    h.click("Run")
    h.wait_for("Ready to start")
    meaning = h.window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    glucose, insulin = meaning.matches
    assert (glucose.output, glucose.column, glucose.keys) == ("G", "Glucose (mmol/L)", (("t", "Time (min)"),))
    assert (insulin.output, insulin.column, insulin.keys) == ("I", "Insulin (mU/L)", (("t", "Time (min)"),))
    assert (glucose.factor, insulin.factor) == (pytest.approx(10.0 / 180.156), 1.0)
    assert (glucose.left_out, insulin.left_out) == ((10,), (10,))
    assert [m.noise.percent for m in (glucose, insulin) if isinstance(m.noise, d.GaussianKnown)] == [1.5, 6.0]
    assert len(h.actions) + 1 < MOST_ACTIONS, h.actions
