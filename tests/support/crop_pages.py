"""What tests of replicates share: a crop model's four outputs, and a plot where canopy cover (CC) was measured three times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from data_pages import PROBLEM, column, matches, opened, trial_run
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

PRINTED = (
    "310 0.062 0.21 0.29\n1150 0.45 0.19 0.28\n2600 0.74 0.20 0.27\n4300 0.86 0.13 0.28\n7400 0.86 0.12 0.28\n"
    "11000 0.88 0.12 0.3\n14800 0.86 0.12 0.17\n17600 0.83 0.12 0.15\n20300 0.78 0.12 0.14\n20900 0.41 0.11 0.13\n"
)
TABLE = (
    "Biomass (t/ha);CC I (%);CC II (%);CC III (%);SW 15 (vol-%);SW 40-50 (mm)\n"
    "0.22;7;1;;22.3;49.4\n1.05;47;51;51;17.1;46.2\n2.73;72;75;69;21.1;43.4\n;87;86;85;8.8;47.4\n7.07;83;87;85;8.1;50.4\n"
    "11.48;93;88;89;8.1;63.4\n;92;81;90;8.1;17.4\n18.35;78;;85;9.4;21.4\n20.88;84;75;79;8.9;19.8\n20.72;38;43;44;7.2;17.0\n"
)
REPEATS = ["CC I (%)", "CC II (%)", "CC III (%)"]
CROP = msgspec.structs.replace(
    PROBLEM, outputs=tuple(column(name, k) for k, name in enumerate(("Biomass", "CC", "th2", "th5"))),
    meaning=d.Predictions(matches=(), noise=d.GaussianKnown()),
)  # fmt: skip


def taken(page: DataPage, engines: list[Any], folder: Path, *pairs: tuple[str, str, float]) -> None:
    trial_run(page, engines, PRINTED)
    opened(page, folder / "plot.csv", TABLE)
    page.importer.use.click()
    QApplication.processEvents()
    if pairs:
        compared = tuple(d.Match(output=o, column=c, factor=by) for o, c, by in pairs)
        page.problem.edit("x", meaning=d.Predictions(matches=compared, noise=d.GaussianKnown()))
        QApplication.processEvents()


def of_output(controller: SessionController, output: str) -> list[tuple[str, float]]:
    return [(m.column, m.factor) for m in matches(controller) if m.output == output]
