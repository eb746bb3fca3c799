"""A start while it is being found out whether each parameter has an effect waits for that, and nothing moves Start away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.simulator.trials.held_start import ASKED, HELD
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.run.page import RunPage

MODEL = "k1=@k1@\nold_k2=@k2@\n"


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController, tmp_path: Path, engines: list[Any]) -> RunPage:
    """Of a problem that is ready, after a good and quick test run and one at other values: k1 and k2 are being moved alone."""
    ready = d.Problem(
        name="rates",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=2.0)) for n in ("k1", "k2")),
        simulator=d.Simulator(
            command=("python3", str(tmp_path / "none.py")),
            templates=(d.TemplateFile(target="model.txt", text=MODEL, original="k1=0.5\nold_k2=0.35\n"),),
        ),
        outputs=(d.Output(name="first", source="stdout", extractor=d.LabelledNumber(label="first")),),
        meaning=d.LogLikelihoodOutput(output="first"),
    )
    controller.problem.replace(ready, "Declare")
    controller.file.ask_consent = lambda *_: True
    made = RunPage(controller)
    show(made, 1000, 620)
    trial = Trial.of(controller)
    trial.set_follows(True)
    trial.run()
    values = trial.values()
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n")
    answer(engines, values={n: v + 0.1 for n, v in values.items()}, duration_s=0.1, stdout="first 1.2\n")
    assert trial.moving
    assert not controller.run.obstacles()
    return made


def answer(engines: list[Any], **fields: Any) -> None:
    report = protocol.TrialRunReport(outcome="ok", **fields)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def press_start(qtbot: QtBot, page: RunPage) -> None:
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    page.strip.refresh()


def started(engines: list[Any]) -> bool:
    return any(isinstance(m, protocol.StartRun) for engine in engines for m in engine.sent)


def moved_alone(engines: list[Any], page: RunPage, *idle: str) -> None:
    values = page.effects.trial.values()
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n", idle=idle)
    page.strip.refresh()


def test_the_question_comes_without_moving_start(qtbot: QtBot, page: RunPage, engines: list[Any]) -> None:
    at = page.strip.start.mapTo(page, QPoint(0, 0))
    moved_alone(engines, page, "k2")
    qtbot.waitUntil(page.effects.isVisible)
    assert page.strip.start.mapTo(page, QPoint(0, 0)) == at
    assert page.tabs.mapTo(page, QPoint(0, 0)).y() < page.effects.mapTo(page, QPoint(0, 0)).y()


def test_start_waits_and_shows_the_question_in_place_of_a_run(qtbot: QtBot, page: RunPage, engines: list[Any]) -> None:
    press_start(qtbot, page)
    assert page.strip.activity.text() == HELD or HELD.startswith(page.strip.activity.text().rstrip("…"))
    assert not started(engines)
    moved_alone(engines, page, "k2")
    assert page.effects.trial.start.words == ASKED
    assert page.effects.words().startswith("k2 changes nothing in the outputs")
    assert not started(engines)
    press_start(qtbot, page)
    assert started(engines), "it was asked once"


def test_start_goes_on_by_itself_where_every_parameter_has_an_effect(qtbot: QtBot, page: RunPage, engines: list[Any]) -> None:
    press_start(qtbot, page)
    assert not started(engines)
    moved_alone(engines, page)
    assert started(engines)


def test_start_pressed_once_more_waits_for_nothing(qtbot: QtBot, page: RunPage, engines: list[Any]) -> None:
    press_start(qtbot, page)
    press_start(qtbot, page)
    assert started(engines)


def test_a_check_that_is_put_off_after_a_change_is_made_at_once(
    qtbot: QtBot, page: RunPage, engines: list[Any], controller: SessionController
) -> None:
    moved_alone(engines, page)
    more = d.Output(name="second", source="stdout", extractor=d.LabelledNumber(label="first"))
    controller.problem.edit("Mark", outputs=(*controller.problem.declared.outputs, more))
    assert not page.effects.trial.moving
    press_start(qtbot, page)
    assert page.effects.trial.moving
    assert not started(engines)
    moved_alone(engines, page)
    assert started(engines)


def test_a_change_while_it_waits_takes_the_start_back(
    qtbot: QtBot, page: RunPage, engines: list[Any], controller: SessionController
) -> None:
    press_start(qtbot, page)
    controller.problem.edit("Rename", name="others")
    moved_alone(engines, page)
    assert not started(engines)
