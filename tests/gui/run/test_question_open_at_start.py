"""A start while the Data page asks about a sign or flagged rows asks once, and begins when it is asked for all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from data_pages import PROBLEM, words
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine import protocol
from bayescope.engine.problem import definition as d
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.data.open_questions import open_question
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import run_status
from bayescope.gui.pages.run.page import RunPage

VALUES = (2.0, 3.0, 5.0, 4.0)
OUTPUT = d.Output(name="y", source="res.txt", extractor=d.CsvColumn(column="y"), length=4)
READY = msgspec.structs.replace(
    PROBLEM,
    outputs=(OUTPUT,),
    data=d.DataTable(columns={"y": tuple(-v for v in VALUES)}),
    meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.1)),
)
RUN = protocol.TrialRunReport(
    outcome="ok", duration_s=0.1, outputs=(protocol.TrialOutput(name="y", source="res.txt", values=VALUES),)
)


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController, engines: list[Any]) -> RunPage:
    controller.problem.replace(READY, "Declare")
    controller.file.ask_consent = lambda *_: True
    made = RunPage(controller)
    show(made, 1000, 620)
    trial = Trial.of(controller)
    trial.set_follows(False)
    trial.run()
    engines[-1].message.emit(
        protocol.TrialRunResult(report_json=msgspec.json.encode(msgspec.structs.replace(RUN, values=trial.values())))
    )
    QApplication.processEvents()
    return made


def started(engines: list[Any]) -> bool:
    return any(isinstance(m, protocol.StartRun) for engine in engines for m in engine.sent)


def button(page: RunPage, text: str) -> QPushButton:
    return next(b for b in page.partly.findChildren(QPushButton) if words(b) == text and b.isVisible())


def test_the_start_asks_once_and_begins_all_the_same(
    qtbot: QtBot, page: RunPage, controller: SessionController, engines: list[Any]
) -> None:
    assert page.partly.words() == "“y” has the opposite sign to what was measured."
    assert run_status(controller.problem, controller.run, Trial.of(controller))[1] == "ready, but a question is open on Data"
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    page.strip.refresh()
    assert not started(engines)
    assert "“Has an output the opposite sign?” is open on the Data page" in Trial.of(controller).start.words
    with qtbot.waitSignal(page.page_requested) as asked:
        button(page, "Go to the question").click()
    assert asked.args == ["data"]
    button(page, "Start all the same").click()
    assert started(engines)


def test_an_answer_takes_the_question_away_and_the_next_press_starts(
    qtbot: QtBot, page: RunPage, controller: SessionController, engines: list[Any]
) -> None:
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    trial = Trial.of(controller)
    trial.answers.keep(page.partly.words())
    assert (page.partly.isVisible(), trial.start.words) == (False, "")
    qtbot.mouseClick(page.strip.start, Qt.MouseButton.LeftButton)
    assert started(engines)


def test_rows_that_are_flagged_are_asked_about_first() -> None:
    data = d.DataTable(columns={"y": VALUES}, texts={"flag": (None, "M", None, None)})
    found = open_question(msgspec.structs.replace(READY, data=data), None)
    assert found is not None
    assert found.caption == "Do flagged rows count?"
    assert open_question(msgspec.structs.replace(READY, data=data), None, {found.words}) is None


def test_an_output_that_no_test_run_has_read_is_asked_about() -> None:
    """Marked since in a long file, of which a test run brings the beginning alone."""
    late = d.Output(name="z", source="long.txt", extractor=d.LabelledNumber(label="z ="), length=1)
    matches = (d.Match(output="y", column="y"), d.Match(output="z", column="z"))
    problem = msgspec.structs.replace(
        READY,
        outputs=(OUTPUT, late),
        data=d.DataTable(columns={"y": (*VALUES, None), "z": (None, None, None, None, 48.3)}),
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.1)),
    )
    files = (protocol.TrialFile(name="long.txt", role="produced", text="z = 47\n", cut=True),)
    found = open_question(problem, msgspec.structs.replace(RUN, files=files))
    assert found is not None
    assert "“z” was marked since the newest test run" in found.words
    whole = tuple(msgspec.structs.replace(f, cut=False) for f in files)
    assert open_question(problem, msgspec.structs.replace(RUN, files=whole)) is None
