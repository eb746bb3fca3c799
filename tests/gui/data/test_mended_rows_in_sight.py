"""The way to rows that do not fit leads to the words and the buttons that mend them, and leaves no gap behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from data_pages import SERIES, click, matches, opened, trial_run
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.data.page import DataPage

pytestmark = pytest.mark.window


@pytest.fixture
def problem() -> d.Problem:
    return SERIES


@pytest.fixture
def size() -> tuple[int, int]:
    return 1024, 440


def in_sight(page: DataPage, part: QWidget) -> bool:
    """Whether the whole of it is."""
    view = page.matching.area.viewport()
    top = part.mapTo(view, QPoint(0, 0)).y()
    return part.isVisible() and top >= 0 and top + part.height() <= view.height()


def test_the_way_there_shows_words_and_button_wherever_the_tab_was_scrolled_to_and_leaves_no_gap(
    qtbot: QtBot, page: DataPage, controller: SessionController, tmp_path: Path, engines: list[Any]
) -> None:
    opened(page, tmp_path / "m.csv", "time,T\n" + "".join(f"{k},{k}.5\n" for k in range(1, 61)))
    click(qtbot, page.importer.use)
    keyed = d.Match(output="T", column="T", key_output="time", key_column="time")
    controller.problem.edit("x", meaning=d.Predictions(matches=(keyed,), noise=d.GaussianKnown(sd=0.1)))
    trial_run(page, engines, "time T\n" + "".join(f"{k} {k}.4\n" for k in range(1, 31)))
    assert "have no row" in page.message.words()
    page.tabs.setCurrentIndex(1)
    bar = page.matching.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    page.tabs.setCurrentIndex(0)
    click(qtbot, page.message._button)
    part = page.matching.mismatch
    qtbot.waitUntil(lambda: in_sight(page, part.message) and in_sight(page, part.drop), timeout=3000)
    page.matching.details.hold_room()  # as after a field was changed
    click(qtbot, part.drop)
    assert len(matches(controller)[0].left_out) == 30
    assert page.matching.details.said.minimumHeight() == 0
