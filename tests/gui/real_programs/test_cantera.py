"""A shock tube in Cantera through a colleague's script: several species measured in one long table, some values missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_budget, set_priors

pytestmark = [pytest.mark.long, pytest.mark.window, pytest.mark.timeout(300)]
HERE = Path(__file__).parent / "cantera"


def test_a_shock_tube_is_set_up_and_run_by_hand(
    tmp_path: Path,
    hands_on: Callable[[int, int], Hands],
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
        h.mark(number, double=True)
        h.type(name)
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.choose("Text to mark in", "species.csv")  # the printed line moves, too, and is shorter
    h.mark("time_us")
    h.click("Table")
    h.click("Add 8 outputs")
    h.picture(tmp_path / "simulator.png")

    h.click("Data")
    h.file("Open a data file", tmp_path / "absorption_0317.csv")
    h.wait_for("Use this table")
    assert h.reads("3 quantities: OH, H2O, H")
    h.click("Use this table")
    h.wait_for("rows compared", 5)  # the errors are known from the table, the time pairs the rows
    h.click("Test run")
    h.wait_for("Line: the newest test run")
    h.picture(tmp_path / "data.png")

    set_priors(h, "normal(1400, 40)", "uniform(0.5, 2)", "uniform(0.5, 2)")
    h.wait_for("3 to learn", 5)
    h.picture(tmp_path / "parameters.png")

    run_budget(h, 10)
    export_samples(h, tmp_path)
    assert (tmp_path / "samples.csv").read_text().startswith("T0,k1,k2\n")
    assert len(h.actions) < MOST_ACTIONS, h.actions
