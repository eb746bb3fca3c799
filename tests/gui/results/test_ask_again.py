"""Ask again with changes: from the Results page to an answer beside the first, by the real engine, without the program."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import AskRecord, EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.next_step import go_words
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs import run_controls
from bayescope.gui.models.results.summary import verdict
from bayescope.gui.models.step_status import run_status

pytestmark = [pytest.mark.window, pytest.mark.timeout(240)]
T = np.linspace(0.0, 2.0, 15)
X = np.stack([np.ones(15), T], 1)
replace = msgspec.structs.replace


def line_session(path: Path) -> Path:
    """A converged analysis of a straight line by 40 runs, whose program is not there (any more)."""
    data = X @ [1.0, 0.8] + 0.2 * np.random.default_rng(5).standard_normal(15)
    problem = d.Problem(
        name="Line",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.5, sd=1.0)) for n in "ab"),
        simulator=d.Simulator(command=("/nowhere/line", "@a@", "@b@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.TableBlock(columns=(1,))),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.2)),
        data=d.DataTable(columns={"y": tuple(data.tolist())}),
        settings=d.Settings(max_evaluations=40),
    )
    covariance = np.linalg.inv(X.T @ X / 0.04 + np.eye(2))
    mean = covariance @ (X.T @ data / 0.04 + 0.5)
    points = np.random.default_rng(1).multivariate_normal(mean, 4.0 * covariance, 40)
    with SessionStore.create(path, problem, own=True) as store:
        for k, u in enumerate(points):
            misfit = data - X @ u
            value = float(-0.5 * misfit @ misfit / 0.04 - 15 * np.log(0.2 * np.sqrt(2 * np.pi)))
            prior = float(-0.5 * np.square(u - 0.5).sum() - np.log(2 * np.pi))
            store.add_cycle(asks=[AskRecord(k, u, 0)])
            store.add_evaluation(
                EvaluationRecord(
                    k, k, u, {"a": float(u[0]), "b": float(u[1])}, "ok", value, prior, value + prior, outputs={"y": X @ u}
                )
            )
        store.add_iteration(
            IterationRecord(
                iteration=0, n_evaluations=40, elbo=0.0, elbo_sd=0.02, log_evidence=0.0, log_evidence_sd=0.05, converged=True,
                warm_up=False, reasons=("fresh runs agree",), weights=np.ones(1), means=mean[None], covariances=covariance[None],
            )
        )  # fmt: skip
    return path


Asked = Callable[[], tuple[Any, SessionController, Path]]


@pytest.fixture
def asked(qtbot: QtBot, open_window: Callable[..., Any], tmp_path: Path) -> Asked:
    return lambda: ask(qtbot, open_window, tmp_path)


def ask(qtbot: QtBot, open_window: Callable[..., Any], tmp_path: Path) -> tuple[Any, SessionController, Path]:
    """A window that shows the copy in which the question can be changed."""
    first = line_session(tmp_path / "line.bayescope")
    window, controller, _ = open_window()
    assert controller.file.open(first)
    window.go("results")
    results = window.page("results")
    qtbot.waitUntil(lambda: results.again_button.isVisible(), timeout=20_000)
    qtbot.mouseClick(results.again_button, Qt.MouseButton.LeftButton)
    assert controller.file.runs_of == first
    return window, controller, first


def test_before_the_answer_nothing_is_said_of_runs_to_come(asked: Asked) -> None:
    window, _, _ = asked()
    window.go("run")
    strip = window.page("run").strip
    strip.refresh()
    assert strip.activity.whole == "Nothing is run: the runs of “line” are judged anew"
    assert strip.reason.whole == "The answer comes in seconds, from the runs there are."
    assert strip._remaining() is None, "the pace of the program's runs says nothing of it"


def test_an_answer_that_needs_new_runs_says_how_many_and_offers_them(
    qtbot: QtBot, open_window: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = line_session(tmp_path / "line.bayescope")
    with SessionStore.open(path, role="engine") as store:
        last = store.last_iteration()
        assert last is not None
        wanting = {"more_runs": 16.0, "more_runs_least": 1.0}
        store.add_iteration(dataclasses.replace(last, iteration=1, converged=False, diagnostics=wanting))
    window, controller, _ = open_window()
    assert controller.file.open(path)
    window.go("run")
    strip = window.page("run").strip
    strip.refresh()
    assert strip.start.text() == "Confirm with 16 or more runs"
    assert strip.start.isVisible()
    assert strip.verdict.text() == "Not confirmed yet"
    assert strip.activity.whole == "Answered from runs that there were"
    allowed: list[int] = []
    monkeypatch.setattr(type(controller.run), "extend", lambda self, n: allowed.append(n) or True)
    qtbot.mouseClick(strip.start, Qt.MouseButton.LeftButton)
    assert allowed == [64]  # of 40 allowed and made: 16 and half as many again
    answer = controller.run.data.answer
    assert answer is not None
    _, said, _ = verdict(answer.trace, 40, answer.diagnostics)
    assert said.startswith("Not confirmed yet after 40 runs made before: at least 16 new ones are needed")


@pytest.mark.journeys
def test_a_question_that_was_not_changed_is_no_fault(asked: Asked, qtbot: QtBot) -> None:
    _, controller, _ = asked()
    said: list[Any] = []
    controller.problem.reports.reported.connect(said.append)
    assert controller.run.start()
    qtbot.waitUntil(lambda: controller.run.state == "stopped", timeout=60_000)
    assert [(r.level, r.what) for r in said] == [("info", "Nothing was changed that the answer depends on.")]
    assert go_words(controller.run) == "Answer without running"
    assert "stopped by an error" not in run_status(controller.problem, controller.run)[1]


@pytest.mark.journeys
def test_another_noise_is_answered_beside_the_first_without_the_program(asked: Asked, qtbot: QtBot) -> None:
    window, controller, first = asked()
    assert window.page("data").isVisible()
    assert "answer this" in window.page("data").lock.words()
    declared = controller.problem.declared
    assert controller.problem.edit("Noise", meaning=replace(declared.meaning, noise=d.GaussianKnown(sd=0.35)))
    window.go("run")
    start = window.page("run").strip.start
    qtbot.waitUntil(lambda: start.text().replace("&", "") == "Answer without running" and start.isEnabled(), timeout=5_000)
    qtbot.mouseClick(start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.run.data.answer is not None and controller.run.n_runs == 40, timeout=120_000)
    assert "no run was made" in controller.run.data.outcome.words
    window.go("results")
    compare = window.page("results").compare
    qtbot.waitUntil(lambda: len(compare.analyses()) == 2, timeout=20_000)
    assert compare.analyses()[1].path == first
    assert controller.problem.locked
    for name in ("data", "parameters", "simulator"):
        window.go(name)
        lock = window.page(name).lock
        assert lock.words() == "This is answered already, from 40 simulator runs of “line” judged anew.", name
        assert "Answer without running" not in lock.suggestion()
    said: list[Any] = []
    controller.problem.reports.reported.connect(said.append)
    assert not controller.problem.edit("Noise", meaning=declared.meaning)
    assert said[-1].suggestion.startswith("To change noise, data or priors: File > Ask again without running")
    assert "Duplicate" not in said[-1].what


def test_what_has_runs_leads_with_asking_again_where_that_answers_a_change(
    qtbot: QtBot, open_window: Callable[..., Any], tmp_path: Path
) -> None:
    first = line_session(tmp_path / "line.bayescope")
    window, controller, _ = open_window()
    assert controller.file.open(first)
    window.go("simulator")
    buttons = [b for b in window.page("simulator").lock.findChildren(QPushButton) if b.isVisible()]
    assert [b.text() for b in buttons] == ["Duplicate without runs"]
    window.go("parameters")
    buttons = [b for b in window.page("parameters").lock.findChildren(QPushButton) if b.isVisible()]
    assert [b.text() for b in buttons] == ["Ask again without running", "Duplicate without runs"]
    qtbot.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert controller.file.runs_of == first
    assert not controller.problem.locked
    assert "answer this" in window.page("parameters").lock.words()


def test_what_would_need_the_program_is_refused_and_said(asked: Asked) -> None:
    _, controller, _ = asked()
    said: list[Any] = []
    controller.problem.reports.reported.connect(said.append)
    simulator = replace(controller.problem.declared.simulator, command=("/other", "@a@", "@b@"))
    assert not controller.problem.edit("Program", simulator=simulator)
    assert "program" in said[-1].what
    wide = tuple(replace(p, prior=d.Normal(mean=0.5, sd=2.0)) for p in controller.problem.declared.parameters)
    assert controller.problem.edit("Priors", parameters=wide)


def test_the_copy_still_knows_whose_runs_it_asks_after_it_was_closed_and_opened(asked: Asked, tmp_path: Path) -> None:
    _, controller, first = asked()
    assert controller.file.save_as(tmp_path / "variant.bayescope")
    assert controller.file.open(first)
    assert controller.file.runs_of is None
    assert controller.file.open(tmp_path / "variant.bayescope")
    assert controller.file.runs_of == first
    assert controller.run.answers_from == first


@pytest.mark.loops
def test_runs_that_are_gone_are_said_in_words(asked: Asked, qtbot: QtBot) -> None:
    _, controller, first = asked()
    declared = controller.problem.declared
    assert controller.problem.edit("Noise", meaning=replace(declared.meaning, noise=d.GaussianKnown(sd=0.35)))
    first.unlink()
    assert controller.run.start()
    qtbot.waitUntil(lambda: controller.run.state == "failed", timeout=60_000)
    assert "no such file" in controller.run.words or "not there" in controller.run.words
    assert controller.run.n_runs == 0


def test_an_analysis_that_was_not_saved_is_saved_where_it_is_asked_again(
    qtbot: QtBot, open_window: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = line_session(session_files.drafts_folder() / "line-draft.bayescope")
    window, controller, _ = open_window()
    assert controller.file.open(draft)
    assert controller.file.path is None
    window.go("results")
    button = window.page("results").again_button
    qtbot.waitUntil(button.isVisible, timeout=20_000)
    said: list[str] = []

    def answered(box: QMessageBox) -> None:
        said.append(box.text())
        next(b for b in box.buttons() if b.text() == "&Save…").click()

    monkeypatch.setattr(QMessageBox, "exec", answered)
    monkeypatch.setattr(run_controls, "ask_where_to_save", lambda *_: tmp_path / "mine.bayescope")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert said == ["Save this analysis first?"]
    assert controller.file.runs_of == tmp_path / "mine.bayescope"
