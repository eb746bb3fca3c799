"""A measles outbreak in R (deSolve) as a newcomer set it up: weekly counts by date with gaps, rates by age group with CIs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, run_some, set_priors


def _has_desolve() -> bool:
    r = shutil.which("Rscript")
    return r is not None and subprocess.run([r, "-e", "library(deSolve)"], capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not _has_desolve(), reason="R is missing: apt-get install -y r-base-core r-cran-desolve"),
]
STUDY = Path(__file__).parent / "measles"


def test_measles_in_r_from_nothing_to_its_start(empty_window: Callable[[int, int], MainWindow], tmp_path: Path) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(f"Rscript {study / 'measles.R'} {study / 'settings.txt'}")
    h.click("It has unknown numbers")
    for number, after in (("2.5", "beta  "), ("8.0", "latent period  "), ("10", "initial infected  "), ("40", "reporting  ")):
        h.mark(number, after=after, double=True)
        h.key("Return")  # the proposed name
    declared = h.window.controller.problem.declared
    named = [("beta", "per day"), ("latent_period", "days"), ("infected", "persons"), ("reporting", "%")]
    assert [(p.name, p.unit) for p in declared.parameters] == named
    h.picture(tmp_path / "inputs.png")
    h.click("Test run")
    h.wait_for("Mark numbers")
    assert not h.reads("measles.R", "each run")  # its place is said by the command
    h.picture(tmp_path / "tested.png")
    h.click("Mark numbers")
    h.mark("Cases", after="Week     Monday")
    h.click("Add output")
    h.mark("Monday", after="Week")
    h.click("Add output")
    h.picture(tmp_path / "dates.png")
    h.mark("Attack rate", after="Infected")
    h.picture(tmp_path / "rate.png")
    h.click("Add output")
    h.mark("Age group", after="whole period")
    h.picture(tmp_path / "age.png")
    h.click("Add output")
    assert [o.name for o in h.window.controller.problem.declared.outputs] == ["Cases", "Monday", "Attack_rate", "Age_group"]
    set_priors(h, "1.5 to 3.5 per day", "8 +- 1.5 days", "log-uniform 2 to 100", "20 to 70 %")
    h.picture(tmp_path / "priors.png")
    h.click("Data")
    h.file("Open a data file", study / "Northvale_measles_2024.xlsx")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.picture(tmp_path / "data.png")
    h.click("Compare by name")
    h.picture(tmp_path / "compared.png")
    h.tab("Errors")
    h.picture(tmp_path / "errors.png")
    h.choose("Measurement errors", "Counts that scatter more (negative binomial)")
    h.picture(tmp_path / "guess.png")
    assert h.reads("Size 10 is a guess")
    assert not h.reads("The size of the errors is given")
    h.click("keep its own errors")
    h.choose("Learned as the parameter", "New parameter size")
    assert h.reads("The size of the errors is learned: size.")
    h.picture(tmp_path / "learned.png")
    h.click("They do not count")
    h.picture(tmp_path / "said.png")
    meaning = h.window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.NegativeBinomialNoise(size=None, parameter="size")
    assert {m.output: (m.column, m.keys, m.noise) for m in meaning.matches} == {
        "Cases": ("Notified cases", (("Monday", "Week beginning"),), None),
        "Attack_rate": ("Attack rate (%)", (("Age_group", "Age group"),), d.GaussianKnown(sd_column="± Attack rate (%)")),
    }
    run_some(h, 6)
    h.picture(tmp_path / "run.png")
    print(len(h.actions), h.actions)
    assert len(h.actions) < MOST_ACTIONS, h.actions
    assert any(e.outcome == "ok" for e in h.window.controller.run.data.evaluations)
