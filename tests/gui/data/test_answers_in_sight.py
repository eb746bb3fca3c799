"""What “Compare by name” answers is seen where the button is, in a low window too."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from data_pages import PROBLEM, click, column, opened
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.pages.data.page import DataPage


@pytest.fixture
def problem() -> d.Problem:
    return msgspec.structs.replace(PROBLEM, outputs=tuple(column(f"u{i}", i) for i in range(9)))


def test_compare_by_name_answers_in_sight(qtbot: QtBot, page: DataPage, tmp_path: Path) -> None:
    opened(page, tmp_path / "a.csv", ",".join(f"u{i}" for i in range(9)) + "\n" + ",".join("1" * 9) + "\n")
    click(qtbot, page.importer.use)
    page.resize(page.width(), 420)
    page.tabs.setCurrentIndex(1)
    QApplication.processEvents()
    matching = page.matching
    matching.area.verticalScrollBar().setValue(0)
    click(qtbot, matching.auto_button)
    message = matching.message
    qtbot.waitUntil(lambda: message.isVisible() and not message.visibleRegion().isEmpty())
    port = matching.area.viewport()
    for widget in (message, matching.auto_button):
        top = widget.mapTo(port, QPoint(0, 0)).y()
        assert 0 <= top <= port.height() - widget.height(), widget
