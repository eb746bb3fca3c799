"""Where an answer from an archive alone is unsure: its draws, coloured by the surrogate's sd there, and the runs needed most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter

from bayescope.engine.problem.definition import Parameter, told_apart, with_names
from bayescope.gui.models.scales import is_logarithmic, on_axis
from bayescope.gui.plots.marginals import axis_name
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import SHADES, Canvas, pen, shade_brushes
from bayescope.gui.style.theme import theme
from bayescope.gui.widgets.elided import FittingCombo

Array = NDArray[np.float64]
HINT = "draws of the answer, lightest: known least; numbered rings: runs needed most"
AROUND = 0.09  # of the plot on each side: the numbers stand above their rings
RING = 18  # pixels: a number fits inside


class NeededMap(PlotPanel):
    def __init__(self) -> None:
        super().__init__("Left open", HINT)
        self._x, self._y = FittingCombo("Shown across", 180), FittingCombo("Shown upwards", 180)
        for combo in (self._x, self._y):
            self.add_control(combo, 20)
            combo.currentIndexChanged.connect(lambda _: self._draw())
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0)
        self.plot.getViewBox().setDefaultPadding(AROUND)
        self.draws = pg.ScatterPlotItem(size=7, pxMode=True, pen=None)
        self.places = pg.ScatterPlotItem(size=RING, pxMode=True, brush=None)
        self._numbers: list[pg.TextItem] = []
        for z, item in enumerate((self.draws, self.places)):
            item.setZValue(z)
            self.plot.addItem(item)
        self._parameters: tuple[Parameter, ...] = ()
        self._theta, self._wanted, self._unsure = np.empty((0, 0)), np.empty((0, 0)), np.empty(0)
        self.set_plot(self._canvas)
        self.on_theme()
        self.say_empty("Nothing is known of it.")

    def show_needed(self, parameters: Sequence[Parameter], draws: Array, unsure: Array, places: Array) -> None:
        """``draws`` (m, D) with their sds (m,) and ``places`` (k, D), in the user's units."""
        self._theta, self._unsure, self._wanted = draws, unsure, places
        if tuple(parameters) != self._parameters:
            self._parameters = tuple(parameters)
            for combo, start in ((self._x, 0), (self._y, min(1, len(parameters) - 1))):
                combo.blockSignals(True)
                combo.clear()
                combo.addItems([p.label or p.name for p in with_names(parameters)])
                combo.setCurrentIndex(start)
                combo.blockSignals(False)
        self.say_empty("")
        self._draw()

    def _draw(self) -> None:
        if not len(self._theta):
            return
        named = told_apart(self._parameters)
        chosen = (max(self._x.currentIndex(), 0), max(self._y.currentIndex(), 0))
        for side, k in zip(("bottom", "left"), chosen, strict=True):
            self._canvas.label(self.plot, side, axis_name(named[k]))
            self.plot.getAxis(side).show_powers(is_logarithmic(self._parameters[k]))
        order = np.argsort(self._unsure)  # what is known least lies on top
        top = max(float(self._unsure.max()), 1e-300)
        shades = np.minimum((self._unsure[order] / top * SHADES).astype(int), SHADES - 1)
        x, y = (on_axis(self._theta[order, k], is_logarithmic(self._parameters[k])) for k in chosen)
        brushes = shade_brushes()
        self.draws.setData(x=x, y=y, brush=[brushes[k] for k in shades])
        at = [on_axis(self._wanted[:, k], is_logarithmic(self._parameters[k])) for k in chosen]
        self.places.setData(x=at[0], y=at[1])
        for item in self._numbers:
            self.plot.removeItem(item)
        self._numbers = []
        for number, (left, up) in enumerate(zip(*at, strict=True), start=1):
            item = pg.TextItem(str(number), color=theme.colours.text, anchor=(0.5, 1.7))
            item.setPos(float(left), float(up))
            item.setZValue(3)
            self.plot.addItem(item, ignoreBounds=True)
            self._numbers.append(item)
        self.reset()

    def reset(self) -> None:
        self.plot.enableAutoRange()
        self.plot.getViewBox().updateAutoRange()

    def on_theme(self) -> None:
        self._canvas.restyle()
        self.places.setPen(pen("highlight", 2.0))
        self._draw()

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)
