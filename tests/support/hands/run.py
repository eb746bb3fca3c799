"""What every study begins and ends with, done by hand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QLabel, QPushButton

from hands.dialogs import Hands

MOST_ACTIONS = 60  # of the issue: what a user may need from the empty window to a posterior


def python_with(module: str) -> str:
    """A Python that has a module: this one, or the first on the path; empty: neither."""
    for python in (sys.executable, shutil.which("python3") or ""):
        if python and subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            return python
    return ""


def set_priors(hands: Hands, *priors: str) -> None:
    """One below the other into the table of parameters."""
    hands.click("Parameters")
    hands.cell("Prior", 0, double=True)
    for prior in priors:  # Return goes on to the cell below
        hands.type(prior)


def run_budget(hands: Hands, budget: int) -> None:
    """Another budget, typed into the settings of the run, which ends by itself."""

    def acts() -> None:
        hands.fill("Simulator runs at most", str(budget), end="Tab")
        hands.click("OK")

    hands.click("Run")
    hands.dialog("Settings…", acts)
    hands.click("Start")
    hands.wait(lambda: ended(hands), 300)  # a busy machine is three times as slow


def run_some(hands: Hands, runs: int) -> None:
    """Stopped by hand when so many runs are done; those under way may finish."""
    hands.click("Run")
    hands.click("Start")
    hands.wait(lambda: _runs_done(hands) >= runs or ended(hands), 120)
    if hands.sees("Stop", QPushButton):
        hands.click_and_answer("Stop", "Let finish, then stop")
    hands.wait(lambda: hands.sees("Resume", QPushButton) or ended(hands))


def ended(hands: Hands) -> bool:
    """Whether the Run page says that the analysis came to its end."""
    return hands.reads("Finished", "Budget used up", "is used up", "The budget of", "Converged after")


def export_samples(hands: Hands, folder: Path) -> NDArray[np.float64]:
    """The results looked at, the samples saved and read again, (n, d); pictures of the three pages in the folder."""
    hands.picture(folder / "run.png")
    hands.click("Results")
    hands.wait_for("Log evidence")
    hands.wait(lambda: not hands.reads("The summary is being computed"), 30)
    hands.picture(folder / "results.png")
    hands.tab("Export")
    target = folder / "samples.csv"
    hands.file("Save posterior samples", target)
    hands.wait(lambda: target.exists() and hands.find("Save posterior samples", QPushButton).isEnabled())
    hands.picture(folder / "export.png")
    head = target.read_text().splitlines()[0].split(",")
    return np.loadtxt(target, delimiter=",", skiprows=1, usecols=[k for k, name in enumerate(head) if name != "mode"])


def _runs_done(hands: Hands) -> int:
    """As the page says it: 28 of 140."""
    found = (re.match(r"([0-9]+) of [0-9]+", label.text()) for label in hands.seen(QLabel))
    return max((int(done[1]) for done in found if done), default=0)
