"""The best fit on the Results page of a real window, by mouse."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace as replace_struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.best_fit import best_fit_of
from bayescope.engine.answer.surrogate_peak import SurrogatePeak
from bayescope.engine.app import cli
from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.models.results.summary import SummaryRow, points_of
from bayescope.gui.pages.results.best_fit import TABLES_WIDTH
from bayescope.gui.pages.results.page import ResultsPage
from bayescope.gui.pages.run.page import RunPage

pytestmark = pytest.mark.window

PROBLEM = d.Problem(
    name="Line",
    parameters=(
        d.Parameter(name="a", label="Slope", unit="m/s", prior=d.Normal(mean=0.0, sd=10.0)),
        d.Parameter(name="b", prior=d.Normal(mean=0.0, sd=10.0)),
    ),
    simulator=d.Simulator(command=("bayescope:contamination", "@a@", "@b@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
    data=d.DataTable(columns={"t": (1.0, 2.0, 3.0, 4.0), "y": (0.1, 0.4, 0.2, 2.0)}),
    meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.1)),
)  # fmt: skip
RUN = EvaluationRecord(
    index=0, order=0, u=np.array([1.0, -2.0]), values={"a": 1.0, "b": -2.0}, outcome="ok", log_likelihood=-9.0, log_prior=-2.0,
    log_target=-11.0, duration_s=0.1, started_at=1.8e9, outputs={"y": np.array([0.2, 0.3, 0.2, 0.5])},
)  # fmt: skip
ANSWER = IterationRecord(
    iteration=7, n_evaluations=3, elbo=-3.6, elbo_sd=0.02, log_evidence=-3.5, log_evidence_sd=0.05, converged=True, warm_up=False,
    reasons=(), weights=np.ones(1), means=np.array([[2.0, -2.0]]), covariances=np.diag([0.04, 0.01])[None],
)  # fmt: skip


def saved(path: Path) -> Path:
    """Three runs, the second the best."""
    with SessionStore.create(path, PROBLEM, own=True) as store:
        for k in range(3):
            run = replace(RUN, index=k, order=k, u=np.array([1.0 + k, -2.0]), values={"a": 1.0 + k, "b": -2.0})
            store.add_evaluation(replace(run, log_likelihood=-3.0) if k == 1 else run)
        store.add_iteration(ANSWER)
    return path


def test_the_best_fit_is_shown_with_its_curve_and_leads_to_its_run(
    qtbot: QtBot, open_window: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    window, controller, _ = open_window()
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    window.go("results")
    page = window.page("results")
    assert isinstance(page, ResultsPage)
    tab = page.best_fit
    qtbot.waitUntil(lambda: tab.shown is not None, timeout=10_000)
    bar, index = page.tabs.tabBar(), page.tabs.indexOf(tab)
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())
    assert tab.isVisible()
    assert "Of 3 runs, run 1 has the highest log density, −5.00" in tab.words.text()
    assert "Not as good as the data allow" in tab.words.text()
    assert tab.value_table.as_text().splitlines()[1].split("\t") == ["Slope [m/s] (a)", "2.00", "0.20"]
    assert tab.misfit_table.as_text().splitlines()[1].split("\t")[-1] == "row 4: +15.0 sd"
    assert tab.plot.isVisible()
    assert tab.plot.title == "Best run over the data"
    x, y = tab.plot.columns[0].median.getData()
    assert (list(x), list(y)) == ([1.0, 2.0, 3.0, 4.0], [0.2, 0.3, 0.2, 0.5])
    tab.show_best(controller.run.stored.best_fit())  # the next answer's, of the same content
    assert tab.misfit_table.as_text().splitlines()[1].split("\t")[-1] == "row 4: +15.0 sd"
    qtbot.mouseClick(tab.show_run, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    run = window.page("run")
    assert window.current == "run"
    assert isinstance(run, RunPage)
    assert run.view("runs").isVisible()
    assert run.view("runs").table.details._index == 1  # type: ignore[attr-defined]


def test_in_a_small_window_no_number_of_the_misfits_is_cut(
    qtbot: QtBot, open_window: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    window, controller, _ = open_window(1024, 700)
    assert controller.file.open(saved(tmp_path / "line.bayescope"))
    window.go("results")
    page = window.page("results")
    tab = page.best_fit
    qtbot.waitUntil(lambda: tab.shown is not None, timeout=10_000)
    page.tabs.setCurrentWidget(tab)
    named = msgspec.structs.replace(tab.shown.misfits[0].match, column="Mean bed occupancy of the ward [%]")
    tab.misfit_table.setFixedWidth(TABLES_WIDTH)  # beside a plot of several columns, which needs its room
    tab.show_best(replace(tab.shown, misfits=(replace(tab.shown.misfits[0], match=named, texts=("routine",) * 4),)))
    QApplication.processEvents()
    table = tab.misfit_table
    for column in range(1, 5):
        words = str(table.model().index(0, column).data())
        assert table.columnWidth(column) >= table.fontMetrics().horizontalAdvance(words) + 8, words
    assert table.horizontalHeader().length() <= table.viewport().width(), "nothing is to be scrolled"


def test_the_best_run_has_the_digits_of_the_answer_where_its_own_accuracy_is_not_known(tmp_path: Path) -> None:
    with SessionStore.open(saved(tmp_path / "line.bayescope")) as store:
        best = best_fit_of(store)
    assert best is not None
    (p,) = best.parameters[:1]
    row = SummaryRow(p.name, "", "", 434.2, 26.3, 434.0, (((391.0, 477.0),),), 26.3)
    unknown = replace(best, values={**best.values, p.name: 481.383}, sds={})
    assert points_of(row, p, unknown)[0] == "481"
    small = SummaryRow(p.name, "", "", 3.43e-4, 2.3e-5, 3.43e-4, (((3.06e-4, 3.81e-4),),), 2.3e-5)
    assert points_of(small, p, replace(best, values={**best.values, p.name: 0.000332333}, sds={}))[0] == "3.32 × 10⁻⁴"


PEAK = SurrogatePeak(np.array([2.05, -2.0]), np.array([-4.8, 0.1]), np.empty(0))


def with_peak(path: Path) -> Path:
    with SessionStore.open(saved(path), role="engine") as store:
        store.add_iteration(replace(ANSWER, iteration=8, slices=PEAK.arrays()))
    return path


def test_the_surrogates_maximum_is_beside_the_best_run_and_one_press_makes_one_run_there(
    qtbot: QtBot, open_window: Callable[..., tuple[Any, Any, Any]], tmp_path: Path
) -> None:
    window, controller, _ = open_window()
    assert controller.file.open(with_peak(tmp_path / "line.bayescope"))
    window.go("results")
    tab = window.page("results").best_fit
    window.page("results").tabs.setCurrentWidget(tab)
    qtbot.waitUntil(lambda: tab.shown is not None, timeout=10_000)
    assert tab.value_table.as_text().splitlines()[1].split("\t") == ["Slope [m/s] (a)", "2.00", "0.20", "2.05"]
    words = "The surrogate has its maximum, −4.80 ± 0.10, at another point (in the table): 0.2 above the best run."
    assert words in tab.words.text()
    assert tab.check_peak.isVisible()
    asked: list[Any] = []
    controller.run.start = lambda *a, **k: asked.append((a, k))
    qtbot.mouseClick(tab.check_peak, Qt.MouseButton.LeftButton)
    del controller.run.start  # nothing may hold the window
    assert asked == [((None,), {"at": ({"a": 2.05, "b": -2.0},), "no_others": True})]


@pytest.mark.journeys
@pytest.mark.timeout(240)
@pytest.mark.parametrize("learn", ["auto", "score"])
def test_a_check_of_the_maximum_by_the_real_engine_is_there_after_reopening(
    qtbot: QtBot, open_window: Callable[..., tuple[Any, Any, Any]], tmp_path: Path, learn: str
) -> None:
    path = tmp_path / "decay.bayescope"
    times = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
    code = "import sys, math; a, k = map(float, sys.argv[1:]); print(*(a * math.exp(-k * t) for t in TIMES), sep='\\n')"
    problem = replace_struct(
        PROBLEM, parameters=tuple(d.Parameter(name=n, prior=d.Uniform(low=0.05, high=5.0)) for n in ("a", "k")),
        simulator=d.Simulator(command=(sys.executable, "-c", code.replace("TIMES", repr(times)), "@a@", "@k@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.Region(columns=(1,))),),
        data=d.DataTable(columns={"t": times, "y": (2.2, 1.4, 1.05, 0.8, 0.4, 0.1, 0.0)}),
        settings=d.Settings(seed=1, max_evaluations=60, workers=1, options={"learn": learn}),
    )  # fmt: skip
    SessionStore.create(path, problem, own=True).close()
    assert cli.main(["run", str(path)]) == 0
    window, controller, _ = open_window()
    assert controller.file.open(path)
    window.go("results")
    tab = window.page("results").best_fit
    window.page("results").tabs.setCurrentWidget(tab)
    qtbot.waitUntil(lambda: tab.shown is not None and tab.shown.peak is not None, timeout=20_000)
    before = controller.run.n_runs
    assert tab.check_peak.isVisible()
    qtbot.mouseClick(tab.check_peak, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "was made at the surrogate's maximum" in tab.words.text(), timeout=60_000)
    assert controller.run.n_runs == before + 1
    said = tab.shown.peak.check.words("run")
    assert said.endswith("as predicted.")
    qtbot.waitUntil(lambda: not controller.run.active, timeout=20_000)
    with SessionStore.open(path, mode="read") as store:
        assert store.last_iteration().converged  # type: ignore[union-attr]
        assert best_fit_of(store).peak.check.words("run") == said  # type: ignore[union-attr]
