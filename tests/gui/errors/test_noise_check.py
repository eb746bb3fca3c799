"""The noise check in the window: a real engine process runs a really random program; progress, words, cancelling."""

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
from bayescope.gui.pages.data.page import DataPage
from bayescope.gui.pages.simulator.page import SimulatorPage

pytestmark = [pytest.mark.window, pytest.mark.timeout(120)]
PATIENCE = 60_000  # ms; the machine may be busy
PROGRAM = """import random, sys, time
seed, mode = int(sys.argv[1]), sys.argv[2]
if mode == "slow": time.sleep(30)
rng = random.Random(7 if mode == "fixed" else seed)
print("logl", -float(sys.argv[3]) + 3.0 * rng.gauss(0, 1))
"""


def problem_of(folder: Path, mode: str) -> d.Problem:
    script = folder / "program.py"
    script.write_text(PROGRAM)
    return d.Problem(
        name="Noisy",
        parameters=(d.Parameter(name="mu", prior=d.Normal(mean=0.0, sd=1.0)),),
        simulator=d.Simulator(command=(sys.executable, "-I", "-S", str(script), "@seed@", mode, "@mu@")),
        outputs=(d.Output(name="logl", source="stdout", extractor=d.LabelledNumber(label="logl"), length=1),),
        meaning=d.LogLikelihoodOutput(output="logl", random=True),
    )


@pytest.fixture
def controller(real_controller: SessionController) -> SessionController:
    return real_controller


@pytest.fixture
def page(controller: SessionController, show: Any) -> SimulatorPage:
    page = SimulatorPage(controller)
    show(page, 1280, 720)
    page.panel.tabs.setCurrentWidget(page.panel.noise)
    return page


def press(qtbot: QtBot, part: Any) -> None:
    assert part.button.isEnabled()
    qtbot.mouseClick(part.button, Qt.MouseButton.LeftButton)


def test_a_random_program_is_measured_and_enough_runs_per_point_are_one_click_away(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path, show: Any
) -> None:
    part = page.panel.noise
    assert not part.button.isEnabled()  # nothing to run yet
    assert controller.problem.replace(problem_of(tmp_path, "random"), "Set up")
    assert part.button.text() == "Run 20 times at one point"
    part.runs.setValue(8)
    seen: list[tuple[int, int]] = []
    controller.run.unrecorded.noise_progress.connect(lambda done, total: seen.append((done, total)))
    press(qtbot, part)
    assert part.progress.isVisible()
    assert part.button.text() == "Cancel the noise check"
    assert not page.panel.run_button.isEnabled()  # one at a time
    qtbot.waitUntil(lambda: page.trial.noise is not None, timeout=PATIENCE)
    report = page.trial.noise
    assert report is not None
    assert seen == [(k, 8) for k in range(1, 9)]
    assert (report.good, len(set(report.values))) == (8, 8)
    assert report.sd is not None
    assert 1.2 < report.sd < 7.0  # the program's own is 3
    assert part.progress.isHidden()
    assert "varies by ±" in part.message.words()
    assert "95 % probability" in part.words.text()
    assert "near 1" in part.words.text()
    assert page.panel.run_button.isEnabled()
    # the Data page shows the same, where the errors are declared
    data = DataPage(controller)
    show(data)
    assert data.noise_check.words.text() == part.words.text()
    part.message.pressed.emit()
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.LogLikelihoodOutput)
    assert meaning.repeats == report.repeats_needed
    controller.problem.undo_stack.undo()
    assert isinstance(controller.problem.declared.meaning, d.LogLikelihoodOutput)
    assert controller.problem.declared.meaning.repeats == 1


def test_the_spreads_of_the_pilot_runs_become_the_scales_of_the_summaries_with_one_click(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    base = problem_of(tmp_path, "random")
    problem = msgspec.structs.replace(
        base,
        meaning=d.ApproximateBayes(summaries=(d.Summary(output="logl", column="logl"),), repeats=50),
        data=d.DataTable(columns={"logl": (0.5,)}),
    )
    assert controller.problem.replace(problem, "Set up")
    part = page.panel.noise
    assert part.scales.isHidden()
    part.runs.setValue(6)
    press(qtbot, part)
    qtbot.waitUntil(lambda: page.trial.noise is not None, timeout=PATIENCE)
    assert page.trial.noise is not None
    qtbot.waitUntil(part.scales.isVisible, timeout=2000)
    qtbot.mouseClick(part.scales, Qt.MouseButton.LeftButton)
    meaning = controller.problem.declared.meaning
    assert isinstance(meaning, d.ApproximateBayes)
    assert meaning.summaries[0].scale == pytest.approx(page.trial.noise.summary_spread, rel=0.01)
    assert part.scales.isHidden()
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.meaning == problem.meaning


def test_a_seed_that_never_changes_is_told(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.problem.replace(problem_of(tmp_path, "fixed"), "Set up")
    page.panel.noise.runs.setValue(3)
    press(qtbot, page.panel.noise)
    qtbot.waitUntil(lambda: page.trial.noise is not None, timeout=PATIENCE)
    assert page.panel.noise.message.level == "warning"
    assert "seed is fixed" in page.panel.noise.message.words()


def test_a_fixed_seed_in_the_command_is_no_proof_and_is_made_new_in_each_run_by_one_click(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    problem = problem_of(tmp_path, "")
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.replace("sys.argv[1]", "sys.argv[1].split('=')[1]"))
    data = d.DataTable(columns={"y": (1.0,)})
    exact = d.Predictions(matches=(d.Match(output="logl", column="y"),), noise=d.GaussianKnown(sd=1.0))
    command = (*problem.simulator.command[:4], "seed=7", "", "@mu@")
    simulator = msgspec.structs.replace(problem.simulator, command=command)
    problem = msgspec.structs.replace(problem, simulator=simulator, data=data, meaning=exact)
    assert controller.problem.replace(problem, "Set up")
    page.panel.noise.runs.setValue(3)
    press(qtbot, page.panel.noise)
    qtbot.waitUntil(lambda: page.trial.noise is not None, timeout=PATIENCE)
    message = page.panel.noise.message
    assert (message.level, message._button.text()) == ("info", "New seed in each run")
    assert "the command: “seed=7”" in message.words()
    qtbot.mouseClick(message._button, Qt.MouseButton.LeftButton)
    assert controller.problem.declared.simulator.command[4] == "seed=@seed@"
    assert controller.problem.declared.meaning == msgspec.structs.replace(exact, random=True)


def test_a_stated_error_that_is_far_too_large_does_not_pass_and_the_measured_one_is_used_by_one_click(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    problem = problem_of(tmp_path, "random")
    (tmp_path / "program.py").write_text(f"{PROGRAM}print('error', 105)\n")
    error = d.Output(name="error", source="stdout", extractor=d.LabelledNumber(label="error"), length=1)
    meaning = d.LogLikelihoodOutput(output="logl", noise_sd="error")
    assert controller.problem.replace(
        msgspec.structs.replace(problem, outputs=(*problem.outputs, error), meaning=meaning), "Set up"
    )
    page.panel.noise.runs.setValue(8)
    press(qtbot, page.panel.noise)
    qtbot.waitUntil(lambda: page.trial.noise is not None, timeout=PATIENCE)
    message = page.panel.noise.message
    assert (message.level, message._button.text()) == ("warning", "Use the measured one")
    assert "(“error”, 105)" in message.words()
    assert "times too large" in message.words()
    qtbot.mouseClick(message._button, Qt.MouseButton.LeftButton)
    assert controller.problem.declared.meaning == d.LogLikelihoodOutput(output="logl", random=True)
    assert "times too large" not in message.words()


def test_a_noise_check_is_cancelled_and_another_can_follow(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.problem.replace(problem_of(tmp_path, "slow"), "Set up")
    part = page.panel.noise
    press(qtbot, part)
    qtbot.wait(300)
    press(qtbot, part)  # the same button cancels
    qtbot.waitUntil(lambda: page.trial.noise is not None, timeout=PATIENCE)
    assert not page.trial.checking_noise
    assert "no result" in part.message.words()
    assert controller.problem.replace(problem_of(tmp_path, "random"), "Set up")
    part.runs.setValue(3)
    press(qtbot, part)
    qtbot.waitUntil(lambda: page.trial.noise is not None and page.trial.noise.good == 3, timeout=PATIENCE)


def test_an_engine_that_dies_during_a_noise_check_is_told_in_words(
    qtbot: QtBot, page: SimulatorPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.problem.replace(problem_of(tmp_path, "slow"), "Set up")
    press(qtbot, page.panel.noise)
    qtbot.wait(300)
    client: Any = controller.run._link._client
    client._process.kill()
    qtbot.waitUntil(lambda: page.trial.noise is not None, timeout=PATIENCE)
    assert page.panel.noise.words.text()
    assert page.panel.noise.button.isEnabled()
