"""A program that may be off: the tick box in Errors, residuals that hint at it, and the answer with it beside the first one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.again.answer import answer_again
from bayescope.engine.again.variant import fill
from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.without_runs import needs_runs
from bayescope.engine.session.records import EvaluationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.gui.analysis.number_formats import following
from bayescope.gui.models.results.residual_steps import with_inferred_size
from bayescope.gui.pages.results.residuals import ResidualsTab

pytestmark = [pytest.mark.window, pytest.mark.timeout(240)]
T = np.linspace(0.0, 2.0, 24)
X = np.stack([np.ones(24), T], 1)
replace = msgspec.structs.replace


def bent_line() -> d.Problem:
    """A straight line where a curve was measured."""
    data = X @ [1.0, 0.8] + 0.3 * np.sin(2.5 * T) + 0.1 * np.random.default_rng(5).standard_normal(24)
    return d.Problem(
        name="Line",
        parameters=tuple(d.Parameter(name=n, prior=d.Normal(mean=0.5, sd=1.0)) for n in "ab"),
        simulator=d.Simulator(command=("/nowhere/line", "@a@", "@b@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.TableBlock(columns=(k,))) for k, n in enumerate("ty", 1)),
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="y", key_output="t", key_column="t"),), noise=d.GaussianKnown(sd=0.1)
        ),
        data=d.DataTable(columns={"t": tuple(T.tolist()), "y": tuple(data.tolist())}),
        settings=d.Settings(max_evaluations=40),
    )


def answered(path: Path) -> Path:
    """A session of 30 runs about the answer, with that answer."""
    problem = bent_line()
    assert problem.data is not None
    best = np.linalg.lstsq(X, np.array(problem.data.columns["y"], float), rcond=None)[0]
    points = np.random.default_rng(1).multivariate_normal(best, 0.02 * np.eye(2), 30)
    runs = [
        EvaluationRecord(k, k, u, {"a": float(u[0]), "b": float(u[1])}, "ok", 0.0, 0.0, 0.0, outputs={"t": T, "y": X @ u})
        for k, u in enumerate(points)
    ]
    answer = answer_again(problem, runs)
    with SessionStore.create(path, answer.problem, own=True) as store:
        fill(store, store, answer)
    return path


def test_the_tick_box_adds_a_small_discrepancy_and_one_undo_takes_it_back(open_window: Callable[..., Any], qtbot: QtBot) -> None:
    window, controller, _ = open_window()
    assert controller.problem.replace(bent_line(), "Example")
    window.go("data")
    page = window.page("data")
    page.tabs.setCurrentIndex(2)
    row = page.off.rows[0]
    assert row.tick.isEnabled()
    row.tick.click()
    found = controller.problem.declared.meaning.matches[0].discrepancy
    assert found is not None
    assert 0.1 < found.size < 0.5
    assert row.form.isVisible()
    size = row.form.editor("size")
    size.setText("0.07")
    size.editingFinished.emit()
    assert controller.problem.declared.meaning.matches[0].discrepancy.size == 0.07
    controller.problem.undo_stack.undo()
    controller.problem.undo_stack.undo()
    assert controller.problem.declared.meaning.matches[0].discrepancy is None
    assert not row.tick.isChecked()


def test_with_other_errors_it_cannot_be_ticked_and_if_it_is_that_is_refused_in_words(open_window: Callable[..., Any]) -> None:
    window, controller, _ = open_window()
    problem = bent_line()
    assert isinstance(problem.meaning, d.Predictions)
    assert controller.problem.replace(replace(problem, meaning=replace(problem.meaning, noise=d.PoissonNoise())), "Counts")
    window.go("data")
    row = window.page("data").off.rows[0]
    assert not row.tick.isEnabled()
    assert "normal errors" in row.words.text()
    ticked = replace(problem.meaning.matches[0], discrepancy=d.Discrepancy(size=0.2))
    meaning = replace(problem.meaning, matches=(ticked,), noise=d.StudentTNoise(dof=4.0, scale=0.1))
    assert controller.problem.replace(replace(problem, meaning=meaning), "Outliers")
    row = window.page("data").off.rows[0]
    assert row.tick.isEnabled()
    assert "normal" in row.notice.words()


@pytest.mark.long
def test_residuals_in_long_runs_lead_to_an_answer_with_a_program_that_may_be_off(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path
) -> None:
    first = answered(tmp_path / "line.bayescope")
    window, controller, _ = open_window()
    assert controller.file.open(first)
    window.go("results")
    page = window.page("results")
    qtbot.waitUntil(lambda: bool(page.residuals.shown), timeout=30_000)
    runs = controller.run.n_runs
    assert "long runs of one sign" in page.agreement.text()
    assert "you can use this answer" not in page.banner.words(), "it does not contradict what stands below"
    page.see_residuals.click()
    assert page.tabs.currentWidget() is page.residuals
    assert "long runs of one sign" in page.residuals.verdict.words()
    assert not page.residuals.plot.empty_words
    page.residuals.apart.setChecked(True)
    page.residuals.button.click()
    qtbot.waitUntil(lambda: controller.problem.declared.meaning.matches[0].discrepancy is not None, timeout=30_000)
    qtbot.waitUntil(lambda: controller.run.data.answer is not None and controller.run.n_runs == runs, timeout=120_000)
    match = controller.problem.declared.meaning.matches[0]
    assert match.discrepancy is not None
    tangent = np.array(match.discrepancy.apart_from)
    left = tangent - tangent @ X @ np.linalg.pinv(X)
    np.testing.assert_allclose(left, 0.0, atol=1e-3 * np.abs(tangent).max())  # combinations of 1 and t
    window.go("results")
    qtbot.waitUntil(lambda: "if the program may be off" in page.residuals.evidence.text(), timeout=30_000)
    assert "something it misses" in page.residuals.evidence.text()
    assert "if the program may be off" in page.agreement.text()
    window.go("run")
    run = window.page("run")
    run.show_view("predictions")
    plot = run.current_view.plot
    qtbot.waitUntil(lambda: bool(plot.columns), timeout=30_000)
    x, middle = plot.columns[0].missed.getData()
    assert len(x) == 24
    assert "what it misses" in plot._hint.whole
    plot.residuals.click()
    bent = 0.3 * np.sin(2.5 * T)
    bent -= X @ np.linalg.lstsq(X, bent, rcond=None)[0]
    assert np.corrcoef(plot.columns[0].missed.getData()[1], bent)[0, 1] > 0.95
    assert np.ptp(middle) > 1.0  # program and what it misses


def test_residuals_that_are_too_few_to_be_tested_are_not_called_chance(qtbot: QtBot) -> None:
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    none, z = np.full((1, 2), np.nan), np.array([0.3, -1.0])
    few = Residuals(z, none[0], none[0], none, none, np.ones(1))
    assert not few.tested
    column = Predicted(np.arange(2.0), z, np.zeros((1, 2)), np.ones(1), "t", "u", residuals=few)
    tab.show_residuals([column], None, None, None, "")
    assert tab.verdict.words() == ""
    assert "Too few values" in tab.words.text()
    assert "90 %" not in tab.plot._hint.whole, "a band that is not drawn is not promised"
    assert "too few values for a band" in tab.plot._hint.whole


def scattered(z: np.ndarray, share: float) -> Predicted:
    """A column of ``bent_line`` whose scatter a ``share`` of data sets have; all other tests are passed."""
    line, half = np.zeros(len(z)), np.full((1, 2), 0.5)
    bands = OutputBands(line, line, line, line, line, line, np.array([[share, 0.5]]), np.array([1600.0]))
    left = Residuals(z, line - 2.0, line + 2.0, np.array([[12.0, 12.0]]), half, np.array([1600.0]))
    return Predicted(T[: len(z)], z, np.zeros((1, len(z))), np.ones(1), "t", "y", np.arange(len(z)), bands, residuals=left)


def test_summary_and_residuals_give_one_verdict_and_each_cause_of_scatter_has_its_button(qtbot: QtBot) -> None:
    tab, z = ResidualsTab(), np.clip(np.random.default_rng(3).standard_normal(24) * 1.3, -2.5, 2.5)
    qtbot.addWidget(tab)
    column = scattered(z, 1 / 80)
    tab.show_residuals([column], bent_line(), None, None, "")
    assert column.words in tab.verdict.words()
    assert "1 in 80" in tab.verdict.words()
    assert "infer their size" in tab.verdict.suggestion()
    assert tab.size_button.isVisibleTo(tab)
    assert tab.button.isVisibleTo(tab)
    assert not tab.without_button.isVisibleTo(tab), "no single value is outlying"
    with qtbot.waitSignal(tab.asked) as asked:
        tab.size_button.click()
    changed, called = asked.args
    assert changed.meaning.noise == d.GaussianInferred(parameter="sigma")
    assert changed.parameters[-1].name == "sigma"
    declared = following(bent_line(), changed)  # as the window takes it, with a number format for each new parameter
    assert "sigma" in declared.simulator.formats
    assert not needs_runs(bent_line(), declared)
    assert called == "Infer the size of the errors"

    z[6] = -4.5
    tab.show_residuals([scattered(z, 1 / 80)], bent_line(), None, None, "")
    assert "row 7 of “y”, −4.5 sd off" in tab.verdict.suggestion()
    with qtbot.waitSignal(tab.asked) as asked:
        tab.without_button.click()
    assert asked.args[0].meaning.matches[0].left_out == (7,)

    tab.show_residuals([scattered(z, 0.4)], bent_line(), None, None, "")
    assert tab.without_button.isVisibleTo(tab)
    assert tab.verdict.words() == "What is left of the data looks like chance, but for one value: row 7 of “y”, −4.5 sd off."
    assert "one of 24 values as far off in hardly any data set" in tab.verdict.suggestion(), "a button is told why it is there"

    tab.show_residuals([scattered(np.clip(z, -2.0, 2.0), 0.4)], bent_line(), None, None, "")
    assert tab.verdict.words() == "What is left of the data looks like chance."
    assert not tab.size_button.isVisibleTo(tab)


def test_errors_of_inferred_size_for_one_of_two_columns_leave_the_other_s_as_they_are() -> None:
    one = bent_line()
    match = one.meaning.matches[0]
    two = replace(one, meaning=replace(one.meaning, matches=(match, replace(match, column="t"))))
    changed = with_inferred_size(two, 1)
    assert changed.meaning.noise == one.meaning.noise
    assert changed.meaning.matches[0].noise is None
    assert changed.meaning.matches[1].noise == d.GaussianInferred(parameter="sigma")
    counts = replace(two, meaning=replace(two.meaning, noise=d.PoissonNoise()))
    assert with_inferred_size(counts, 0) is None


@pytest.mark.journeys
def test_scatter_leads_to_an_answer_with_errors_of_inferred_size_that_is_compared_with_the_first(
    open_window: Callable[..., Any], qtbot: QtBot, tmp_path: Path
) -> None:
    window, controller, _ = open_window()
    assert controller.file.open(answered(tmp_path / "line.bayescope"))
    window.go("results")
    page = window.page("results")
    qtbot.waitUntil(lambda: bool(page.residuals.shown), timeout=30_000)
    page.see_residuals.click()
    page.residuals.size_button.click()
    qtbot.waitUntil(lambda: controller.run.data.answer is not None and controller.run.n_runs == 30, timeout=60_000)
    assert [p.name for p in controller.problem.declared.parameters] == ["a", "b", "sigma"]
    window.go("results")
    qtbot.waitUntil(lambda: len(page.compare.model.rows) == 2, timeout=30_000)
    size = next(row for row in page.summary.rows if row.name == "sigma")
    assert size.mean > 0.15, "0.1 was stated; about 0.3 is what a straight line leaves"
    assert "best" in [row.factor for row in page.compare.model.rows], "other errors of the same data are compared"
