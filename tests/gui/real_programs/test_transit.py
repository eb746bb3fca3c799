"""The light of a star: a shell script makes a text of out.nc with ncdump, two lists over many lines; every third was measured."""

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
    pytest.mark.skipif(shutil.which("ncdump") is None, reason="ncdump is not installed: apt-get install -y netcdf-bin"),
]
HERE = Path(__file__).parent / "transit"
SCRIPT = f"""#!/bin/sh
# runs the model and makes a text of what it wrote
{sys.executable} transit.py transit.ini || exit 1
ncdump out.nc
"""


def test_two_lists_over_many_lines_are_read_by_a_click_each_and_paired_by_their_times(
    tmp_path: Path, hands_on: Callable[[int, int], Hands]
) -> None:
    for name in ("transit.py", "transit.ini", "light.csv"):
        shutil.copy(HERE / name, tmp_path)
    script = tmp_path / "run.sh"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    h = hands_on(1024, 700)

    h.click("New analysis")
    h.type(str(script))
    h.click("It never changes")  # transit.py, then transit.ini: the script names them
    h.click("It has unknown numbers")
    for number in ("0.021", "4.8", "1.6"):
        h.mark(number, double=True)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.click("Run at other values")
    h.wait_for("Dotted")
    h.mark("flux_r =")
    h.picture(tmp_path / "list.png")
    h.wait_for("40 numbers, lines")
    h.click("Add output")
    h.mark("time = 0")
    h.click("Add output")
    h.picture(tmp_path / "outputs.png")
    h.click("Data")
    h.file("Open a data file", tmp_path / "light.csv")
    h.wait_for("Use this table")
    h.click("Use this table")
    h.click("Compare by name")
    h.picture(tmp_path / "compared.png")
    h.click("Test run")
    h.wait_for("Line: the newest test run")
    h.picture(tmp_path / "data.png")
    h.wait_for("All 13 rows compared", 5)
    h.wait_for("Pair by the output", 5)

    set_priors(h, "uniform(0.005, 0.05)", "uniform(4, 6)", "uniform(1, 3)")
    h.wait_for("3 to learn", 5)
    run_budget(h, 10)
    export_samples(h, tmp_path)
    assert (tmp_path / "samples.csv").read_text().startswith("depth,middle,half_width\n")
    assert len(h.actions) < MOST_ACTIONS, h.actions
