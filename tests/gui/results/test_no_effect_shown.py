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
from bayescope.engine.answer.no_effect import KEY, QUICK_S
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.results.summary import chip_of, verdict
from bayescope.gui.pages.run.effect_notice import EffectNotice
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = pytest.mark.window
READS_K1 = """
import sys
rows = dict(line.split("=") for line in open("model.txt").read().split())
print("first", 2.0 * float(rows["k1"]))
print("second", float(rows["k2"]) ** 2)
"""
MODEL = "k1=@k1@\nold_k2=@k2@\nold_k3=@k3@\nk2=0.35\n"
ORIGINAL = "k1=0.5\nold_k2=0.35\nold_k3=1.5\nk2=0.35\n"
QUESTION = "k2 and k3 change nothing in the outputs: does the program read them where they stand?"

SECOND = d.Output(name="second", source="stdout", extractor=d.LabelledNumber(label="second"))


def declared(script: Path) -> d.Problem:
    return d.Problem(
        name="rates",
        parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.0, high=2.0)) for n in ("k1", "k2", "k3")),
        simulator=d.Simulator(
            command=(sys.executable, "-I", "-S", str(script)),
            templates=(d.TemplateFile(target="model.txt", text=MODEL, original=ORIGINAL),),
        ),
        outputs=(d.Output(name="first", source="stdout", extractor=d.LabelledNumber(label="first")),),
        meaning=d.LogLikelihoodOutput(output="first"),
    )


@pytest.mark.loops
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
    assert run.status() == ("todo", "ready, but 2 without effect")
    assert run.effects.words() == QUESTION
    qtbot.mouseClick(run.effects._button, Qt.MouseButton.LeftButton)
    assert window.current == "simulator"
    assert page.tabs.currentWidget() is page.inputs
    assert page.inputs.templates.editor.textCursor().selectedText() == "@k2@"
    assert "0.35, the value of k2, stands in 1 other place too. Line 4 of model.txt" in page.panel.message.suggestion()
    uses = page.inputs.uses_part
    page.inputs.tabs.setCurrentWidget(uses)
    uses.select("k2")
    assert uses.elsewhere.words() == "0.35, the value of k2, stands in 1 other place too."
    qtbot.mouseClick(uses.elsewhere._button, Qt.MouseButton.LeftButton)
    assert controller.problem.declared.simulator.templates[0].text == MODEL.replace("k2=0.35", "k2=@k2@")
    assert run.effects.level is None, "what was found is not known of other inputs"
    assert uses.elsewhere.level is None
    controller.problem.edit("Mark", outputs=(*controller.problem.declared.outputs, SECOND))
    qtbot.mouseClick(page.panel.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.trial.idle == ("k3",), timeout=20_000)


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


def run_at_two_places(page: SimulatorPage, engines: list[Any]) -> dict[str, float]:
    """A test run and one at other values, which are good and quick; the values of the first."""
    page.trial.run()
    values = page.trial.values()
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n")
    answer(engines, values={n: v + 0.1 for n, v in values.items()}, duration_s=0.1, stdout="first 1.2\n")
    return values


def trials(engines: list[Any]) -> list[protocol.TrialRun]:
    return [m for m in engines[-1].sent if isinstance(m, protocol.TrialRun)]


def test_each_parameter_is_moved_alone_after_the_run_at_other_values_and_not_again(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    page.trial.set_follows(True)
    values = run_at_two_places(page, engines)
    assert [t.alone for t in trials(engines)] == [False, False, True]
    assert trials(engines)[-1].values == values
    assert page.trial.moving
    assert not page.trial.waiting, "nobody is held up"
    cancelled = [m for m in engines[-1].sent if isinstance(m, protocol.CancelTrialRun)]
    controller.run.state_changed.emit("running", "")
    assert [m for m in engines[-1].sent if isinstance(m, protocol.CancelTrialRun)] == cancelled, "no analysis has begun"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(controller.run), "active", True)
        controller.run.state_changed.emit("running", "")
    assert len([m for m in engines[-1].sent if isinstance(m, protocol.CancelTrialRun)]) == len(cancelled) + 1
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n", idle=("k2",))
    assert page.trial.idle == ("k2",)
    assert page.panel.message.words().startswith("k2 changes nothing in the outputs")
    page.trial._move_alone()
    assert len(trials(engines)) == 3, "that is known"


def test_more_outputs_are_looked_at_once_they_are_settled_and_slow_programs_never(
    page: SimulatorPage, controller: SessionController, engines: list[Any], qtbot: QtBot
) -> None:
    page.trial._alone.settled.setInterval(1)
    page.trial.set_follows(True)
    page.trial.run()
    values = page.trial.values()
    answer(engines, values=values, duration_s=QUICK_S + 1.0, stdout="first 1.0\nsecond 2.0\n")
    assert [t.alone for t in trials(engines)] == [False]
    page.trial.run()
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\nsecond 2.0\n")
    answer(engines, values=values, duration_s=0.1, stdout="first 1.5\nsecond 2.5\n")
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\nsecond 2.0\n", idle=("k2", "k3"))
    controller.problem.edit("Mark", outputs=(*controller.problem.declared.outputs, SECOND))
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


def test_marking_a_number_that_stands_elsewhere_offers_the_other_places_until_it_is_answered(
    page: SimulatorPage, controller: SessionController, tmp_path: Path, qtbot: QtBot
) -> None:
    deck = tmp_path / "rates.in"
    deck.write_text("k9 = 0.45\nsteps = 10\ninitial = 0.45\n")
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    part.open_file(deck)
    part.editor.mark(5, 9)
    part.maker.accept()
    assert part.elsewhere.words() == "0.45, the value of k9, stands in 1 other place too."
    assert "Line 3 of rates.in: “initial = 0.45”" in part.elsewhere.suggestion()
    assert part.elsewhere.isVisible()
    with qtbot.waitSignal(controller.file.changed):
        controller.file.finish_writing()  # a draft with the first parameter
    assert part.elsewhere.level == "info", "it stays until it is answered"
    part.elsewhere.dismissed.emit()
    assert part.elsewhere.level is None
    part.elsewhere.look("k9")
    assert part.elsewhere.level is None, "it was answered"
    controller.problem.undo_stack.undo()
    part.editor.mark(30, 34)
    part.maker.name.setText("y0")
    part.maker.accept()
    assert "Line 1 of rates.in: “k9 = 0.45”" in part.elsewhere.suggestion()
    part.elsewhere.pressed.emit()
    assert controller.problem.declared.simulator.templates[-1].text == "k9 = @y0@\nsteps = 10\ninitial = @y0@\n"
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.simulator.templates[-1].text == "k9 = 0.45\nsteps = 10\ninitial = @y0@\n"


def test_one_of_several_places_is_chosen_from_a_list_and_all_are_framed_in_the_text(
    page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    deck = tmp_path / "truss.txt"
    deck.write_text("1 6 206000. 0.3\n7 10 206000. 0.3\n11 15 206000. 0.3\n16 21 206000. 0.3\n")
    page.tabs.setCurrentWidget(page.inputs)
    part = page.inputs.templates
    part.open_file(deck)
    part.editor.mark(4, 11)
    part.maker.name.setText("E_chord")
    part.maker.accept()
    notice = part.elsewhere
    assert notice.words() == "206000, the value of E_chord, stands in 3 other places too."
    assert notice.one.isVisible()
    text = controller.problem.declared.simulator.templates[-1].text
    assert [text[a:b] for a, b in part.editor.highlights()] == ["206000."] * 3
    entries = notice.places.actions()
    assert [entry.text()[:7] for entry in entries] == ["Line 2 ", "Line 3 ", "Line 4 "]
    entries[1].hover()
    assert [text[a:b] for a, b in part.editor.highlights()] == ["206000."]
    entries[1].trigger()
    lines = controller.problem.declared.simulator.templates[-1].text.splitlines()
    assert [line.split()[2] for line in lines] == ["@E_chord@", "206000.", "@E_chord@", "206000."]
    assert notice.words() == "206000, the value of E_chord, stands in 2 other places too."
    notice.places.actions()[0].trigger()
    assert not notice.one.isVisible()
    assert notice.words() == "206000, the value of E_chord, stands in 1 other place too."


def test_a_copy_knows_what_the_answer_of_the_first_one_told_as_long_as_the_program_is_the_same(
    controller: SessionController, page: SimulatorPage, qtbot: QtBot, snapshot_ready: Callable
) -> None:
    notice = EffectNotice(controller.run, page.trial)
    qtbot.addWidget(notice)
    snapshot = snapshot_ready(0, 20, np.zeros(3), converged=True)
    controller.run.data.answer = Answer.of_message(msgspec.structs.replace(snapshot, diagnostics={KEY + "k2": 1.0}))
    assert controller.file.duplicate({"k1": (0.2, 0.8)})
    assert controller.run.data.answer is None
    assert page.trial.idle == ("k2",)
    assert notice.words() == "k2 changes nothing in the outputs: does the program read it where it stands?"
    assert controller.file.duplicate()
    assert page.trial.idle == ("k2",), "so does a copy of the copy"
    now = controller.problem.declared.simulator
    marked = msgspec.structs.replace(now, templates=(msgspec.structs.replace(now.templates[0], text=f"{MODEL}k9=@k2@\n"),))
    controller.problem.edit("Mark", simulator=marked)
    assert page.trial.idle == (), "of other inputs nothing is known"
    assert notice.level is None
    controller.problem.undo_stack.undo()
    assert page.trial.idle == ("k2",)


def test_what_test_runs_told_is_known_when_the_analysis_is_opened_again(
    controller: SessionController, page: SimulatorPage, engines: list[Any], tmp_path: Path
) -> None:
    page.trial.set_follows(True)
    values = run_at_two_places(page, engines)
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n", idle=("k2",))
    path = tmp_path / "rates.bayescope"
    assert controller.file.save_as(path)
    assert controller.file.new()
    assert page.trial.idle == ()
    assert controller.file.open(path)
    assert page.trial.idle == ("k2",)
    run_at_two_places(page, engines)
    answer(engines, values=values, duration_s=0.1, stdout="first 1.0\n", idle=())
    assert page.trial.idle == ()
    assert controller.file.settled.idle == (), "runs made anew go before what was known"
