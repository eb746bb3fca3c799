"""Predictions over the data: posterior predictive from runs already made, weighted by the posterior. No new runs."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QComboBox, QGraphicsPolygonItem

from bayescope.engine.session.predictive import Predicted
from bayescope.gui.plots.data_plot import decades, wants_log
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, Tip, brush, pen
from bayescope.gui.style.words import number

BEST_LINES = 12
HOVER_PIXELS = 12.0


class PredictivePlot(PlotPanel):
    """Data as points, the weighted 90 % band and median of the runs' predictions, the best runs as thin lines."""

    def __init__(self) -> None:
        super().__init__(
            "Predictions over the data", "band: 90 % of the posterior weight of the runs made so far; line: median"
        )
        self._which = QComboBox()
        self._which.setAccessibleName("Data column shown")
        self._which.currentIndexChanged.connect(lambda: self._show())
        self._which.setVisible(False)  # until there is something to choose from
        self.add_control(self._which)
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0)
        self.band = QGraphicsPolygonItem()
        self.band.setZValue(-10)
        self.median = pg.PlotDataItem()
        self.best = [pg.PlotDataItem() for _ in range(BEST_LINES)]
        self.data_points = pg.ScatterPlotItem(size=9, pxMode=True, symbol="o")
        self.data_points.setZValue(10)
        for item in (*self.best, self.median, self.data_points):
            self.plot.addItem(item)
        self.plot.addItem(self.band, ignoreBounds=True)
        self.tip = Tip(self._canvas)
        self._shown: list[Predicted] = []
        self._places = np.empty(0)  # where the data stand across: their log10 if they are spread by factors
        self.plot.scene().sigMouseMoved.connect(self._on_move)
        self.set_plot(self._canvas)
        self.on_theme()
        self.say_empty(_WAITING)

    def say_computing(self, runs: int) -> None:
        """They are on their way: nothing has to be waited for but the computation."""
        self._shown = []
        self._which.setVisible(False)
        self.say_empty(f"The predictions of {runs} runs are being put beside the data…")

    def update_predictions(self, found: list[Predicted], meaning_predicts: bool, runs: int = 0) -> None:
        """``runs``: how many there are, of which those that can be used are in ``found``."""
        self._shown = found
        if not meaning_predicts:
            self._which.setVisible(False)
            self.say_empty(_NO_PREDICTIONS)
            return
        if not found:
            self._which.setVisible(False)
            self.say_empty(_NONE_FITS.format(runs=runs) if runs else _WAITING)
            return
        names = [p.y_label for p in found]
        if names != [self._which.itemText(i) for i in range(self._which.count())]:
            self._which.blockSignals(True)
            self._which.clear()
            self._which.addItems(names)
            self._which.blockSignals(False)
        self._which.setVisible(len(names) > 1)
        self.say_empty("")
        self._show()

    def _show(self) -> None:
        k = self._which.currentIndex()
        if not 0 <= k < len(self._shown):
            return
        p = self._shown[k]
        log = wants_log(p.x[np.isfinite(p.x)])
        self._places = np.log10(p.x) if log else p.x
        finite = self._places[np.isfinite(self._places)]
        self.plot.getAxis("bottom").setTicks(decades(finite) if log and len(finite) else None)
        order = np.argsort(p.x)
        x = self._places[order]
        low, middle, high = (v[order] for v in p.band(0.05, 0.95))
        outline = zip(np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]]), strict=True)
        self.band.setPolygon(QPolygonF([QPointF(a, b) for a, b in outline]))
        self.median.setData(x, middle)
        best = np.argsort(p.weights)[::-1][:BEST_LINES]
        for line, i in zip(self.best, [*best, *[-1] * (BEST_LINES - len(best))], strict=True):
            line.setData(x, p.runs[i][order]) if i >= 0 else line.setData([], [])
        self.data_points.setData(self._places, p.measured)
        for side, name in (("bottom", p.x_label), ("left", p.y_label)):
            self._canvas.label(self.plot, side, name)

    def _on_move(self, scene: QPointF) -> None:
        """The measurement under the mouse beside what is predicted for it."""
        k = self._which.currentIndex()
        p = self._shown[k] if 0 <= k < len(self._shown) else None
        if p is None or not len(p.x) or len(self._places) != len(p.x):
            return
        box = self.plot.getViewBox()
        per_x, per_y = box.viewPixelSize()
        at = box.mapSceneToView(scene)
        d = ((self._places - at.x()) / per_x) ** 2 + ((p.measured - at.y()) / per_y) ** 2
        i = int(np.argmin(np.where(np.isfinite(d), d, np.inf)))
        if not d[i] <= HOVER_PIXELS**2:
            self.tip.hide()
            return
        low, middle, high = (v[i] for v in p.band(0.05, 0.95))
        words = (
            f"{p.x_label} {number(p.x[i], 5)}\nmeasured {number(p.measured[i], 5)}\n"
            f"predicted {number(middle, 4)} ({number(low, 4)} … {number(high, 4)})"
        )
        self.tip.show_at(self.plot, float(self._places[i]), float(p.measured[i]), words)

    def reset(self) -> None:
        self.plot.enableAutoRange()

    def on_theme(self) -> None:
        self._canvas.restyle()
        self.tip.hide()
        self.median.setPen(pen("prediction", 2.0))
        self.band.setBrush(brush("prediction", 0.18))
        self.band.setPen(pen("prediction", 0.5, alpha=0.3))
        for line in self.best:
            line.setPen(pen("prediction", 1.0, alpha=0.25))
        self.data_points.setBrush(brush("plot_background"))
        self.data_points.setPen(pen("data", 2.0))

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)


_NO_PREDICTIONS = (
    "The outputs are not taken as predictions of what was measured, so there is nothing to lay over data.\n"
    "What they mean is chosen on the Simulator page, tab Meaning."
)
_NONE_FITS = (
    "Of {runs} runs so far none gave outputs that can be put beside the data.\n"
    "The tab Runs says of each how it ended; the Data page, tab Comparison, how the rows are paired."
)
_WAITING = "Predictions appear as soon as simulator runs have ended and the program's outputs are in the session file."
