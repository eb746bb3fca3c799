"""@seed@ in a program whose results count as exact: said in words of the window, with a button for either way out."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.step_status import step_status
from bayescope.gui.pages.seeded_notice import SeededNotice
from bayescope.gui.pages.simulator.page import SimulatorPage

PROBLEM = d.Problem(
    name="p",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("sh", "-c", "echo @k@ @seed@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
    meaning=d.LogLikelihoodOutput(output="y"),
)
IN_A_FILE = msgspec.structs.replace(
    PROBLEM.simulator, command=("sh", "x"), templates=(d.TemplateFile(target="in.txt", text="k @k@\nseed @seed@\n"),)
)


@pytest.fixture
def page(qtbot: QtBot, controller: SessionController) -> SimulatorPage:
    page = SimulatorPage(controller)
    qtbot.addWidget(page)
    page.resize(1280, 640)
    page.show()
    return page


def shown_in(page: SimulatorPage, controller: SessionController, simulator: d.Simulator) -> SeededNotice:
    controller.file.adopt(msgspec.structs.replace(PROBLEM, simulator=simulator))
    part = page.inputs if simulator.templates else page.program
    page.tabs.setCurrentWidget(part)
    page.refresh()
    return part.seeded


@pytest.mark.parametrize("simulator", [PROBLEM.simulator, IN_A_FILE], ids=["arguments", "file"])
def test_it_is_said_without_words_of_problem_files_and_the_same_seed_is_one_click_away(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, simulator: d.Simulator
) -> None:
    notice = shown_in(page, controller, simulator)
    assert notice.isVisible()
    assert "problem file" not in f"{page.program.found.text()} {notice.words()} {notice.suggestion()}"
    assert "seed" not in page.program.found.text()
    qtbot.mouseClick(notice._dismiss, Qt.MouseButton.LeftButton)
    changed = controller.problem.declared.simulator
    texts = " ".join((*changed.command, *(t.text for t in changed.templates)))
    assert "@seed@" not in texts
    assert "@k@" in texts
    assert not notice.isVisible()
    assert not controller.problem.findings("simulator", "error")
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.simulator == simulator


def test_a_click_leads_to_where_it_is_said_that_the_program_is_random(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    notice = shown_in(page, controller, PROBLEM.simulator)
    qtbot.mouseClick(notice._button, Qt.MouseButton.LeftButton)
    assert page.tabs.currentWidget() is page.meaning
    controller.problem.edit("random", meaning=d.LogLikelihoodOutput(output="y", random=True))
    page.refresh()
    assert notice.words() == ""


@pytest.mark.parametrize("tab", ["outputs", "meaning", "limits"])
def test_it_is_said_with_its_buttons_on_the_tabs_where_no_seed_stands_too(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tab: str
) -> None:
    shown_in(page, controller, PROBLEM.simulator)
    assert not page.seeded.isVisible(), "the tab Program says it already"
    page.tabs.setCurrentWidget(getattr(page, tab))
    assert page.status() == step_status(controller, "simulator") == ("error", "random, but counts as exact")
    assert page.seeded.isVisible()
    qtbot.mouseClick(page.seeded._button, Qt.MouseButton.LeftButton)
    assert page.tabs.currentWidget() is page.meaning
    assert page.meaning.form.editor("random").hasFocus()
    qtbot.mouseClick(page.seeded._dismiss, Qt.MouseButton.LeftButton)
    assert not page.seeded.isVisible()
    assert page.status()[0] == "done"


def test_predictions_of_a_random_program_have_a_statistical_error_with_one_click(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController
) -> None:
    controller.file.adopt(msgspec.structs.replace(PROBLEM, meaning=d.Predictions(matches=(), noise=d.GaussianKnown())))
    page.tabs.setCurrentWidget(page.outputs)
    page.refresh()
    qtbot.mouseClick(page.seeded._button, Qt.MouseButton.LeftButton)
    tick = page.meaning.form.editor("random")
    assert tick.hasFocus()
    declared = controller.problem.declared.meaning
    assert isinstance(declared, d.Predictions)
    assert declared.random
    page.refresh()
    assert not page.seeded.isVisible()
