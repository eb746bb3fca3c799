"""A column of flags pairs no rows, though the program prints a column that holds all its texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, click, column, opened, trial_run
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.pages.data.page import DataPage


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=(column("u", 1), column("v", 2)))


def test_no_button_pairs_by_flags(qtbot: QtBot, page: DataPage, tmp_path: Path, engines: list[Any]) -> None:
    rows = "".join(f"{3 * k},{0.1 * k + 0.013},{0.2 * k + 0.017},{4 if k == 2 else 1}\n" for k in range(5))
    opened(page, tmp_path / "adcp.csv", f"hours,u,v,QF\n{rows}")
    click(qtbot, page.importer.use)
    trial_run(page, engines, "".join(f"{k} {k / 30} {k / 15}\n" for k in range(15)))
    QApplication.processEvents()
    texts = [b.text().replace("&", "") for b in page.findChildren(QPushButton) if b.isVisibleTo(page)]
    assert not [text for text in texts if "QF" in text and "air" in text], texts
    assert any("hours" in text for text in texts), texts
