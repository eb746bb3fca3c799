"""What stands in a field is what is used, or the step says that it cannot be used; keys never end an analysis by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.window.main_window import MainWindow

pytestmark = pytest.mark.window


@pytest.fixture
def window(make_controller: Callable[[], SessionController], qtbot: QtBot, put_away: Any) -> Iterator[MainWindow]:
    controller = make_controller()
    made = [MainWindow(controller)]
    made[0].resize(1280, 800)
    made[0].show()
    assert controller.file.open_example("contamination")
    for key in ("parameters", "run"):
        made[0].go(key)
    yield made[0]
    controller.shut_down()
    put_away(made)


def type_into(qtbot: QtBot, field: Any, text: str, key: Qt.Key | None = Qt.Key.Key_Return) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClicks(field, text)
    if key is not None:
        qtbot.keyClick(field, key)


def step(window: MainWindow, key: str) -> tuple[str, str]:
    window._refresh()
    return window.bar.buttons[key].status


@pytest.mark.parametrize(("typed", "said"), [("abc", "abc"), ("", "is empty")], ids=["letters", "nothing"])
def test_a_prior_that_cannot_be_read_holds_up_its_step_and_the_field_is_named(
    window: MainWindow, qtbot: QtBot, typed: str, said: str
) -> None:
    controller: SessionController = window.controller
    window.go("parameters")
    page: Any = window.page("parameters")
    page.table.selectRow(1)
    parameter = page.model.rows[1]
    field = page.panel.fields[0]
    before = controller.problem.declared
    type_into(qtbot, field, typed)
    status, words = step(window, "parameters")
    assert status == "error"
    assert (parameter.label or parameter.name) in words
    assert field.accessibleName() in words
    assert said in words
    assert step(window, "run")[0] == "locked"
    strip = window.page("run").strip  # type: ignore[attr-defined]
    strip.refresh()
    assert not strip.start.isEnabled()
    assert words in strip.activity.whole
    assert not controller.run.start()
    window.close_reports()
    assert controller.problem.declared == before

    more = msgspec.structs.replace(controller.problem.declared.settings, max_evaluations=77)
    assert controller.problem.edit("Something else", settings=more)
    assert field.text() == typed, "it stays to be corrected, whatever else is changed"
    assert field.property("state") == "error"
    assert said in page.panel.notice.text()

    type_into(qtbot, field, "0.25")
    assert step(window, "parameters")[0] == "done"
    assert not controller.problem.findings(level="error")
    assert field.property("state") == ""


def test_escape_puts_back_the_value_in_use(window: MainWindow, qtbot: QtBot) -> None:
    window.go("parameters")
    page: Any = window.page("parameters")
    page.table.selectRow(0)
    field = page.panel.fields[0]
    before = field.text()
    type_into(qtbot, field, "abc")
    assert step(window, "parameters")[0] == "error"
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == before
    assert step(window, "parameters")[0] == "done"
    assert page.panel.notice.text() == ""


def test_another_parameter_shown_gives_the_entry_up_and_says_so(window: MainWindow, qtbot: QtBot) -> None:
    window.go("parameters")
    page: Any = window.page("parameters")
    page.table.selectRow(0)
    type_into(qtbot, page.panel.fields[0], "abc")
    page.table.selectRow(1)
    assert step(window, "parameters")[0] == "done"
    assert "“abc” was not taken" in window.statusBar().currentMessage()
    page.table.selectRow(0)
    assert "abc" not in page.panel.fields[0].text()


def test_a_limit_that_cannot_be_read_holds_up_run_and_test_run_until_another_analysis_is_shown(
    window: MainWindow, qtbot: QtBot
) -> None:
    controller: SessionController = window.controller
    window.go("simulator")
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.limits)
    field = page.limits.limits.editor("time_s")
    type_into(qtbot, field, "soon")
    assert step(window, "simulator")[0] == "error"
    assert "soon" in step(window, "simulator")[1]
    said: list[str] = []
    controller.run.unrecorded.trial_run_failed.connect(said.append)
    controller.run.unrecorded.trial_run({})
    assert "soon" in said[0]
    assert controller.file.open_example("ricker")
    assert step(window, "simulator")[0] == "done"
    assert field.text() != "soon"
    assert field.property("state") == ""


def test_what_is_being_typed_counts_when_a_shortcut_starts_the_analysis(
    window: MainWindow, qtbot: QtBot, engines: list[Any]
) -> None:
    controller: SessionController = window.controller
    window.go("parameters")
    page: Any = window.page("parameters")
    page.table.selectRow(0)
    field = page.panel.fields[0]
    type_into(qtbot, field, "abc", key=None)
    window.menus.actions["start"].trigger()
    assert not controller.run.active
    window.close_reports()
    type_into(qtbot, field, "0.125", key=None)
    window.menus.actions["start"].trigger()
    assert controller.run.active
    assert controller.problem.declared.parameters[0].prior.low == 0.125  # type: ignore[union-attr]


def test_no_row_of_keys_on_start_and_pause_ends_the_analysis(
    window: MainWindow, qtbot: QtBot, engines: list[Any], evaluation_done: Callable[..., Any]
) -> None:
    controller: SessionController = window.controller
    strip = window.page("run").strip  # type: ignore[attr-defined]
    strip.refresh()
    strip.start.setFocus()

    def space() -> None:
        focus = window.focusWidget()
        if focus is not None:
            qtbot.keyClick(focus, Qt.Key.Key_Space)
        strip.refresh()

    def told(state: str) -> None:
        engines[-1].message.emit(protocol.StateChanged(state=state))  # type: ignore[arg-type]
        strip.refresh()

    space()
    assert controller.run.active
    assert window.focusWidget() is strip.pause
    told("running")
    values = {p.name: 0.5 for p in controller.problem.declared.parameters}
    engines[-1].message.emit(protocol.EvaluationStarted(index=0, values=values))
    space()
    assert controller.run.state == "pausing"
    assert strip.pause.text() == "Re&sume"
    assert window.focusWidget() is strip.pause
    told("paused")
    assert window.focusWidget() is strip.pause
    space()
    assert isinstance(engines[-1].sent[-1], protocol.ContinueRun)
    assert controller.run.state == "running"
    for _ in range(5):
        space()
    assert not any(isinstance(m, protocol.StopRun) for m in engines[-1].sent)


def test_an_analysis_goes_on_also_while_its_runs_are_still_finishing(
    window: MainWindow, qtbot: QtBot, engines: list[Any]
) -> None:
    controller: SessionController = window.controller
    assert controller.run.start()
    engines[-1].message.emit(protocol.StateChanged(state="running"))
    controller.run.pause()
    controller.run.resume()
    assert controller.run.state == "running", "the engine, not yet told of the pause, has nothing to say"


def test_an_output_is_named_with_its_field(window: MainWindow, qtbot: QtBot) -> None:
    window.go("simulator")
    page: Any = window.page("simulator")
    page.tabs.setCurrentWidget(page.outputs)
    outputs = page.outputs
    outputs.tabs.setCurrentWidget(outputs.editor)
    name = outputs.model.rows[outputs.table.currentIndex().row()].output.name
    type_into(qtbot, outputs.editor.basic.editor("length"), "many")
    words = step(window, "simulator")[1]
    assert words.startswith(f"{name}: How many numbers")
