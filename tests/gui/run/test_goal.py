"""What the runs are for, chosen and changed by mouse: the best fit alone, and the posterior after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from failing_program import PROGRAM, problem
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from bayescope.engine.app.headless import load_example
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.session.store import SessionStore
from bayescope.gui.dialogs import file_questions, run_controls
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.run.settings import RunSettingsDialog
from bayescope.gui.pages.run.strip import SETTLE_MS
from bayescope.gui.pages.starts import StartsDialog

pytestmark = pytest.mark.window


@pytest.mark.journeys
def test_the_best_fit_alone_is_looked_for_and_then_the_posterior_with_nothing_run_twice(
    qtbot: QtBot, open_window: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "source.bayescope"
    program = tmp_path / "model.py"
    program.write_text(PROGRAM.format(beyond="pass"))
    few = d.Settings(max_evaluations=60, workers=1, seed=1)
    with SessionStore.create(path, msgspec.structs.replace(problem(program), settings=few), own=True):
        pass
    window, controller, page = open_window()
    assert controller.file.open(path)

    def choose_the_best_fit() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, RunSettingsDialog)
        dialog.goal.setCurrentIndex(1)
        assert "Ends when the highest log density is found" in dialog.reaches.text()
        buttons = dialog.findChild(QDialogButtonBox)
        assert buttons is not None
        qtbot.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)

    QTimer.singleShot(0, choose_the_best_fit)
    qtbot.mouseClick(page.strip.settings, Qt.MouseButton.LeftButton)
    assert controller.problem.declared.settings.goal == "best_fit"
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None, timeout=120_000)
    found = controller.run.data.outcome
    assert found.outcome == "converged"
    assert found.words.startswith("The best fit is found after")
    runs = controller.run.n_runs
    assert runs < 60
    qtbot.waitUntil(lambda: page.strip.verdict.text() == "Best fit found", timeout=5_000)
    window.go("results")
    results = window.page("results")
    assert isinstance(results, ResultsPage)
    qtbot.waitUntil(lambda: results.best_fit.shown is not None, timeout=20_000)
    assert results.tabs.currentWidget() is results.best_fit, "what was asked for stands first"
    button = results.advice.posterior
    assert button.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert controller.problem.declared.settings.goal == "posterior"
    qtbot.waitUntil(lambda: controller.run.n_runs >= runs + 2, timeout=60_000)
    controller.run.stop(kill=True)
    qtbot.waitUntil(lambda: not controller.run.active, timeout=30_000)
    with SessionStore.open(path, mode="read") as store:
        points = [tuple(e.u) for e in store.evaluations()]
    assert len(points) == len(set(points)) >= runs + 2


def test_a_method_that_cannot_look_for_the_best_fit_alone_does_not_offer_it(
    open_window: Callable[..., tuple[Any, Any, Any]],
) -> None:
    window, controller, _ = open_window()
    dialog = RunSettingsDialog(controller.problem, controller.run, window)
    assert dialog.goal.isEnabled()
    dialog.goal.setCurrentIndex(1)
    dialog.method.setCurrentIndex(dialog.method.findData("laplace"))
    assert not dialog.goal.isEnabled()
    assert dialog.goal.currentData() == "posterior"
    dialog.deleteLater()
    chosen = d.Settings(goal="best_fit", method="laplace")
    wrong = check(msgspec.structs.replace(load_example("contamination"), settings=chosen), None)
    assert [f.where for f in wrong if f.level == "error"] == ["settings.goal"]


@pytest.mark.journeys
def test_a_search_for_the_best_fit_that_is_stopped_goes_on_and_its_best_run_is_where_another_analysis_begins(
    qtbot: QtBot, open_window: Callable[..., tuple[Any, Any, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first.bayescope", tmp_path / "second.bayescope"
    program = tmp_path / "model.py"
    program.write_text(PROGRAM.format(beyond="pass").replace("print(", "time.sleep(0.2); print("))
    searching = d.Settings(max_evaluations=60, workers=1, seed=1, goal="best_fit")
    for path in (first, second):
        with SessionStore.create(path, msgspec.structs.replace(problem(program), settings=searching), own=True):
            pass
    window, controller, page = open_window()
    assert controller.file.open(first)
    left = Qt.MouseButton.LeftButton

    def press_start() -> None:
        qtbot.wait(SETTLE_MS)  # what stands in Stop's place takes no click that was meant for it
        qtbot.waitUntil(lambda: page.strip.start.isVisible() and page.strip.start.isEnabled(), timeout=10_000)
        qtbot.mouseClick(page.strip.start, left)

    press_start()
    qtbot.waitUntil(lambda: controller.run.n_runs >= 4, timeout=60_000)
    monkeypatch.setattr(run_controls, "ask", lambda *_, **__: "Let finish, then stop")
    qtbot.mouseClick(page.strip.stop, left)
    qtbot.waitUntil(lambda: not controller.run.active and controller.run.data.outcome is not None, timeout=30_000)
    stopped = controller.run.n_runs
    assert controller.run.data.outcome.outcome == "stopped"
    press_start()
    qtbot.waitUntil(lambda: not controller.run.active and controller.run.n_runs > stopped, timeout=120_000)
    assert controller.run.data.outcome.words.startswith("The best fit is found after")
    with SessionStore.open(first, mode="read") as store:
        runs = list(store.evaluations())
    points = [tuple(e.u) for e in runs]
    assert len(points) == len(set(points)), "nothing is run twice"
    best = max((e for e in runs if e.outcome == "ok"), key=lambda e: e.log_target)
    table, results = tmp_path / "best.csv", window.page("results")
    assert isinstance(results, ResultsPage)
    results.exporter.write("best_fit", table)
    qtbot.waitUntil(lambda: table.exists() and repr(best.values["k"])[:6] in table.read_text(), timeout=30_000)

    assert controller.file.open(second)
    monkeypatch.setattr(file_questions.ask, "file", lambda *_: first)

    def take_over() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, StartsDialog)
        qtbot.mouseClick(dialog.load, left)
        qtbot.mouseClick(dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok), left)  # type: ignore[union-attr]

    settings = RunSettingsDialog(controller.problem, controller.run, window, tmp_path)
    settings.show()
    QTimer.singleShot(0, take_over)
    qtbot.mouseClick(settings.starts, left)
    assert controller.problem.declared.settings.starts == ({"k": best.values["k"], "load": best.values["load"]},)
    settings.reject()
    press_start()
    qtbot.waitUntil(lambda: controller.run.n_runs >= 1, timeout=60_000)
    controller.run.stop(kill=True)
    qtbot.waitUntil(lambda: not controller.run.active, timeout=30_000)
    with SessionStore.open(second, mode="read") as store:
        begun = next(iter(store.evaluations()))
    assert begun.values["k"] == pytest.approx(best.values["k"], rel=1e-9)
