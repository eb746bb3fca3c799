"""What is said moves nothing that could be pressed, and the focus stays with what was pressed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from line_session import PROBLEM, iteration, saved
from page_views import places, settle
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.results.summary import title_of
from bayescope.gui.pages.parameters.page import ParametersPage
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.widgets.reasons import ReasonsWindow

pytestmark = pytest.mark.window
LONG = tuple(
    f"Reason {k}: the posterior lies at the edge of the region explored so far, and it may go on beyond it, as far as anybody "
    "can tell from the runs that have been made; a narrower prior, or more runs, would settle that." for k in range(6)
)  # fmt: skip


@pytest.fixture
def page(
    show: Callable[..., None], make_controller: Callable[[], SessionController], qtbot: QtBot, tmp_path: Path
) -> ResultsPage:
    """Results of an analysis whose verdict has six long reasons, in a window of 960 x 520."""
    controller = make_controller()
    made = ResultsPage(controller)
    show(made, 960, 520)
    record = replace(iteration(converged=False), reasons=LONG)
    assert controller.file.open(saved(tmp_path / "line.bayescope", record=record))
    qtbot.waitUntil(lambda: made.summary.rowCount() == 2 and made.compare.model.rowCount() == 1, timeout=10_000)
    settle()
    return made


def test_the_tabs_of_the_results_stay_where_they_are_whatever_tab_and_verdict(page: ResultsPage) -> None:
    first = places(page, page.tabs.tabBar())
    for k in (1, 2, 3, 0):
        page.tabs.setCurrentIndex(k)
        assert places(page, page.tabs.tabBar()) == first
    page.banner.say("ok", "Converged.", ())
    assert places(page, page.tabs.tabBar()) == first
    assert page.banner.height() < 4 * page.fontMetrics().lineSpacing(), "two lines"


def test_all_reasons_are_shown_on_demand_and_escape_closes_them(page: ResultsPage, qtbot: QtBot) -> None:
    before = places(page, page.tabs.tabBar())
    assert page.banner.line.first.shown != page.banner.line.first.whole
    qtbot.mouseClick(page.banner.line.why, Qt.MouseButton.LeftButton)
    (shown,) = page.findChildren(ReasonsWindow)
    for reason in LONG:
        assert reason in shown.text.text()
    assert places(page, page.tabs.tabBar()) == before
    assert shown.height() <= page.height()
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()


def test_an_export_moves_no_row_and_the_focus_comes_back_to_its_button(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.tabs.setCurrentWidget(page.exporter)
    exporter = page.exporter
    rows = [*exporter.buttons.values(), exporter.figures_button, exporter.count]
    exporter.buttons["summary"].setFocus()
    before = places(page, *rows)
    target = tmp_path / "t.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(target), ""))
    with qtbot.waitSignal(exporter.finished, timeout=60_000):
        qtbot.keyClick(exporter.buttons["summary"], Qt.Key.Key_Space)
        assert exporter._writing
        focus = page.window().focusWidget()
        assert focus is exporter, "no other button"
        qtbot.keyClick(focus, Qt.Key.Key_Space)
        assert places(page, *rows) == before
    assert "saved as" in exporter.message.words()
    assert places(page, *rows) == before
    assert page.window().focusWidget() is exporter.buttons["summary"]
    assert [p.name for p in tmp_path.glob("*.csv")] == ["t.csv"]


def baseline(file: AnalysisFile, method: Any) -> protocol.BaselineReady:
    blob = protocol.Blob.of
    return protocol.BaselineReady(
        session=str(file.on_disk), method=method, name=str(method), n_evaluations=2, log_evidence=-3.5,
        log_evidence_sd=0.1, trusted=True, reasons=LONG[:1], weights=blob(np.ones(1)),
        means=blob(np.array([[1.5, -2.0]])), covariances=blob(0.04 * np.eye(2)[None]),
    )  # fmt: skip


def test_a_comparison_moves_no_button_and_the_focus_not_to_the_next_one(page: ResultsPage, qtbot: QtBot) -> None:
    page.tabs.setCurrentWidget(page.compare)
    compare = page.compare
    buttons = [*compare.methods.values(), compare.add_button, compare.remove_button, compare.table, compare.plot]
    before = places(page, *buttons)
    for method in ("laplace", "mcmc", "stacking"):
        button = compare.methods[method]
        button.setFocus()
        qtbot.keyClick(button, Qt.Key.Key_Space)
        assert "Computing" in compare.working.text()
        assert places(page, *buttons) == before
        assert page.window().focusWidget() is compare.table
        compare.run.unrecorded.baseline_ready.emit(baseline(compare.file, method))
        assert places(page, *buttons)[:-1] == before[:-1]
    assert compare.model.rowCount() == 4
    assert places(page, compare.plot)[0].top() == before[-1].top()


def test_no_number_of_the_summary_is_cut(page: ResultsPage) -> None:
    for scale in (1.0, 1e-9, 123456.0):
        for width in (960, 1000, 1280, 1900):
            no_number_is_cut(page, width, scale)


def no_number_is_cut(page: ResultsPage, width: int, scale: float) -> None:
    table, model = page.summary_table, page.summary
    rows = [
        replace(
            r, label="A parameter with a very long name [and its unit, in words]" if k else r.label,
            mean=scale * 0.012345, sd=scale * 0.000123, median=scale * 0.012345,
            intervals=tuple(((scale * 0.0121, scale * 0.0123), (scale * 0.0125, scale * 0.0127)) for _ in r.intervals),
        )
        for k, r in enumerate(model.rows)
    ]  # fmt: skip
    page.resize(width, 620)
    model.set_rows(rows)
    page.summary_table.fit()
    settle()
    metrics = table.fontMetrics()
    for row in range(model.rowCount()):
        for column in range(1, model.columnCount()):
            lines = str(model.index(row, column).data()).split("\n")
            needed = max(metrics.horizontalAdvance(line) for line in lines)
            left_out = table.isColumnHidden(column)  # rather than cut
            assert left_out or needed + 8 <= table.columnWidth(column), (row, column, lines)
            assert table.rowHeight(row) >= len(lines) * metrics.lineSpacing()
    for column in range(model.columnCount()):
        assert table.isColumnHidden(column) or table.columnWidth(column) >= table.heading_width(column) - 1
    assert title_of(rows[0])


def test_messages_of_the_parameters_page_move_no_row(
    show: Callable[..., None], make_controller: Callable[[], SessionController]
) -> None:
    controller = make_controller()
    assert controller.file.adopt(PROBLEM)
    page = ParametersPage(controller)
    show(page, 1180, 700)
    top = [r.topLeft() for r in places(page, page.table, page.add_button, page.paste_button)]
    page.paste("k\t0\t1\nnonsense")
    assert page.message.isVisible()
    assert [r.topLeft() for r in places(page, page.table, page.add_button, page.paste_button)] == top
