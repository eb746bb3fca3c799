"""A quick test run is followed by one at other values, which says which numbers depend on the parameters; a slow one is not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.trials import trial as trial_module
from bayescope.gui.models.simulator.trials.trial import QUICK_S, Trial
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.pages.trial_panel import OFTEN_SLOWER, UNDER_WAY
from bayescope.gui.system.user_settings import settings

LEFT = Qt.MouseButton.LeftButton
K = d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0))


@pytest.fixture
def page(make_controller: Callable[[], SessionController], qtbot: QtBot) -> SimulatorPage:
    controller = make_controller()
    Trial.of(controller).set_follows(True)
    assert controller.problem.edit("x", simulator=d.Simulator(command=("sh", "-c", "echo @k@")), parameters=(K,))
    page = SimulatorPage(controller)
    qtbot.addWidget(page)
    page.resize(1280, 760)
    page.show()
    page.tabs.setCurrentWidget(page.outputs)
    return page


def asked(engines: list[Any]) -> list[protocol.TrialRun]:
    return [m for m in engines[-1].sent if isinstance(m, protocol.TrialRun)]


def ended(engines: list[Any], text: str, seconds: float = 0.2, outcome: Any = "ok") -> None:
    """The engine's report of the run that was asked for last."""
    report = protocol.TrialRunReport(
        outcome=outcome, stdout=text, values=asked(engines)[-1].values, exit_code=0, duration_s=seconds
    )
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    for _ in range(3):
        QApplication.processEvents()


def test_a_quick_test_run_is_followed_by_one_at_other_values(page: SimulatorPage, engines: list[Any]) -> None:
    assert page.panel.follow.isChecked()
    assert f"{QUICK_S:g} s" in page.panel.follow.text()
    page.panel.run()
    ended(engines, "u 1.0\nv 7\n")
    first, second = asked(engines)
    assert first.values != second.values
    assert page.panel.summary.text().endswith("Now at other values …")
    assert "running" not in page.panel.message.words(), "what the first one gave can be read meanwhile"
    assert page.panel.run_button.text() == "&Test run"
    assert page.outputs.check_button.isEnabled()
    ended(engines, "u 1.2\nv 7\n")
    assert len(page.outputs.picker.text.changed_spans()) == 1
    assert "Now at other" not in page.panel.summary.text()
    assert len(asked(engines)) == 2


def test_the_time_of_an_analysis_is_at_most_that_of_the_first_run_until_a_second_one_tells(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    ended(engines, "u 1.0\n", 4.0)
    trial = page.panel.trial
    assert (trial.run_seconds, trial.by_first_run) == (4.0, True)
    assert "An analysis: at most 140 runs, up to " in page.panel.summary.text()
    ended(engines, "u 1.2\n", 0.5)  # what the first one loaded is at hand
    assert (trial.run_seconds, trial.by_first_run) == (0.5, False)
    assert "up to" not in page.panel.summary.text()
    assert trial.answers.run_seconds == 0.5, "so it is known when the analysis is opened again"
    for seconds in (0.75, 12.5):
        page.panel.run()
        ended(engines, "u 1.0\n", seconds)
    assert trial.run_seconds == 0.75, "one that took long, while the computer did something else, does not count much"
    page.panel.run()
    ended(engines, "u 1.0\n", 0.3)
    assert trial.run_seconds == 0.3, "one that is quicker than those before it counts"


def test_a_slow_first_run_is_said_to_be_slower_than_later_ones_may_be(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.follow.click()
    page.panel.run()
    ended(engines, "u 1.0\n", 6.0)
    assert page.panel.summary.text().endswith(OFTEN_SLOWER)
    page.panel.run()
    ended(engines, "u 1.0\n", 6.0)
    assert OFTEN_SLOWER not in page.panel.summary.text()


def test_while_a_test_run_is_under_way_it_is_said_for_how_long_not_that_the_one_before_failed(
    page: SimulatorPage, engines: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page.panel.run()
    ended(engines, "", 0.2, "failed")
    assert page.panel.nothing.words() == "No outputs were read The run failed."
    page.panel.run()
    assert page.panel.nothing.words() == UNDER_WAY
    began = page.panel.trial._began
    monkeypatch.setattr(trial_module, "monotonic", lambda: began + 73.4)
    page.panel._say_elapsed()
    assert page.panel.nothing.words() == f"{UNDER_WAY} For 1 min 13 s so far."
    assert page.panel.summary.text() == "For 1 min 13 s so far."
    ended(engines, "", 0.2, "failed")
    assert page.panel.nothing.words() == "No outputs were read The run failed."
    page.panel._say_elapsed()
    assert "so far" not in page.panel.summary.text()


@pytest.mark.parametrize("case", ["slow", "failed", "not wished", "another program since", "nothing to vary"])
def test_it_is_not_run_again_unasked(page: SimulatorPage, engines: list[Any], case: str) -> None:
    if case == "not wished":
        page.panel.follow.click()
        assert settings().value("second_test_run") == "no"
    if case == "nothing to vary":
        page.problem.edit("x", parameters=(msgspec.structs.replace(K, fixed=1.0),))
    page.panel.run()
    if case == "another program since":
        page.problem.edit("x", simulator=d.Simulator(command=("sh", "-c", "rm @k@")))
    ended(engines, "u 1\n", QUICK_S + 1.0 if case == "slow" else 0.2, "failed" if case == "failed" else "ok")
    assert len(asked(engines)) == 1
    assert not page.trial.running
    assert page.outputs.check_button.isEnabled(), "it can still be asked for"


def test_what_the_user_asks_for_comes_before_it(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    ended(engines, "u 1.0\n")
    page.trial.set_value("k", 1.5)
    QTest.mouseClick(page.panel.run_button, LEFT)
    assert isinstance(engines[-1].sent[-1], protocol.CancelTrialRun)
    ended(engines, "", outcome="cancelled")
    assert asked(engines)[-1].values == {"k": 1.5}
    assert page.trial.waiting
    assert page.trial.other is None
    ended(engines, "u 1.5\n")
    assert page.trial.report is not None
    assert page.trial.report.values == {"k": 1.5}
    assert not page.trial.running, "two runs at different values are there: they are compared"
    assert page.outputs.picker.text.changed_spans() != []


def test_taking_the_tick_away_ends_it_and_asking_for_it_makes_it_an_ordinary_one(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    ended(engines, "u 1.0\n")
    page.outputs.check_button.click()
    assert page.panel.run_button.text() == "Cancel &test run"
    assert len(asked(engines)) == 2
    ended(engines, "u 1.2\n")
    page.panel.run()
    ended(engines, "u 1.0\n")
    page.panel.follow.click()
    assert isinstance(engines[-1].sent[-1], protocol.CancelTrialRun)
    ended(engines, "", outcome="cancelled")
    assert page.trial.other is None
    assert not page.trial.running


def test_a_real_program_is_run_at_other_values_without_asking(qtbot: QtBot, show: Callable[..., None]) -> None:
    controller = SessionController()
    try:
        command = (sys.executable, "-c", "print('u', 2 * @k@); print('v', 7)")
        assert controller.problem.edit("x", simulator=d.Simulator(command=command), parameters=(K,))
        page = SimulatorPage(controller)
        show(page, 1280, 760)
        page.tabs.setCurrentWidget(page.outputs)
        trial, text = page.trial, page.outputs.picker.text
        qtbot.mouseClick(page.panel.run_button, LEFT)
        qtbot.waitUntil(lambda: trial.second is not None and not trial.running, timeout=60_000)
        assert [text.text()[a:b] for a, b in text.changed_spans()] == ["2.0"]
    finally:
        controller.shut_down()
        controller.deleteLater()


def test_that_a_slow_program_was_not_run_at_other_values_is_said_with_the_button_that_does_it(
    page: SimulatorPage, engines: list[Any]
) -> None:
    page.panel.run()
    assert not page.panel.slow.isVisible()
    ended(engines, "u 1\n", QUICK_S + 9.0)
    assert page.panel.slow.isVisible()
    page.panel.slow_button.click()
    first, second = asked(engines)
    assert first.values != second.values
    ended(engines, "u 2\n", QUICK_S + 9.0)
    assert "was run at other values too" in page.panel.slow_words.text()
    assert page.panel.slow_words.isVisible()
    assert not page.panel.slow_button.isVisible()
