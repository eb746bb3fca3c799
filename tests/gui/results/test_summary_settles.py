"""The table of the summary stands whole above what follows it, at every width: what scrolls around it does not make it jump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from line_session import PROBLEM, iteration, saved
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.results.page import ResultsPage

LONG = {"a": ("rotational stiffness of the base plate", "N mm/rad"), "b": ("strain hardening ratio of the steel Esh/E0", "")}
TURNS = 12  # of the event loop: columns, then rows, then what is around them, twice


@pytest.fixture
def page(qtbot: QtBot, show: Callable[..., None], controller: SessionController, tmp_path: Path) -> ResultsPage:
    """With two parameters whose names take one line or several."""
    named = tuple(
        msgspec.structs.replace(p, label=LONG[p.name][0], unit=LONG[p.name][1]) if p.name in LONG else p
        for p in PROBLEM.parameters
    )
    page = ResultsPage(controller)
    show(page)
    large = replace(iteration(), means=np.array([[4.296e10, 4.5e10]]), covariances=np.diag([2.6e8, 3.1e8])[None] ** 2)
    whole = msgspec.structs.replace(PROBLEM, parameters=named)
    assert controller.file.open(saved(tmp_path / "line.bayescope", whole, large))
    qtbot.waitUntil(lambda: page.summary.rowCount() == 2, timeout=10_000)
    return page


def state(page: ResultsPage) -> tuple[int, ...]:
    """Where the table ends, where what follows begins, and which columns are left out."""
    table = page.summary_table
    end = table.mapTo(page, QPoint(0, table.height())).y()
    hidden = [c for c in range(page.summary.columnCount()) if table.isColumnHidden(c)]
    return end, page.evidence.mapTo(page, QPoint(0, 0)).y(), table.viewport().width(), *hidden


def turned(turns: int = TURNS) -> None:
    for _ in range(turns):
        QApplication.processEvents()


def at_rest(page: ResultsPage, width: int, height: int) -> tuple[int, ...]:
    page.window().resize(QSize(width, height))
    turned()
    seen = []
    for _ in range(8):
        turned(1)
        seen.append(state(page))
    assert len(set(seen)) == 1, (width, height, seen)
    assert seen[0][0] <= seen[0][1], (width, height, seen[0])
    return seen[0]


@pytest.mark.loops
def test_at_every_width_the_table_comes_to_rest_above_the_log_evidence(page: ResultsPage) -> None:
    hidden = {width: at_rest(page, width, 900)[3:] for width in range(880, 1320, 8)}
    others = [width for width in hidden if width - 8 in hidden and hidden[width - 8] != hidden[width]]
    assert others, "one column more where there is room for it"
    for width in others:
        for height in range(480, 760, 10):  # with and without a bar for scrolling
            at_rest(page, width, height)
