"""The main job through the real window with the real engine and the real bundled simulator."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.run.page import RunPage

pytestmark = [pytest.mark.window, pytest.mark.journeys, pytest.mark.timeout(240)]
BUDGET = 12
PATIENCE = 120_000  # ms; the machine may be busy


def open_example(controller: SessionController, budget: int = BUDGET) -> None:
    assert controller.file.open_example("contamination")
    settings = msgspec.structs.replace(controller.problem.declared.settings, max_evaluations=budget, workers=2, seed=3)
    assert controller.problem.edit("Fewer runs", settings=settings)


def press(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.waitUntil(lambda: button.isVisible() and button.isEnabled(), timeout=5000)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


class Answering:
    """Clicks ``button_text`` in the next dialog, as a person would; ``asked`` holds what the dialog said."""

    def __init__(self, qtbot: QtBot, button_text: str) -> None:
        self.asked: list[str] = []
        self._qtbot, self._button_text = qtbot, button_text
        self._timer = QTimer(interval=30)
        self._timer.timeout.connect(self._look)

    def __enter__(self) -> Answering:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.stop()

    def _look(self) -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QMessageBox):
            self._timer.stop()
            self.asked.append(dialog.text())
            buttons = {b.text().replace("&", ""): b for b in dialog.findChildren(QPushButton)}
            self._qtbot.mouseClick(buttons[self._button_text], Qt.MouseButton.LeftButton)


def curve_of(page: RunPage) -> np.ndarray:
    """The heights that the first marginal's plot item draws."""
    drawn = page.view("overview").marginals.cells[0].item.curve
    return np.empty(0) if drawn is None else drawn.density


def test_example_start_watch_pause_stop_reopen_and_export(open_window: Callable, qtbot: QtBot, tmp_path: Path) -> None:
    window, controller, page = open_window()
    open_example(controller, budget=80)  # paused and stopped long before
    assert controller.file.save_as(tmp_path / "plume.bayescope")
    press(qtbot, page.strip.start)
    qtbot.waitUntil(lambda: len(controller.run.data.trace) >= 2 and len(curve_of(page)) > 50, timeout=PATIENCE)
    overview = page.view("overview")
    assert len(overview.points.points.data) + len(overview.points.failures.data) >= 2
    assert overview.elbo.line.getData()[0] is not None

    press(qtbot, page.strip.pause)
    qtbot.waitUntil(lambda: controller.run.state == "paused", timeout=PATIENCE)
    n_paused = controller.run.n_runs
    qtbot.wait(600)
    assert controller.run.n_runs == n_paused, "no run is started while paused"
    assert not controller.run.data.under_way
    page.strip.workers.setValue(3)
    qtbot.waitUntil(lambda: controller.run.data.progress.workers == 3, timeout=PATIENCE)
    press(qtbot, page.strip.stop)
    qtbot.waitUntil(lambda: controller.run.state == "stopped", timeout=PATIENCE)
    qtbot.wait(500)  # the last words of the engine
    newest = controller.run.data.trace[-1].iteration
    shown = overview.marginals
    qtbot.waitUntil(lambda: shown.curves is not None and shown.curves.iteration == newest, timeout=PATIENCE)
    drawn, n_points = curve_of(page), controller.run.n_runs
    trace = [t.iteration for t in controller.run.data.trace]
    assert window.close(), "nothing runs and the file is the user's own: no question"

    window, controller, page = open_window()
    assert controller.file.open(tmp_path / "plume.bayescope")
    assert controller.run.n_runs == n_points
    assert controller.problem.declared.settings.workers == 3, "kept in the session"
    qtbot.waitUntil(lambda: page.strip.workers.value() == 3, timeout=PATIENCE)
    assert [t.iteration for t in controller.run.data.trace][-1] == trace[-1]
    qtbot.waitUntil(lambda: len(curve_of(page)) > 50, timeout=20_000)
    np.testing.assert_allclose(
        curve_of(page), drawn, rtol=1e-9, err_msg="the plots come back as they were, from the file"
    )
    qtbot.waitUntil(lambda: page.strip.start.isEnabled() and "Resume" in page.strip.start.text().replace("&", ""), timeout=5000)

    press(qtbot, page.strip.start)
    qtbot.waitUntil(lambda: controller.run.n_runs > n_points and bool(controller.run.data.under_way), timeout=PATIENCE)
    with Answering(qtbot, "Keep running") as stop:
        press(qtbot, page.strip.stop)
    assert (controller.run.state == "running") == bool(stop.asked), "asked only while simulator runs are under way"
    if not stop.asked:  # they had just ended, so it stopped without a question
        qtbot.waitUntil(lambda: controller.run.state == "stopped", timeout=PATIENCE)
        press(qtbot, page.strip.start)
        qtbot.waitUntil(lambda: controller.run.state == "running", timeout=PATIENCE)
    with Answering(qtbot, "Keep running") as stay:
        assert not window.close()
    assert "still running" in stay.asked[0]
    assert window.isVisible()
    assert controller.run.active
    with Answering(qtbot, "Stop and close") as leave:
        assert window.close()
    assert leave.asked
    assert not controller.run.active
    assert not window.isVisible()

    out = tmp_path / "samples.csv"
    command = [sys.executable, "-m", "bayescope.gui", "export", str(tmp_path / "plume.bayescope")]
    command += ["--samples", str(out), "-n", "500"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    with out.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == [p.name for p in controller.problem.declared.parameters]
    values = np.array(rows[1:], dtype=float)
    assert values.shape == (500, 4)
    assert np.isfinite(values).all()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_engine_is_told_and_the_run_resumes_without_repeating_anything(
    open_window: Callable, qtbot: QtBot, tmp_path: Path
) -> None:
    window, controller, page = open_window()
    open_example(controller)
    assert controller.file.save_as(tmp_path / "plume.bayescope")
    press(qtbot, page.strip.start)
    qtbot.waitUntil(lambda: controller.run.n_runs >= 5, timeout=PATIENCE)
    os.kill(controller.run.engine_pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: controller.run.state == "lost", timeout=20_000)
    assert window.isVisible()
    qtbot.waitUntil(lambda: bool(window.reports_shown), timeout=5000)
    assert "unexpectedly" in window.reports_shown[0].what
    assert "Resume" in window.reports_shown[0].suggestion
    window.close_reports()
    before = {e.index: e.values for e in controller.run.data.evaluations}

    press(qtbot, page.strip.start)
    qtbot.waitUntil(lambda: controller.run.state == "finished", timeout=PATIENCE)
    controller.file.close()
    with SessionStore.open(tmp_path / "plume.bayescope", mode="read") as store:
        rows = store.evaluations()
    assert len(rows) == len({r.index for r in rows}) == BUDGET
    for row in rows:
        if row.index in before:
            assert row.values == before[row.index], "a finished run is never made again"
