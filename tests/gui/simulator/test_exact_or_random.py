"""A random program declared as exact, in the window with a real engine: refused with the ways out, before the run or by it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.run.page import RunPage

pytestmark = [pytest.mark.window, pytest.mark.timeout(120)]
PATIENCE = 60_000  # ms; the machine may be busy
PROGRAM = "import random, sys\nprint('logl', -0.5 * float(sys.argv[1]) ** 2 + random.gauss(0, 1))\n"


def problem_of(folder: Path, *more: str) -> d.Problem:
    script = folder / "program.py"
    script.write_text(PROGRAM)
    return d.Problem(
        name="Noisy",
        parameters=(d.Parameter(name="mu", prior=d.Normal(mean=0.0, sd=1.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@mu@", *more)),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LabelledNumber(label="logl"), length=1),),
        meaning=d.LogLikelihoodOutput(output="logl"),
        settings=d.Settings(max_evaluations=14, options={"final_draws": 2000}),
    )


@pytest.fixture
def controller(real_controller: SessionController) -> SessionController:
    return real_controller


@pytest.fixture
def page(controller: SessionController, show: Any) -> RunPage:
    page = RunPage(controller)
    show(page, 1280, 720)
    return page


def say_it_is_random(controller: SessionController) -> None:
    meaning = msgspec.structs.replace(controller.problem.declared.meaning, random=True)
    assert controller.problem.edit("Say that it is random", meaning=meaning)


def test_a_random_seed_in_an_exact_program_locks_the_run_until_it_is_said_to_be_random(
    page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.problem.replace(problem_of(tmp_path, "@seed@"), "Set up")
    page.strip.refresh()
    assert not page.strip.start.isEnabled()
    assert "new random seed in every run (@seed@ in argument 5)" in page.strip.activity.whole
    say_it_is_random(controller)
    page.strip.refresh()
    assert page.strip.start.isEnabled()


@pytest.mark.journeys
def test_a_program_that_turns_out_to_be_random_is_refused_and_its_declaration_can_be_mended(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.problem.replace(problem_of(tmp_path), "Set up")
    assert controller.file.save_as(tmp_path / "random.bayescope")
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.run.data.outcome is not None and not controller.run.active, timeout=PATIENCE)
    assert controller.run.state == "failed"
    assert "two runs at the same values gave the log-likelihoods" in controller.run.data.outcome.words
    assert "or fix its seed" in controller.run.data.outcome.words
    qtbot.waitUntil(lambda: "two runs at the same values" in page.strip.activity.whole, timeout=5000)
    assert controller.run.n_runs == 0
    qtbot.waitUntil(lambda: not controller.run._settle.isActive(), timeout=5000)
    assert not controller.problem.locked
    say_it_is_random(controller)
    qtbot.waitUntil(page.strip.start.isEnabled, timeout=5000)
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.run.n_runs == 14 and not controller.run.active, timeout=PATIENCE)
    assert controller.run.data.answer is not None
