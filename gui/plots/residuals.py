"""Standardized residuals of one data column: over its key, and sorted against a normal distribution."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter

from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.problem.data.rows.across import by_factors
from bayescope.gui.plots.data_plot import are_dates, decades, label_ticks
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, Tip, brush, pen
from bayescope.gui.plots.predicted_column import HALF_ROOM, HOVER_PIXELS, band_item, outline
from bayescope.gui.style.words import number

NONE = "Residuals appear here when the program's outputs have been learnt with an answer."
USUAL = 2.0  # standard deviations: lines between which nearly all residuals lie
LEFT = "Left: each measured value; dotted: ± 2 sd. "
HINT = f"Band: at each place 90 % of what chance gives. One in ten lies outside. {LEFT}Right: sorted"
NO_BAND = f"{LEFT}Right: sorted; too few values for a band of what chance gives"

OF_SINGLES = f"{LEFT}Right: sorted; the line: as chance gives them"


class ResidualsPlot(PlotPanel):
    def __init__(self) -> None:
        super().__init__("Residuals", HINT)
        self._canvas = Canvas()
        self.along = self._canvas.add_plot(0, 0, "", "(measured − predicted) / sd")
        self.normal = self._canvas.add_plot(0, 1, "Normal distribution", "Residuals, sorted")
        self.points, self.sorted = (pg.ScatterPlotItem(size=8, pxMode=True, symbol="o") for _ in range(2))
        self.zero = pg.InfiniteLine(0.0, angle=0)
        self.usual = [pg.InfiniteLine(s * USUAL, angle=0) for s in (-1.0, 1.0)]
        self.line = pg.PlotDataItem()
        self.band = band_item(-10)
        self.room = pg.PlotDataItem(pen=pg.mkPen(0, 0, 0, 0))  # not seen: the lines of the usual are always in view
        for item in (self.zero, *self.usual, self.points, self.room):
            self.along.addItem(item)
        self.band_room = pg.PlotDataItem(pen=pg.mkPen(0, 0, 0, 0))  # nor is this: the band is in view, all of it
        for item in (self.line, self.sorted, self.band_room):
            self.normal.addItem(item)
        self.normal.addItem(self.band, ignoreBounds=True)
        self.shown: Predicted | None = None
        self._places = np.empty(0)
        self.tip = Tip(self._canvas)
        self._canvas.scene().sigMouseMoved.connect(self._on_move)
        self.set_plot(self._canvas)
        self.on_theme()
        self.show_column(None)

    def show_column(self, p: Predicted | None, hint: str = "") -> None:
        """None, or one without residuals: words in place of the plot. ``hint``: the line of words, where it is of no column."""
        p = None if p is None else p.of_values
        self.shown = p
        if p is None or p.residuals is None:
            self.say_empty(NONE)
            return
        self.say_empty("")
        dated = are_dates(p)
        log = not dated and by_factors(p.x[np.isfinite(p.x)])
        self._places = np.log10(p.x) if log else p.x
        good = self._places[np.isfinite(self._places)]
        named = len(p.names) == len(p.x) > 0 and not log and (not dated or len(p.x) == 1)
        ticks = label_ticks(p, np.argsort(p.x, kind="stable"), HALF_ROOM) if named else None
        ticks = decades(good) if log and len(good) else ticks
        if len(p.x) == 1 and not named:
            ticks = [[(float(p.x[0]), number(float(p.x[0]), 5))], []]
        self.along.getAxis("bottom").setTicks(ticks)
        self.along.getAxis("bottom").show_dates(dated and not named)
        self._canvas.label(self.along, "bottom", p.x_label)
        self.points.setData(self._places, p.residuals.z)
        self.room.setData(self._places[[0, 0]], [-USUAL, USUAL])
        places, ordered = p.residuals.ordered
        self.sorted.setData(places, ordered)
        ends = places[[0, -1]] if len(places) > 1 else np.array([-USUAL, USUAL])
        self.line.setData(ends, ends)
        self.say_hint(hint or (HINT if p.residuals.tested else NO_BAND))
        if p.residuals.tested:
            outline(self.band, places, p.residuals.low, p.residuals.high)
            self.band_room.setData(np.tile(places, 2), np.concatenate([p.residuals.low, p.residuals.high]))
        else:
            outline(self.band, places[:0], places[:0], places[:0])
            self.band_room.setData([], [])
        self.reset()

    def _on_move(self, scene: QPointF) -> None:
        """Which measurement a residual is of."""
        p, box = self.shown, self.along.getViewBox()
        if p is None or p.residuals is None or not box.sceneBoundingRect().contains(scene):
            self.tip.hide()
            return
        at, (per_x, per_y) = box.mapSceneToView(scene), box.viewPixelSize()
        away = ((self._places - at.x()) / per_x) ** 2 + ((p.residuals.z - at.y()) / per_y) ** 2
        i = int(np.argmin(np.where(np.isfinite(away), away, np.inf)))
        if not away[i] <= HOVER_PIXELS**2:
            self.tip.hide()
            return
        place = p.names[i] if p.names else number(p.x[i], 5)
        row = f"row {p.rows[i] + 1}, {p.x_label} " if len(p.rows) == len(p.x) else ""
        words = f"{row}{place}\nmeasured {number(p.measured[i], 5)}\n"
        self.tip.show_at(self.along, float(self._places[i]), float(p.residuals.z[i]), f"{words}{p.residuals.z[i]:+.2f} sd off")

    def reset(self) -> None:
        for plot in (self.along, self.normal):
            plot.enableAutoRange()

    def on_theme(self) -> None:
        self._canvas.restyle()
        self.tip.hide()
        self.zero.setPen(pen("plot_axis", 1.2))
        for line in self.usual:
            line.setPen(pen("prior", 1.0, Qt.PenStyle.DotLine))
        self.line.setPen(pen("prior", 1.2))
        self.band.setBrush(brush("prediction", 0.2))
        self.band.setPen(pen("prediction", 0.5, alpha=0.3))
        for points in (self.points, self.sorted):
            points.setBrush(brush("plot_background"))
            points.setPen(pen("data", 2.0))

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)

    def figure_size(self) -> QSize:
        return QSize(self._canvas.size())
