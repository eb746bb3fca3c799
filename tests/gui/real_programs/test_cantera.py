"""A shock tube in Cantera through a colleague's script: several species measured in one long table, some values missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hands import Hands

pytestmark = [pytest.mark.window, pytest.mark.timeout(300)]
HERE = Path(__file__).parent / "cantera"
MOST_ACTIONS = 60


def test_a_shock_tube_is_set_up_and_run_by_hand(
    tmp_path: Path,
    hands_on: Callable[[int, int], Hands],
    pictures: Callable[[Hands, str], None],
    python_with: Callable[[str], str],
) -> None:
    python = python_with("cantera")
    for name in ("reactor.py", "case.yaml", "absorption_0317.csv"):
        shutil.copy(HERE / name, tmp_path)
    h = hands_on(1280, 800)

    h.click("New analysis")
    h.type(f"{python} {tmp_path / 'reactor.py'} case.yaml")
    h.click("It has unknown numbers")  # found beside the script: no dialog
    for number, name in (("1400.0", "T0"), ("1.0", "k1"), ("1.0", "k2")):
        h.number(number, twice=True)
        h.type(name)
    h.click("Test run")
    h.wait(lambda: h.reads("Mark numbers"))
    h.click("Mark numbers")
    h.number("time_us")
    h.click("Add 8 outputs")
    pictures(h, "simulator")

    h.click("Data")
    h.file(tmp_path / "absorption_0317.csv")
    h.click("Open a")
    h.wait(lambda: h.reads("Use this table"))
    assert h.reads("3 quantities: OH, H2O, H")
    h.click("Use this table")
    h.wait(lambda: h.reads("52 rows, 3 compared"), 5000)  # the errors are known from the table, the time pairs the rows
    h.click("Test run")
    h.wait(lambda: h.reads("Line: the newest test run"))
    pictures(h, "data")

    h.click("Parameters")
    for guess, prior in (
        ("uniform(0, 2800)", "normal(1400, 40)"),
        ("uniform(0, 2)", "uniform(0.5, 2)"),
        ("uniform(0, 2)", "uniform(0.5, 2)"),
    ):
        h.cell(guess)
        h.type(prior)
    pictures(h, "parameters")
    h.wait(lambda: h.reads("3 to learn"), 5000)
    pictures(h, "parameters")

    h.click("Run")
    h.dialog("Settings…", lambda: h.fill("Simulator runs at most", "10"))  # Return is OK
    h.click("Start")
    h.wait(lambda: h.reads("is used up") or h.reads("Converged after"))
    pictures(h, "run")
    h.click("Results")
    h.wait(lambda: h.reads("Log evidence"))
    h.tab("4")
    h.file(tmp_path / "samples.csv")
    h.click("Save posterior samples")
    h.wait(lambda: h.reads("samples.csv"))
    pictures(h, "results")
    assert (tmp_path / "samples.csv").read_text().startswith("T0,k1,k2\n")
    assert h.actions < MOST_ACTIONS, "\n".join(h.log)
