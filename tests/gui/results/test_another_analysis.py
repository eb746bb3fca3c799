"""Nothing of one analysis stays on show in another one, also where both have the same parameters: real pages, real files."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from line_session import saved
from pytestqt.qtbot import QtBot

from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.results import page as results_page
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.plots.elbo_trace import BOUND, ElboTrace

PATIENCE = 20_000  # ms; the machine may be busy


@pytest.fixture
def opened(qtbot: QtBot, show: Callable[..., None], controller: SessionController, tmp_path: Path) -> ResultsPage:
    page = ResultsPage(controller)
    show(page)
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    qtbot.waitUntil(lambda: page.summary.rowCount() == 2 and page.compare.model.rowCount() == 1, timeout=PATIENCE)
    return page


def _arrives(controller: SessionController, old: Answer, iteration: int, shift: float) -> Answer:
    """An answer ``shift`` away from ``old``, as a run announces it."""
    new = replace(old, trace=replace(old.trace, iteration=iteration, converged=False), means=old.means + shift)
    controller.run.data.add_answer(new)
    controller.run.answer_changed.emit()
    return new


def _empty(page: ResultsPage) -> bool:
    tables = (page.summary, page.related.model, page.taught.rows, page.checks.rows, page.compare.model)
    shown = (page.best_fit.shown, page.modes.shown, page.taught.shown, page.checks.shown, page.needed.shown, page.unseen.claim)
    parts = not any(page.tabs.isTabVisible(page.tabs.indexOf(p)) for p in (page.modes, page.residuals, page.needed))
    hidden = not page.summary_table.isVisibleTo(page) and not page.agreeing.isVisibleTo(page)
    return (
        parts and hidden and page.marginals.curves is None and not page.residuals.shown
        and not any(table.rowCount() for table in tables) and all(s is None for s in shown)
    )  # fmt: skip


def test_a_copy_shows_nothing_of_the_original_until_it_has_figures_of_its_own(
    qtbot: QtBot, opened: ResultsPage, controller: SessionController
) -> None:
    answer = controller.run.data.answer
    assert answer is not None
    assert not _empty(opened)
    assert controller.file.duplicate()
    assert _empty(opened)
    assert opened.status()[0] == "locked"
    _arrives(controller, answer, 1, 3.0)  # the copy's first answer: parameters of the same names
    assert opened.stack.currentIndex() == 1
    assert _empty(opened)
    assert opened.computing.isVisibleTo(opened)
    qtbot.waitUntil(lambda: opened.summary.rowCount() == 2, timeout=PATIENCE)
    assert opened.summary_table.as_text().splitlines()[1].split("\t")[1] == "4.50", "1.50 in the original"


def test_what_was_on_its_way_for_another_analysis_does_not_arrive(
    qtbot: QtBot, opened: ResultsPage, controller: SessionController
) -> None:
    answer, loaded = controller.run.data.answer, []
    assert answer is not None
    opened.reader.loaded.connect(loaded.append)
    opened._again()  # begun, and on its way while the copy is made
    assert controller.file.duplicate()
    opened.reader.load(lambda: "of the copy")
    qtbot.waitUntil(lambda: bool(loaded), timeout=PATIENCE)
    assert loaded == ["of the copy"]
    assert _empty(opened)


def test_answers_that_come_faster_than_they_are_computed_are_shown_all_the_same(
    qtbot: QtBot, opened: ResultsPage, controller: SessionController, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = results_page.computing

    def slow(asked: object) -> Callable[[], object]:
        fetch = real(asked)  # type: ignore[arg-type]
        return lambda: (time.sleep(0.9), fetch())[1]  # longer than the page waits between two

    monkeypatch.setattr(results_page, "computing", slow)
    answer = controller.run.data.answer
    assert answer is not None
    assert controller.file.duplicate()
    for k in range(60):
        _arrives(controller, answer, 1 + k, 3.0 + 0.01 * k)
        qtbot.wait(100)
        if opened.summary.rowCount():
            break
    assert opened.summary.rowCount() == 2, "while newer ones came without end"
    qtbot.waitUntil(lambda: opened.summary.rows[0].mean == pytest.approx(4.5 + 0.01 * k, abs=0.01), timeout=PATIENCE)


def test_a_trace_without_points_says_nothing_of_where_they_lie(qtbot: QtBot, opened: ResultsPage) -> None:
    trace = ElboTrace()
    qtbot.addWidget(trace)
    point = replace(opened.run.data.trace[-1], elbo=-3.5, log_evidence=-3.5, elbo_sd=0.01, converged=True)
    trace.update_trace((point,))
    assert "agrees with the log evidence" in trace._hint.whole
    trace.update_trace(())
    assert trace._hint.whole == BOUND
    assert np.isnan(trace.evidence.getData()[1]).all() or trace.empty_words
