"""GROMACS (molecular dynamics) from the empty window to samples: averages with errors of their own out of three tables."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import export_samples, run_some, set_priors

MOST = 54  # of the newcomer's first walk: 65
STUDY = Path(__file__).parent / "gromacs_krypton"
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(400),
    pytest.mark.skipif(shutil.which("gmx") is None, reason="GROMACS is missing: apt-get install -y gromacs"),
]


@pytest.mark.usefixtures("nothing_left_behind")
def test_averages_of_three_tables_with_errors_of_their_own_are_compared(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    study = tmp_path / "study"
    shutil.copytree(STUDY, study)
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(str(study / "run.sh"))
    h.picture(tmp_path / "program.png")
    h.click("It has unknown numbers")
    deck = h.pane("ref-t")
    for after in ("ref-t", "gen-temp"):
        h.mark("240", after=after, double=True, pane=deck)
        h.type("T_bath")
    h.tab("Program")
    h.click("It has unknown numbers")
    topology = h.pane("atomtypes")
    for number, name in (("0.3650", "sigma_Kr"), ("1.3500", "eps_Kr")):
        h.mark(number, double=True, pane=topology)
        h.type(name)
    h.picture(tmp_path / "inputs.png")
    h.click("Test run")
    h.wait_for("Took", 40)
    h.picture(tmp_path / "failed.png")
    h.click("Run twice, to see whether it is random")
    h.click("Put them there")  # the structures, which the error names
    h.click("Test run")
    h.wait_for("Mark numbers", 60)
    h.picture(tmp_path / "ran.png")
    h.click("Mark numbers")
    h.wait_for("Numbers with a dotted line", 60)
    h.choose("Text to mark in", "Printed text")
    text = h.pane("### density")
    for label, name in (("Potential", "U"), ("Pressure", "p")):
        h.mark(".", after=f"\n{label} ", pane=text)
        h.choose("Which of the tables", "all these tables")
        h.fill("as", name, end="")
        h.click("Add output")
    h.picture(tmp_path / "outputs.png")
    set_priors(h, "normal(240, 3)", "uniform(0.34, 0.39)", "uniform(1, 1.8)")
    h.picture(tmp_path / "parameters.png")

    h.click("Data")
    h.file("Open a data file", study / "arkr_240K.xlsx")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")
    h.picture(tmp_path / "data.png")
    h.click("Compare by name")
    h.picture(tmp_path / "data2.png")
    h.click("Run")
    h.click("Start")
    h.wait_for("The program is random", 60)  # numbers were marked after it had run twice
    h.click("They have a statistical error of their own")
    run_some(h, 25)
    draws = export_samples(h, tmp_path)
    assert len(h.actions) < MOST, h.actions
    assert ((draws[:, 1:] >= (0.34, 1.0)) & (draws[:, 1:] <= (0.39, 1.8))).all()  # so few runs settle nothing
