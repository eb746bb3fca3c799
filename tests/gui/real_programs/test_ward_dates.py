"""A program that prints half days and a ward's table whose only times are dates, from the empty window to rows that fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

from hands import Hands

pytestmark = [pytest.mark.journeys, pytest.mark.window, pytest.mark.timeout(300)]
SCRIPT = """#!/bin/sh
# the growth of a ward, each half day
awk 'NR==1 {b=$1; print "day,beds,swabs"; for (k=0; k<=140; k++) print k/2 "," 4*exp(b*k/2) "," 70*exp(b*k/2)}' rates.txt
"""
WARD = "date,beds,swabs\n2024-01-13,5.2,75\n2024-01-18,4.1,138\n2024-01-23,6.4,\n2024-01-28,22.6,547\n2024-03-08,753.4,\n"


@pytest.mark.parametrize(
    ("size", "clicked"), [((1440, 900), 0), ((1024, 700), 1)], ids=["in the message of the page", "above the comparison"]
)
def test_dates_are_counted_in_the_days_of_the_program_with_one_click(
    tmp_path: Path, hands_on: Callable[[int, int], Hands], size: tuple[int, int], clicked: int
) -> None:
    script, table = tmp_path / "run.sh", tmp_path / "ward.csv"
    script.write_text(SCRIPT)
    script.chmod(0o755)
    table.write_text(WARD)
    (tmp_path / "rates.txt").write_text("0.1 # growth per day\n")
    h = hands_on(*size)
    h.click("New analysis")
    h.type(str(script))
    h.click("It has unknown numbers")
    h.mark("0.1", double=True)
    h.type("b")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.mark("day")
    h.click("Table")
    h.click("Add 3 outputs")

    h.click("Data")
    h.file("Open a data file", table)
    h.wait_for("Use this table")
    assert h.reads("“date” holds dates, but output “day” counts 0, 0.5, 1 and so on")
    h.picture(tmp_path / "import.png")
    h.click("Use this table")  # the offer was overlooked
    assert not h.reads("On the Data page")
    h.picture(tmp_path / "unfit.png")
    h.tab("Comparison")
    h.picture(tmp_path / "comparison.png")
    h.click("Count in days from a day 0", nth=clicked)
    h.picture(tmp_path / "counted.png")
    h.type("2024-01-08")
    h.wait_for("How large are the errors")
    h.picture(tmp_path / "said.png")

    h.tab("Table")
    h.file("Open another file", table)
    h.wait_for("Replace the present table")
    assert not h.reads("added as")
    h.click("Count in days from a day 0")
    h.picture(tmp_path / "second.png")
    assert h.find("Day 0", QLineEdit).text() == "2024-01-08"
    h.click("Replace the present table")
    assert h.reads("How large are the errors")
