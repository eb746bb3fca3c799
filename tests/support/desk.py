"""What every study begins and ends with, done by hand."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from desk_hands import Hands
from numpy.typing import NDArray
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QTableView

MOST_ACTIONS = 60


def python_with(module: str) -> str:
    """A Python that has a module: this one, or the first on the path; empty: neither."""
    for python in (sys.executable, shutil.which("python3") or ""):
        if python and subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            return python
    return ""


def open_file(hands: Hands, button: str, path: Path) -> None:
    """A press on a button that asks for a file, and its path typed."""
    answered = hands.answer(path)
    hands.click(button)
    hands.wait(lambda: bool(answered), 10)
    QTest.qWait(300)  # the dialog closes, what was opened appears


def set_priors(hands: Hands, *priors: str) -> None:
    """Each typed into its cell of the table of parameters."""
    hands.click("Parameters")
    table = next(v for v in hands.seen(QTableView) if v.model().rowCount() == len(priors))
    model, across = table.model(), table.horizontalHeader().orientation()
    titles = [str(model.headerData(k, across)) for k in range(model.columnCount())]
    for row, prior in enumerate(priors):
        hands.cell(table, row, titles.index("Prior"), double=True)
        hands.type(None, prior)


def run_and_export(hands: Hands, runs: int, folder: Path) -> NDArray[np.float64]:
    """Run until there is an answer from so many runs, look at the results, save the samples: these (n, d)."""
    hands.click("Run")
    hands.click("Start")
    hands.wait(lambda: _runs_done(hands) >= runs or hands.reads("Finished"), 120)
    if hands.sees("Stop", QPushButton):
        hands.click("Stop")
    hands.wait(lambda: hands.sees("Resume", QPushButton) or hands.reads("Finished") or hands.reads("Budget used up"), 60)
    hands.picture(folder / "run.png")
    hands.click("Results")
    hands.wait(lambda: not hands.reads("The summary is being computed"), 30)
    hands.picture(folder / "results.png")
    hands.tab("4 Export")
    target = folder / "samples.csv"
    open_file(hands, "Save posterior samples", target)  # the report's first figures take longer than a quick test may
    hands.wait(target.exists, 60)
    hands.wait(hands.find("Save posterior samples", QPushButton).isEnabled, 60)
    hands.picture(folder / "export.png")
    rows = list(csv.reader(target.open()))
    return np.array(rows[1:], dtype=float)


def _runs_done(hands: Hands) -> int:
    """As the page says it: 28 of 140."""
    found = re.search(r"QLabel: ([0-9]+) of [0-9]+", hands.read())
    return int(found[1]) if found else 0
