"""Runs made again from the window: a real engine process and real programs; progress, words, cancelling, consent."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.analysis.session_file import Agreement
from bayescope.gui.pages.run.page import RunPage
from bayescope.gui.pages.run.views import Runs
from bayescope.gui.widgets.run_again import RunAgainPart

pytestmark = [pytest.mark.window, pytest.mark.timeout(120)]
PATIENCE = 60_000  # ms; the machine may be busy
PROGRAM = """import sys, time
a, b = float(sys.argv[1]), float(sys.argv[2])
{extra}
print(-0.5 * (a * a + (b - a) ** 2))
"""


class Desk:
    """A finished analysis on disk, its program beside it, and the page that shows it."""

    def __init__(self, folder: Path, qtbot: QtBot, show: Callable[..., None], controller: SessionController) -> None:
        self.qtbot, self.controller, self.script = qtbot, controller, folder / "model.py"
        self.write("")
        problem = d.Problem(
            name="small",
            parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=2.0)) for n in "ab"),
            simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(self.script), "@a@", "@b@")),
            outputs=(d.Output(name="logl", source="stdout", extractor=d.LastNumber()),),
            meaning=d.LogLikelihoodOutput(output="logl"),
            settings=d.Settings(max_evaluations=8, workers=2, seed=3),
        )
        self.path = folder / "small.bayescope"
        assert controller.file.adopt(problem)
        assert controller.file.save_as(self.path)
        self.page = RunPage(controller)
        show(self.page, 1280, 720)
        self.page.show_view("runs")
        view = self.page.view("runs")
        assert isinstance(view, Runs)
        self.view = view

    @property
    def part(self) -> RunAgainPart:
        return self.view.repeats

    def write(self, extra: str) -> None:
        self.script.write_text(PROGRAM.format(extra=extra))

    def run(self) -> None:
        assert self.controller.run.start()
        self.qtbot.waitUntil(lambda: not self.controller.run.active, timeout=PATIENCE)
        self.qtbot.waitUntil(lambda: self.part.button.isEnabled(), timeout=PATIENCE)

    def press(self, button: Any) -> None:
        assert button.isVisible()
        assert button.isEnabled()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def again(self) -> None:
        """Open, start, and wait for the end."""
        self.press(self.part.open_button)
        self.press(self.part.button)
        self.wait()

    def wait(self) -> None:
        self.qtbot.waitUntil(lambda: not self.controller.run.unrecorded.replaying, timeout=PATIENCE)

    def agree(self, yes: bool = True) -> list[str]:
        """Answer the question of consent; what was shown."""
        asked: list[str] = []

        def answer(sheet: Any, confined: bool) -> Agreement | None:
            asked.append("\n".join(sheet.lines()))
            return Agreement(confined=False, quietly=False) if yes else None

        self.controller.file.ask_consent = answer
        return asked


@pytest.fixture
def controller(real_controller: SessionController) -> SessionController:
    return real_controller


@pytest.fixture
def desk(
    qtbot: QtBot, controller: SessionController, show: Callable[..., None], tmp_path: Path, request: Any
) -> Iterator[Desk]:
    desk = Desk(tmp_path, qtbot, show, controller)
    yield desk
    vars(desk).clear()
    request.node.funcargs.pop("desk", None)


@pytest.mark.journeys
def test_runs_made_since_the_check_are_said_not_to_be_checked(desk: Desk, qtbot: QtBot) -> None:
    desk.run()
    desk.again()
    assert desk.part.summary.text().endswith("when 8 runs were stored.")
    assert desk.controller.run.start(10)
    qtbot.waitUntil(lambda: not desk.controller.run.active, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "The 2 made since then are not checked." in desk.part.summary.text(), timeout=PATIENCE)


@pytest.mark.journeys
def test_runs_are_made_again_with_progress_and_the_result_stays_with_the_file(desk: Desk, qtbot: QtBot) -> None:
    part, controller = desk.part, desk.controller
    assert part.summary.text().startswith("Not checked")
    desk.press(part.open_button)
    assert not part.button.isEnabled()
    assert "no finished run" in part.summary.text()
    desk.press(part.open_button)
    desk.run()
    seen: list[tuple[int, int]] = []
    controller.run.unrecorded.replay_changed.connect(lambda: seen.append(controller.run.unrecorded.replayed))
    desk.press(part.open_button)
    assert part.button.text() == "Start 5 runs"
    part.runs.setValue(3)
    assert part.button.text() == "Start 3 runs"
    desk.press(part.button)
    assert part.progress.isVisible()
    assert part.button.text() == "Cancel"
    assert not controller.run.start(), "one after the other"
    assert not controller.file.save_as(desk.path.with_name("other.bayescope"))
    desk.wait()
    assert seen == [(k, 3) for k in range(4)]
    assert part.progress.isHidden()
    assert part.message.level == "ok"
    assert part.message.words() == "All 3 runs made again gave the same outputs to the last digit."
    assert part.details.isHidden()
    assert "when 8 runs were stored" in part.summary.text()
    assert controller.run.n_runs == 8
    # another analysis knows nothing of it; opened again, this one does
    assert controller.file.new()
    assert part.message.isHidden()
    assert part.summary.text().startswith("Not checked")
    assert controller.file.open(desk.path)
    assert "All 3 runs" in part.message.words()


@pytest.mark.journeys
def test_runs_that_differ_are_named_and_shown_and_the_changed_program_is_asked_about(desk: Desk, qtbot: QtBot) -> None:
    desk.run()
    desk.write("a = a + 0.25")
    asked = desk.agree(yes=False)
    desk.press(desk.part.open_button)
    desk.press(desk.part.button)
    assert "model.py" in asked[0]
    assert "did not agree" in desk.part.message.words()
    assert not desk.controller.run.unrecorded.replaying
    with SessionStore.open(desk.path, mode="read") as store:
        assert store.replay() is None
    desk.agree()
    desk.press(desk.part.button)
    desk.wait()
    assert desk.part.message.level == "warning"
    assert desk.part.message.words() == "5 of 5 runs made again came out differently."
    assert "may have changed since" in desk.part.details.toPlainText()
    record = desk.part.record
    assert record is not None
    first = record.differing[0].index
    assert f"Run {first} (a = " in desk.part.details.toPlainText()
    assert not desk.part.open_button.isChecked(), "room for the list again"
    desk.part.message.pressed.emit()
    chosen = desk.view.table._chosen()
    assert chosen is not None
    assert chosen.index == first


@pytest.mark.journeys
def test_a_replay_is_cancelled_keeps_what_was_compared_and_another_can_follow(desk: Desk, qtbot: QtBot) -> None:
    desk.run()
    desk.write("time.sleep(0.4)")
    desk.agree()
    part = desk.part
    part.runs.setValue(8)
    desk.press(part.open_button)
    desk.press(part.button)
    qtbot.waitUntil(lambda: desk.controller.run.unrecorded.replayed[0] >= 1, timeout=PATIENCE)
    desk.press(part.button)
    desk.wait()
    assert part.message.level == "info"
    assert "cancelled before all 8" in part.message.suggestion()
    desk.write("")
    part.runs.setValue(1)
    desk.again()
    assert part.message.words() == "The one run made again gave the same outputs to the last digit."


@pytest.mark.journeys
def test_no_run_is_made_again_while_the_analysis_runs(desk: Desk, qtbot: QtBot) -> None:
    desk.run()
    desk.write("time.sleep(0.2)")
    desk.agree()
    desk.press(desk.part.open_button)
    assert desk.controller.run.extend(14)
    qtbot.waitUntil(lambda: desk.controller.run.active, timeout=PATIENCE)
    assert not desk.part.button.isEnabled()
    assert "analysis is running" in desk.part.summary.text()
    assert not desk.controller.run.unrecorded.replay(2)
    desk.controller.run.stop(kill=True)
    qtbot.waitUntil(lambda: not desk.controller.run.active, timeout=PATIENCE)
    assert desk.part.button.isEnabled()


@pytest.mark.loops
def test_opening_another_analysis_ends_a_replay_and_its_result_is_not_shown_there(desk: Desk, qtbot: QtBot) -> None:
    desk.run()
    desk.write("time.sleep(5)")
    desk.agree()
    done: list[protocol.ReplayDone] = []
    desk.controller.run.unrecorded.replay_done.connect(done.append)
    desk.press(desk.part.open_button)
    desk.press(desk.part.button)
    assert desk.controller.run.unrecorded.replaying
    assert desk.controller.file.new()
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
    assert "cancelled" in done[0].words
    assert desk.part.message.isHidden()
    assert not desk.controller.run.unrecorded.replaying


@pytest.mark.loops
def test_an_engine_that_dies_during_a_replay_is_told_in_words(desk: Desk, qtbot: QtBot) -> None:
    desk.run()
    desk.write("time.sleep(30)")
    desk.agree()
    desk.press(desk.part.open_button)
    desk.press(desk.part.button)
    client: Any = desk.controller.run._link._client
    client._process.kill()
    desk.wait()
    assert desk.part.message.level == "warning"
    assert desk.part.message.words()
    assert desk.part.button.isEnabled()


@pytest.mark.loops
def test_a_program_that_ignores_its_input_is_reported_once_while_it_runs(desk: Desk, qtbot: QtBot) -> None:
    desk.write("a = b = 0.3")
    desk.agree()
    said: list[protocol.Report] = []
    desk.controller.reports.reported.connect(said.append)
    desk.run()
    assert [r.level for r in said if "identical outputs" in r.what] == ["warning"]
