"""Errors stated in per cent of the measured value, where they are per cent of the predicted one: told, with its button."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.of_predicted import OfPredicted, of_predicted
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.problem import definition as d
from bayescope.gui.pages.results.residuals import ResidualsTab

pytestmark = [pytest.mark.window, pytest.mark.timeout(60)]
N = 200
ERRORS = d.GaussianKnown(percent=8.0)
MATCHES = (d.Match(output="q", column="Q"), d.Match(output="h", column="h", noise=d.GaussianKnown(sd=0.03)))


def problem(*matches: d.Match, noise: d.NoiseModel = ERRORS) -> d.Problem:
    output = d.Output(name="q", source="stdout", extractor=d.LastNumber())
    return d.Problem(
        name="x", parameters=(), simulator=d.Simulator(command=("x",)), outputs=(output,),
        data=d.DataTable(columns={"Q": (1.0,), "h": (1.0,)}), meaning=d.Predictions(matches=matches, noise=noise),
    )  # fmt: skip


def values(low: float = 0.7) -> tuple[np.ndarray, np.ndarray]:
    """Predicted and measured, with errors of 8 % of the predicted value, the farthest of them ``low`` of it."""
    predicted = np.geomspace(0.2, 3.0, N)
    measured = predicted * np.exp(0.08 * np.random.default_rng(3).standard_normal(N).clip(-2.5, 2.5))
    measured[181] = low * predicted[181]
    return predicted, measured


def column(problem: d.Problem, low: float = 0.75, shape: float = 0.001) -> Predicted:
    predicted, measured = values(low)
    z = (measured - predicted) / (0.08 * measured)
    bands = OutputBands(
        *[predicted] * 5, noise=0.08 * measured, checks=np.array([[0.2, np.nan]]), replicates=np.array([2000.0])
    )
    ends, runs, shares = 3.0 * np.ones(N), np.array([[100.0, 100.0]]), np.array([[0.5, shape]])
    left = Residuals(z, -ends, ends, runs, shares, np.array([2000.0]))
    found = of_predicted(problem, problem.meaning.matches[0], z, measured, predicted)  # type: ignore[union-attr]
    return Predicted(
        np.arange(N) + 1.0, measured, np.empty((0, N)), np.empty(0), "row", "Q", np.arange(N), bands, residuals=left,
        in_percent=found,
    )  # fmt: skip


def test_a_heavy_low_tail_of_a_percentage_is_told_from_outliers() -> None:
    found = column(problem(MATCHES[0])).in_percent
    assert isinstance(found, OfPredicted)
    assert found.before == pytest.approx((0.75 - 1.0) / (0.08 * 0.75))
    assert found.after == pytest.approx(np.log(0.75) / 0.08)
    assert column(problem(MATCHES[0]), low=0.4).in_percent is None, "an outlier under either reading"
    assert column(problem(MATCHES[0], noise=d.GaussianKnown(sd=0.1, percent=8.0))).in_percent is None
    assert column(problem(MATCHES[0], noise=d.LogNormalNoise(log_sd=0.08))).in_percent is None


def test_the_advice_is_errors_of_the_predicted_value_with_its_button_and_no_other(qtbot: QtBot) -> None:
    declared = problem(*MATCHES[:1])
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    tab.show_residuals([column(declared)], declared, None, None, "")
    said = f"{tab.verdict.words()} {tab.verdict.suggestion()}"
    assert "8 % of the predicted value" in said
    assert "Student t" not in said
    assert "larger than stated" not in said
    assert not tab.percent_button.isHidden()
    assert tab.without_button.isHidden()
    assert tab.size_button.isHidden()
    with qtbot.waitSignal(tab.asked) as asked:
        tab.percent_button.click()
    changed = asked.args[0].meaning
    assert changed.noise == d.LogNormalNoise(log_sd=0.08)
    assert changed.matches == declared.meaning.matches  # type: ignore[union-attr]


def test_one_low_value_alone_is_told_so_and_the_errors_of_other_columns_stay(qtbot: QtBot) -> None:
    declared = problem(*MATCHES)
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    first = column(declared, shape=0.5)
    tab.show_residuals([first, column(problem(MATCHES[0], noise=d.GaussianKnown(sd=0.1)), shape=0.5)], declared, None, None, "")
    assert tab.verdict.level == "info"
    with qtbot.waitSignal(tab.asked) as asked:
        tab.percent_button.click()
    assert [m.noise for m in asked.args[0].meaning.matches] == [d.LogNormalNoise(log_sd=0.08), d.GaussianKnown(sd=0.03)]


def test_nothing_is_said_of_percentages_where_residuals_are_chance(qtbot: QtBot) -> None:
    declared = problem(MATCHES[0])
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    tab.show_residuals([column(declared, low=0.95, shape=0.5)], declared, None, None, "")
    assert tab.verdict.level == "ok"
    assert tab.percent_button.isHidden()


def test_the_button_is_whole_where_there_is_little_room(qtbot: QtBot) -> None:
    declared = problem(MATCHES[0])
    tab = ResidualsTab()
    qtbot.addWidget(tab)
    tab.resize(620, 600)
    tab.show()
    QApplication.processEvents()
    tab.show_residuals([column(declared)], declared, None, None, "")
    qtbot.waitUntil(lambda: tab.percent_button.width() >= tab.percent_button.sizeHint().width(), timeout=3000)
