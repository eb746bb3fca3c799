"""nec2c (antennas) from the empty window to a posterior at 1024 x 700: one text with the tables of seven frequencies."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_some, set_priors

STUDY = Path(__file__).parent / "nec_dipole"
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not shutil.which("nec2c"), reason="nec2c (Debian) is not installed"),
]
# The data were made at 9.10, 7.5, 0.0032 (height in m, permittivity and conductivity in S/m of the ground).


@pytest.mark.usefixtures("nothing_left_behind")
def test_impedances_of_all_frequencies_are_read_from_one_text(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    shutil.copytree(STUDY, tmp_path / "study")
    hands = Hands(empty_window(1024, 700))
    hands.click("New analysis")
    hands.type("nec2c -i dipole.nec -o dipole.out")
    hands.file("It has unknown numbers", tmp_path / "study" / "dipole.nec")
    for number, name in (("8.50", "height"), ("13.0", "eps"), ("0.0050", "sigma")):
        hands.mark(number, after="-5.02 " if name == "height" else "", double=True)
        hands.type(name)
    hands.click("Test run")
    hands.wait_for("Mark numbers")
    hands.picture(tmp_path / "inputs.png")
    hands.click("Mark numbers")
    hands.wait_for("Numbers with a dotted line")
    report = hands.pane("RADIATION PATTERNS")
    hands.find_in_text(report, "ANTENNA INPUT")
    for column, name in ((7, "R"), (8, "X")):
        row = report.document().toPlainText().partition("ANTENNA INPUT")[2].splitlines()[3].split()
        hands.mark(row[column - 1], after="ANTENNA INPUT", pane=report)
        if name == "R":  # kept for the next number of the same table
            hands.choose("this table", "all these tables")
        hands.fill("IMPEDANCE_", name)
    hands.wait_for("Every output was found at other values too")
    hands.picture(tmp_path / "outputs.png")

    hands.click("Data")
    hands.file("Open a data file", tmp_path / "study" / "impedance.csv")
    hands.click("Use this table")
    hands.click("Say how large")
    hands.type("1")
    hands.picture(tmp_path / "data.png")

    set_priors(hands, "uniform(6, 12)", "uniform(3, 25)", "loguniform(0.001, 0.03)")
    hands.picture(tmp_path / "parameters.png")
    run_some(hands, 12)
    draws = export_samples(hands, tmp_path)
    assert len(hands.actions) < MOST_ACTIONS, hands.actions
    assert len(draws) == 10_000
    assert ((draws >= (6.0, 3.0, 0.001)) & (draws <= (12.0, 25.0, 0.03))).all()
