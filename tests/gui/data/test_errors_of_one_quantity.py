"""A size of the errors typed for one column of a quantity is one click away from all others of it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click, column, matches, opened
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.errors.error_size import ErrorSize
from bayescope.gui.pages.data.page import DataPage

NAMES = [f"{name} D{k}" for k in (31, 32) for name in ("Latitude", "Longitude")]


@pytest.fixture
def problem() -> d.Problem:
    outputs = tuple(column(name.replace(" ", "_"), i) for i, name in enumerate(NAMES))
    pairs = tuple(d.Match(output=name.replace(" ", "_"), column=name) for name in NAMES)
    return msgspec.structs.replace(PROBLEM, outputs=outputs, meaning=d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=1.0)))


def test_one_size_goes_to_all_columns_of_the_quantity_and_to_no_other(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path
) -> None:
    opened(page, tmp_path / "a.csv", ",".join(NAMES) + "\n54.1,7.1,54.2,7.2\n54.3,7.3,54.4,7.4\n")
    click(qtbot, page.importer.use)
    page.tabs.setCurrentIndex(2)
    QApplication.processEvents()
    part = page.errors.shared
    assert part.all_of.level is None
    part.sizes.take_size("of_0", ErrorSize(0.0108))
    QApplication.processEvents()
    assert "“Latitude D31” has errors of 0.0108" in part.all_of.words()
    click(qtbot, part.all_of._button)
    found = {m.column: getattr(m.noise, "sd", None) for m in matches(controller)}
    assert found == {"Latitude D31": 0.0108, "Latitude D32": 0.0108, "Longitude D31": None, "Longitude D32": None}
    assert part.all_of.level is None
