"""Values of which only a limit is known are arrows from the limit, without an error bar, in every picture of the data."""

from __future__ import annotations

import msgspec
import numpy as np
import pyqtgraph as pg
import pytest
from data_pages import CURVES
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.problem import definition as d
from bayescope.gui.plots.data_plot import DataPlot, shown_columns
from bayescope.gui.plots.limit_points import measured_words
from bayescope.gui.plots.predictive import PredictivePlot
from bayescope.gui.plots.residuals import ResidualsPlot

SIDES = np.array([0, -1, 0, 1], dtype=np.int8)


def with_limits(residuals: Residuals | None = None) -> Predicted:
    x, y = np.arange(4.0), np.array([3.0, 0.5, 2.0, 8.0])
    known = {"sds": np.full(4, 0.2), "sides": SIDES, "residuals": residuals}
    return Predicted(x, y, y[None] + 0.1, np.ones(1), "t", "c", np.arange(4), **known)  # type: ignore[arg-type]


def ends(item: pg.ErrorBarItem) -> list[float]:
    return list(item.opts["x"])


def test_predictions_are_drawn_over_points_and_arrows(qtbot: QtBot) -> None:
    plot = PredictivePlot()
    qtbot.addWidget(plot)
    plot.update_predictions([with_limits()], True, 1)
    column = plot.columns[0]
    assert column.data_points.getData()[0].tolist() == [0.0, 2.0]
    assert column.limits.points.getData()[0].tolist() == [1.0, 3.0]
    assert column.limits.points.getData()[1].tolist() == [0.5, 8.0]
    assert ends(column.errors) == [0.0, 2.0]
    assert measured_words(with_limits(), 1) == "below 0.5 (only a limit was measured)"
    assert measured_words(with_limits(), 0) == "measured 3"


def test_the_data_are_drawn_so_before_anything_was_run(qtbot: QtBot) -> None:
    problem = d.Problem(
        name="p", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=(d.Output(name="c", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="c", column="c"),), noise=d.GaussianKnown(sd=0.3)),
        data=d.DataTable(columns={"c": (3.0, None, 2.0, None)}, limits={"c": (None, "<0.5", None, ">8")}),
    )  # fmt: skip
    plot = DataPlot()
    qtbot.addWidget(plot)
    plot.show_columns(shown_columns(problem, None))
    assert plot.drawn()[1].tolist() == [3.0, 2.0]
    assert plot.limits.points.getData()[1].tolist() == [0.5, 8.0]
    plot.show_columns([])
    none = d.DataTable(columns={"c": (3.0, None, 2.0, None)})
    plot.show_columns(shown_columns(msgspec.structs.replace(problem, data=none), None))
    assert len(plot.limits.points.getData()[0]) == 0


@pytest.mark.parametrize("tested", [False, True])
def test_limits_have_no_residual(qtbot: QtBot, tested: bool) -> None:
    shares = np.full((1, 2), 0.5 if tested else np.nan)
    whole = Residuals(np.array([0.5, 0.0, -1.0, 0.0]), np.zeros(4), np.ones(4), np.ones((1, 2)), shares, np.ones(1))
    plot = ResidualsPlot()
    qtbot.addWidget(plot)
    plot.show_column(with_limits(whole.of_values(SIDES == 0)))
    assert plot.points.getData()[0].tolist() == [0.0, 2.0]
    assert plot.sorted.getData()[1].tolist() == [-1.0, 0.5]


def test_before_anything_is_compared_a_column_that_counts_the_rows_comes_last() -> None:
    columns = {"Sample": (1.0, 2.0, 3.0, 4.0), "Time (min)": (2.0, 4.0, 8.0, 9.0), "Glucose": (14.8, 14.1, 12.9, 11.0)}
    problem = msgspec.structs.replace(CURVES, data=d.DataTable(columns=columns))
    assert [one.y_label for one in shown_columns(problem, None)] == ["Glucose", "Sample"]
