"""The runs that checked the answer: log density found against predicted."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from bayescope.engine.answer.fresh_runs import FreshRuns, placed
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, brush, path_of, pen

NOT_YET = "No run has checked the answer yet."
BARS = 2.0  # standard deviations of the surrogate, either way


class FreshRunsPlot(PlotPanel):
    def __init__(self) -> None:
        super().__init__("Fresh runs against predictions", "● at draws of the answer  ■ in its tails  faint: earlier checks")
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0, "Log density predicted (± 2 sd), below the best", "Log density found")
        self.line, self.bars, self.old_bars = (QGraphicsPathItem() for _ in range(3))
        self.drawn, self.tails, self.old = (
            pg.ScatterPlotItem(size=size, pxMode=True, symbol=symbol) for size, symbol in ((9, "o"), (9, "s"), (7, "o"))
        )
        for item in (self.line, self.old_bars, self.bars, self.old, self.tails, self.drawn):
            self.plot.addItem(item, ignoreBounds=True)
        self.set_plot(self._canvas)
        self._range = (-1.0, 0.0)
        self.on_theme()
        self.show_runs(None)

    def show_runs(self, fresh: FreshRuns | None, instead: str = NOT_YET) -> None:
        """``instead``: the words where there are none."""
        if fresh is None:
            self.say_empty(instead)
            return
        self.say_empty("")
        x, y, *ends = placed(fresh)
        self._range = ends[0], ends[1]
        last, tail = fresh.known == fresh.known[-1], fresh.tail > 0.0
        for item, chosen in ((self.drawn, last & ~tail), (self.tails, last & tail), (self.old, ~last)):
            item.setData(x[chosen], y[chosen])
        for bars, chosen in ((self.bars, last), (self.old_bars, ~last)):
            path = QPainterPath()
            for at, height, sd in zip(x[chosen], y[chosen], fresh.sd[chosen], strict=True):
                path.moveTo(at - BARS * sd, height)
                path.lineTo(at + BARS * sd, height)
            bars.setPath(path)
        self.line.setPath(path_of(np.array(self._range), np.array(self._range)))
        self.reset()

    def reset(self) -> None:
        self.plot.getViewBox().setRange(xRange=self._range, yRange=self._range, padding=0.0)

    def on_theme(self) -> None:
        self._canvas.restyle()
        self.line.setPen(pen("prior", 1.2))
        self.bars.setPen(pen("posterior", 1.4))
        self.old_bars.setPen(pen("prior", 1.0, alpha=0.6))
        for item, name, alpha in ((self.drawn, "posterior", 1.0), (self.tails, "failure", 1.0), (self.old, "prior", 0.6)):
            item.setBrush(brush(name, alpha))
            item.setPen(None)

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)
