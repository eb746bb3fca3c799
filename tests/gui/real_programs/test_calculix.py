"""CalculiX (finite elements) from the empty window to a posterior: two tables in one output, two quantities in one data file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import export_samples, run_some, set_priors

STUDY = Path(__file__).parent / "calculix_arm"
MOST = 45  # actions; before key and split were proposed from the values, the data alone took a newcomer 18
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not shutil.which("ccx"), reason="ccx (Debian: calculix-ccx) is not installed"),
]
# The data were made at 193500, 7.52e-9, 13800 (modulus in MPa, density in t/mm3, spring of the clamp in N/mm).


@pytest.mark.usefixtures("nothing_left_behind")
def test_deflections_and_frequencies_of_one_file_find_their_tables(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    hands = Hands(empty_window(1024, 700))
    hands.click("New analysis")
    hands.type("ccx arm")
    hands.tab("Inputs")
    hands.file("Open an input file", tmp_path / "study" / "arm.inp")
    for number, name in (("210000.", "E"), ("7.85e-9", "rho"), ("12500.", "spring")):
        hands.mark(number, double=True)
        hands.type(name)
    hands.click("Test run")
    hands.wait_for("Mark numbers")
    hands.click("Mark numbers")
    hands.wait_for("Numbers with a dotted line")  # the run at other values says which text to read
    report = hands.pane("displacements")
    for number in ("-1.186776E-02", "0.3308667E+02"):
        hands.mark(number, pane=report)
        hands.click("Column")
        hands.click("Add output")

    hands.click("Data")
    hands.file("Open a data file", tmp_path / "study" / "measured.csv")
    hands.click("Use this table")
    hands.click("Compare them")
    hands.wait_for("all 9 rows compared", 5)
    hands.picture(tmp_path / "data.png")

    set_priors(hands, "uniform(150000, 250000)", "uniform(7e-9, 8.5e-9)", "uniform(5000, 25000)")
    run_some(hands, 12)
    draws = export_samples(hands, tmp_path)
    assert len(hands.actions) <= MOST, hands.actions
    assert ((draws >= (150_000, 7e-9, 5_000)) & (draws <= (250_000, 8.5e-9, 25_000))).all()
