"""A climate model writes Ts(month, lat) to a netCDF file; a logger's table has months and latitudes between its places."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hands import Hands, NotInSight
from hands.run import MOST_ACTIONS, export_samples, run_some

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("ncdump") is None, reason="ncdump is missing: apt-get install -y netcdf-bin"),
]
STUDY = Path(__file__).parent / "energy_balance"
# The data were made at 206.8, 1.83, .62 (A, B: outgoing radiation; D: diffusivity).
MEANS, SDS = np.array([209.91, 1.630, 0.6486]), np.array([1.87, 0.114, 0.0197])  # importance sampling on a cubic in 90 runs


def shows(hands: Hands, words: str) -> bool:
    try:
        return hands.pane(words) is not None
    except NotInSight:
        return False


def model_printed(h: Hands, folder: Path, data: str) -> None:
    """From the empty window to the model's netCDF file as text."""
    for name in ("ebm.py", "ebm.ini", data):
        shutil.copy(STUDY / name, folder)
    h.click("New analysis")
    h.type(f"{sys.executable} {folder}/ebm.py {folder}/ebm.ini")
    h.click("It has unknown numbers")
    h.drag("210.0", "0.555", pane=h.pane("[longwave]"))
    h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.file("Make the script", folder / "run-and-print.sh")
    h.click("Test run")
    h.wait(lambda: shows(h, "Ts ="))
    h.mark("Ts", after="// global attributes")


def test_a_list_by_month_and_latitude_is_compared_with_a_table_of_both(
    tmp_path: Path, hands_on: Callable[[int, int], Hands]
) -> None:
    h = hands_on(1440, 900)
    model_printed(h, tmp_path, "buoys.csv")
    h.click("Add output")
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file", tmp_path / "buoys.csv")
    h.wait_for("Use this table")
    h.click("Use this table")
    h.click("Compare by month and lat")
    h.wait_for("all 49 rows compared", 5)
    h.picture(tmp_path / "data.png")

    h.click("Parameters")
    h.key("Ctrl+A")  # the offscreen platform takes the window's activation when dialogs go, and with it what is selected
    for prior in ("195 to 225", "between 1.3 and 2.7", "0.3 to 1"):
        h.type(prior)
    h.wait_for("3 to learn", 5)
    h.picture(tmp_path / "parameters.png")
    run_some(h, 25)
    draws = export_samples(h, tmp_path)
    assert (tmp_path / "samples.csv").read_text().startswith("A,B,D\n")
    assert len(h.actions) < MOST_ACTIONS, h.actions
    assert (np.abs(draws.mean(0) - MEANS) < SDS).all()


def test_a_table_with_a_column_for_each_of_some_months_is_compared_with_their_rows(
    tmp_path: Path, hands_on: Callable[[int, int], Hands]
) -> None:
    """Errors stand in one column for all; some cells are empty."""
    h = hands_on(1024, 700)
    model_printed(h, tmp_path, "zonal_means.csv")
    h.click("Each by itself")
    h.wait_for("Add 12 outputs")
    h.click("Add 12 outputs")
    h.picture(tmp_path / "outputs.png")

    h.click("Data")
    h.file("Open a data file", tmp_path / "zonal_means.csv")
    h.wait_for("Use this table")
    h.click("Use this table")
    h.click("Compare by name")
    h.click("Interpolate all 4 over lat")
    h.click("Use it for all")
    h.wait_for("13 rows compared: 49 values, 3 values missing", 5)
    h.picture(tmp_path / "data.png")
    assert len(h.actions) < 25, h.actions
