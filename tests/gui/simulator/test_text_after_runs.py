"""A line of an input file is changed after runs were made: in a copy, or here with the runs kept, as the user says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.report.report_repeat import how_to_repeat
from bayescope.engine.session.kept_over import kept_over_of
from bayescope.engine.session.records import AskRecord, EvaluationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.declared_problem import TEXTS_ALONE
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs import run_controls
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.simulator import templates
from bayescope.gui.pages.simulator.inputs import InputsTab
from bayescope.gui.pages.simulator.program import ProgramTab
from bayescope.gui.pages.simulator.templates import TemplatesPart

pytestmark = pytest.mark.window
TEXT = "tolerance 1e-4\na @a@\n"
CHANGED = TEXT.replace("1e-4", "1e-6")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An analysis with three runs."""
    made = d.Problem(
        name="Deck",
        parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=2.0)),),
        simulator=d.Simulator(command=("/nowhere/program",), templates=(d.TemplateFile(target="deck.inp", text=TEXT),)),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LabelledNumber(label="y")),),
        meaning=d.LogLikelihoodOutput(output="y"),
    )
    where = tmp_path / "deck.bayescope"
    with SessionStore.create(where, made, own=True) as store:
        for k in range(3):
            store.add_cycle(asks=[AskRecord(k, np.array([0.1 * k]), 0)])
            values = {"a": 0.1 * k}
            store.add_evaluation(EvaluationRecord(k, k, np.array([0.1 * k]), values, "ok", -1.0, -0.7, -1.7, outputs={}))
    return where


@pytest.fixture
def part(controller: SessionController, show: Callable, path: Path) -> TemplatesPart:
    assert controller.file.open(path)
    made = TemplatesPart(controller.problem, controller.file, controller.run, Trial.of(controller))
    made.refresh()
    show(made)
    controller.problem.changed.connect(made.refresh)
    return made


def answers(monkeypatch: pytest.MonkeyPatch, chosen: str) -> list[str]:
    asked: list[str] = []

    def ask(_parent: object, _title: str, text: str, more: str, *buttons: tuple[str, str], **_: object) -> str:
        asked.append(f"{text} {more}")
        assert chosen in {name.replace("&", "") for name, _ in buttons}
        return chosen

    monkeypatch.setattr(run_controls, "ask", ask)
    return asked


def typed(part: TemplatesPart, text: str) -> None:
    part.editor.setPlainText(text)
    part.editor.end_editing()


def test_with_the_runs_kept_texts_beside_placeholders_may_change_and_nothing_else(
    controller: SessionController, part: TemplatesPart, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    asked, said = answers(monkeypatch, "Keep the runs"), []
    controller.reports.reported.connect(lambda report: said.append(report.what))
    qtbot.mouseClick(part.deck.edit_button, Qt.MouseButton.LeftButton)
    assert asked[0].startswith("3 runs were made with “deck.inp” as it is.")
    assert part.editor.editing
    assert templates.KEPT in " ".join(label.text() for label in part.message.findChildren(QLabel))
    typed(part, CHANGED)
    assert controller.problem.declared.simulator.templates[0].text == CHANGED
    assert controller.run.n_runs == 3
    assert not controller.problem.edit("Remove output", outputs=())
    qtbot.mouseClick(part.deck.edit_button, Qt.MouseButton.LeftButton)
    assert len(asked) == 1, "asked once"
    typed(part, CHANGED.replace("@a@", "0.5"))
    assert controller.problem.declared.simulator.templates[0].text == CHANGED
    assert said[-1] == TEXTS_ALONE
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.simulator.templates[0].text == TEXT
    controller.problem.undo_stack.redo()
    controller.file.finish_writing()
    with SessionStore.open(path, mode="read") as store:
        assert store.problem.simulator.templates[0].text == CHANGED
        assert store.evaluation_count == 3
        (change,) = kept_over_of(store)
        assert change.sentence in how_to_repeat(store, {}, links=False)


def test_in_a_copy_the_runs_stay_with_the_analysis_they_were_made_for(
    controller: SessionController, part: TemplatesPart, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    answers(monkeypatch, "Change it in a copy")
    qtbot.mouseClick(part.deck.edit_button, Qt.MouseButton.LeftButton)
    assert controller.run.n_runs == 0
    assert part.editor.editing
    typed(part, CHANGED)
    assert controller.problem.declared.simulator.templates[0].text == CHANGED
    with SessionStore.open(path, mode="read") as store:
        assert store.problem.simulator.templates[0].text == TEXT
        assert store.evaluation_count == 3


def test_cancelled_nothing_changes(
    controller: SessionController, part: TemplatesPart, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, "Cancel")
    qtbot.mouseClick(part.deck.edit_button, Qt.MouseButton.LeftButton)
    assert not part.editor.editing
    assert not controller.problem.texts_free
    assert controller.problem.locked


@pytest.fixture
def program_tab(controller: SessionController, show: Callable, path: Path) -> ProgramTab:
    assert controller.file.open(path)
    made = ProgramTab(controller.problem, controller.file, controller.run, Trial.of(controller))
    made.refresh()
    show(made)
    controller.problem.changed.connect(made.refresh)
    return made


def test_arguments_and_fixed_files_change_with_the_runs_kept_as_texts_do(
    controller: SessionController, program_tab: ProgramTab, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, path: Path,
    tmp_path: Path,
) -> None:
    asked = answers(monkeypatch, "Keep the runs")
    tab = program_tab
    assert tab.arguments.isReadOnly()
    assert not tab.fixed_files.add_button.isEnabled()
    qtbot.mouseClick(tab.after_runs.button, Qt.MouseButton.LeftButton)
    assert asked[0].startswith("3 runs were made with the arguments as they are.")
    assert not tab.arguments.isReadOnly()
    assert not tab.after_runs.button.isVisible()
    assert "The runs are kept" in tab.after_runs.kept.text()
    tab.arguments.setText("--quiet")
    qtbot.keyClick(tab.arguments, Qt.Key.Key_Return)
    mesh = tmp_path / "mesh.msh"
    mesh.write_text("1 2 3\n")
    tab.fixed_files.add([mesh])
    assert controller.problem.declared.simulator.command == ("/nowhere/program", "--quiet")
    assert [f.path for f in controller.problem.declared.simulator.extra_files] == [str(mesh)]
    assert controller.run.n_runs == 3
    tab.arguments.setText("--a @a@")  # a place more for the value: another program
    qtbot.keyClick(tab.arguments, Qt.Key.Key_Return)
    assert controller.problem.declared.simulator.command == ("/nowhere/program", "--quiet")
    assert tab.arguments.text() == "--quiet"
    controller.file.finish_writing()
    with SessionStore.open(path, mode="read") as store:
        (change,) = kept_over_of(store)
        assert change.sentence.startswith("The arguments and the fixed input files were changed by hand after 3 runs;")


def test_standard_input_and_variables_change_in_a_copy_or_with_the_runs_kept(
    controller: SessionController, show: Callable, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert controller.file.open(path)
    tab = InputsTab(controller.problem, controller.file, controller.run, Trial.of(controller))
    controller.problem.changed.connect(tab.refresh)
    tab.refresh()
    show(tab)
    tab.tabs.setCurrentWidget(tab.stdin_part)
    assert not tab.stdin_on.isEnabled()
    asked = answers(monkeypatch, "Change it in a copy")
    qtbot.mouseClick(tab.stdin_after_runs.button, Qt.MouseButton.LeftButton)
    assert asked[0].startswith("3 runs were made with the standard input as it is.")
    assert controller.run.n_runs == 0
    assert tab.stdin_on.isEnabled()
    assert tab.add_variable.isEnabled()
