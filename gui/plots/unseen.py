"""The probability that a further mode of the posterior did not show, against its width."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsPathItem

from bayescope.engine.answer.unseen import Claim
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, path_of, pen


class UnseenPlot(PlotPanel):
    def __init__(self) -> None:
        super().__init__("Unseen modes", "the probability that one of a tenth of the mass was missed")
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0, "Width of the mode, % of the plausible ranges", "Probability unseen")
        self.line = QGraphicsPathItem()
        self.plot.addItem(self.line, ignoreBounds=True)
        self.set_plot(self._canvas)
        self._last = 20.0
        self.on_theme()
        self.show_claim(None)

    def show_claim(self, claim: Claim | None) -> None:
        if claim is None:
            self.say_empty("Nothing can be said of other modes yet.")
            return
        self.say_empty("")
        x = 100.0 * np.asarray(claim.widths)
        self._last = float(x[-1])
        self.line.setPath(path_of(x, np.asarray(claim.unseen)))
        self.reset()

    def reset(self) -> None:
        self.plot.getViewBox().setRange(xRange=(0.0, self._last), yRange=(0.0, 1.0), padding=0.02)

    def on_theme(self) -> None:
        self._canvas.restyle()
        self.line.setPen(pen("evidence", 2.0))

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)
