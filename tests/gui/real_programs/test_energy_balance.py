from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hands import Hands
from hands.run import MOST_ACTIONS, export_samples, run_some, set_priors

HERE = Path(__file__).parent / "energy_balance"


def shows(h: Hands, words: str) -> bool:
    from hands import NotInSight
    try:
        return h.pane(words) is not None
    except NotInSight:
        return False


@pytest.mark.parametrize("data", ["buoys.csv", "zonal_means.csv"])
def test_explore(tmp_path: Path, hands_on: Callable[[int, int], Hands], data: str) -> None:
    for name in ("ebm.py", "ebm.ini", data):
        shutil.copy(HERE / name, tmp_path)
    h = hands_on(1440, 900)
    out = Path("/tmp/fewer_clim/shots") / data
    out.mkdir(parents=True, exist_ok=True)
    try:
        h.click("New analysis")
        h.type(f"{sys.executable} {tmp_path}/ebm.py {tmp_path}/ebm.ini")
        h.click("It has unknown numbers")
        for number in ("210.0", "2.0 ", "0.555"):
            h.mark(number, double=True)
            h.key("Return")
        h.click("Test run")
        h.wait_for("Mark numbers")
        h.picture(out / "a.png")
        h.click("Mark numbers")
        h.picture(out / "b.png")
        h.file("Make the script", tmp_path / "run-and-print.sh")
        h.click("Test run")
        h.wait(lambda: shows(h, "Ts ="))
        h.picture(out / "c.png")
        h.mark("Ts", after="// global attributes")
        h.picture(out / "d.png")
        h.click("Add")
        h.picture(out / "e.png")
        h.click("Data")
        h.file("Open a data file", tmp_path / data)
        h.wait_for("Use this table")
        h.picture(out / "f.png")
        h.click("Use this table")
        h.picture(out / "g.png")
    finally:
        h.picture(out / "z.png")
        print(h.read())
        print(len(h.actions), h.actions)
