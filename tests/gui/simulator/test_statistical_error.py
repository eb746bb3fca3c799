"""Predictions with a statistical error of their own, in the window: the tick and the file, and the button where it is found."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.answer.usual_scatter import UsualScatter
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.files import dumps, load
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.session.store import SessionStore
from bayescope.engine.simulator import written_texts
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.help_window import HelpWindow
from bayescope.gui.models.data.errors.own_scatter import KEEP_SEED, NEW_SEED, OWN_ERROR
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.run.page import RunPage
from bayescope.gui.pages.simulator.page import SimulatorPage
from bayescope.gui.widgets import advice
from bayescope.gui.widgets.advice import AdviceButtons

PATIENCE = 60_000  # ms; the machine may be busy
PROGRAM = "import random, sys\nprint('y', float(sys.argv[1]) + random.gauss(0, 1))\n"


def problem_of(command: tuple[str, ...]) -> d.Problem:
    return d.Problem(
        name="Scatters",
        parameters=(d.Parameter(name="mu", prior=d.Normal(mean=0.0, sd=1.0)),),
        simulator=d.Simulator(command=command),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LabelledNumber(label="y"), length=1),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.5)),
        data=d.DataTable(columns={"y": (0.3,)}),
        settings=d.Settings(max_evaluations=5, options={"final_draws": 2000}),
    )


def declared_random(controller: SessionController) -> bool:
    return d.is_scattered(controller.problem.declared.meaning)


@pytest.fixture
def page(controller: SessionController, show: Any) -> SimulatorPage:
    page = SimulatorPage(controller)
    show(page, 1280, 720)
    controller.file.adopt(problem_of(("sh", "-c", "echo y @mu@")))
    page.tabs.setCurrentWidget(page.meaning)
    page.refresh()
    return page


def test_the_tick_sets_the_file_and_the_file_the_tick(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    tick = page.meaning.form.editor("random")
    assert tick.text() == OWN_ERROR  # type: ignore[attr-defined]
    assert not tick.isChecked()  # type: ignore[attr-defined]
    assert page.meaning.about.isVisible()
    assert "molecular dynamics" in page.meaning.about.text()
    tick.click()  # type: ignore[attr-defined]
    assert declared_random(controller)
    assert controller.file.save_as(tmp_path / "a.bayescope")
    with SessionStore.open(tmp_path / "a.bayescope", mode="read") as store:
        assert d.is_scattered(store.problem.meaning)
    (tmp_path / "p.json").write_bytes(dumps(controller.problem.declared))
    assert d.is_scattered(load(tmp_path / "p.json").meaning)
    controller.problem.undo_stack.undo()
    page.refresh()
    assert not tick.isChecked()  # type: ignore[attr-defined]
    controller.file.adopt(load(tmp_path / "p.json"))
    page.refresh()
    assert page.meaning.form.editor("random").isChecked()  # type: ignore[attr-defined]
    assert not controller.problem.findings(level="error")


def test_the_tick_belongs_to_predictions_alone(page: SimulatorPage) -> None:
    page.meaning.buttons["minus_two_log_likelihood"].click()
    page.refresh()
    assert not page.meaning.about.isVisible()
    page.meaning.buttons["predictions"].click()
    page.refresh()
    assert page.meaning.about.isVisible()


def test_a_test_run_made_twice_that_differs_offers_it(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    page.panel.run()
    report = protocol.TrialRunReport(
        outcome="ok", log_likelihood=-1.0, repeats_agree=False, repeats_words="With the same values the outputs differ.",
        outputs=(protocol.TrialOutput(name="y", source="stdout", values=(0.3,)),),
    )  # fmt: skip
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    notice = page.panel.message
    assert "count as exact" in notice.words()
    assert notice._button.text() == OWN_ERROR
    notice.pressed.emit()
    assert declared_random(controller)
    page.panel.refresh()
    assert OWN_ERROR not in notice._button.text()


def test_files_that_differ_say_nothing_of_numbers_marked_since(page: SimulatorPage, engines: list[Any]) -> None:
    page.panel.run()
    apart = [{"log.txt": ["tag 1.7", "y 0.3"]}, {"log.txt": ["tag 1.8", "y 0.3"]}]
    agree, words = written_texts.repeated_words(apart, None)
    report = protocol.TrialRunReport(outcome="ok", repeats_agree=agree, repeats_words=words)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    assert agree is False
    assert "count as exact" not in page.panel.message.words()


def test_numbers_marked_after_two_runs_that_differ_there_are_told_at_once_with_the_ways_out(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    y = next(o for o in controller.problem.declared.outputs if o.name == "y")
    controller.problem.edit("nothing read", outputs=())
    page.panel.run()
    texts = ("steady 1.0\ny = 0.3\n", "steady 1.0\ny = 0.4\n")
    agree, words = written_texts.repeated_words([{"printed text": text.splitlines()} for text in texts], None)
    again = (protocol.TrialFile(name="stdout", role="produced", text=texts[1]),)
    report = protocol.TrialRunReport(outcome="ok", stdout=texts[0], repeats_agree=agree, repeats_words=words, again=again)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))
    picker = page.outputs.picker
    picker._marked(texts[0].index("1.0"), texts[0].index("1.0"))
    assert "Random" not in picker.strip.check.text()
    picker._marked(texts[0].index("0.3"), texts[0].index("0.3"))
    assert "andom" in picker.strip.check.text()
    picker._one_more(texts[0].index("1.0"), texts[0].index("1.0"))
    assert picker.strip.told.text() == "Random: 1 of 2 differ in run 2"
    controller.problem.edit("marked", outputs=(msgspec.structs.replace(y, extractor=d.LastNumber()),))
    page.panel.refresh()
    notice = page.panel.message
    assert "count as exact" in notice.words()
    assert "They differ in y." in page.panel.summary.text()
    notice.dismissed.emit()
    assert page.tabs.currentWidget() is page.meaning, "the other way out"
    notice.pressed.emit()
    assert declared_random(controller)


def test_a_seed_fixed_in_the_deck_is_mentioned_after_runs_that_agree_and_answered_by_either_button(
    page: SimulatorPage, controller: SessionController, engines: list[Any]
) -> None:
    deck = d.TemplateFile(target="in.txt", text="echo y @mu@\nRNG = 20261\n")
    simulator = d.Simulator(command=("sh", "in.txt"), templates=(deck,))
    controller.problem.edit("x", simulator=simulator, data=None)
    report = protocol.TrialRunReport(
        outcome="ok", repeats_agree=True, outputs=(protocol.TrialOutput(name="y", source="stdout", values=(0.3,)),)
    )
    notice = page.panel.message

    def run_twice() -> None:
        page.panel.run()
        engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(report)))

    run_twice()
    assert "in.txt, line 2: “RNG = 20261”" in notice.suggestion()
    assert (notice._button.text(), notice._dismiss.text()) == (NEW_SEED, KEEP_SEED)
    notice._dismiss.click()
    assert "RNG" not in notice.suggestion()
    run_twice()
    assert "RNG" not in notice.suggestion(), "it was answered"
    controller.problem.edit("x", simulator=msgspec.structs.replace(simulator, templates=(
        d.TemplateFile(target="in.txt", text="echo y @mu@\n\nRNG = 20261\n"),)))  # fmt: skip
    run_twice()
    notice._button.click()
    assert "RNG = @seed@" in controller.problem.declared.simulator.templates[0].text
    assert declared_random(controller)


def test_the_noise_check_says_what_all_runs_tell_of_the_scatter(
    page: SimulatorPage, controller: SessionController, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = page.panel.noise
    assert part.learnt.text() == ""
    answer = SimpleNamespace(slices=UsualScatter(np.array([0.021]), np.array([0.05])).arrays())
    monkeypatch.setattr(controller.run.data, "answer", answer)
    controller.run.answer_changed.emit()
    assert part.learnt.text() == "By all runs a value scatters by 0.021, the measurement's error is 0.05."
    assert part.learnt.isVisibleTo(part)


def test_the_noise_check_does_not_ask_whether_a_program_is_random_that_is_declared_so(page: SimulatorPage) -> None:
    part = page.panel.noise
    assert part.about.text().startswith("Is your program random?")
    page.meaning.form.editor("random").click()
    part.refresh()
    assert part.about.text().startswith("The outputs are said to have a statistical error of their own.")


def test_a_test_run_is_not_shown_in_a_copy_whose_input_files_are_others(
    page: SimulatorPage, controller: SessionController
) -> None:
    trial = page.trial
    deck = d.TemplateFile(target="deck", text="SEED 1")
    of = msgspec.structs.replace(controller.problem.declared.simulator, templates=(deck,))
    ran = msgspec.structs.replace(controller.problem.declared, simulator=of)
    controller.file.adopt(ran)
    trial.report, trial._of = TrialRunReport(outcome="ok", values={"mu": 0.0}), ran
    controller.file.adopt(msgspec.structs.replace(ran, name="a copy"))
    assert trial.report is not None, "the same program with the same files"
    seeded = msgspec.structs.replace(of, templates=(msgspec.structs.replace(deck, text="SEED @seed@"),))
    controller.file.adopt(msgspec.structs.replace(ran, simulator=seeded))
    assert trial.report is None


def test_the_advice_for_a_fixed_seed_opens_a_copy_with_the_seed_marked_and_the_tick_set(
    page: SimulatorPage, controller: SessionController, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = controller.problem.declared
    deck = d.TemplateFile(target="deck", text="mu @mu@\nSEED 20261\n")
    controller.file.adopt(msgspec.structs.replace(now, simulator=msgspec.structs.replace(now.simulator, templates=(deck,))))
    buttons = AdviceButtons(controller.problem, controller.file, controller.run)
    qtbot.addWidget(buttons)
    assert buttons.own_error.isHidden()
    monkeypatch.setattr(advice, "may_leave", lambda *_: True)
    buttons.own_error.click()
    assert declared_random(controller)
    assert controller.problem.declared.simulator.templates[0].text == "mu @mu@\nSEED @seed@\n"
    assert not controller.problem.locked


def test_the_help_leads_from_both_names_to_the_meaning_page(qtbot: QtBot) -> None:
    window = HelpWindow()
    qtbot.addWidget(window)
    for wanted in ("molecular dynamics", "Monte Carlo"):
        window.wanted.setText(wanted)
        assert "meaning" in [page.name for page in window._found.pages], wanted


@pytest.mark.window
@pytest.mark.timeout(120)
def test_a_random_program_declared_exact_is_refused_and_one_click_lets_it_run(
    qtbot: QtBot, real_controller: SessionController, show: Any, tmp_path: Path
) -> None:
    controller = real_controller
    page = RunPage(controller)
    show(page, 1280, 720)
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    assert controller.problem.replace(problem_of((sys.executable, "-I", "-S", str(script), "@mu@")), "Set up")
    assert controller.file.save_as(tmp_path / "random.bayescope")
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None and not controller.run.active, timeout=PATIENCE)
    qtbot.waitUntil(page.strip.correct.isVisible, timeout=5000)
    assert page.strip.correct.text().replace("&", "") == OWN_ERROR
    assert step_status(controller, "run") == ("error", "random, but counts as exact")
    qtbot.waitUntil(lambda: not controller.run._settle.isActive() and not page.strip._ended.isActive(), timeout=5000)
    qtbot.mouseClick(page.strip.correct, Qt.MouseButton.LeftButton)
    assert declared_random(controller)
    qtbot.waitUntil(lambda: not page.strip.correct.isVisible(), timeout=5000)
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.run.n_runs == 5 and not controller.run.active, timeout=PATIENCE)
    assert controller.run.corrects == ""
