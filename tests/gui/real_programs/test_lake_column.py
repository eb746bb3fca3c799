"""Heat in a lake column: a shell script of the user's turns out.nc into text with cdo; an Excel file has depths and dates."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_budget, set_priors

pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("cdo") is None, reason="cdo is not installed: apt-get install -y cdo"),
]
HERE = Path(__file__).parent / "lake_column"
SCRIPT = f"""#!/bin/sh
# runs the column and makes a text of what it wrote
{sys.executable} column.py column.ini || exit 1
cdo -s outputtab,date,lev,value -selname,temp out.nc > temp.txt
"""


def test_a_lake_column_is_set_up_and_run_by_hand_in_a_small_window(
    tmp_path: Path, hands_on: Callable[[int, int], Hands]
) -> None:
    for name in ("column.py", "column.ini", "casts.xlsx"):
        shutil.copy(HERE / name, tmp_path)
    script = tmp_path / "run.sh"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    h = hands_on(1024, 700)

    h.click("New analysis")
    h.type(str(script))
    h.click("It never changes")  # column.py, then column.ini: the script names them
    h.click("It has unknown numbers")
    for number in ("1.0e-4", "2.0 ", "0.55"):
        h.mark(number, double=True)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.mark("date")
    h.click("Table")
    h.type("depth, T")
    h.picture(tmp_path / "simulator.png")

    h.click("Data")
    h.file("Open a data file", tmp_path / "casts.xlsx")
    h.wait_for("Use this table")
    h.click("Use this table")
    h.click("Test run")
    h.wait_for("the newest test run, at the values")
    h.wait_for("rows compared", 5)
    h.picture(tmp_path / "data.png")

    set_priors(h, "loguniform(1e-5, 1e-3)", "uniform(0.5, 6)", "uniform(0.2, 1.5)")
    h.wait_for("3 to learn", 5)
    h.picture(tmp_path / "parameters.png")

    run_budget(h, 10)
    export_samples(h, tmp_path)
    assert (tmp_path / "samples.csv").read_text().startswith("surface,mixing_depth,extinction\n")
    assert len(h.actions) < MOST_ACTIONS, h.actions
