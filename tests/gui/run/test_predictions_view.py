"""The tab Predictions of the Run page, on a real session file: it neither waits for what has come nor stays behind it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.pages.run.page import RunPage

RUNS = 52
PATIENCE = 20_000  # ms; the machine may be busy
PROBLEM = d.Problem(
    name="Line",
    parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=10.0)) for n in "ab"),
    simulator=d.Simulator(command=("bayescope:contamination", "@a@", "@b@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.CsvColumn(column="y")),),
    meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.5)),
    data=d.DataTable(columns={"y": (1.0, 2.0, 3.0)}),
)


def saved(path: Path, rows: int = 3, others: bool = False, shift: float = 0.0) -> Path:
    """A session with an answer, near whose mean the later runs lie. ``others``: with outputs that are compared with nothing;
    ``shift``: added to every predicted value."""
    more = tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in ("time", "flow", "peak"))
    problem = msgspec.structs.replace(PROBLEM, outputs=(*PROBLEM.outputs, *more)) if others else PROBLEM
    rng = np.random.default_rng(1)
    with SessionStore.create(path, problem, own=True) as store:
        for k in range(RUNS):
            u = rng.normal(size=2) * (5.0 if k < RUNS // 2 else 0.3)
            time = 10.0 * np.arange(5.0)
            also = {"time": time, "flow": u[0] + u[1] * time, "peak": np.array([u[0]])} if others else {}
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=u, values={"a": float(u[0]), "b": float(u[1])}, outcome="ok", log_likelihood=-1.0,
                    log_prior=-2.0, log_target=-3.0, duration_s=0.1, started_at=1.8e9,
                    outputs={"y": shift + u[0] + u[1] * np.arange(float(rows)), **also},
                )
            )  # fmt: skip
        store.add_iteration(
            IterationRecord(
                iteration=7, n_evaluations=RUNS, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.05, converged=True,
                warm_up=False, reasons=(), weights=np.ones(1), means=np.zeros((1, 2)), covariances=0.04 * np.eye(2)[None],
            )
        )  # fmt: skip
    return path


@pytest.fixture
def page(show: Callable[..., None], controller: SessionController) -> RunPage:
    page = RunPage(controller)
    show(page, 1000, 620)
    return page


def test_a_tab_opened_when_runs_have_ended_says_that_they_are_being_computed_and_then_shows_them(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    qtbot.waitUntil(lambda: len(controller.run.data.evaluations) == RUNS)
    gate = threading.Event()
    page.reader.load(lambda: gate.wait(10))  # the reader is busy with something else
    page.show_view("predictions")
    plot = page.view("predictions").plot
    assert "as soon as" not in plot.empty_words
    assert f"{RUNS} runs" in plot.empty_words
    gate.set()
    qtbot.waitUntil(lambda: plot.empty_words == "")
    assert len(plot._shown[0].runs) > 1


def test_what_comes_right_after_the_last_computation_is_shown_a_little_later(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayescope.gui.pages.run.views.PREDICT_SECONDS", 0.3)
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    qtbot.waitUntil(lambda: len(controller.run.data.evaluations) == RUNS)
    page.show_view("predictions")
    view = page.view("predictions")
    qtbot.waitUntil(lambda: view.plot.empty_words == "")
    before, answer = view.plot._shown[0].band(0.05, 0.95)[1], controller.run.data.answer
    assert answer is not None
    later = replace(answer, trace=replace(answer.trace, iteration=8), means=answer.means + 3.0)
    controller.run.data.answer = later  # what the page's own refresh would tell is the same
    view.update_view(controller.run.data, later, None)  # once: nothing tells the view again
    qtbot.waitUntil(lambda: bool(np.all(view.plot._shown[0].band(0.05, 0.95)[1] > before + 1.0)), timeout=PATIENCE)


def test_outputs_that_are_compared_with_nothing_have_bands_too(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "line.bayescope", others=True))
    qtbot.waitUntil(lambda: len(controller.run.data.evaluations) == RUNS)
    page.show_view("predictions")
    plot = page.view("predictions").plot
    qtbot.waitUntil(lambda: plot.empty_words == "")
    assert [(p.y_label, p.x_label, len(p.x)) for p in plot._shown] == [
        ("y", "row of the data", 3), ("flow", "time (not measured)", 5), ("peak", "number of the value (not measured)", 1),
    ]  # fmt: skip
    flow = plot._shown[1]
    assert flow.x.tolist() == [0.0, 10.0, 20.0, 30.0, 40.0]
    order = np.argsort(flow.runs[:, 4])  # the weighted quantile, by hand
    share = np.cumsum(flow.weights[order])
    assert flow.ends[2][4] == flow.runs[order[np.argmax(share >= 0.95)], 4]
    assert all(len(column.data_points.getData()[0]) == (3, 0, 0)[k] for k, column in enumerate(plot.columns))
    assert len(plot.columns[1].band.polygon()) == 10


def test_runs_whose_outputs_do_not_fit_the_data_are_not_waited_for(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "line.bayescope", rows=5))
    qtbot.waitUntil(lambda: len(controller.run.data.evaluations) == RUNS)
    page.show_view("predictions")
    plot = page.view("predictions").plot
    qtbot.waitUntil(lambda: f"Of {RUNS} runs so far none" in plot.empty_words)
    assert "tab Comparison" in plot.empty_words


def test_why_parameters_cannot_be_dragged_is_said_where_only_the_score_was_learnt(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    qtbot.waitUntil(lambda: len(controller.run.data.evaluations) == RUNS)
    page.show_view("predictions")
    view = page.view("predictions")
    qtbot.waitUntil(lambda: view.plot.words.isVisible(), timeout=PATIENCE)
    assert not view.asking.isVisible()
    assert "“What if…” needs the program's outputs to be learnt" in view.plot.words.text()
    assert "+ More runs" in view.plot.words.text()


def test_a_copy_predicts_by_its_own_runs_not_by_those_of_the_original(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    first, other = saved(tmp_path / "line.bayescope"), saved(tmp_path / "other.bayescope", shift=100.0)
    assert controller.file.open(first)
    page.show_view("predictions")
    view = page.view("predictions")
    qtbot.waitUntil(lambda: view.plot.empty_words == "", timeout=PATIENCE)
    assert float(np.max(view.plot._shown[0].runs)) < 50.0
    assert controller.file.open(other)  # the same names, the same indices of runs
    assert view.plot.empty_words != "", "nothing of the first one stays"
    qtbot.waitUntil(lambda: view.plot.empty_words == "", timeout=PATIENCE)
    assert float(np.min(view.plot._shown[0].runs)) > 50.0


def test_what_the_best_point_of_a_random_program_gave_stays_until_a_better_point_is_read(
    qtbot: QtBot, page: RunPage, controller: SessionController, tmp_path: Path
) -> None:
    random = d.SyntheticLikelihood(summaries=(d.Summary(output="y", column="y", statistic="mean"),), repeats=6)
    problem = msgspec.structs.replace(PROBLEM, meaning=random)
    rng = np.random.default_rng(2)
    with SessionStore.create(tmp_path / "random.bayescope", problem, own=True) as store:
        for k in range(3):
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=np.zeros(2), values={"a": 0.0, "b": 0.0}, outcome="ok", log_likelihood=-5.0 + k,
                    log_prior=0.0, log_target=-5.0 + k, duration_s=0.1, started_at=1.8e9, outputs={"y": rng.normal(size=(6, 3))},
                )
            )  # fmt: skip
    assert controller.file.open(tmp_path / "random.bayescope")
    qtbot.waitUntil(lambda: len(controller.run.data.evaluations) == 3)
    page.show_view("predictions")
    view = page.view("predictions")
    qtbot.waitUntil(lambda: "number 2" in view.plot.empty_words, timeout=PATIENCE)
    assert "y, mean" not in view.plot.empty_words.splitlines()[0]
    assert "measured 2" in view.plot.empty_words
    data, gate = controller.run.data, threading.Event()
    page.reader.load(lambda: gate.wait(10))  # curves that take long
    better = replace(data.evaluations[0], log_density=0.0)
    data.evaluations[0] = better
    view.update_view(data, None, None)
    assert "number 2" in view.plot.empty_words, "it does not vanish while the next is read"
    gate.set()
    qtbot.waitUntil(lambda: "number 0" in view.plot.empty_words, timeout=PATIENCE)
