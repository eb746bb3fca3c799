"""What a test run told of signs is kept with the draft; where none was made, it is said that a test run tells them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from data_pages import PROBLEM
from PySide6.QtWidgets import QApplication

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.open_questions import open_question
from bayescope.gui.models.data.units.other_units import SIGN_LATER
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.data.page import DataPage

VALUES = {"dh_1": (0.02, 0.05, 0.09, 0.12), "dh_2": (0.01, 0.02, 0.03, 0.05)}
OUTPUTS = tuple(
    d.Output(name=name, source="res.txt", extractor=d.CsvColumn(column=name), length=4, unit="m") for name in VALUES
)
READY = msgspec.structs.replace(
    PROBLEM,
    outputs=OUTPUTS,
    data=d.DataTable(columns={f"s_{name} [cm]": tuple(-100.0 * v for v in values) for name, values in VALUES.items()}),
    meaning=d.Predictions(
        matches=tuple(d.Match(output=name, column=f"s_{name} [cm]") for name in VALUES), noise=d.GaussianKnown(sd=0.1)
    ),
)
TRIED = tuple(protocol.TrialOutput(name=name, source="res.txt", values=values) for name, values in VALUES.items())


def tried(trial: Trial, engines: list[Any]) -> None:
    trial.set_follows(False)
    trial.run()
    run = protocol.TrialRunReport(outcome="ok", duration_s=0.1, values=trial.values(), outputs=TRIED)
    engines[-1].message.emit(protocol.TrialRunResult(report_json=msgspec.json.encode(run)))
    QApplication.processEvents()


def mended(problem: d.Problem, factor: float) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    matches = tuple(msgspec.structs.replace(m, factor=factor) for m in problem.meaning.matches)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))


def test_the_sign_that_a_test_run_told_is_known_when_the_draft_is_opened_again(
    show: Callable[..., None],
    make_controller: Callable[[], SessionController],
    controller: SessionController,
    engines: list[Any],
    tmp_path: Path,
) -> None:
    controller.problem.replace(READY, "Declare")
    page = DataPage(controller)
    show(page, 1100, 640)
    tried(page.trial, engines)
    page.refresh()
    before = page._open_step()
    assert before is not None
    assert before.button == "Multiply both by -100"
    assert controller.file.save_as(tmp_path / "a.bayescope")
    path = controller.file.path
    assert path is not None
    assert controller.file.close()
    again = make_controller()
    assert again.file.open(path)
    later = DataPage(again)
    show(later, 1100, 640)
    assert later.trial.report is None
    after = later._open_step()
    assert after is not None
    assert (after.question, after.button) == (before.question, before.button)
    again.problem.replace(mended(READY, 100.0), "Another unit")
    assert (question := later.trial.open_question) is not None
    assert "has the opposite sign to what was measured" in question.words


def test_where_no_test_run_was_made_the_sign_is_left_to_one(show: Callable[..., None], controller: SessionController) -> None:
    controller.problem.replace(READY, "Declare")
    page = DataPage(controller)
    show(page, 1100, 640)
    step = page._open_step()
    assert step is not None
    assert SIGN_LATER in step.hint
    controller.problem.replace(mended(READY, 100.0), "Another unit")
    step = page._open_step()
    assert step is not None
    assert (step.question, step.button) == (
        "“dh_1” is multiplied by 100, as units say. Whether its sign is that of the data, a test run tells.", "&Test run"
    )  # fmt: skip
    question = page.trial.open_question
    assert question is not None
    assert question.caption == "Press Test run: is a sign the opposite one?"


def test_a_test_run_of_which_the_sign_is_right_leaves_nothing_open(controller: SessionController, engines: list[Any]) -> None:
    controller.problem.replace(mended(READY, 100.0), "Declare")
    trial = Trial.of(controller)
    assert open_question(controller.problem.declared, None) is not None
    tried(trial, engines)
    controller.problem.replace(mended(READY, -100.0), "Opposite sign")
    assert trial.open_question is None


def test_what_was_tried_of_outputs_that_were_marked_otherwise_since_is_not_kept(
    controller: SessionController, engines: list[Any]
) -> None:
    controller.problem.replace(READY, "Declare")
    trial = Trial.of(controller)
    tried(trial, engines)
    assert [one.output for one in trial.answers.settled.tried] == list(OUTPUTS)
    other = msgspec.structs.replace(OUTPUTS[0], extractor=d.CsvColumn(column="x"))
    controller.problem.edit("Mark", outputs=(other, OUTPUTS[1]))
    assert [one.output for one in trial.answers.settled.tried] == [OUTPUTS[1]]
