"""A river in landlab as a newcomer set it up: netCDF, two sheets in other units than the program's, errors in a note too."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPlainTextEdit

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, run_some, set_priors

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("ncdump") is None, reason="ncdump is missing: apt-get install -y netcdf-bin"),
]
STUDY = Path(__file__).parent / "landlab_river"


@pytest.fixture(params=["landlab", "the trunk alone"])
def program(request: pytest.FixtureRequest, python_with: Callable[[str], str]) -> str:
    """The program of the study; and the same model in one dimension, which needs no landlab."""
    if request.param == "landlab":
        return f"{python_with('landlab')} run_river.py"
    return f"{sys.executable} river_line.py"


def test_a_river_in_landlab_is_set_up_in_few_actions(
    empty_window: Callable[[int, int], MainWindow], tmp_path: Path, program: str
) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    python, script = program.split()
    window = empty_window(1280, 800)
    h = Hands(window)
    h.click("New analysis")
    h.type(f"{python} {study / script} river.yaml")
    h.click("It has unknown numbers")
    h.mark("3.0e-6", double=True)
    h.type("K_sp")
    h.drag("2.0e-4", "0.01")
    h.type("")  # named as they stand
    h.click("Test run")
    h.wait_for("Mark numbers", 120)
    h.click("Mark numbers")
    h.wait(lambda: h.sees("Make the script") or h.sees("Of binary files"))
    h.wait(lambda: not h.reads("Now at other values"))
    if h.sees("Of binary files"):
        h.click("Of binary files")
    h.file("Make the script", study / "run-and-print.sh")
    h.click("Test run")
    h.wait(lambda: any("netcdf river" in pane.toPlainText() for pane in h.seen(QPlainTextEdit)))
    for name in ("elevation", "distance", "catchment_erosion_rate"):
        h.mark(name, after="\n\n ")
        h.click("Add output")
    h.wait(lambda: not h.reads("Now at other values"))
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file", study / "rio_seco.xlsx")
    h.picture(tmp_path / "import.png")
    h.click("Take both")
    h.click("Use this table")
    h.wait_for("as m are against km")
    h.click("Pair them so")
    h.wait_for("compared with the output that is named alike")
    h.picture(tmp_path / "named.png")
    h.click("Compare by name")
    h.click("Multiply catchment_erosion_rate by 1000000")
    h.wait_for("±4 m")
    h.click("Take them")
    h.click("Keep it fixed")  # the seed of the surface at the beginning
    h.wait_for("14 rows compared", 10)
    h.picture(tmp_path / "data.png")
    meaning = window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    profile, rate = meaning.matches
    assert profile.keys == (("distance", "Distance upstream (km)"),)
    assert (profile.key_factor, profile.interpolate, profile.noise) == (0.001, True, d.GaussianKnown(sd=4.0))
    assert (rate.output, rate.column, rate.factor) == ("catchment_erosion_rate", "Erosion rate (mm/kyr)", 1e6)
    assert rate.sd_column == "± Erosion rate (mm/kyr)"

    set_priors(h, "loguniform(1e-7, 1e-4)", "loguniform(1e-5, 2e-3)", "loguniform(1e-3, 10)")
    run_some(h, 8)
    h.picture(tmp_path / "run.png")
    assert len(h.actions) < MOST_ACTIONS, h.actions
    assert any(e.outcome == "ok" for e in window.controller.run.data.evaluations)
