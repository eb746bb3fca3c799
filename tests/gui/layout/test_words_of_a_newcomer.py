"""What a newcomer read that was cut, wrong or gone after a moment; on real pages."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from line_session import saved
from PySide6.QtCore import QTimer
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.answer.doubt import BEST_MISFIT
from bayescope.engine.answer.words import Figures, reasons
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.messages import LEAST_QUESTION, ask
from bayescope.gui.models.scales import log_ticks
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import run_status
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.simulator.outputs import OutputsTab
from bayescope.gui.style.words import number, true_minus
from bayescope.gui.widgets.elided import ElidedLabel
from tests.support.data_pages import PROBLEM, click, opened

pytestmark = pytest.mark.window


@pytest.fixture
def results(
    show: Callable[..., None], make_controller: Callable[[], SessionController], qtbot: QtBot, tmp_path: Path
) -> ResultsPage:
    controller = make_controller()
    page = ResultsPage(controller)
    show(page, 1180, 700)
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    assert page.best_fit.words.text() in ("The runs are being read …", "No run has given a value so far.")
    page._compute()
    assert page.best_fit.words.text() == "The runs are being read …"
    qtbot.waitUntil(lambda: page.summary.rowCount() == 2 and page.compare.model.rowCount() == 1, timeout=20_000)
    return page


def test_parts_of_a_line_are_left_out_whole(qtbot: QtBot) -> None:
    line = ElidedLabel()
    qtbot.addWidget(line)
    whole = "dark: 90 % interval; dashed: prior; thin: others"
    line.say(whole, parts="; ")
    for words in (whole, "dark: 90 % interval; dashed: prior", "dark: 90 % interval"):
        line.resize(line.fontMetrics().horizontalAdvance(words) + 6, 20)
        assert line.shown == words
    line.say("It is so (0.00 of it). 12 of the runs looked elsewhere.", parts=". ")
    line.resize(line.fontMetrics().horizontalAdvance("It is so (0.00 of it). 12 of") + 6, 20)
    assert line.shown == "It is so (0.00 of it)."
    line.say("Fresh runs confirmed it (they moved the log evidence by (1.2 ± 0.4) 10⁻³).", parts=". ")
    line.resize(line.fontMetrics().horizontalAdvance("Fresh runs confirmed it (they moved the log evidence by (1.2 ±") + 6, 20)
    assert line.shown == "Fresh runs confirmed it.", "no bracket is left open"


def test_columns_of_dashes_are_not_shown_and_no_number_is_cut(results: ResultsPage) -> None:
    table, model = results.compare.table, results.compare.model
    for k, column in enumerate(model.columns):
        words = [column.text(row) for row in model.rows]
        assert table.isColumnHidden(k) == all(w in ("", "–") for w in words), column.title
        if not table.isColumnHidden(k) and column.key != "words":
            needed = max(table.fontMetrics().horizontalAdvance(w) for w in words)
            assert table.columnWidth(k) >= min(needed + 8, 30 * table.fontMetrics().averageCharWidth()), column.title


@pytest.mark.loops
def test_an_export_that_is_still_written_is_told_and_the_report_can_be_opened(
    results: ResultsPage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: urls.append(url.toLocalFile()))
    exporter = results.exporter
    results.tabs.setCurrentWidget(exporter)
    exporter.write("report", tmp_path / "r.html")
    with qtbot.waitSignal(exporter.finished, timeout=60_000):
        exporter.write("summary", tmp_path / "s.csv")
    assert "s.csv" in exporter.message.words()
    assert exporter.message.suggestion() == "Still writing report."
    assert exporter.message._button.text() == "Open folder"
    qtbot.waitUntil(lambda: exporter.message._button.text() == "Open report", timeout=120_000)
    click(qtbot, exporter.message._button)
    click(qtbot, exporter.message._dismiss)
    assert urls == [str(tmp_path / "r.html"), str(tmp_path)]


def test_the_reason_of_a_converged_answer_does_not_repeat_the_verdict(results: ResultsPage) -> None:
    confirmed = "the last new runs were as the surrogate predicted."
    said = reasons(Figures(converged=True, confirmed=confirmed, evaluations=41, budget=80, good=41))
    assert said[0] == "The last new runs were as the surrogate predicted."


def test_the_runs_behind_a_stored_answer_are_counted_before_they_are_read(
    results: ResultsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = results.run
    assert run.data.answer is not None
    n = run.data.answer.trace.n_evaluations
    monkeypatch.setattr(type(run), "n_runs", 0)  # as just after “Answer without running”
    assert n > 0
    assert f"{n} " in run_status(results.problem, run)[1]


def test_the_step_says_of_an_answer_what_its_verdict_says(results: ResultsPage, monkeypatch: pytest.MonkeyPatch) -> None:
    run = results.run
    answer = run.data.answer
    assert answer is not None
    far = dataclasses.replace(answer, diagnostics={**answer.diagnostics, BEST_MISFIT: 1e4})
    monkeypatch.setattr(run.data, "answer", far)
    level, words = run_status(results.problem, run)
    assert (level, words.rpartition(", ")[2]) == ("todo", "far from the data")


def test_outputs_marked_after_the_run_are_read_in_its_texts(
    show: Callable[..., None], make_controller: Callable[[], SessionController], engines: list, tmp_path: Path
) -> None:
    controller = make_controller()
    last = d.LastNumber()
    none = msgspec.structs.replace(PROBLEM, outputs=(), meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=1.0)))
    controller.file.adopt(none)
    page, tab = DataPage(controller), OutputsTab(controller.problem, controller.file, Trial.of(controller))
    show(tab, 760, 600)
    show(page, 1180, 700)
    page.trial.run()
    report = protocol.TrialRunReport(outcome="ok", stdout="u\n1.5\n2.5\n")
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    table = d.CsvColumn(column="u", delimiter=" ")
    outputs = tuple(d.Output(name=n, source="stdout", extractor=e) for n, e in (("u", table), ("v", last), ("w", last)))
    controller.problem.edit("Mark", outputs=outputs)
    assert not page.trial.stale, "nothing has to be run again to read them"
    opened(page, tmp_path / "m.csv", "u\n1.4\n2.6\n")
    page.importer.use.click()
    assert page.test_words.text() == "Line: the newest test run, at the values on the Simulator page."
    QApplication.processEvents()
    bottom = tab.table.visualRect(tab.model.index(2, 0)).bottom()
    assert bottom < tab.table.viewport().height(), "all three are seen whole"
    controller.problem.edit("", simulator=msgspec.structs.replace(none.simulator, command=("sh", "@E@", "x")))
    assert page.trial.stale


def test_numbers_below_a_million_are_written_out_with_a_true_minus(results: ResultsPage) -> None:
    given = ((1.028e4, 4), (10284.6, 4), (4000.0, 1), (-16000.0, 4))
    assert [number(v, k) for v, k in given] == ["10280", "10280", "4000", "−16000"]
    assert (number(2.5e6), number(0.5), number(0.0)) == ("2.5 × 10⁶", "0.5", "0")
    assert all("e" not in words for _, words in log_ticks(math.log10(4000.0), math.log10(16000.0)))
    assert true_minus("density -12.3 (x-2, 1e-5): -0.5") == "density −12.3 (x-2, 1e-5): −0.5"
    assert "-" not in results.best_fit._value(results.best_fit.shown.parameters[0])


def test_an_example_that_nothing_was_done_with_leaves_no_draft(make_controller: Callable[[], SessionController]) -> None:
    controller = make_controller()
    assert controller.file.open_example("contamination")
    controller.file._autosave.timeout.emit()
    assert list(session_files.drafts_folder().iterdir()) == []
    controller.problem.edit("Rename", name="mine")
    controller.file._autosave.timeout.emit()
    assert len(list(session_files.drafts_folder().glob("*.bayescope"))) == 1


def test_another_analysis_of_the_same_parameters_has_axes_of_its_own(
    results: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    """Axes are kept while one analysis goes on; those of the one before have nothing to say."""
    from dataclasses import replace

    from line_session import iteration

    first = results.marginals.cells[0]
    first.zoomed = True
    first.fit((-400.0, 400.0), 1.0)
    other = saved(tmp_path / "other.bayescope", record=replace(iteration(converged=True), iteration=2))
    assert results.file.open(other)
    results._compute()
    qtbot.waitUntil(lambda: results.marginals.curves is not None, timeout=20_000)
    low, high = results.marginals.cells[0].shown
    assert high - low < 400.0


def test_a_question_is_as_wide_as_its_title(results: ResultsPage, qtbot: QtBot) -> None:
    seen: list[int] = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(box.width())
        box.reject()

    QTimer.singleShot(200, look)
    buttons = ("&Save…", "accept"), ("Cancel", "cancel")
    assert ask(results, "Ask again", "Save this analysis first?", "It needs a file.", *buttons) in ("", "Cancel")
    assert seen[0] >= LEAST_QUESTION
