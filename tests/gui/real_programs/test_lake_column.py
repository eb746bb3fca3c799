"""Heat in a lake column: a shell script of the user's turns out.nc into text with cdo; an Excel file has depths and dates."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hands import Hands

pytestmark = [
    pytest.mark.window,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("cdo") is None, reason="cdo is not installed: apt-get install -y cdo"),
]
HERE = Path(__file__).parent / "lake_column"
MOST_ACTIONS = 60
SCRIPT = f"""#!/bin/sh
# runs the column and makes a text of what it wrote
{sys.executable} column.py column.ini || exit 1
cdo -s outputtab,date,lev,value -selname,temp out.nc > temp.txt
"""


def test_a_lake_column_is_set_up_and_run_by_hand_in_a_small_window(
    tmp_path: Path, hands_on: Callable[[int, int], Hands], pictures: Callable[[Hands, str], None]
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
        h.number(number, twice=True)
        h.key("Return")
    h.click("Test run")
    h.wait(lambda: h.reads("Mark numbers"))
    h.click("Mark numbers")
    h.number("date")
    h.fill("lev, value", "depth, T")
    pictures(h, "simulator")

    h.click("Data")
    h.file(tmp_path / "casts.xlsx")
    h.click("Open a")
    h.wait(lambda: h.reads("Use this table"))
    h.click("Use this table")
    h.click("Test run")
    h.wait(lambda: h.reads("cannot be told apart"))
    h.click("Show them")
    h.click("Pair by depth (m) and date")
    h.click("Test run")
    h.wait(lambda: h.reads("Line: the newest test run"))
    h.wait(lambda: h.reads("33 rows, 1 compared"), 5000)
    pictures(h, "data")

    h.click("Parameters")
    for guess, prior in (
        ("uniform(0, 0.0002)", "loguniform(1e-5, 1e-3)"),
        ("uniform(0, 4)", "uniform(0.5, 6)"),
        ("uniform(0, 1.1)", "uniform(0.2, 1.5)"),
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
    assert (tmp_path / "samples.csv").read_text().startswith("surface,mixing_depth,extinction\n")
    assert h.actions < MOST_ACTIONS, "\n".join(h.log)
