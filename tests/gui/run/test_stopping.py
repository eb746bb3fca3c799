"""The question of Stop tells what goes on while it waits, and what comes in Stop's place takes no click that was meant for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QMessageBox, QSpinBox
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.words import headline
from bayescope.gui.dialogs import run_controls
from bayescope.gui.dialogs.messages import ask
from bayescope.gui.dialogs.more_runs import MoreRunsDialog


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
    monkeypatch.setattr(run_controls, "how_many", lambda parent, title, now: proposed.append(now().proposed))
    run_controls.ask_for_more(window, controller.run)
    assert proposed == [max(controller.run.budget, 114)]


def test_the_question_for_more_runs_counts_those_that_end_while_it_waits_and_keeps_a_typed_number(
    qtbot: QtBot, open_window: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    window, controller, _ = open_window()
    controller.file.open_example("contamination")
    done = [40]
    monkeypatch.setattr(type(controller.run), "n_runs", property(lambda run: done[0]))
    budget = controller.run.budget
    monkeypatch.setattr(type(controller.run), "budget", property(lambda run: max(budget, done[0])))
    dialog = MoreRunsDialog(window, "More runs", lambda: run_controls._asked_for_more(controller.run))
    dialog.show()
    assert dialog.labelText().startswith(f"40 simulator runs are done. Up to {budget} are allowed.")
    done[0] = budget + 20
    size = dialog.size()
    dialog.look()
    assert dialog.labelText().startswith(f"{budget + 20} simulator runs are done.")
    assert (dialog.intValue(), dialog.intMinimum()) == (round(1.5 * (budget + 20)), budget + 21)
    assert dialog.size().expandedTo(size) == dialog.size()
    box = dialog.findChild(QSpinBox)
    box.selectAll()
    qtbot.keyClicks(box, "900")
    done[0] += 1
    dialog.look()
    assert (dialog.intValue(), dialog.intMinimum()) == (900, budget + 22)
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    qtbot.mouseClick(ok, Qt.MouseButton.LeftButton)
    assert dialog.result() == 1
    dialog.deleteLater()


def test_a_question_whose_words_get_shorter_gets_no_smaller() -> None:
    long = "Words that say much of what goes on while the question waits. " * 3
    said, sizes = iter(["Done."]), []

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        sizes.append(box.size())
        if box.text() == "Done.":
            timer.stop()
            box.buttons()[0].click()

    timer = QTimer(interval=50)
    timer.timeout.connect(press)
    timer.start()
    ask(None, "Stop", long, "More.", ("&Yes", "accept"), live=lambda: next(said))  # type: ignore[arg-type]
    assert sizes[-1] == sizes[0]


def test_a_long_question_about_what_goes_on_is_wrapped_and_seen_whole() -> None:
    said = "123 runs are done, 12 simulator runs are under way. Let them finish first?"
    seen: list[tuple[int, int, int]] = []

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        shown = box.findChild(QLabel, "qt_msgbox_label")
        assert shown is not None
        seen.append((box.width(), shown.height(), shown.heightForWidth(shown.width())))
        box.reject()

    QTimer.singleShot(200, look)
    buttons = ("&Let finish, then stop", "accept"), ("&End now", "destroy"), ("&Keep running", "cancel")
    ask(None, "Stop the analysis", said, "Everything finished is kept either way.", *buttons, live=lambda: said)  # type: ignore[arg-type]
    (width, height, needed), = seen
    assert width <= 600
    assert height >= needed
