"""A season of RSV in summer2: an agency's weekly table by ISO week and age, cells suppressed, sums, a survey below it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.window.main_window import MainWindow
from hands import Hands
from hands.run import MOST_ACTIONS, python_with, set_priors

STUDY = Path(__file__).parent / "rsv_season"
PYTHON = python_with("summer2")
pytestmark = [
    pytest.mark.long,
    pytest.mark.window,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not PYTHON, reason="summerepi2 (PyPI) is not installed"),
]
# The data were made at R0 2.42, 170 infected at the start, relative susceptibility 0.66, 15.2 % reported, size 25.
# By importance sampling, 3,000 draws (effective 2,235) with another solver (scipy), the priors below: means 2.406, 178.6, 0.635,
# 13.79, 20.8; sds 0.025, 21.2, 0.041, 0.85, 4.9; log evidence -330.62.


def test_an_agency_s_weekly_table_meets_the_classes_and_dates_of_the_program(
    tmp_path: Path, empty_window: Callable[[int, int], MainWindow]
) -> None:
    study = Path(shutil.copytree(STUDY, tmp_path / "study"))
    h = Hands(empty_window(1280, 800))
    h.click("New analysis")
    h.type(f"{PYTHON} {study / 'rsv_season.py'} {study / 'winter2324.ctl'}")
    h.click("It has unknown numbers")
    for number, after in (("2.60", "R0 "), ("120", "infected at start "), ("0.60", "relative suscep"), ("12.0", "  0-4  ")):
        h.mark(number, after=after, double=True)
        h.key("Return")
    declared = h.window.controller.problem.declared
    named = [("R0", ""), ("infected_at_start", ""), ("susceptibility", ""), ("reported_0_4", "%")]
    assert [(p.name, p.unit) for p in declared.parameters] == named
    h.click("Test run")
    h.wait_for("Mark numbers", 120)
    h.click("Mark numbers")
    text = h.pane("SEASON  RSV")
    h.mark("2  NOTIFIED", pane=text)
    h.click("Add 5 outputs")
    h.mark("Infected %", after="SEASON AS A WHOLE", pane=text)
    h.click("Add output")
    h.click("Data")
    h.file("Open a data file", study / "rsv_weekly_2324.csv")
    h.wait_for("Use this table")
    h.click("Use this table")
    h.wait_for("compared with the outputs named alike")
    h.click("Compare by name")
    h.wait_for("is the sum of 4 other columns")
    h.click("Leave it out")
    h.wait_for("rows are paired by")
    h.click("It does not count")  # how many were tested
    h.tab("Table")
    h.cell("ISO week", 24)
    h.key("Shift+Down")
    h.key("Delete")  # two provisional weeks
    h.tab("Errors")
    h.choose("Measurement errors", "Counts that scatter more (negative binomial)")
    h.click("keep its own errors")
    h.choose("Learned as the parameter", "New parameter size")
    set_priors(h, "1.5 to 4", "log-uniform 10 to 2000", "0.2 to 1.2", "2 to 40 %", "log-uniform 1 to 1000")
    h.click("Run")
    h.wait_for("Ready to start")
    meaning = h.window.controller.problem.declared.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.noise == d.NegativeBinomialNoise(size=None, parameter="size")
    assert {m.output: (m.column, m.keys) for m in meaning.matches} == {
        "Infected": ("Infected (%)", ()),
        **{f"CASES_{name}": (column, (("ISO_week", "ISO week"),)) for name, column in (
            ("0_4", "0\u20134 y"), ("5_17", "5\u201317 y"), ("18_64", "18\u201364 y"), ("65", "65+ y"),
        )},
    }  # fmt: skip
    h.picture(tmp_path / "ready.png")
    assert len(h.actions) + 1 < MOST_ACTIONS, h.actions
