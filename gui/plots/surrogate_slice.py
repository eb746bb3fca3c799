"""The surrogate along each parameter through its maximum: mean and 95 % band. Where the band is wide, it does not know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPolygonItem, QScrollArea

from bayescope.engine.answer.surrogate_peak import SurrogatePeak
from bayescope.engine.problem.definition import Parameter, with_names
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.models.scales import is_logarithmic, on_axis
from bayescope.gui.plots.curves import mixture_slices
from bayescope.gui.plots.marginals import axis_name
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, brush, path_of, pen

Array = NDArray[np.float64]
SPAN = 40.0  # log-density units below the top that are shown


class _Slice:
    def __init__(self, plot: Any) -> None:
        self.plot = plot
        self.zoomed = False  # by the mouse: kept until the zoom is reset
        self._fitting: tuple[tuple[float, float], tuple[float, float]] | None = None
        plot.getViewBox().sigRangeChangedManually.connect(self._on_zoom)
        self.band = QGraphicsPolygonItem()
        self.band.setZValue(-5)
        self.mean = QGraphicsPathItem()  # pyqtgraph's data items cost three times as much per update
        self.center = pg.InfiniteLine(angle=90, movable=False)
        for item in (self.band, self.mean, self.center):
            plot.addItem(item, ignoreBounds=True)
        self.restyle()

    def _on_zoom(self, *_: object) -> None:
        self.zoomed = True

    def fit(self) -> None:
        """Show all of it again."""
        self.zoomed = False
        if self._fitting is not None:
            x, y = self._fitting
            self.plot.getViewBox().setRange(xRange=x, yRange=y, padding=0.03)

    def restyle(self) -> None:
        self.mean.setPen(pen("evidence", 2.0))
        self.band.setBrush(brush("evidence", 0.18))
        self.band.setPen(pen("evidence", 0.5, alpha=0.3))
        self.center.setPen(pen("prior", 1.0, Qt.PenStyle.DotLine))

    def update(self, x: Any, mean: Any, sd: Any, center: float) -> None:
        good = np.isfinite(x) & np.isfinite(mean) & np.isfinite(sd)
        x, mean, sd = x[good], mean[good], sd[good]
        self.mean.setPath(path_of(x, mean))
        low, high = mean - 1.96 * sd, mean + 1.96 * sd
        outline = zip(np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]]), strict=True)
        self.band.setPolygon(QPolygonF([QPointF(a, b) for a, b in outline]))
        self.center.setValue(center)
        if len(x):
            top = float(mean.max())
            shown = mean > top - SPAN
            x_range = (float(x[shown].min()), float(x[shown].max()))
            bottom = max(float(low[shown].min()), top - 1.3 * SPAN)
            highest = min(float(high[shown].max()), top + SPAN)
            self._fitting = (x_range, (bottom, highest))
            if not self.zoomed:
                self.fit()


def jacobians(space: ParameterSpace, center: Array, i: int, u: Array) -> Array:
    """(n,) what the log density in inference space has more than that in the user's units, along coordinate ``i`` at ``u`` (n,)
    through ``center`` (D,)."""
    points = np.tile(center, (len(u), 1))
    points[:, i] = u
    return space.log_jacobian(points)


class SurrogateSlices(PlotPanel):
    """One small plot per parameter, in the user's units: the log density is that of the runs listed."""

    def __init__(self) -> None:
        super().__init__(*_MAXIMUM)
        self._canvas = Canvas()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidget(self._canvas)
        self.slices: list[_Slice] = []
        self._parameters: tuple[Parameter, ...] = ()
        self.set_plot(self._scroll)
        self.say_empty(_NONE)

    def show_problem(self, parameters: Sequence[Parameter]) -> None:
        if tuple(parameters) == self._parameters:
            return
        self._parameters = tuple(parameters)
        self._canvas.clear()
        columns = max(1, min(len(self._parameters), 2 if len(self._parameters) <= 4 else 4))
        self.slices = []
        with self._canvas.at_once():
            for k, p in enumerate(with_names(self._parameters)):
                label = "log density" if k % columns == 0 else ""
                self.slices.append(_Slice(self._canvas.add_plot(k // columns, k % columns, axis_name(p), label)))
                self.slices[-1].plot.getAxis("bottom").show_powers(is_logarithmic(p))
        self._canvas.setMinimumHeight(math.ceil(max(len(self._parameters), 1) / columns) * 130)
        self.say_empty(_NONE)

    def update_answer(self, answer: Answer | None, space: ParameterSpace | None) -> None:
        """Draw the slices that came with the answer; those of its mixture, and say so, where they are not kept any more."""
        if space is None or answer is None or answer.means.shape[1] != len(self.slices):
            self.say_empty(_NONE)
            return
        parts = answer.slices
        kept = len(parts.get("u", ())) == len(self.slices)
        peak = SurrogatePeak.of(parts, len(self.slices))
        place = np.asarray(parts["center"] if kept else ())
        there = peak is not None and place.shape == peak.place.shape
        at_peak = there and peak is not None and bool(np.allclose(place, peak.place, rtol=1e-9, atol=1e-9))
        self.describe(*(_MIXTURE if not kept else _MAXIMUM if at_peak else _RUN))
        if not kept:
            parts = mixture_slices(answer.weights, answer.means, answer.covariances, answer.trace.log_evidence)
        self.say_empty("")
        center = np.asarray(parts["center"])
        for i, part in enumerate(self.slices):
            u, transform = parts["u"][i], space.transforms[i]
            log = is_logarithmic(self._parameters[i])
            middle = float(on_axis(transform.to_user(center[i : i + 1]), log)[0])
            mean = parts["mean"][i] - jacobians(space, center, i, u)
            part.update(on_axis(transform.to_user(u), log), mean, parts["sd"][i], middle)

    def reset(self) -> None:
        for part in self.slices:
            part.fit()

    def on_theme(self) -> None:
        self._canvas.restyle()
        for part in self.slices:
            part.restyle()

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)

    def figure_size(self) -> QSize:
        return QSize(self._canvas.size())


_MAXIMUM = (
    "Surrogate through its maximum",
    "dotted: “Maximum” in Results → Best fit, which need not be the best run; band: 95 % uncertainty",
)
_RUN = (
    "Surrogate through a run",
    "dotted: the run at which it is highest, which need not be the best run; band: 95 % uncertainty",
)
_MIXTURE = (
    "Posterior mixture through its peak",
    "shown instead: the surrogate of this older answer is not kept, so there is no band of uncertainty",
)
_NONE = "The surrogate is fitted after the first runs; its slices appear here."
