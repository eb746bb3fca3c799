"""The verdict's advice has its buttons beside it, and they do it: real pages on real session files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs import run_controls
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.run.strip import RunStrip

PROBLEM = d.Problem(
    name="line",
    parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=10.0), plausible=(-10.0, 10.0)) for n in "ab"),
    simulator=d.Simulator(command=("bayescope:contamination", "@a@", "@b@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
    meaning=d.LogLikelihoodOutput(output="y"),
    settings=d.Settings(max_evaluations=2),
)
RECORD = IterationRecord(
    iteration=3, n_evaluations=2, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.05, converged=False,
    warm_up=False, reasons=("The budget of 2 runs is spent.",), weights=np.ones(1),
    means=np.array([[1.5, -2.0]]), covariances=np.diag([4.0, 0.01])[None],
)  # fmt: skip


def saved(path: Path, record: IterationRecord, budget: int = 2) -> Path:
    problem = msgspec.structs.replace(PROBLEM, settings=d.Settings(max_evaluations=budget))
    with SessionStore.create(path, problem, own=True) as store:
        for k in range(2):
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=np.array([1.0 + k, -2.0]), values={"a": 1.0 + k, "b": -2.0}, outcome="ok",
                    log_likelihood=-1.0, log_prior=-2.0, log_target=-3.0, duration_s=0.1, started_at=1.8e9,
                )
            )  # fmt: skip
        store.add_iteration(record)
    return path


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> ResultsPage:
    page = ResultsPage(controller)
    show(page)
    return page


def open_with(controller: SessionController, folder: Path, **changes: object) -> None:
    budget = int(changes.pop("budget", 2))  # type: ignore[call-overload]
    assert controller.file.open(saved(folder / "line.bayescope", replace(RECORD, **changes), budget))  # type: ignore[arg-type]


def test_the_button_for_more_runs_is_beside_the_verdict_of_a_spent_budget_and_asks_for_more(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_with(controller, tmp_path)
    qtbot.waitUntil(page.advice.more.isVisible, timeout=5000)
    asked: list[int] = []
    monkeypatch.setattr(run_controls, "how_many", lambda parent, title, now: now().proposed)
    monkeypatch.setattr(controller.run, "extend", asked.append)
    assert page.advice.more.text() == "+ More runs (20)…", "how many it proposes is seen before it is pressed"
    qtbot.mouseClick(page.advice.more, Qt.MouseButton.LeftButton)
    assert asked == [22]


def test_the_button_that_confirms_is_gone_while_that_goes_on(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_with(controller, tmp_path, diagnostics={"more_runs": 16.0})
    qtbot.waitUntil(page.advice.more.isVisible, timeout=5000)
    assert page.advice.more.text() == "Confirm with 16 or more runs"
    monkeypatch.setattr(type(controller.run), "active", True)
    page.advice.refresh()
    assert not page.advice.more.isVisible()


@pytest.mark.parametrize(
    "changes",
    [{"converged": True}, {"budget": 50}, {"diagnostics": {"failing_mass": 0.42}}],
    ids=["converged", "budget left", "runs fail there"],
)
def test_where_more_runs_are_not_the_advice_there_is_no_button_for_them(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path, changes: dict[str, object]
) -> None:
    open_with(controller, tmp_path, **changes)
    qtbot.waitUntil(lambda: page.summary.rowCount() == 2, timeout=10_000)
    assert not page.advice.more.isVisible()


def test_suggested_ranges_open_a_copy_without_runs_that_has_them(
    qtbot: QtBot, page: ResultsPage, controller: SessionController, tmp_path: Path
) -> None:
    open_with(controller, tmp_path)
    qtbot.waitUntil(page.advice.ranges.isVisible, timeout=5000)
    assert "b: −2.3 to −1.7" in page.advice.ranges.toolTip()
    assert "a:" not in page.advice.ranges.toolTip()
    shown: list[str] = []
    page.page_requested.connect(shown.append)
    qtbot.mouseClick(page.advice.ranges, Qt.MouseButton.LeftButton)
    assert shown == ["parameters"]
    assert controller.run.n_runs == 0
    assert controller.file.path is None
    a, b = controller.problem.declared.parameters
    assert (a.plausible, b.plausible) == ((-10.0, 10.0), (-2.3, -1.7))
    with SessionStore.open(tmp_path / "line.bayescope", mode="read") as store:
        assert len(list(store.evaluations())) == 2, "the analysis itself stays as it is"


def test_a_converged_answer_that_lies_where_runs_fail_is_never_called_usable(
    qtbot: QtBot, page: ResultsPage, show: Callable[..., None], controller: SessionController, tmp_path: Path
) -> None:
    strip = RunStrip(controller.problem, controller.file, controller.run)
    show(strip)
    open_with(controller, tmp_path, converged=True, diagnostics={"failing_mass": 0.42})
    qtbot.waitUntil(lambda: strip.verdict.text() == "Not to be relied on", timeout=5000)
    assert "42 % of the answer lies where runs fail" in page.banner.words()
    assert page.banner.level == "warning"
    assert page.status()[0] == "todo"
    assert not strip.advice.more.isVisible()


def test_the_run_strip_has_the_button_for_ranges_and_keeps_its_height(
    qtbot: QtBot, show: Callable[..., None], controller: SessionController, tmp_path: Path
) -> None:
    strip = RunStrip(controller.problem, controller.file, controller.run)
    show(strip, 1000, 160)
    before = strip.sizeHint().height()
    open_with(controller, tmp_path)
    qtbot.waitUntil(strip.advice.ranges.isVisible, timeout=5000)
    assert strip.sizeHint().height() == before
    assert strip.more.isVisible()
