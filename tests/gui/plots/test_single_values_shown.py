"""Outputs of one value each, in units of their own: what is predicted and how wrong it may be has to be in the picture."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.what_if import Curve
from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.pages.results.best_fit import _small
from bayescope.gui.plots.data_plot import DataPlot, shown_columns
from bayescope.gui.plots.predicted_column import PredictedColumn
from bayescope.gui.plots.predictive import PredictivePlot


def bands(low: float, high: float, noise: float) -> OutputBands:
    ends = (low, 0.5 * (low + high), high, low - 2 * noise, high + 2 * noise, noise)
    return OutputBands(*(np.array([v]) for v in ends), np.full((1, 2), np.nan), np.ones(1))


def one(measured: float, found: OutputBands | None, name: str, sd: float) -> Predicted:
    runs, weights = (np.empty((0, 1)), np.empty(0)) if found is not None else (np.array([[measured + 0.1 * sd]]), np.ones(1))
    return Predicted(
        np.array([4.0]), np.array([measured]), runs, weights, "row of the data", name, np.array([3]), found, sds=np.array([sd])
    )


def shown(column: PredictedColumn) -> tuple[float, float]:
    column.plot.getViewBox().updateAutoRange()
    low, high = column.plot.viewRange()[1]
    return low, high


@pytest.mark.parametrize("residuals", [False, True])
def test_bands_median_error_bar_and_what_if_line_are_within_the_view(qtbot: QtBot, residuals: bool) -> None:
    plot = PredictivePlot()
    qtbot.addWidget(plot)
    plot.resize(900, 500)
    plot.show()
    both = [one(1.54, bands(1.48, 1.60, 0.06), "Dipole", 0.06), one(2877.0, bands(2860.0, 2890.0, 60.0), "Stretch", 60.0)]
    plot.update_predictions(both, True, 5)
    plot.residuals.setChecked(residuals)
    for column, p in zip(plot.columns, both, strict=True):
        assert p.bands is not None
        low, high = shown(column)
        base = p.bands.middle[0] if residuals else 0.0
        assert low < p.bands.measured_low[0] - base
        assert high > p.bands.measured_high[0] - base
    far = [Curve(np.array([v - s]), np.array([v]), np.array([v + s]), 9.0) for v, s in ((3.0, 0.1), (2000.0, 5.0))]
    plot.show_curves(far)
    base = both[1].bands.middle[0] if residuals and both[1].bands is not None else 0.0
    assert shown(plot.columns[1])[0] < 1995.0 - base


def test_a_tenth_of_a_standard_deviation_is_seen_to_be_little(qtbot: QtBot) -> None:
    plot = PredictivePlot(("Best run over the data", ""))
    qtbot.addWidget(plot)
    plot.resize(500, 400)
    plot.show()
    plot.update_predictions([one(1.54, None, "Dipole", 0.06)], True, 1)
    low, high = shown(plot.columns[0])
    assert low < 1.48
    assert high > 1.60
    assert plot.columns[0].errors.isVisible()


def test_small_distances_fit_their_column() -> None:
    assert [_small(v) for v in (0.00645, 0.0154, 0.107, 1.234, 1234.0)] == ["< 0.01", "0.02", "0.11", "1.23", "1.23e+03"]


WEEKS = ("2024-01-01", "2024-01-08", "2024-01-15")


@pytest.mark.parametrize(("names", "dashes"), [(("0-4", "5-14", "15-29"), True), (WEEKS, False)])
def test_nothing_is_drawn_between_labels_and_a_line_between_dates(qtbot: QtBot, names: tuple[str, ...], dashes: bool) -> None:
    plot = PredictivePlot()
    qtbot.addWidget(plot)
    x, y = np.arange(3.0), np.array([29.0, 15.0, 7.0])
    found = Predicted(x, y, np.array([y, y + 1.0]), np.full(2, 0.5), "group", "rate", np.arange(3), names=names)
    plot.update_predictions([found], True, 2)
    (column,) = plot.columns
    assert column.dashes is dashes
    assert column.band.polygon().isEmpty() is dashes
    assert column.band_bars.path().isEmpty() is not dashes
    assert (column.median.opts["symbol"] == "_") is dashes
    plot.show_curves([Curve(y - 1.0, y, y + 1.0, 1.0)])
    assert column.curve_band.polygon().isEmpty() is dashes
    assert column.curve_bars.path().isEmpty() is not dashes


def test_no_line_joins_rows_that_stand_apart_though_they_have_numbers_only(qtbot: QtBot) -> None:
    plot = PredictivePlot()
    qtbot.addWidget(plot)
    x, y = np.array([101.0, 103.0, 105.0]), np.array([29.0, 15.0, 7.0])
    found = Predicted(x, y, np.array([y, y + 1.0]), np.full(2, 0.5), "Node", "rate", np.arange(3), apart=True)
    plot.update_predictions([found], True, 2)
    assert plot.columns[0].dashes
    assert plot.columns[0].band.polygon().isEmpty()


@pytest.mark.parametrize(("key", "dashes"), [("Node", True), ("x (m)", False)])
def test_the_picture_of_the_data_joins_no_numbered_things(qtbot: QtBot, key: str, dashes: bool) -> None:
    outputs = tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=i)) for i, n in enumerate(("k", "u")))
    problem = d.Problem(
        name="", parameters=(), simulator=d.Simulator(command=("run",)), outputs=outputs,
        meaning=d.Predictions(
            matches=(d.Match(output="u", column="u", key_output="k", key_column=key),), noise=d.GaussianKnown(sd=1.0)
        ),
        data=d.DataTable(columns={key: (1.0, 3.0, 4.0), "u": (1.0, 2.0, 9.0)}),
    )  # fmt: skip
    read = (("k", (1.0, 3.0, 4.0)), ("u", (1.0, 2.0, 3.0)))
    given = tuple(TrialOutput(name=name, source="stdout", values=values) for name, values in read)
    plot = DataPlot()
    qtbot.addWidget(plot)
    plot.show_columns(shown_columns(problem, TrialRunReport(outcome="ok", outputs=given)))
    assert plot.dashes is dashes
