"""The window itself: title, menus, workflow bar, questions, dialogs, start-up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.run_data import Evaluation, RunData
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs import closing, run_controls
from bayescope.gui.dialogs.messages import ReportDialog
from bayescope.gui.models.runs import RunTableModel
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import step_status
from bayescope.gui.system.crash import install_exception_hook
from bayescope.gui.window.main_window import MainWindow

pytestmark = pytest.mark.window


@pytest.fixture
def window(
    make_controller: Callable, put_away: Callable[[list[MainWindow]], None], qtbot: QtBot
) -> Iterator[MainWindow]:
    made = [MainWindow(make_controller())]
    made[0].show()
    yield made[0]
    made[0].close_reports()
    put_away(made)


def run_fresh(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_and_painting_the_window_imports_neither_torch_nor_plots() -> None:
    code = """
import os, sys
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
from bayescope.gui.window.app import make_application
app = make_application([])
from bayescope.gui.window.main_window import MainWindow
from bayescope.gui.analysis.session_controller import SessionController
window = MainWindow(SessionController())
window.show()
app.processEvents()
print([m for m in ("torch", "gpytorch", "pyqtgraph", "scipy", "matplotlib") if m in sys.modules])
"""
    assert run_fresh(code) == "[]"


def test_a_command_goes_to_the_engine_before_qt_is_imported() -> None:
    code = """
import sys
from bayescope.gui.__main__ import main
try:
    main(["--help"])
except SystemExit:
    pass
print("PySide6" in sys.modules)
"""
    assert run_fresh(code).splitlines()[-1] == "False"


def test_the_title_names_the_analysis_and_marks_what_is_not_saved(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    controller = window.controller
    qtbot.waitUntil(lambda: "New analysis" in window.windowTitle(), timeout=3000)
    controller.problem.edit("Rename", name="Plume <b>one</b>")
    qtbot.waitUntil(lambda: window.isWindowModified() and "Plume <b>one</b>" in window.windowTitle(), timeout=3000)
    assert controller.file.save_as(tmp_path / "plume.bayescope")
    qtbot.waitUntil(lambda: not window.isWindowModified() and window.windowTitle().startswith("plume"), timeout=3000)


def test_the_workflow_bar_says_in_words_how_each_step_stands(window: MainWindow, qtbot: QtBot) -> None:
    bar = window.bar
    assert bar.buttons["run"].status[0] == "locked"
    window.controller.file.open_example("contamination")
    qtbot.waitUntil(lambda: bar.buttons["run"].status == ("todo", "ready to start"), timeout=3000)
    assert "complete" in bar.buttons["simulator"].accessibleName()
    assert bar.buttons["simulator"].accessibleDescription() == "3 outputs read"
    assert bar.buttons["results"].status[0] == "locked"
    assert bar.buttons["results"].status[1]
    action = window.menus.actions["go_run"]
    assert action.shortcut().toString() == "Ctrl+4"
    action.trigger()  # a bare X server has no window manager to give the focus that a key needs
    assert window.current == "run"


def test_the_step_of_the_run_says_that_priors_are_guesses_as_long_as_nobody_looked_at_them(
    window: MainWindow, qtbot: QtBot
) -> None:
    bar, trial = window.bar, Trial.of(window.controller)
    window.controller.file.open_example("contamination")
    names = [p.name for p in window.controller.problem.declared.parameters]
    for p in window.controller.problem.declared.parameters:
        trial.answers.guess(p.name, p.prior)
    window.controller.problem.edit("Rename", name="Guessed")
    said = ("todo", f"ready, but {len(names)} priors are guesses")
    qtbot.waitUntil(lambda: bar.buttons["run"].status == said, timeout=3000)
    assert bar.buttons["parameters"].status == ("todo", f"check {len(names)} guessed priors")
    page = window.page("parameters")
    page._settle(names)  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: bar.buttons["run"].status == ("todo", "ready to start"), timeout=3000)


def test_a_report_is_a_dialog_in_words_that_can_be_copied(window: MainWindow, qtbot: QtBot) -> None:
    report = protocol.Report(
        level="error", what="The program <b>x</b> is not there.", where="Simulator page", suggestion="Choose it."
    )
    window.show_report(report)
    window.show_report(report)
    assert window.reports_shown == [report], "the same report twice is one dialog"
    dialog = window.findChild(ReportDialog)
    assert dialog is not None
    dialog.copy()
    text = QGuiApplication.clipboard().text()
    assert "The program <b>x</b> is not there." in text
    assert "Choose it." in text


def test_details_of_an_error_are_hidden_until_asked_for(window: MainWindow, qtbot: QtBot) -> None:
    window.show_report(protocol.Report(level="error", what="It broke.", details="Traceback (most recent call last)"))
    dialog = window.findChild(ReportDialog)
    assert dialog is not None
    details = dialog.findChild(QPlainTextEdit)
    assert not details.isVisible()
    button = next(b for b in dialog.findChildren(QPushButton) if "details" in b.text())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert details.isVisible()


def test_an_unexpected_exception_becomes_words_and_a_log_line(
    window: MainWindow, qtbot: QtBot, application_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[protocol.Report] = []
    monkeypatch.setattr("bayescope.gui.dialogs.messages.show_report", lambda parent, report: shown.append(report))
    before = sys.excepthook
    try:
        install_exception_hook(window)
        try:
            raise ValueError("seven")
        except ValueError as error:
            sys.excepthook(ValueError, error, error.__traceback__)
    finally:
        sys.excepthook = before
    qtbot.waitUntil(lambda: bool(shown), timeout=3000)
    assert "Your analysis is saved" in shown[0].what
    assert "Traceback" not in shown[0].what
    assert "seven" in shown[0].details


def test_leaving_a_draft_asks_and_cancel_keeps_it(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.controller.problem.edit("Rename", name="Precious")
    asked: list[str] = []
    monkeypatch.setattr(closing, "ask", lambda *a, **k: asked.append(a[2]) or "")
    assert not closing.may_leave(window, window.controller.file, window.controller.run)
    assert "Precious" in asked[0]
    assert window.controller.problem.declared.name == "Precious"
    monkeypatch.setattr(closing, "ask", lambda *a, **k: "Throw away")
    assert closing.may_leave(window, window.controller.file, window.controller.run)


def test_leaving_an_example_asks_only_once_it_was_changed(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(closing, "ask", lambda *a, **k: asked.append(a[2]) or "")
    file, run = window.controller.file, window.controller.run
    assert file.open_example("contamination")
    assert closing.may_leave(window, file, run)
    assert not asked
    assert file.open_example("contamination")
    assert window.controller.problem.edit("Rename", name="Mine")
    assert not closing.may_leave(window, file, run)
    assert asked


def test_closing_while_a_run_goes_on_asks_first(
    window: MainWindow, engines: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.controller.file.open_example("contamination")
    window.controller.run.start()
    asked: list[str] = []
    monkeypatch.setattr(closing, "ask", lambda *a, **k: asked.append(a[3]) or "Cancel")
    assert not window.close()
    assert window.controller.run.active
    assert len(asked) == 1, "of a draft only whether to save it"
    assert "Its run is stopped" in asked[0]
    answers = iter(["Throw away"])
    monkeypatch.setattr(closing, "ask", lambda *a, **k: next(answers))
    assert window.close()
    assert not engines[-1].running


def test_a_spent_budget_asks_for_more_instead_of_starting(
    window: MainWindow, engines: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller: SessionController = window.controller
    controller.file.open_example("contamination")
    values = {p.name: 0.2 for p in controller.problem.declared.parameters}
    for k in range(controller.problem.declared.settings.max_evaluations):
        controller.run.data.add_evaluation(Evaluation(k, values, "ok", -1.0, -1.0, 0.0, 1.0, 0.0))
    asked: list[int] = []
    monkeypatch.setattr(run_controls, "ask_for_more", lambda *a: asked.append(1))
    run_controls.take_step(window, controller.run)
    assert asked


def test_undo_in_the_menu_is_disabled_while_a_run_locks_its_step(window: MainWindow, qtbot: QtBot) -> None:
    controller: SessionController = window.controller
    controller.file.open_example("contamination")
    edit = window.menus.menus["Edit"]
    undo, redo = edit.actions()[:2]
    assert not undo.isEnabled()
    parameters = controller.problem.declared.parameters
    controller.problem.edit("Remove & more", parameters=parameters[:-1])
    assert undo.isEnabled()
    assert undo.text() == "&Undo Remove && more"
    undo.trigger()
    assert controller.problem.declared.parameters == parameters
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    values = {p.name: 0.2 for p in parameters}
    controller.run.data.add_evaluation(Evaluation(0, values, "ok", -1.0, -1.0, 0.0, 1.0, 0.0))
    controller.run.evaluations_changed.emit()
    qtbot.waitUntil(lambda: not redo.isEnabled(), timeout=5000)
    assert "Duplicate without runs" in redo.statusTip()
    redo.setEnabled(True)  # even an entry that was not refreshed yet changes nothing
    redo.trigger()
    assert controller.problem.declared.parameters == parameters
    controller.problem.edit("Rename", name="With a run")
    assert undo.isEnabled()
    undo.trigger()
    assert controller.problem.declared.name != "With a run"
    assert controller.file.duplicate()
    controller.problem.edit("Remove", parameters=parameters[:-1])
    assert undo.isEnabled()
    undo.trigger()
    assert controller.problem.declared.parameters == parameters
    controller.run.data.evaluations.clear()


def test_what_the_comparison_lacks_is_said_at_the_step_that_asks_for_it(window: MainWindow) -> None:
    controller: SessionController = window.controller
    output = d.Output(name="y", source="stdout", extractor=d.LastNumber())
    problem = d.Problem(
        name="P",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")),
        outputs=(output,),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianInferred(parameter="")),
        data=d.DataTable(columns={"y": (1.0,)}),
    )
    for meaning, words in (
        (problem.meaning, "choose one, or make a new one"),
        (d.Predictions(matches=(d.Match(output="y", column=""),), noise=d.GaussianKnown(sd=1.0)), "No column of the data"),
    ):
        controller.problem.replace(msgspec.structs.replace(problem, meaning=meaning), "x")
        assert step_status(controller, "simulator") == ("done", "1 output read")
        status, said = step_status(controller, "data")
        assert status == "error"
        assert words in said


def test_the_table_of_runs_obeys_the_rules_of_models(qtbot: QtBot) -> None:
    model = RunTableModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    data = RunData(["a", "b"])
    model.refresh(data)
    for k in range(40):
        ok = k % 4 != 1
        data.add_evaluation(
            Evaluation(
                k,
                {"a": float(-k), "b": 1e9 * k},
                "ok" if ok else "failed",
                -1.0 * k if ok else None,
                None,
                0.0,
                0.5,
                0.0,
                "no disk",
            )
        )
        if k % 3 == 0:
            model.refresh(data)
    model.refresh(data)
    assert model.rowCount() == 40
    assert [model.evaluation(r).index for r in range(40)] == list(range(40))
    model.choose("failed", "disk")
    assert model.rowCount() == 10
    model.choose("good", "")
    followed = QPersistentModelIndex(model.index(0, 0))
    model.sort(2, Qt.SortOrder.AscendingOrder)
    assert model.rowCount() == 30
    assert [model.index(r, 0).data() for r in range(3)] == ["39", "38", "36"], "sorted by value, not by text"
    assert (followed.row(), followed.data()) == (29, "0"), "what is selected stays selected"
    for k, a in ((40, -37.5), (41, 1.0), (42, -99.0)):
        data.add_evaluation(Evaluation(k, {"a": a, "b": 0.0}, "ok", -1.0, None, 0.0, 0.5, 0.0))
    model.refresh(data)
    shown = [model.index(r, 0).data() for r in range(model.rowCount())]
    assert shown[:4] == ["42", "39", "38", "40"], "new runs go where the order wants them"
    assert shown[-1] == "41"
    model.sort(2, Qt.SortOrder.DescendingOrder)
    assert model.index(0, 0).data() == "41"
    assert model.row_of(1) is None, "a failed run is not shown now"
    assert model.row_of(42) == 32
    data.add_evaluation(Evaluation(43, {"a": float("nan"), "b": 0.0}, "ok", -1.0, None, 0.0, 0.5, 1e300))
    model.refresh(data)
    row = model.row_of(43)
    assert row is not None
    assert model.index(row, 7).data() == "", "an impossible time of day"
    model.sort(7, Qt.SortOrder.AscendingOrder)
    model.refresh(RunData(["x" * 10_000]))
    assert len(str(model.headerData(2, Qt.Orientation.Horizontal))) <= 40
    del tester


def test_no_page_shows_a_part_of_it_as_a_window_of_its_own_for_a_moment(window: MainWindow, qtbot: QtBot) -> None:
    class Windows(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                shown.append(f"{type(watched).__name__} {watched.accessibleName()}")
            return False

    shown: list[str] = []
    watching, application = Windows(), QCoreApplication.instance()
    assert application is not None
    application.installEventFilter(watching)
    try:
        for step in ("parameters", "data", "run", "results", "simulator"):
            window.go(step)
            qtbot.wait(10)
    finally:
        application.removeEventFilter(watching)
    assert shown == []
