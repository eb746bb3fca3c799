"""xtb (semi-empirical quantum chemistry): what a table names is found in the log, each quantity by its label."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import export_samples, run_some

STUDY = Path(__file__).parent / "xtb_water"
MOST = 36  # actions: half of what newcomers needed for as many quantities marked one by one
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("xtb") is None, reason="xtb is not installed"),
]
# The data were made at 0.135, 0.790 (angstroms).


@pytest.mark.usefixtures("nothing_left_behind")
def test_energies_that_a_table_names_are_found_in_the_log_and_compared(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    shutil.copytree(STUDY, tmp_path / "study")
    hands = Hands(empty_window(1024, 700))
    hands.click("New analysis")
    hands.type("xtb water.xyz")
    hands.file("It has unknown numbers", tmp_path / "study" / "water.xyz")
    for number, name in (("0.117", "oxygen"), ("0.757", "hydrogen")):
        hands.mark(number, double=True)
        hands.type(name)
    hands.click("Data")
    hands.file("Open a data file", tmp_path / "study" / "measured.csv")
    hands.click("Use this table")

    hands.click("Simulator")
    hands.click("Test run")
    hands.wait_for("Mark numbers")
    hands.click("Mark numbers")
    hands.wait_for("Your table names 4 quantities")
    hands.click("Find in the files")
    assert hands.reads("measured −5.0694 Eh")
    hands.picture(tmp_path / "found.png")
    hands.click("Add 4 outputs")
    hands.click("Data")
    assert hands.reads("All 4 rows compared")
    hands.picture(tmp_path / "data.png")

    hands.click("Parameters")
    for low, high in ((0.0, 0.25), (0.6, 0.95)):
        hands.type(str(low), end="Tab")
        hands.type(str(high), end="Tab")
    hands.picture(tmp_path / "parameters.png")
    run_some(hands, 12)
    draws = export_samples(hands, tmp_path)
    assert len(hands.actions) < MOST, hands.actions
    assert ((draws >= (0.0, 0.6)) & (draws <= (0.25, 0.95))).all()
