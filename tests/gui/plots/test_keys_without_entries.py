"""A column that pairs rows and has no entry in any measured one: the plot says which, not that nothing was measured."""

from __future__ import annotations

import msgspec
from data_pages import PROBLEM
from pytestqt.qtbot import QtBot

from bayescope.engine.problem import definition as d
from bayescope.gui.plots.data_plot import DataPlot, shown_columns

DATA = d.DataTable(
    columns={"p": (5.0, 3.0, None, None), "g": (None, None, 1.5, 0.5), "r": (None, None, 1.0, 2.0)},
    texts={"Remark": ("void", None, None, None)},
)


def no_line(qtbot: QtBot, key: str) -> str:
    match = d.Match(output="u", column="g", key_output="v", key_column=key)
    plot = DataPlot()
    qtbot.addWidget(plot)
    meaning = d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1))
    plot.show_columns(shown_columns(msgspec.structs.replace(PROBLEM, data=DATA, meaning=meaning), None))
    return plot.no_line


def test_the_plot_says_that_the_key_has_no_entries_in_the_rows_and_not_that_nothing_was_measured(qtbot: QtBot) -> None:
    said = "“Remark” has no entries in the rows of “g”: choose another key column."
    assert no_line(qtbot, "Remark") == said
    assert "no" not in no_line(qtbot, "r")
