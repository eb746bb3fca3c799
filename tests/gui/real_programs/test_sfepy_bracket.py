"""A bracket in sfepy as a newcomer set it up, with the report of the laboratory as it was sent: from nothing to Start.

A stand-in prints what sfepy did."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, run_some, set_priors

pytestmark = [pytest.mark.long, pytest.mark.window, pytest.mark.timeout(300)]
STUDY = Path(__file__).parent / "sfepy_bracket"


def test_a_bracket_from_nothing_to_its_start(empty_window: Callable[[int, int], MainWindow], tmp_path: Path) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(f"{sys.executable} {study / 'bracket.py'} {study / 'bracket.inp'}")
    h.click("It has unknown numbers")
    for number, name in (("7.000E+04", "E_ALU"), ("2.800E+04", "E_GFRP"), ("1.850E-09", "DENSITY"), ("5.000E+01", "K_BOND")):
        h.mark(number, double=True)
        h.type(name)
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    text = h.pane("LOAD CASE   1")
    h.picture(tmp_path / "marking.png")
    for name, above in (("UY", "LOAD CASE   1"), ("UY", "LOAD CASE   2"), ("UX", "LOAD CASE   2")):
        h.mark(name, after=above, pane=text)
        h.picture(tmp_path / f"mark_{name}_{above[-1]}.png")
        h.click("Add output")
    h.drag("MODE 1", "1897.50 HZ", after="LANCZOS", pane=text)
    h.picture(tmp_path / "modes.png")
    h.click("Add output")
    h.picture(tmp_path / "outputs.png")
    h.wait(lambda: not h.reads("moved alone", "Now at other values"))  # runs that began by themselves
    set_priors(h, "70000 ± 5000", "15000 to 40000", "1.6e-9 to 2.2e-9", "log-uniform 2 to 200")
    h.click("Data")
    h.file("Open a data file", study / "TL-2291.csv")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.picture(tmp_path / "data.png")
    h.click("Compare by name")
    h.picture(tmp_path / "compared.png")
    h.click("Use “MODE [Hz]”")
    h.click("Show it")
    h.picture(tmp_path / "rows.png")
    h.click("Take these rows")  # of gauges 3 and 5, as the remark of the laboratory and the channels say
    h.picture(tmp_path / "taken.png")
    h.click("Multiply all 3 by 1000")
    meaning = h.window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert [(m.output, m.column, m.factor, m.sd_column) for m in meaning.matches] == [
        ("UY_1", "UY LC1 [μm]", 1000.0, "UY LC1 sd"), ("UY_2", "UY LC2 [μm]", 1000.0, "UY LC2 sd"),
        ("UX_2", "UX LC2 [μm]", 1000.0, "UX LC2 sd"), ("FREQ", "MODE [Hz]", 1.0, "MODE sd"),
    ]
    assert [m.rows for m in meaning.matches] == [(), (), (3, 5), ()]
    assert not h.window.controller.problem.findings("", "error")  # fmt: skip
    run_some(h, 8)
    h.picture(tmp_path / "run.png")
    assert len(h.actions) < MOST_ACTIONS, h.actions
    assert any(e.outcome == "ok" for e in h.window.controller.run.data.evaluations)
