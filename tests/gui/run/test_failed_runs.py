"""A run that failed, looked at in the window that made it: its folder, what it printed, what was read, where the sign stood."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.dialogs import messages as dialogs
from bayescope.gui.models.runs import values_text
from bayescope.gui.pages.run import table as run_table

pytestmark = [pytest.mark.window, pytest.mark.timeout(240)]
PATIENCE = 120_000  # ms; the machine may be busy
PROGRAM = """import sys
k = float(sys.argv[1])
print("step 1 done")
print("chi2 = %r" % (((k - 0.7) / 0.1) ** 2))
for count in (17, 18, 19):
    print("iterations\\n%d" % count)
if k < 0.5:
    print("*** ERROR 317: the matrix is singular at k = %g" % k)
    print("giving up politely")
"""


def problem(program: Path) -> d.Problem:
    rules = d.FailureRules(patterns=(d.FailurePattern(source="stdout", pattern=r"ERROR\s+\d+", regex=True),))
    return d.Problem(
        name="Fails below a half",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=(sys.executable, str(program), "@k@"), failures=rules),
        outputs=(
            d.Output(name="chi2", source="stdout", extractor=d.LabelledNumber(label="chi2")),
            d.Output(name="counts", source="stdout", extractor=d.RowsAfter(marker="iterations")),
        ),
        meaning=d.MinusTwoLogLikelihood(output="chi2"),
        settings=d.Settings(max_evaluations=10, workers=2, seed=1),
    )


@pytest.mark.journeys
def test_a_failed_run_is_opened_in_the_window_that_made_it(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, controller, page = open_window()
    program = tmp_path / "model.py"
    program.write_text(PROGRAM)
    assert controller.file.adopt(problem(program))
    assert not controller.problem.findings(level="error"), controller.problem.findings()
    assert controller.file.save_as(tmp_path / "mine")
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None and not controller.run.active, timeout=PATIENCE)
    failed = [e for e in controller.run.data.evaluations if e.outcome == "failed"]
    good = [e for e in controller.run.data.evaluations if e.outcome == "ok"]
    assert failed
    assert good
    page.show_run(failed[0].index)
    details = page.view("runs").table.details
    words = details.words.text()
    assert "not kept" not in words
    assert "line 9: “*** ERROR 317: the matrix is singular" in words, words
    assert "*** ERROR 317" in details.texts[1].toPlainText()
    opened: list[Path] = []
    monkeypatch.setattr(run_table, "reveal", opened.append)
    qtbot.mouseClick(details.open_folder, Qt.MouseButton.LeftButton)
    assert opened == [tmp_path / "mine.runs" / failed[0].run_folder]
    assert opened[0].is_dir()
    assert dialogs.reveal is not run_table.reveal

    page.show_run(good[0].index)
    qtbot.waitUntil(lambda: "counts" in details.texts[0].toPlainText(), timeout=10_000)
    shown = details.texts[0].toPlainText()
    assert "17, 18, 19" in shown
    assert f"{good[0].values['k']!r}" in shown
    assert "not kept" in details.words.text(), "of good runs none is, unless that was asked for"
    page.show_run(failed[0].index)
    qtbot.waitUntil(lambda: "None were read" in details.texts[0].toPlainText(), timeout=10_000)


def test_values_are_told_in_full_and_long_outputs_cut() -> None:
    outputs = {"y": np.arange(5000.0), "many": np.array([[1.0, 2.0], [3.0, -4.5]]), "one": np.array(7.0)}
    lines = values_text({"k": 0.1}, outputs).splitlines()
    assert lines[:2] == ["Parameters", "  k  0.1"]
    found = {line.split("  ")[1].strip(): line for line in lines[4:]}
    assert found["y"].endswith("199, … (5,000 values)")
    assert found["many, repeat 2"].endswith("3, −4.5")
    assert found["one"].endswith("7")
    assert "Outputs" not in values_text({"k": 0.1}, None), "before they were read nothing is said of them"
