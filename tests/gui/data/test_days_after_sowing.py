"""A first column of days under an abbreviation pairs rows: it is no measured quantity that an output would predict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, column, matches, opened, trial_run
from PySide6.QtWidgets import QApplication

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

DAYS = (14.0, 28.0, 35.0, 49.0)


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("day", 0), column("biomass", 1)))


def test_it_is_the_key_as_it_is_imported_and_compared(
    page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    trial_run(page, engines, "".join(f"{day} {day / 7:g}\n" for day in range(7, 71, 7)))
    opened(page, tmp_path / "plots.csv", "DAS (d);biomass\n" + "".join(f"{day:g};{day / 7 + 0.01:g}\n" for day in DAYS))
    page.importer.use.click()
    QApplication.processEvents()
    if not matches(controller):
        page.message._button.click()
        QApplication.processEvents()
    (match,) = matches(controller)
    assert (match.output, match.column, match.keys) == ("biomass", "biomass", (("day", "DAS (d)"),))
    assert "DAS" not in page.message.words()
