"""Small things that a newcomer with a random program met: the way to its meaning, saving during a run, what a copy shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.simulator import written_texts
from bayescope.gui.analysis.run_data import Evaluation, RunData
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs import messages
from bayescope.gui.dialogs.closing import held_words
from bayescope.gui.dialogs.messages import reveal
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.simulator.trials.trial_words import summary
from bayescope.gui.pages.run.table import RunTable
from bayescope.gui.pages.simulator.meaning import PREDICTIONS_TAG, RANDOM, MeaningTab
from bayescope.gui.plots.acquired_points import waiting_words
from bayescope.gui.widgets.reasons import ReasonsLine
from bayescope.gui.window.main_window import MainWindow

pytestmark = pytest.mark.window


def test_once_numbers_are_marked_nobody_is_told_to_mark_them() -> None:
    apart = {written_texts.PRINTED: ["Potential -4.1"]}, {written_texts.PRINTED: ["Potential -4.2"]}
    report = TrialRunReport(outcome="ok", repeats_agree=False, repeats_words=written_texts.repeated_words(apart, None)[1])
    assert "Once numbers are marked" in summary(report)
    assert "Once numbers are marked" not in summary(report, marked=True)
    assert summary(report, marked=True).endswith("Run it again: it says how much the marked numbers change.")


def test_a_random_program_whose_meaning_is_open_is_led_to_the_meanings_that_allow_for_it(
    make_controller: Callable[[], SessionController], show: Any
) -> None:
    controller = make_controller()
    controller.file.adopt(msgspec.structs.replace(PROBLEM, meaning=d.LogLikelihoodOutput(output="")))
    tab = MeaningTab(controller.problem, Trial.of(controller))
    show(tab)
    tab.refresh()
    tab.to_random()
    assert tab.focusWidget() is tab.buttons[PREDICTIONS_TAG]
    assert tab.random.isVisible()
    assert "They have a statistical error of their own" in RANDOM
    assert "Random simulations, summarized" in RANDOM
    tab.buttons[PREDICTIONS_TAG].click()
    tab.refresh()
    assert tab.random.isVisible(), "nothing moves while it is looked at"
    tab.averages.click()
    declared = controller.problem.declared.meaning
    assert isinstance(declared, d.Predictions)
    assert declared.random
    tab.refresh()
    assert not tab.averages.isEnabled()
    tab.hide()
    tab.show()
    assert not tab.random.isVisible()


def test_the_tick_of_predictions_with_an_error_of_their_own_is_brought_into_sight(
    qtbot: QtBot, make_controller: Callable[[], SessionController], show: Any
) -> None:
    controller = make_controller()
    controller.file.adopt(msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=(), noise=d.GaussianKnown(sd=0.1))))
    tab = MeaningTab(controller.problem, Trial.of(controller))
    show(tab)
    tab.refresh()
    tab.resize(500, 300)
    tab.to_random()
    tick = tab.form.editor("random")
    assert tab.focusWidget() is tick
    declared = controller.problem.declared.meaning
    assert isinstance(declared, d.Predictions)
    assert declared.random, "that it is random was said"
    qtbot.waitUntil(lambda: not tick.visibleRegion().isEmpty(), timeout=5_000)


def test_a_table_of_runs_of_another_analysis_shows_no_run_of_the_former_one(show: Any) -> None:
    table, data = RunTable(), RunData()
    show(table)
    data.add_evaluation(Evaluation(0, {"a": 1.0}, "failed", None, None, 0.0, 1.0, 0.0, "It broke."))
    table.refresh(data, Path("/nowhere"))
    table.select(0)
    assert "Run 0: failed" in table.details.head.text()
    table.refresh(RunData(), Path("/elsewhere"))
    assert "Run 0" not in table.details.head.text()


def test_points_are_not_called_runs_where_each_takes_several() -> None:
    random = msgspec.structs.replace(PROBLEM, meaning=d.SyntheticLikelihood(summaries=(), repeats=50))
    assert held_words(random, 2) == "2 points (50 runs of the program at each)"
    assert held_words(PROBLEM, 1) == "1 simulator run"
    assert waiting_words(several=True) == "Points appear as soon as all simulator runs of the first one have ended."


def test_a_folder_that_no_program_shows_is_named_with_a_copy_button(
    monkeypatch: pytest.MonkeyPatch, qapp: QApplication, tmp_path: Path
) -> None:
    monkeypatch.setattr(messages.QDesktopServices, "openUrl", lambda url: False)
    reveal(tmp_path)
    (box,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox) and w.isVisible())
    assert box.informativeText() == str(tmp_path)
    next(b for b in box.buttons() if "Copy" in b.text()).click()
    assert QGuiApplication.clipboard().text() == str(tmp_path)
    box.close()


def test_ctrl_r_does_nothing_on_an_empty_analysis_as_the_button_of_the_page(
    make_controller: Callable[[], SessionController], put_away: Callable[[list[MainWindow]], None]
) -> None:
    made = [MainWindow(make_controller())]
    assert not made[0].menus.actions["start"].isEnabled()
    assert made[0].controller.file.open_example("contamination")
    made[0]._refresh()
    assert made[0].menus.actions["start"].isEnabled()
    put_away(made)


def test_a_single_reason_that_stands_there_whole_is_not_said_again(show: Any) -> None:
    line = ReasonsLine()
    show(line, 600, 40)
    line.say(("Too few runs.",))
    assert not line.why.isVisible()
    line.say(("Too few runs.", "The evidence moves."))
    assert line.why.isVisible()
    line.say(("A reason that goes on and on. " * 20,))
    assert line.why.isVisible()
