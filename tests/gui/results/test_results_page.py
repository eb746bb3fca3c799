"""The Results and Welcome pages through their real widgets, on real session files."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from line_session import PROBLEM, iteration, saved
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.answer.unseen import Further
from bayescope.engine.problem import definition as d
from bayescope.engine.report.export import export_samples
from bayescope.engine.report.notebook import notebook_cells
from bayescope.engine.session.lock import Holder, lock_path, process_start
from bayescope.engine.session.machine import host_name, machine_id
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models import recent
from bayescope.gui.models.results.probability import percent
from bayescope.gui.models.step_status import run_status, step_status
from bayescope.gui.pages.results import export as results_export
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.run.strip import RunStrip
from bayescope.gui.pages.welcome import WelcomePage
from bayescope.gui.widgets.reasons import ReasonsWindow
from bayescope.gui.widgets.scrolling import VerticalScroll, least_height


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> ResultsPage:
    page = ResultsPage(controller)
    show(page)
    return page


@pytest.fixture
def opened(qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path) -> ResultsPage:
    """The page with an answer computed."""
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    qtbot.waitUntil(lambda: page.summary.rowCount() == 2 and page.compare.model.rowCount() == 1, timeout=10_000)
    return page


def test_without_an_answer_the_page_says_why_it_is_empty(page: ResultsPage) -> None:
    assert page.status()[0] == "locked"
    assert page.empty.isVisible()
    assert "Run the analysis" in page.empty.words()


def test_how_sure_it_is_that_a_parameter_is_not_zero_is_asked_below_the_summary(opened: ResultsPage) -> None:
    line = opened.probability  # a: 1.5 with sd 0.2; b: -2 with sd 0.1
    assert (line.which.key(), line.value.text()) == ("a", "1.5"), "the first one, and its median"
    line.value.setText("0")
    line.value.finish()
    assert line.said.text() == "less than 0.01 %; above: more than 99.99 %"
    line.value.setText("1.3")
    line.value.finish()
    assert line.said.text() == "16 %; above: 84 %"
    line.which.choose("b")
    assert line.said.text() == "more than 99.99 %; above: less than 0.01 %"
    line.value.setText("low")
    line.value.finish()
    assert "number" in line.said.text()
    opened._forget()
    assert not line.isVisible()


@pytest.mark.parametrize(
    ("p", "words"),
    [(0.0, "0 %"), (1.0, "100 %"), (0.5, "50 %"), (0.0268, "2.7 %"), (0.9732, "97.3 %"), (0.00123, "0.12 %"),
     (0.99877, "99.88 %"), (2e-5, "less than 0.01 %"), (1 - 2e-5, "more than 99.99 %"), (0.123, "12 %")],
)  # fmt: skip
def test_a_probability_is_told_with_two_digits_of_its_smaller_side(p: float, words: str) -> None:
    assert percent(p) == words


def test_the_summary_shows_the_posterior_with_sensible_digits(opened: ResultsPage) -> None:
    table = opened.summary_table.as_text().splitlines()
    assert table[0].split("\t")[:4] == ["Parameter", "Mean", "Sd", "Median"]
    assert table[1].split("\t")[:4] == ["Slope [m/s] (a)", "1.50", "0.20", "1.50"]
    assert table[2].split("\t")[:4] == ["<i>Offset</i> (b)", "−2.000", "0.100", "−2.000"]
    low, high = (float(v.replace("−", "-")) for v in table[1].split("\t")[7].split(" … "))
    assert (low, high) == pytest.approx((1.5 - 1.96 * 0.2, 1.5 + 1.96 * 0.2), abs=0.02)


def test_until_the_posterior_is_computed_priors_alone_are_not_taken_for_it(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    page._compute()
    assert page.marginals.curves is None
    assert page.marginals.empty_words == "The posterior is being computed…"
    qtbot.waitUntil(lambda: page.marginals.curves is not None, timeout=10_000)
    assert page.marginals.empty_words == ""


def test_a_file_that_cannot_be_read_and_a_fault_of_ours_are_told_apart(opened: ResultsPage, qtbot: QtBot, tmp_path: Path) -> None:
    opened.reader.load(lambda: (tmp_path / "gone").read_bytes())
    qtbot.waitUntil(lambda: opened.banner.level == "error")
    assert opened.banner.words().startswith("The session file could not be read. No such file or directory")
    opened.reader.load(lambda: {}["column"])
    qtbot.waitUntil(lambda: "could not be worked out" in opened.banner.words())
    assert "KeyError: 'column'" in opened.banner.words()
    opened.tabs.setCurrentIndex(1)
    assert opened.banner.level == "error", "also on the next tab"
    opened.banner.copy.click()
    assert "Traceback" in QGuiApplication.clipboard().text()
    opened._again()
    qtbot.waitUntil(lambda: opened.banner.level != "error")
    assert not opened.banner.copy.isVisible()


def test_no_tab_makes_the_page_higher_than_its_window(opened: ResultsPage, show: Callable[..., None]) -> None:
    area = VerticalScroll(opened, across=True)
    show(area, 1280, 700)
    for tab in range(opened.tabs.count()):
        opened.tabs.setCurrentIndex(tab)
        QApplication.processEvents()
        assert area.verticalScrollBar().maximum() == 0, opened.tabs.tabText(tab)
    area.takeWidget()


def test_the_plot_and_the_table_show_the_same_90_percent_interval(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    free = (PROBLEM.parameters[0], msgspec.structs.replace(PROBLEM.parameters[1], prior=d.HalfCauchy(scale=5.0)))
    skewed = msgspec.structs.replace(PROBLEM, parameters=(*free, *PROBLEM.parameters[2:]))
    wide = replace(iteration(), covariances=np.array([[[0.04, 0.0], [0.0, 0.5]]]))
    assert controller.file.open(saved(tmp_path / "skewed.bayescope", skewed, wide))
    qtbot.waitUntil(lambda: page.summary.rowCount() == 2 and page.marginals.curves is not None, timeout=10_000)
    posterior = controller.run.posterior()
    assert posterior is not None

    def alike() -> bool:
        shown = [(row, cell.item.curve) for row, cell in zip(page.summary.rows, page.marginals.cells, strict=True)]
        return all(c is not None and np.allclose(c.intervals, row.intervals[2]) for row, c in shown)

    assert alike()
    low, high = posterior.quantile(np.array([0.05, 0.95]))[:, 1]
    ((a, b),) = page.summary.rows[1].intervals[2]
    assert (a, b) == (low, high), "equal tails unless others are asked for"
    page.intervals.setCurrentIndex(page.intervals.findData("shortest"))
    page.intervals.activated.emit(page.intervals.currentIndex())
    qtbot.waitUntil(lambda: page.summary.rows[1].intervals[2][0][0] < low, timeout=10_000)
    assert alike()
    ((a, b),) = page.summary.rows[1].intervals[2]
    assert b - a < 0.95 * (high - low), "the posterior is skewed, so that the central interval is another one"


def test_verdict_evidence_fixed_values_and_correlations_are_in_plain_words(opened: ResultsPage) -> None:
    assert opened.banner.level == opened.checks.verdict.level == "warning", "so few runs could have missed a mode"
    assert "Converged" in opened.banner.words()
    assert "Fresh runs agree" in opened.banner.suggestion()
    assert "−3.500 ± 0.050" in opened.evidence.text()
    assert "c = 0.25" in opened.fixed.text()
    assert opened.correlations.index(0, 1).data() == "+0.90"
    assert "both rise together" in opened.correlations.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert opened.status() == ("todo", "one check is not passed"), "in one line, as the banner says"


def test_why_names_the_check_that_is_not_passed_and_shows_no_caret(opened: ResultsPage, qtbot: QtBot) -> None:
    (failed,) = opened.checks.shown.not_passed
    qtbot.mouseClick(opened.banner.line.why, Qt.MouseButton.LeftButton)
    (shown,) = opened.findChildren(ReasonsWindow)
    assert "Fresh runs agree" in shown.text.text()
    assert f"Check not passed: {failed.title} ({failed.figure}). {failed.words}" in shown.text.text()
    assert not shown.text.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard, "Qt shows a caret for it"
    qtbot.keyClick(shown, Qt.Key.Key_Escape)


def test_what_could_have_been_missed_is_said_drawn_and_can_be_looked_for(
    opened: ResultsPage, controller: SessionController, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = opened.unseen
    opened.tabs.setCurrentWidget(tab)
    assert tab.claim is not None
    assert tab.words.text() == tab.claim.words
    assert tab.words.text().startswith("No second mode was found. One at least ")
    assert not tab.plot.empty_words
    assert tab.further.isHidden(), "the few runs of this file say nothing, and forty like them would not either"
    tab.show_claim(replace(tab.claim, further=Further(40, 0.05, 0.41, 0.82)))
    assert not tab.further.isHidden()
    assert tab.gain.text() == "Look further: 40 more runs bring modes that are 5 % wide from 0.41 to about 0.82."
    asked: list[int] = []
    monkeypatch.setattr(type(controller.run), "extend", lambda _, total: asked.append(total))
    tab.further.click()
    assert asked == [controller.run.n_runs + 40]


def test_an_answer_that_has_not_converged_is_called_preliminary(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "x.bayescope", record=iteration(converged=False)))
    qtbot.waitUntil(lambda: page.summary.rowCount() == 2, timeout=10_000)
    assert page.banner.level == "warning"
    assert "preliminary" in page.banner.words()


@pytest.mark.parametrize(
    ("key", "name"),
    [("samples", "s.csv"), ("evaluations", "e.csv"), ("summary", "t.csv"), ("report", "r.html"), ("netcdf", "p.nc")],
)
@pytest.mark.loops
def test_every_export_is_written(opened: ResultsPage, qtbot: QtBot, tmp_path: Path, key: str, name: str) -> None:
    opened.exporter.count.setValue(500)
    target = tmp_path / name
    with qtbot.waitSignal(opened.exporter.finished, timeout=60_000) as done:
        opened.exporter.write(key, target)
        assert opened.exporter.message.words().startswith("Writing "), "the window goes on and says what it does"
        others = [button for k, button in opened.exporter.buttons.items() if k != key]
        assert all(button.isEnabled() for button in others), "every other one can be saved meanwhile"
        assert opened.exporter.buttons[key].text() == ("Cancel" if key in ("report", "netcdf") else "Save…")
    assert done.args == [True], opened.exporter.message.words()
    assert target.stat().st_size > 50
    assert "saved as" in opened.exporter.message.words()
    if key == "samples":
        rows = list(csv.reader(target.open()))
        assert rows[0] == ["a", "b"]
        assert len(rows) == 501
        values = np.array(rows[1:], dtype=float)
        np.testing.assert_allclose(values.mean(axis=0), [1.5, -2.0], atol=0.05)


def test_what_names_the_file_is_asked_to_be_saved_first_and_the_draft_is_never_named(
    opened: ResultsPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers = iter(("Cancel", "Export anyway"))
    monkeypatch.setattr(results_export, "question", lambda *said: asked.append(said[2]) or next(answers))
    tab = opened.exporter
    by_key = {each.key: each for each in tab._exports}
    assert tab._settle_name(by_key["samples"]), "it is saved"
    monkeypatch.setattr(type(tab.file), "path", None)
    assert tab._settle_name(by_key["samples"]), "it names the analysis, and says beside it that it was not saved"
    assert not tab._settle_name(by_key["report"])
    assert tab._settle_name(by_key["notebook"])
    assert asked == ["Save this analysis first?"] * 2
    drafts = session_files.drafts_folder()
    draft = saved(drafts / "Line-20260101-120000.bayescope")
    with SessionStore.open(draft, mode="read") as store:
        beside = export_samples(store, tmp_path / "draws.csv", 100)
        told = beside.read_text() + "".join(text for _, text in notebook_cells(store, tmp_path))
    assert "20260101" not in told
    assert '"session_saved": false' in told


def test_a_report_can_be_cancelled_and_leaves_nothing_while_another_export_is_saved(
    opened: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    exporter, folder = opened.exporter, tmp_path / "out"
    folder.mkdir()
    opened.tabs.setCurrentWidget(exporter)
    exporter.write("report", folder / "r.html")
    with qtbot.waitSignal(exporter.finished, timeout=20_000) as summary:
        exporter.write("summary", folder / "t.csv")
        assert exporter.message.words().startswith("Writing report and summary…")
    assert summary.args == [True]
    assert exporter.buttons["report"].text() == "Cancel", "it goes on"
    with qtbot.waitSignal(exporter.finished, timeout=20_000) as report:
        qtbot.mouseClick(exporter.buttons["report"], Qt.MouseButton.LeftButton)
    assert report.args == [False]
    assert exporter.message.words() == "Report cancelled: nothing was written."
    assert [p.name for p in folder.iterdir()] == ["t.csv"]
    assert exporter.buttons["report"].text() == "Save…"


@pytest.mark.parametrize("key", ["samples", "report"])
@pytest.mark.loops
def test_a_folder_that_cannot_be_written_is_a_sentence(
    opened: ResultsPage, qtbot: QtBot, tmp_path: Path, key: str
) -> None:
    with qtbot.waitSignal(opened.exporter.finished, timeout=60_000) as done:
        opened.exporter.write(key, tmp_path / "no" / "such" / "folder" / "s.csv")
    assert done.args == [False]
    assert opened.exporter.buttons[key].isEnabled()
    assert opened.exporter.message.level == "error"
    assert "could not be saved" in opened.exporter.message.words()


def test_saved_analyses_are_compared_by_evidence_and_drawn_over_each_other(opened: ResultsPage, tmp_path: Path) -> None:
    other = saved(tmp_path / "other.bayescope", record=iteration(log_evidence=-7.5))
    broken = tmp_path / "broken.bayescope"
    broken.write_bytes(b"\x89PNG not a session")
    opened.compare.add_files([other, other, broken])
    rows = opened.compare.model.rows
    assert [r.factor for r in rows] == ["best", "−4.000 ± 0.071"]
    assert rows[1].words == "strong evidence against it"
    assert "already" in opened.compare.message.words()
    assert "broken.bayescope" in opened.compare.message.words()
    assert len(opened.compare.plot.names()) == 2
    current = opened.compare.analyses()[0]
    opened.compare.set_current(replace(current, path=other))
    assert len(opened.compare.model.rows) == 1, "no analysis is compared with itself"
    opened.compare.set_current(current)
    opened.compare.add_files([other])
    opened.compare.remove([0])  # the open one stays
    opened.compare.remove([1])
    assert len(opened.compare.model.rows) == 1


def test_a_log_uniform_parameter_is_compared_on_a_log_axis_unless_another_analysis_may_be_below_zero(
    page: ResultsPage, controller: SessionController, qtbot: QtBot, tmp_path: Path
) -> None:
    import msgspec

    first, *rest = PROBLEM.parameters
    positive = msgspec.structs.replace(first, prior=d.LogUniform(low=1e-2, high=1e2))
    factors = msgspec.structs.replace(PROBLEM, parameters=(positive, *rest))
    assert controller.file.open(saved(tmp_path / "log.bayescope", factors))
    qtbot.waitUntil(lambda: page.compare.model.rowCount() == 1, timeout=10_000)
    axis = page.compare.plot.plot.getAxis("bottom")
    assert axis.powers
    page.compare.add_files([saved(tmp_path / "linear.bayescope")])
    assert not axis.powers
    page.compare.remove([1])
    assert axis.powers


def test_analyses_of_other_data_are_warned_about(opened: ResultsPage, tmp_path: Path, qtbot: QtBot) -> None:
    import msgspec

    problem = msgspec.structs.replace(PROBLEM, data=d.DataTable(columns={"y": (1.0,)}))
    opened.compare.add_files([saved(tmp_path / "o.bayescope", problem)])
    compare = opened.compare
    assert "the programs" not in compare.message.words()
    assert "compare with the measured data themselves" in compare.message.words(), "one declares no data"

    predicts = d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=1.0))
    one, two = (
        msgspec.structs.replace(PROBLEM, data=d.DataTable(columns={"y": (v,), "unused": (u,)}), meaning=predicts)
        for v, u in ((1.0, 5.0), (2.0, 5.0))
    )
    same = msgspec.structs.replace(one, data=d.DataTable(columns={"y": (1.0,), "unused": (7.0,)}))
    assert opened.file.open(saved(tmp_path / "one.bayescope", one))
    qtbot.waitUntil(lambda: compare.analyses()[0].name.startswith("one"), timeout=10_000)
    compare.remove([1])
    compare.add_files([saved(tmp_path / "same.bayescope", same)])
    assert not compare.message.words(), "a column that nobody uses makes no difference"
    compare.add_files([saved(tmp_path / "two.bayescope", two, iteration(log_evidence=50.0))])
    assert "“two” does not use the same measured data" in compare.message.words()
    assert [r.factor for r in compare.model.rows] == ["best", "0.000 ± 0.071", "–"], "no evidence across different data"
    assert [r.probability for r in compare.model.rows] == ["50.0 %", "50.0 %", "–"]
    assert compare.model.rows[2].words == "of other data: other values, 1 of them"
    heads = [c.title for c in compare.model.columns]
    assert f"{compare.parameter.currentText()}, mean ± sd" in heads, "the heading says of which parameter"
    compare.remove([2])
    compare.add_files([saved(tmp_path / "early.bayescope", one, iteration(converged=False))])
    assert "“early” has not converged" in compare.message.words()


def test_a_new_analysis_empties_the_page(opened: ResultsPage, controller: SessionController) -> None:
    controller.file.new()
    assert opened.empty.isVisible()
    assert opened.status()[0] == "locked"


# ------------------------------------------------------------------ welcome


@pytest.fixture
def welcome(qtbot: QtBot, controller: SessionController) -> WelcomePage:
    page = WelcomePage(controller)
    qtbot.addWidget(page)
    page.resize(1180, 640)
    return page


def test_what_another_window_or_a_run_holds_is_not_called_interrupted(tmp_path: Path) -> None:
    path = saved(tmp_path / "line.bayescope")
    with SessionStore.open(path) as store:
        store.note_run(True)
    plain = recent.Recent(path, "line", "", 0.0, False)
    assert recent.looked_at(plain).state.endswith(", interrupted")
    for role, said in (("window", "2 runs, converged"), ("engine", "2 runs, converged, running")):
        pid = os.getppid()
        holder = Holder(pid, process_start(pid) or "", machine_id(), host_name(), 0.0, role)
        lock_path(path).write_bytes(msgspec.json.encode([holder]))
        assert recent.looked_at(plain).state == said


def test_recent_analyses_show_their_state_and_open_with_one_click(
    qtbot: QtBot, welcome: WelcomePage, controller: SessionController, tmp_path: Path
) -> None:
    session_files.remember(saved(tmp_path / "line.bayescope"))
    damaged = tmp_path / "damaged.bayescope"
    damaged.write_bytes(b"nonsense" * 100)
    session_files.remember(damaged)
    welcome.show()
    qtbot.waitUntil(lambda: len(welcome.model.rows) == 2 and all(r.state for r in welcome.model.rows), timeout=10_000)
    by_name = {r.name: r.state for r in welcome.model.rows}
    assert by_name["line"] == "2 runs, converged"
    assert by_name["damaged"].startswith("✕")
    asked: list[str] = []
    welcome.page_requested.connect(asked.append)
    row = [r.name for r in welcome.model.rows].index("line")
    rect = welcome.recent.visualRect(welcome.model.index(row))
    qtbot.mouseClick(welcome.recent.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert controller.problem.declared.name == "<b>Line</b>"
    assert asked == ["results"]


def test_a_damaged_analysis_is_reported_and_nothing_opens(
    qtbot: QtBot, welcome: WelcomePage, controller: SessionController, tmp_path: Path
) -> None:
    path = tmp_path / "damaged.bayescope"
    path.write_bytes(b"nonsense" * 100)
    session_files.remember(path)
    welcome.show()
    said: list[object] = []
    controller.reports.reported.connect(said.append)
    welcome.recent.chosen.emit(welcome.model.index(0))
    assert said
    QApplication.processEvents()


@pytest.mark.parametrize("name", ["contamination", "predator_prey"])
def test_each_example_opens_ready_to_run_with_one_click(
    qtbot: QtBot, welcome: WelcomePage, controller: SessionController, name: str
) -> None:
    welcome.show()
    asked: list[str] = []
    welcome.page_requested.connect(asked.append)
    qtbot.mouseClick(welcome.examples[name], Qt.MouseButton.LeftButton)
    assert asked == ["run"]
    assert controller.problem.findings(level="error") == []
    controller.file.close(discard_draft=True)


def test_new_analysis_leads_to_the_simulator(qtbot: QtBot, welcome: WelcomePage) -> None:
    welcome.show()
    asked: list[str] = []
    welcome.page_requested.connect(asked.append)
    qtbot.mouseDClick(welcome.new_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(welcome.new_button, Qt.MouseButton.LeftButton)
    assert "simulator" in asked


def test_a_correlation_heading_without_room_ends_in_dots_and_has_its_name_as_a_tip(opened: ResultsPage) -> None:
    header = opened.correlation_table.horizontalHeader()
    assert header.textElideMode() == Qt.TextElideMode.ElideMiddle, "names often differ at their ends"
    tip = opened.correlations.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == opened.correlations._names[0]


def test_where_there_is_little_room_intervals_give_way_and_no_column_is_cut(opened: ResultsPage, qtbot: QtBot) -> None:
    table = opened.summary_table
    for width in (1240, 640):
        opened.resize(width, 700)
        qtbot.waitUntil(lambda: table.horizontalHeader().length() <= table.viewport().width(), timeout=5000)
        assert table.isColumnHidden(5) == (width == 640)
        assert not table.isColumnHidden(7)


def test_no_tab_makes_the_page_higher_than_a_small_window(opened: ResultsPage) -> None:
    for index in range(opened.tabs.count()):
        opened.tabs.setCurrentIndex(index)
        QApplication.processEvents()
        assert least_height(opened, 1240) <= 500, opened.tabs.tabText(index)


def test_the_steps_of_an_opened_analysis_stand_as_their_pages_say(
    page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    data = d.DataTable(columns={"x": (1.0, None, 3.0)})
    meaning = d.Predictions(matches=(d.Match(output="y", column="x", left_out=(1,)),), noise=d.GaussianKnown(sd=1.0))
    output = d.Output(name="y", source="stdout", extractor=d.LastNumber())
    compared = msgspec.structs.replace(PROBLEM, data=data, meaning=meaning, outputs=(output,))
    assert controller.file.open(saved(tmp_path / "line.bayescope", compared))
    assert step_status(controller, "run") == ("done", "converged after 2 runs")
    assert step_status(controller, "data") == ("done", "1 of 3 rows compared, 1 left out, 1 row in no comparison")


def test_a_run_that_came_in_behind_the_newest_answer_is_counted_as_soon_as_nothing_runs_any_more(
    opened: ResultsPage, controller: SessionController, engines: list[Any]
) -> None:
    run = controller.run
    known = run.n_runs
    controller.run.start()
    engines[-1].message.emit(protocol.StateChanged(state="running", words=""))
    opened.refresh()
    assert f"after {known} run" in opened.banner.words()
    run.data.add_evaluation(replace(run.data.evaluations[-1], index=known + 100))
    engines[-1].message.emit(protocol.RunEnded(outcome="stopped", words="Stopped."))
    engines[-1].message.emit(protocol.StateChanged(state="stopped", words=""))
    assert f"after {known} of {known + 1} runs" in opened.banner.words()


@pytest.mark.parametrize(("budget", "named"), [(2, "More runs…"), (40, "Resume")])
def test_after_an_error_a_button_is_named_that_is_there(
    opened: ResultsPage, controller: SessionController, engines: list[Any], show: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch, budget: int, named: str,
) -> None:  # fmt: skip
    strip = RunStrip(controller.problem, controller.file, controller.run)
    show(strip)
    controller.run.start()
    engines[-1].message.emit(protocol.RunEnded(outcome="failed", words="It broke."))
    engines[-1].message.emit(protocol.StateChanged(state="failed", words="It broke."))
    monkeypatch.setattr(type(controller.run), "budget", property(lambda _: budget))
    strip.refresh()
    assert run_status(controller.problem, controller.run) == ("error", f"stopped by an error; press {named}")
    assert named in [b.text().replace("&", "") for b in (strip.start, strip.more) if b.isVisible()]
