"""A random program that prints more days than were counted: said on the Data page, before the first evaluation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QRadioButton

from hands import Hands

pytestmark = [pytest.mark.window]


def test_summaries_of_other_lengths_are_refused_before_the_run(
    tmp_path: Path, hands_on: Callable[[int, int], Hands]
) -> None:
    script = tmp_path / "go.sh"
    script.write_text("#!/bin/sh\n. ./deck.txt\necho day mites\nfor d in 1 2 3; do echo $d ${rate%.*}$d; done\n")
    script.chmod(0o755)
    (tmp_path / "deck.txt").write_text("rate=7.34\nseed=4711\n")
    (tmp_path / "counts.csv").write_text("Datum;mites\n06.05.2024;12,5\n08.05.2024;14,5\n")
    h = hands_on(1280, 800)
    h.click("New analysis")
    h.type(str(script))
    h.click("It has unknown numbers")
    for number in ("7.34", "4711"):
        h.mark(number, double=True)
        h.key("Return")
    h.click("Test run")
    h.wait_for("Mark numbers")
    h.click("Mark numbers")
    h.mark("mites")
    h.click("Add")
    h.tab("Meaning")
    h.click("Random simulations, summarized", QRadioButton)
    h.click("Data")
    h.file("Open a data file", tmp_path / "counts.csv")
    h.wait_for("Use this table")
    h.click("Use this table")
    h.tab("Comparison")
    if not h.reads("mites compared with mites"):
        h.click("Add summary")
    h.click("Simulator")
    h.click("Test run")
    h.wait_for("Took", 20)
    h.click("Data")
    h.tab("Comparison")
    h.picture(tmp_path / "data.png")
    h.wait_for("but 2 were measured: they cannot be compared one by one", 8)
