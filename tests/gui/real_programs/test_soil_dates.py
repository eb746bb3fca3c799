"""A soil model that prints hours since a date, wall clock and all, and data of which only the dates are known: from the empty
window to rows that fit, in both themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from bayescope.gui.style.theme import theme as themes
from hands import Hands

pytestmark = [pytest.mark.journeys, pytest.mark.window, pytest.mark.timeout(300)]
SCRIPT = """#!/bin/sh
# soil temperature, each 3 hours
echo "SOIL v2.1 - run of $(date)"
echo "time(hours since 2019-09-01) T_10cm"
awk 'NR==1 {a=$1; for (h=0; h<=240; h+=3) printf "%d %.4f\\n", h, 15 + a*sin(6.2831853*(h-9)/24) - 0.01*h}' soil.txt
echo "elapsed time: 0.$(date +%N | cut -c1-4) s"
echo "CPU seconds 1.$(date +%N | cut -c1-4)"
"""
ISO = "date,T_10cm\n2019-09-02,14.2\n2019-08-13,18.0\n2019-09-04,16.1\n2019-09-07,17.3\n"
NAMED = "date;T_10cm\n2 Sep 2019;14.2\n13 Aug 2019;18.0\n4 Sep 2019;16.1\n7 Sep 2019;17.3\n"
SLASHED = "date,T_10cm\n02/09/2019,14.2\n13/08/2019,18.0\n04/09/2019,16.1\n07/09/2019,17.3\n"


@pytest.fixture
def theme(qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[str]:
    themes.choose(request.param)
    yield request.param
    themes.choose("light")


@pytest.mark.parametrize(
    ("theme", "table"), [("light", ISO), ("dark", NAMED), ("light", SLASHED)], indirect=["theme"],
    ids=["ISO", "names of months", "slashes"],
)  # fmt: skip
def test_dates_without_an_hour_are_counted_from_the_stated_day_and_paired_by_the_day(
    tmp_path: Path, hands_on: Callable[[int, int], Hands], theme: str, table: str
) -> None:
    script, data = tmp_path / "run.sh", tmp_path / "soil.csv"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    data.write_text(table)
    (tmp_path / "soil.txt").write_text("6.5 # amplitude\n")
    h = hands_on(1440, 900)
    h.click("New analysis")
    h.type(str(script))
    h.click("It has unknown numbers")
    h.mark("6.5", double=True)
    h.type("a")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.mark("T_10cm")
    h.click("Table")
    h.picture(tmp_path / "marked.png")
    assert not h.reads("run of Sat")
    h.click("Add 2 outputs")

    h.click("Data")
    h.file("Open a data file", data)
    h.wait_for("Use this table")
    h.picture(tmp_path / "import.png")
    assert h.reads("counts 0, 3, 6 and so on: “hours since 2019-09-01”")
    assert h.reads("3 of 4 dates find a partner then; 1 lies 19 days before the program's first")
    h.click("Count in hours from 2019-09-01")
    h.picture(tmp_path / "counted.png")
    assert h.reads("as the program says: “hours since 2019-09-01”")
    h.click("Use this table")
    h.tab("Comparison")
    h.picture(tmp_path / "unfit.png")
    assert h.reads("1 of 4 measured rows has no row of “T_10cm” with the same key. 1 lies 19 days before the program's first.")
    h.click("Leave these rows out")
    h.picture(tmp_path / "asked.png")
    assert h.reads("has 8 values on a day: rows are paired with the one at 0 h")
    h.click("Pair by the day")
    h.wait_for("How large are the errors")
    assert h.reads("3 of 4 rows are paired; 1 is left out.")
    h.picture(tmp_path / "paired.png")
