"""Parameters that change nothing in the outputs: named where they are seen, with the way to where they stand."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.answer.no_effect import KEY
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.results.summary import chip_of, verdict
from bayescope.gui.models.simulator import trial as trial_module
from bayescope.gui.pages.run.effect_notice import EffectNotice
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = pytest.mark.window
READS_K1 = """
import sys
rows = dict(line.split("=") for line in open("model.txt").read().split())
print("first", 2.0 * float(rows["k1"]))
print("second", float(rows["k1"]) ** 2)
"""
MODEL = "k1=@k1@\nold_k2=@k2@\nold_k3=@k3@\nk2=0.35\n"
QUESTION = "k2 and k3 change nothing in the outputs: does the program read them where they stand?"


def declared(script: Path) -> d.Problem:
    return d.Problem(
        name="rates",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=2.0)) for n in ("k1", "k2", "k3")),
        simulator=d.Simulator(
            command=(sys.executable, "-I", "-S", str(script)), templates=(d.TemplateFile(target="model.txt", text=MODEL),)
        ),
        outputs=(d.Output(name="first", source="stdout", extractor=d.LabelledNumber(label="first")),),
        meaning=d.LogLikelihoodOutput(output="first"),
    )


def test_the_test_run_names_them_and_leads_to_the_place_and_so_does_the_run_page(
    open_window: Callable, qtbot: QtBot, tmp_path: Path
) -> None:
    (script := tmp_path / "program.py").write_text(READS_K1)
    window, controller, run = open_window()
    controller.problem.replace(declared(script), "Declare")
    controller.file.ask_consent = lambda *_: True
    window.go("simulator")
    page = window.page("simulator")
    qtbot.mouseClick(page.panel.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.panel.message.words() == QUESTION, timeout=20_000)
    assert page.trial.report is not None
    assert page.panel.message.level == "warning"
    window.go("run")
    assert run.effects.words() == QUESTION
    qtbot.mouseClick(run.effects._button, Qt.MouseButton.LeftButton)
    assert window.current == "simulator"
    assert page.tabs.currentWidget() is page.inputs
    assert page.inputs.templates.editor.textCursor().selectedText() == "@k2@"
    problem = controller.problem.declared
    mended = MODEL.replace("old_k2=@k2@", "old_k2=0.35").replace("k2=0.35\n", "k2=@k2@\n")
    simulator = msgspec.structs.replace(problem.simulator, templates=(d.TemplateFile(target="model.txt", text=mended),))
    controller.problem.edit("Mend", simulator=simulator)
    assert run.effects.level is None, "what was found is not known of other inputs"


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController, tmp_path: Path) -> SimulatorPage:
    controller.problem.replace(declared(tmp_path / "none.py"), "Declare")
    page = SimulatorPage(controller)
    qtbot.addWidget(page)
    page.show()
    return page


def answer(engines: list[Any], **fields: Any) -> None:
    report = protocol.TrialRunReport(outcome=fields.pop("outcome", "ok"), **fields)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    QApplication.processEvents()


def trials(engines: list[Any]) -> list[protocol.TrialRun]:
    return [m for m in engines[-1].sent if isinstance(m, protocol.TrialRun)]


def test_each_parameter_is_moved_alone_after_the_run_at_other_values_and_not_again(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    page.trial.set_follows(True)
    page.trial.run()
    values = page.trial.values()
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n")
    answer(engines, values={n: v + 0.1 for n, v in values.items()}, duration_s=0.1, stdout="first 1.2\n")
    assert [t.alone for t in trials(engines)] == [False, False, True]
    assert trials(engines)[-1].values == values
    assert page.trial.moving
    assert not page.trial.waiting, "nobody is held up"
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n", idle=("k2",))
    assert page.trial.idle == ("k2",)
    assert page.panel.message.words().startswith("k2 changes nothing in the outputs")
    page.trial._move_alone()
    assert len(trials(engines)) == 3, "that is known"


def test_more_outputs_are_looked_at_once_they_are_settled_and_slow_programs_never(
    page: SimulatorPage, controller: SessionController, engines: list[Any], qtbot: QtBot
) -> None:
    page.trial._settled.setInterval(1)
    page.trial.set_follows(True)
    page.trial.run()
    values = page.trial.values()
    answer(engines, values=values, duration_s=trial_module.QUICK_S + 1.0, stdout="first 1.0\nsecond 2.0\n")
    assert [t.alone for t in trials(engines)] == [False]
    page.trial.run()
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\nsecond 2.0\n")
    answer(engines, values=values, duration_s=0.1, stdout="first 1.5\nsecond 2.5\n")
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\nsecond 2.0\n", idle=("k2", "k3"))
    more = d.Output(name="second", source="stdout", extractor=d.LabelledNumber(label="second"))
    controller.problem.edit("Mark", outputs=(*controller.problem.declared.outputs, more))
    assert page.trial.idle == ()
    qtbot.waitUntil(lambda: trials(engines)[-1].alone and len(trials(engines)) == 5)
    page.trial.run()
    answer(engines, outcome="cancelled")
    assert not trials(engines)[-1].alone, "what is asked for goes first"


def test_an_answer_with_parameters_without_effect_is_not_green_and_is_told_on_the_run_page(
    controller: SessionController, page: SimulatorPage, qtbot: QtBot, snapshot_ready: Callable
) -> None:
    notice = EffectNotice(controller.run, page.trial)
    qtbot.addWidget(notice)
    assert notice.level is None
    snapshot = snapshot_ready(0, 20, np.zeros(3), converged=True)
    assert chip_of(Answer.of_message(snapshot))[0] == "ok"
    answer = Answer.of_message(msgspec.structs.replace(snapshot, diagnostics={KEY + "k2": 1.0}))
    assert chip_of(answer) == ("warning", "1 without effect")
    level, said, _ = verdict(answer.trace, 20, answer.diagnostics)
    assert (level, "k2 changes nothing in the outputs" in said) == ("warning", True)
    controller.run.data.answer = answer
    notice.refresh()
    assert notice.words() == "k2 changes nothing in the outputs: does the program read it where it stands?"
    with qtbot.waitSignal(notice.use_wanted) as wanted:
        notice.pressed.emit()
    assert wanted.args == ["k2"]
