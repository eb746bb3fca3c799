"""Marginals of one parameter from several analyses on top of each other, told apart by colour, dash and legend."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from bayescope.gui.models.plain import one_line
from bayescope.gui.models.scales import density_on_axis, on_axis
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas
from bayescope.gui.style.colours import OKABE_ITO
from bayescope.gui.style.theme import theme

Array = NDArray[np.float64]
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
MAX_CURVES = 12


@dataclass(frozen=True, eq=False)
class NamedCurve:
    """x (n,) and density (n,) in the parameter's unit."""

    name: str
    x: Array
    density: Array

    def on_axis(self, logarithmic: bool) -> NamedCurve:
        """As places on the axis, with the density per unit of that."""
        seen = self.x > 0 if logarithmic else np.ones(len(self.x), dtype=bool)
        x, density = self.x[seen], self.density[seen]
        return NamedCurve(self.name, on_axis(x, logarithmic), density_on_axis(x, density, logarithmic))


class OverlaidPlot(PlotPanel):
    """``show_curves`` replaces everything."""

    def __init__(self) -> None:
        super().__init__("Posteriors on top of each other", "each curve is one analysis")
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0, left=False)
        self.legend = self.plot.addLegend(offset=(-8, 8))
        self.plot.getViewBox().setLimits(yMin=0.0)
        self._curves: list[NamedCurve] = []
        self._label = ""
        self._canvas.setMinimumHeight(190)
        self.set_plot(self._canvas)
        self.say_empty("Add another analysis to compare with.")

    def show_curves(self, curves: Sequence[NamedCurve], label: str, empty: str = "", logarithmic: bool = False) -> None:
        self._curves, self._label = [c.on_axis(logarithmic) for c in curves][:MAX_CURVES], label
        self.plot.getAxis("bottom").show_powers(logarithmic)
        self.say_empty(empty if empty or not curves else "")
        self._draw()

    def names(self) -> list[str]:
        return [c.name for c in self._curves]

    def _draw(self) -> None:
        self.plot.clear()
        self.legend.clear()
        self.legend.setLabelTextColor(QColor(theme.colours.plot_text))
        self.legend.setLabelTextSize(f"{theme.small_font().pointSizeF():.1f}pt")
        for k, curve in enumerate(self._curves):
            made = QPen(QColor(_colour(k)), 2.2 * self.devicePixelRatioF(), DASHES[k % len(DASHES)])
            made.setCosmetic(True)
            item = pg.PlotDataItem(curve.x, curve.density, pen=made)
            self.plot.addItem(item)
            self.legend.addItem(item, html.escape(one_line(curve.name, 40)))
        self._canvas.label(self.plot, "bottom", one_line(self._label, 60))
        self.reset()

    def reset(self) -> None:
        self.plot.enableAutoRange()

    def on_theme(self) -> None:
        self._canvas.restyle()
        self._draw()

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)


def _colour(k: int) -> str:
    """Left out are the colours that are lost on the background in use."""
    lost = ("#000000", "#0072B2") if theme.dark else ("#000000", "#F0E442")
    usable = [c for c in OKABE_ITO if c not in lost]
    return usable[k % len(usable)]
