"""LAMMPS with too long a time step: where the potential is stiff the atoms fly away. Seen as a region, mended, tried again."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

from bayescope.gui.style.theme import theme
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, ended, export_samples, run_budget, set_priors

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(400),
    pytest.mark.skipif(shutil.which("lmp") is None, reason="LAMMPS is missing: apt-get install -y lammps"),
]
STUDY = Path(__file__).parent / "lammps_argon"
STEP = "timestep        4.0"
TOO_LONG, SHORT = "timestep 80.0\n", "timestep 10.0\n"  # fs
RUNS = 30


@pytest.mark.usefixtures("nothing_left_behind")
def test_runs_that_lose_their_atoms_are_mapped_and_made_again_with_a_shorter_time_step(
    empty_window: Callable[[int, int], MainWindow], tmp_path: Path
) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    deck = study / "in.argon"
    deck.write_text(deck.read_text().replace(STEP, "include         step.in"))
    (study / "step.in").write_text(TOO_LONG)
    h = Hands(empty_window(1440, 900))
    h.click("New analysis")
    h.type("lmp -in in.argon")
    h.file("It has unknown numbers…", deck)
    h.click("Take it along")
    for number, name in (("0.2300", "eps"), ("3.300", "sigma")):
        h.mark(number, double=True)
        h.type(name)
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.wait_for("At other values the run failed: The program ended with exit status 1")  # in the ranges that were guessed
    set_priors(h, "uniform(0.1, 0.5)", "uniform(3.2, 3.7)")
    h.click("Simulator")
    h.click("Run at other values")
    h.wait_for("Numbers with a dotted line")
    h.mark("f_av[2]", after="Step Temp Density f_av[1] ")
    h.click("Table")
    h.type("step, temp, density, pressure, energy")

    h.click("Data")
    h.file("Open a data file…", study / "argon_40K.csv")
    h.click("Use this table")
    h.click("Test run")
    h.wait_for("Line: the newest test run")
    h.tab("Errors")
    h.click("Standard deviation", QLineEdit)
    h.type("20")
    h.tab("Comparison")
    h.wait_for("8 rows compared: 12 values, 4 values missing")

    run_budget(h, RUNS)
    draws = export_samples(h, tmp_path)
    assert ((draws >= (0.1, 3.2)) & (draws <= (0.5, 3.7))).all()
    h.click("Run")
    h.tab("Points")
    h.wait_for("coloured by the likeliest reason")
    _pictures(h, tmp_path, "points")
    h.tab("Runs")
    h.click("Why some failed")
    h.wait_for("runs: crashed")
    _pictures(h, tmp_path, "why")

    (study / "step.in").write_text(SHORT)
    h.click_and_answer("Try these again", "Run it here")  # the file was changed: one is asked once more
    h.wait_for(f"{RUNS} runs, 0 failed", 200)
    h.wait(lambda: ended(h), 60)
    assert not h.reads("runs: crashed")
    h.picture(tmp_path / "mended.png")
    assert len(h.actions) < MOST_ACTIONS, h.actions


def _pictures(h: Hands, folder: Path, name: str) -> None:
    """In both themes."""
    for look in ("dark", "light"):
        theme.choose(look)
        h.picture(folder / f"{name}_{look}.png")
