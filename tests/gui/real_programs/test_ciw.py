"""A ward in Ciw (discrete events) as a newcomer set it up: a deck with a fixed seed, a report with titles and two tables."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from hands import Hands
from hands.run import run_some, set_priors

pytestmark = [pytest.mark.long, pytest.mark.window, pytest.mark.timeout(300)]
STUDY = Path(__file__).parent / "ciw_ward"
MOST = 55  # actions to Start, which a newcomer needed 59 for


def test_a_ward_with_a_fixed_seed_is_set_up_from_nothing_to_its_start(
    tmp_path: Path, hands_on: Callable[[int, int], Hands], python_with: Callable[[str], str]
) -> None:
    python = python_with("ciw")
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = hands_on(1280, 800)
    h.click("New analysis")
    h.type(f"{python} {study / 'ward.py'} ward.cfg")
    h.click("It has unknown numbers")
    for number in ("0.50", "50.0", "0.40"):
        h.mark(number, double=True)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.wait(lambda: not h.reads("Now at other values"))
    h.mark("mean", after="patients")
    h.click("Add output")
    h.mark("utilisation", after="beds in")
    h.picture(tmp_path / "marking.png")
    h.click("Add output")
    set_priors(h, "0.4 to 0.65", "35 to 65", "0.1 to 0.7")
    h.click("Data")
    h.file("Open a data file", study / "hospital.csv")
    assert h.reads("There are 2 tables in hospital.csv")
    h.click("Take both")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.click("Compare all 2")
    assert h.reads("“Mon” where the data have “Monday”")
    h.click("Pair by Day")
    assert h.reads("The file says of “Mean bed occupancy [%]”: “±0.8”")
    h.click("Take them")
    assert h.reads("The program is given the same random seed in every run (ward.cfg, line 12")
    h.picture(tmp_path / "seed.png")
    h.click("New seed in each run")
    h.picture(tmp_path / "data.png")

    declared = h.window.controller.problem.declared
    assert [p.label for p in declared.parameters] == ["", "", ""]
    assert isinstance(declared.meaning, d.Predictions)
    assert declared.meaning.random
    waits, beds = declared.meaning.matches
    assert (waits.column, waits.sd_column, waits.keys) == ("Mean wait [h]", "s.e. [h]", (("Class", "Class"),))
    assert (beds.column, beds.sd_column, beds.keys) == ("Mean bed occupancy [%]", None, (("Day", "Day"),))
    assert d.GaussianKnown(sd=0.8) in (beds.noise, declared.meaning.noise)
    run_some(h, 6)
    h.picture(tmp_path / "run.png")
    assert h.actions.index("click 'Start'") < MOST, h.actions
    runs = [e for e in h.window.controller.run.data.evaluations if e.outcome == "ok"]
    assert len(runs) > 1
