"""Values of which only a limit is known: a stroke at the limit, and an arrow to where the value lies."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtGui import QPainterPath

from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.gui.plots.pg import brush, pen
from bayescope.gui.style.words import number

Array = NDArray[np.float64]
SIZE = 24.0  # pixels from end to end: the stroke is in the middle, so the arrow is as long as a point is wide
HEAD = 0.2  # of the size


class LimitPoints:
    """The limits of one column in a plot."""

    def __init__(self, plot: Any) -> None:
        self.points = pg.ScatterPlotItem(size=SIZE, pxMode=True)
        self.points.setZValue(10)
        plot.addItem(self.points)

    def show(self, sides: NDArray[np.int8], places: Array, values: Array) -> None:
        """``places``, ``values`` (m,): across and up; ``sides`` (m,): -1 where a value lies below, 1 above, 0 where it is a
        point; or none."""
        if len(sides) != len(places):
            places, values, sides = places[:0], values[:0], sides[:0]
        rows = np.flatnonzero((sides != 0) & np.isfinite(places) & np.isfinite(values))
        symbols = [_arrow(int(sides[i])) for i in rows]
        self.points.setData(places[rows], values[rows], symbol=symbols)

    def restyle(self) -> None:
        self.points.setPen(pen("data", 2.0))
        self.points.setBrush(brush("plot_background", 0.0))


def measured_words(p: Predicted, i: int) -> str:
    """What was measured at point i: ``measured 3.1``, or ``below 0.05 (a limit)``."""
    value = number(p.measured[i], 5)
    if not p.limited[i]:
        return f"measured {value}"
    return f"{'below' if p.sides[i] < 0 else 'above'} {value} (only a limit was measured)"


@cache
def _arrow(side: int) -> QPainterPath:
    """Down for a value below its limit; y points down in a symbol."""
    end = 0.48 if side < 0 else -0.48
    back = end - HEAD if side < 0 else end + HEAD
    path = QPainterPath()
    path.moveTo(-0.25, 0.0)
    path.lineTo(0.25, 0.0)
    path.moveTo(0.0, 0.0)
    path.lineTo(0.0, end)
    path.moveTo(-HEAD, back)
    path.lineTo(0.0, end)
    path.lineTo(HEAD, back)
    return path
