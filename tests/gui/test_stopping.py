"""The question of Stop tells what goes on while it waits, and what comes in Stop's place takes no click that was meant for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.words import headline
from bayescope.gui.dialogs import run_controls
from bayescope.gui.dialogs.messages import ask


def test_a_question_that_waits_says_what_is_true_now(qtbot: QtBot) -> None:
    said, seen = iter(["2 runs", "1 run"]), []

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        if box.text() != "1 run":
            return
        timer.stop()
        seen.append(box.text())
        box.buttons()[0].click()

    timer = QTimer(interval=50)
    timer.timeout.connect(press)
    timer.start()
    assert ask(None, "Stop", "3 runs", "", ("&Yes", "accept"), live=lambda: next(said)) == "Yes"  # type: ignore[arg-type]
    assert seen == ["1 run"]


def test_the_question_of_stop_counts_done_and_under_way(open_window: Callable[..., Any]) -> None:
    _, controller, _ = open_window()
    controller.file.open_example("contamination")
    controller.run.data.under_way[3] = {}
    assert run_controls._stop_words(controller.run) == "0 runs are done, 1 simulator run is under way. Let it finish first?"
    controller.run.data.nothing_under_way()
    assert "ended by itself" in run_controls._stop_words(controller.run)


def test_a_click_meant_for_stop_does_nothing_else_when_the_run_has_just_ended(
    qtbot: QtBot, open_window: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    window.go("run")
    strip = window.page("run").strip
    pressed: list[int] = []
    strip.settings.clicked.disconnect()
    strip.settings.clicked.connect(lambda: pressed.append(1))
    strip._stop_stood = strip.settings.geometry()
    strip._ended.start()
    qtbot.mouseClick(strip.settings, Qt.MouseButton.LeftButton)
    assert pressed == []
    strip._ended.stop()
    qtbot.mouseClick(strip.settings, Qt.MouseButton.LeftButton)
    assert pressed == [1]


def test_runs_that_a_stopped_answer_does_not_know_are_counted() -> None:
    assert headline(False, False, 48, {}, made=50)[1].startswith("Not converged after 48 of 50 runs")


def test_more_runs_after_convergence_proposes_no_less_than_was_allowed(
    open_window: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    proposed: list[int] = []
    monkeypatch.setattr(run_controls, "settled", lambda run: True)
    monkeypatch.setattr(type(controller.run), "n_runs", 76)
    monkeypatch.setattr(QInputDialog, "getInt", lambda *a: (proposed.append(a[3]), (0, False))[1])
    run_controls.ask_for_more(window, controller.run)
    assert proposed == [max(controller.run.budget, 114)]
