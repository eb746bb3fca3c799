"""Dates below what is predicted and below residuals stand where people put them, in one way of writing."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
from pytestqt.qtbot import QtBot

from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.problem.data.rows.text_keys import seconds_of
from bayescope.gui.plots.predictive import PredictivePlot
from bayescope.gui.plots.residuals import ResidualsPlot

DAYS = [date(2022, 10, 18) + timedelta(days=k) for k in range(0, 300, 3)]
N = len(DAYS)


def column(name: str, form: str) -> Predicted:
    names = tuple(day.strftime(form) for day in DAYS)
    x, y = np.array([seconds_of(n) for n in names], dtype=float), np.sin(np.arange(N) / 9.0)
    ends, nothing = np.full(N, 2.0), np.full((1, 2), np.nan)
    left = Residuals(np.zeros(N), -ends, ends, nothing, nothing, np.ones(1))
    return Predicted(x, y, np.array([y, y + 1.0]), np.full(2, 0.5), "Datum", name, np.arange(N), names=names, residuals=left)


def words_below(plot: object) -> list[str]:
    axis = plot.getAxis("bottom")  # type: ignore[attr-defined]
    low, high = axis.range
    return [word for _, values in axis.tickValues(low, high, 500.0) for word in axis.tickStrings(values, 1.0, 1.0)]


def test_dates_of_several_forms_are_months_below_predictions_and_residuals(qtbot: QtBot) -> None:
    found = [column("Q", "%d.%m.%Y"), column("head", "%Y-%m-%d")]
    plot = PredictivePlot()
    qtbot.addWidget(plot)
    plot.resize(900, 500)
    plot.show()
    plot.update_predictions(found, True, 2)
    for shown in plot.columns:
        shown.plot.getViewBox().updateAutoRange()
        assert "Jan 2023" in words_below(shown.plot) or "Nov 2022" in words_below(shown.plot)
        assert not any(word[:1].isdigit() and "." in word for word in words_below(shown.plot))
    left = ResidualsPlot()
    qtbot.addWidget(left)
    left.resize(900, 400)
    left.show()
    left.show_column(found[0])
    left.along.getViewBox().updateAutoRange()
    assert any(word.endswith(("2022", "2023")) and word[:3].isalpha() for word in words_below(left.along))


def test_labels_stand_below_again_where_another_column_is_shown(qtbot: QtBot) -> None:
    plot = ResidualsPlot()
    qtbot.addWidget(plot)
    plot.show_column(column("Q", "%d.%m.%Y"))
    assert plot.along.getAxis("bottom").dates
    labelled = column("Q", "site %j of %Y")
    plot.show_column(labelled)
    assert not plot.along.getAxis("bottom").dates
