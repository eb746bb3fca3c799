"""Predictions over the data: posterior predictive bands of learnt outputs, or of runs already made. No new runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.predictions.mode_predictions import ModeLines
from bayescope.engine.answer.predictions.predictive import Predicted, agreement, titles
from bayescope.engine.answer.predictions.what_if import Curve
from bayescope.gui.models.plain import one_line
from bayescope.gui.plots.mode_legend import ModeLegend
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, Tip
from bayescope.gui.plots.predicted_column import PredictedColumn
from bayescope.gui.widgets.forms import Choice

Array = NDArray[np.float64]
MOST_AT_ONCE = 6  # columns side by side; more have no room
ALL = "All columns"
MOST_WORDS = 600  # characters about one column
MOST_NAME = 30  # characters of a column in the choice


class PredictivePlot(PlotPanel):
    """Data as points with the 90 % bands and medians of what is predicted, and how well they agree in words."""

    def __init__(self, described: tuple[str, str] | None = None) -> None:
        """``described``: title and line of words where it is not the posterior that predicts."""
        super().__init__(*(described or _OF_RUNS))
        self._described = described
        self._which = Choice("Data column shown")
        self._which.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._which.currentIndexChanged.connect(lambda: self._show())
        self._which.setVisible(False)  # until there is something to choose from
        self.residuals = QPushButton("Residuals")
        self.residuals.setCheckable(True)
        self.residuals.setToolTip("Everything less the predicted median: small misses on a large curve are seen")
        self.residuals.toggled.connect(lambda: self._show_again())
        self.residuals.hide()
        self.whole = QPushButton("Whole output")
        self.whole.setCheckable(True)
        self.whole.setChecked(True)
        self.whole.setToolTip("What is predicted at every row that the program records: before, between and beyond the data")
        self.whole.toggled.connect(lambda: self._show_again())
        self.whole.hide()
        self.add_control(self.whole)
        self.residuals.toggled.connect(lambda on: self.whole.setEnabled(not on))
        self.add_control(self.residuals)
        self.add_control(self._which)
        self._canvas = Canvas()
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setProperty("role", "hint")
        self.words.setAccessibleName("Agreement of data and predictions")
        self.words.hide()
        whole = QWidget()
        box = QVBoxLayout(whole)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(self._canvas, 1)
        box.addWidget(self.words)
        self.columns: list[PredictedColumn] = []
        self.tip = Tip(self._canvas)
        self._shown: list[Predicted] = []
        self._curves: list[Curve] = []
        self._returned: list[Array] = []
        self._modes: ModeLines | None = None
        self._more = ""
        self.legend = ModeLegend()
        self.add_control(self.legend)
        self._canvas.scene().sigMouseMoved.connect(self._on_move)
        self.set_plot(whole)
        self.on_theme()
        self.say_empty(_WAITING)

    def say_computing(self, runs: int) -> None:
        """They are on their way: nothing has to be waited for but the computation."""
        self._empty_of(f"The predictions of {runs} runs are being put beside the data…")

    def update_predictions(
        self, found: list[Predicted], meaning_predicts: bool, runs: int = 0, modes: ModeLines | None = None,
        scatters: bool = False,
    ) -> None:  # fmt: skip
        """``runs``: how many there are, of which those that can be used are in ``found``. ``modes``: where there are several.
        ``scatters``: outputs do, so what is learnt of them is their mean."""
        compared = sum(bool(np.isfinite(p.measured).any()) for p in found)  # what is not comes behind those that are
        self._modes = modes if modes is not None and len(modes.lines) in (len(found), compared) else None
        self.legend.show_modes(None if self._modes is None else self._modes.modes)
        if not meaning_predicts:
            self._empty_of(_NO_PREDICTIONS)
            return
        if not found:
            self._empty_of(_NONE_FITS.format(runs=runs) if runs else _WAITING)
            return
        self._shown = found
        names = [one_line(name, MOST_NAME) for name in titles(found)]
        offered = [ALL, *names] if 1 < len(names) <= MOST_AT_ONCE else names
        if offered != [self._which.itemText(i) for i in range(self._which.count())]:
            self._which.blockSignals(True)
            self._which.clear()
            self._which.addItems(offered)
            self._which.blockSignals(False)
        self._which.setVisible(len(names) > 1)
        self.residuals.show()
        self.whole.setVisible(any(p.whole is not None for p in found))
        of_outputs = _OF_DISCREPANCY if any(p.missed is not None for p in found) else _OF_OUTPUTS
        title, line = self._described or (_OF_RUNS if found[0].bands is None else of_outputs)
        self.describe(title, line.replace(_RETURNED, _MEAN) if scatters else line)
        self.say_empty("")
        self._show()

    def _empty_of(self, words: str) -> None:
        self._shown = []
        self._which.setVisible(False)
        self.residuals.hide()
        self.whole.hide()
        self.say_empty(words)

    def add_words(self, more: str) -> None:
        """A sentence below what is said of the agreement; empty: none."""
        if more != self._more:
            self._more = more
            self._show()

    def show_curves(self, curves: Sequence[Curve]) -> None:
        """Of a chosen point, one for each output, over the bands; none: take them away."""
        self._curves = list(curves)
        self._draw_curves()

    def show_returned(self, values: Sequence[Array]) -> None:
        """What a run returned at the place of the curves, one (m,) for each output; none: take them away."""
        self._returned = list(values)
        self._draw_curves()

    @property
    def _chosen(self) -> list[int]:
        """Which of the columns are on show."""
        k = self._which.currentIndex()
        if self._which.itemText(0) == ALL:
            return list(range(len(self._shown))) if k == 0 else [k - 1]
        return [k] if 0 <= k < len(self._shown) else []

    def _show(self) -> None:
        chosen = self._chosen
        if len(self.columns) != len(chosen):
            self.tip.hide()
            self._canvas.clear()
            across = 1 if len(chosen) < 2 else 2 if len(chosen) <= 4 else 3
            with self._canvas.at_once():
                plots = [self._canvas.add_plot(i // across, i % across) for i in range(len(chosen))]
            self.columns = [PredictedColumn(self._canvas, plot) for plot in plots]
        for column, k in zip(self.columns, chosen, strict=True):
            column.show(self._shown[k], self.residuals.isChecked(), self.whole.isChecked())
            column.show_modes(() if self._modes is None or k >= len(self._modes.lines) else self._modes.lines[k])
        said = [*agreement([self._shown[k] for k in chosen]), *filter(None, [self._more])]
        self.words.setText("\n".join(one_line(words, MOST_WORDS) for words in said))
        self.words.setVisible(bool(said))
        self._draw_curves()

    def _show_again(self) -> None:
        """Of another size."""
        self._show()
        self.reset()

    def _draw_curves(self) -> None:
        for column, k in zip(self.columns, self._chosen, strict=False):
            column.show_curve(self._curves[k] if k < len(self._curves) else None)
            column.show_returned(self._returned[k] if k < len(self._returned) else None)

    def _on_move(self, scene: QPointF) -> None:
        if not any(column.point_at(scene, self.tip) for column in self.columns):
            self.tip.hide()

    def reset(self) -> None:
        for column in self.columns:
            column.plot.enableAutoRange()

    def on_theme(self) -> None:
        self._canvas.restyle()
        self.tip.hide()
        for column in self.columns:
            column.restyle()

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)

    def figure_size(self) -> QSize:
        return QSize(self._canvas.size())


_OF_RUNS = ("Predictions over the data", "band: 90 % of the runs by their weight; line: median")
_RETURNED, _MEAN = "what the program would return", "the mean of what the program would return"
_OF_OUTPUTS = (
    "Predictions over the data",
    "dark: 90 % of what the program would return; light, at the data: of what would be measured; line: median",
)  # fmt: skip
_OF_DISCREPANCY = (
    "Predictions over the data",
    "blue: 90 % of what the program would return; green, dashed: with what it misses; light: of what would be measured",
)  # fmt: skip
_NO_PREDICTIONS = (
    "The outputs are not taken as predictions of what was measured, so there is nothing to lay over data.\n"
    "“What if…” is not there for the same reason. What the outputs mean is chosen on the Simulator page, tab Meaning."
)
_NONE_FITS = (
    "Of {runs} runs so far none gave outputs that can be put beside the data.\n"
    "The tab Runs says of each how it ended; the Data page, tab Comparison, how the rows are paired."
)
_WAITING = "Predictions appear as soon as simulator runs have ended and the program's outputs are in the session file."
