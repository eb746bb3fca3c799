"""One data column with what is predicted for it: bands, median, runs, and the curve of a point that the user chose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsPolygonItem

from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.what_if import Curve
from bayescope.engine.problem.data.rows.across import along, by_factors
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.gui.plots.data_plot import DASH, are_dates, decades, label_ticks
from bayescope.gui.plots.limit_points import LimitPoints, measured_words
from bayescope.gui.plots.pg import Canvas, Tip, brush, mode_pen, pen
from bayescope.gui.style.words import number

Array = NDArray[np.float64]
BEST_LINES = 12
HOVER_PIXELS = 12.0
HALF_ROOM = 44  # characters below one of two plots side by side
BAR, LABEL_BAR = 7.0, 16.0  # pixels across
MOST_ROOM = 0.6  # beyond data and median, in their span


class PredictedColumn:
    """``plot``: a plot of ``canvas``; ``show`` draws the predictions, ``show_curve`` a chosen point's curve over them."""

    def __init__(self, canvas: Canvas, plot: Any) -> None:
        self._canvas, self.plot = canvas, plot
        self.band, self.missed_band, self.curve_band = (band_item(z) for z in (-10, -8, 5))
        self.measured_bars = QGraphicsPathItem()  # of measured values: at the data alone, nothing of them is known between
        self.measured_bars.setZValue(-12)
        self.band_bars, self.curve_bars = QGraphicsPathItem(), QGraphicsPathItem()  # in place of bands, at labels
        self.band_bars.setZValue(-10)
        self.curve_bars.setZValue(5)
        self.dashes = False  # at each place by itself: between labels there is nothing
        self.median, self.curve, self.missed = (pg.PlotDataItem() for _ in range(3))
        self.curve.setZValue(6)
        self.best = [pg.PlotDataItem() for _ in range(BEST_LINES)]
        self.data_points = pg.ScatterPlotItem(size=9, pxMode=True, symbol="o")
        self.data_points.setZValue(10)
        self._room = pg.PlotDataItem(pen=pg.mkPen(0, 0, 0, 0))  # not seen: how much of the outer band the view makes room for
        self._grown = pg.PlotDataItem(pen=pg.mkPen(0, 0, 0, 0))  # ... and what the chosen curves and runs reached so far
        self.left_out = pg.ScatterPlotItem(size=8, pxMode=True, symbol="x")  # measured, and in no likelihood
        self.left_out.setZValue(9)
        self.returned = pg.ScatterPlotItem(size=8, pxMode=True, symbol="s")  # by a run at the place of the curve
        self.returned.setZValue(11)
        self.errors = pg.ErrorBarItem(x=np.zeros(1), y=np.zeros(1), height=np.zeros(1), beam=0.0)
        self.errors.setVisible(False)
        self.errors.setZValue(9)
        for item in (*self.best, self.median, self.missed, self.left_out, self.data_points, self._room, self._grown):
            plot.addItem(item)
        bars = self.measured_bars, self.band_bars, self.curve_bars
        for item in (*bars, self.band, self.missed_band, self.curve_band, self.curve, self.errors, self.returned):
            plot.addItem(item, ignoreBounds=True)  # as much of a curve is in view as ``_grow`` says
        self.modes: list[pg.PlotDataItem] = []  # the median of each separate mode
        self.limits = LimitPoints(plot)
        self.shown: Predicted | None = None
        self._base = np.empty(0)  # what is taken off everything that is drawn
        self._places = np.empty(0)  # where the data stand across: their log10 if they are spread by factors
        self.restyle()

    def show(self, p: Predicted, residuals: bool = False, whole: bool = True) -> None:
        """``residuals``: everything less the predicted median. ``whole``: at every row that the program records."""
        self.shown = p
        self._grown.setData([], [])
        self._base = p.ends[1] if residuals else np.zeros(len(p.x))
        dated = are_dates(p)
        log = not dated and by_factors(p.x[np.isfinite(p.x)])
        self._places = np.log10(p.x) if log else p.x
        finite = self._places[np.isfinite(self._places)]
        labelled = len(p.names) == len(p.x) > 0 and not log and not dated
        named = label_ticks(p, np.argsort(p.x, kind="stable"), HALF_ROOM) if labelled else None
        self.plot.getAxis("bottom").setTicks(decades(finite) if log and len(finite) else named)
        self.plot.getAxis("bottom").show_dates(dated and len(p.x) > 1)
        x, order = along(self._places)
        if len(self._places) == 1 and named is None:
            self.plot.getAxis("bottom").setTicks([[(float(p.x[0]), p.names[0] if dated else number(float(p.x[0]), 5))], []])
        base = self._base[order]
        low, middle, high = (v[order] - base for v in p.ends)
        curve = (x, low, middle, high) if residuals or not whole else _whole(p, log) or (x, low, middle, high)
        self.dashes = len(x) > 1 and (p.apart or (named is not None and not unit_of(p.names)))
        self._style_lines()
        self._outline(self.band, self.band_bars, curve[0], curve[1], curve[3])
        if p.bands is None:
            self.measured_bars.setPath(QPainterPath())
            bare = len(x) > 1 and not np.isfinite(p.measured).any()  # there is nothing but the band to look at
            self._room.setData(*((x[[0, -1]], [float(low.min()), float(high.max())]) if bare else ([], [])))
        else:
            ends = p.bands.measured_low[order] - base, p.bands.measured_high[order] - base
            self.measured_bars.setPath(_bars(x, *ends))
            inner = (low, high) if residuals else (middle,)  # of residuals there is little else to look at
            low_end, high_end = _room(np.concatenate([p.measured - self._base, *inner]), *ends)
            if p.missed is not None and residuals:
                low_end, high_end = min(low_end, float(p.missed.low.min())), max(high_end, float(p.missed.high.max()))
            self._room.setData(x[[0, -1]], [low_end, high_end])
        if curve[0] is not x:
            self._make_room(curve)
        self.median.setData(curve[0], curve[2])
        self._show_missed(p, x, order, residuals)
        best = np.argsort(p.weights)[::-1][:BEST_LINES]
        for line, i in zip(self.best, [*best, *[-1] * (BEST_LINES - len(best))], strict=True):
            line.setData(x, p.runs[i][order] - base) if i >= 0 else line.setData([], [])
        there = np.isfinite(p.measured) & ~p.limited  # nothing was measured of an output that is compared with nothing
        self.limits.show(p.sides, self._places, p.measured - self._base)
        self.data_points.setData(self._places[there], (p.measured - self._base)[there])
        self._show_single()
        self._show_left_out(p, log, residuals)
        for side, name in (("bottom", p.x_label), ("left", p.y_label + (" − predicted" if residuals else ""))):
            self._canvas.label(self.plot, side, name)

    def _make_room(self, curve: tuple[Array, Array, Array, Array]) -> None:
        """For the band of the whole output, and what has room already."""
        inner = np.concatenate([curve[2], *([] if (y := self._room.getData()[1]) is None else [y])])
        low, high = _room(inner, curve[1], curve[3])
        self._room.setData(curve[0][[0, -1]], [min(low, float(inner.min())), max(high, float(inner.max()))])

    def _show_single(self) -> None:
        """A single value has no neighbours to be seen beside: its error bar is drawn, and the view holds all that is shown."""
        p = self.shown
        if p is not None and len(p.x) > 1:
            self._show_errors(p)
            return
        single = p is not None and len(p.x) == 1
        sd = float(p.sds[0]) if single and p is not None and len(p.sds) else 0.0
        known = single and 0.0 < sd < 1e300 and p is not None and not p.limited[0]
        self.errors.setVisible(known)
        if p is None or not single:
            return
        at = float(p.measured[0] - self._base[0])
        if known:
            self.errors.setData(x=self._places, y=np.array([at]), height=np.array([2.0 * sd]))
        ends = [at - sd, at + sd] if known else [at] if np.isfinite(at) else []
        drawn = [b.polygon().boundingRect() for b in (self.band, self.missed_band, self.curve_band) if not b.polygon().isEmpty()]
        drawn += [] if self.measured_bars.path().isEmpty() else [self.measured_bars.path().boundingRect()]
        for box in drawn:
            ends += [box.top(), box.bottom()]
        for line in (self.curve, *self.modes):
            values = line.getData()[1]
            ends += [] if values is None else [float(v) for v in values]
        if ends:
            self._room.setData(along(self._places)[0], [min(ends), max(ends)])

    def _show_errors(self, p: Predicted) -> None:
        """Of every measured value, where no band holds them already."""
        told = p.sds if len(p.sds) == len(p.x) else np.full(len(p.x), np.nan)
        known = np.isfinite(told) & (told > 0.0) & (told < 1e300) & ~p.limited
        self.errors.setVisible(bool(known.any()) and p.bands is None)
        if p.bands is not None or not known.any():
            return
        at, sd = (p.measured - self._base)[known], p.sds[known]
        self.errors.setData(x=self._places[known], y=at, height=2.0 * sd)
        if self._room.getData()[1] is None:
            self._room.setData(along(self._places)[0][[0, -1]], [float((at - sd).min()), float((at + sd).max())])

    def _show_left_out(self, p: Predicted, log: bool, residuals: bool) -> None:
        """Not among residuals: nothing was predicted for what takes no part."""
        x, y = p.left_out
        good = np.isfinite(x) & (x > 0.0 if log else True) & (not residuals)
        self.left_out.setData(np.log10(x[good]) if log else x[good], y[good])

    def _show_missed(self, p: Predicted, x: Array, order: NDArray[np.intp], residuals: bool) -> None:
        """What the program misses, where it may be off: by itself among residuals, else together with what it predicts."""
        if p.missed is None:
            self.missed.setData([], [])
            self.missed_band.setPolygon(QPolygonF())
            return
        m = p.missed
        low, middle, high = (m.low, m.middle, m.high) if residuals else (m.whole_low, m.whole_middle, m.whole_high)
        self.missed.setData(x, middle[order])
        outline(self.missed_band, x, low[order], high[order])

    def show_modes(self, lines: Sequence[Array]) -> None:
        """The median of each separate mode (m,), where there are several; every second one is dashed: they may coincide."""
        while len(self.modes) < len(lines):
            item = pg.PlotDataItem()
            item.setZValue(3)
            self.plot.addItem(item, ignoreBounds=True)
            self.modes.append(item)
        self._colour_modes()
        for k, item in enumerate(self.modes):
            p = self.shown
            if p is None or k >= len(lines) or len(lines[k]) != len(p.x):
                item.setData([], [])
                continue
            x, order = along(self._places)
            item.setData(x, (lines[k] - self._base)[order])
        self.median.setVisible(not len(lines))
        self._show_single()

    def _colour_modes(self) -> None:
        for k, item in enumerate(self.modes):
            self._draw_with(item, mode_pen(k, 2.0, Qt.PenStyle.DashLine if k % 2 else Qt.PenStyle.SolidLine))

    def show_curve(self, curve: Curve | None) -> None:
        """None: take it away."""
        if curve is None or self.shown is None or len(curve.middle) != len(self.shown.x):
            self.curve.setData([], [])
            self.curve_band.setPolygon(QPolygonF())
            self.curve_bars.setPath(QPainterPath())
            self._grown.setData([], [])
            self._show_single()
            return
        x, order = along(self._places)
        low, middle, high = ((v - self._base)[order] for v in (curve.low, curve.middle, curve.high))
        self.curve.setData(x, middle)
        if not self.dashes:
            self.curve.setPen(pen("highlight", 2.5, Qt.PenStyle.SolidLine if curve.known else Qt.PenStyle.DashLine))
        self._outline(self.curve_band, self.curve_bars, x, low, high)
        self._grow(*_room(middle, low, high))
        self._show_single()

    def _grow(self, low: float, high: float) -> None:
        """Room for what is shown now; the axes do not shrink again while a parameter is dragged."""
        before = self._grown.getData()[1]
        before = [] if before is None else list(before)
        if np.isfinite([low, high]).all() and len(self._places):
            x, _ = along(self._places)
            self._grown.setData(x[[0, -1]], [min([low, *before]), max([high, *before])])

    def show_returned(self, values: Array | None) -> None:
        """What a run returned (m,) at the place of the curve; None: none was made."""
        if values is None or self.shown is None or len(values) != len(self.shown.x):
            self.returned.setData([], [])
        else:
            self.returned.setData(self._places, values - self._base)
            there = (values - self._base)[np.isfinite(values)]
            if len(there):
                self._grow(float(there.min()), float(there.max()))

    def point_at(self, scene: QPointF, tip: Tip) -> bool:
        """The measurement under the mouse beside what is predicted for it."""
        p = self.shown
        if p is None or not len(p.x) or len(self._places) != len(p.x):
            return False
        box = self.plot.getViewBox()
        if not box.sceneBoundingRect().contains(scene):
            return False
        per_x, per_y = box.viewPixelSize()
        at = box.mapSceneToView(scene)
        d = ((self._places - at.x()) / per_x) ** 2 + ((p.measured - self._base - at.y()) / per_y) ** 2
        i = int(np.argmin(np.where(np.isfinite(d), d, np.inf)))
        if not d[i] <= HOVER_PIXELS**2:
            return False
        low, middle, high = (v[i] for v in p.ends)
        words = (
            f"{p.x_label} {p.names[i] if p.names else number(p.x[i], 5)}\n{measured_words(p, i)}\n"
            f"predicted {number(middle, 4)} ({number(low, 4)} … {number(high, 4)})"
        )
        if p.missed is not None:
            words += f"\nmissed {number(p.missed.middle[i], 4)} ({number(p.missed.low[i], 4)} … {number(p.missed.high[i], 4)})"
        if p.bands is not None:
            words += f"\nwith noise {number(p.bands.measured_low[i], 4)} … {number(p.bands.measured_high[i], 4)}"
        tip.show_at(self.plot, float(self._places[i]), float(p.measured[i] - self._base[i]), words)
        return True

    def _outline(
        self, band: QGraphicsPolygonItem, bars: QGraphicsPathItem, x: Array, low: Array, high: Array
    ) -> None:
        """A band along the places, or a bar at each label."""
        if self.dashes:
            band.setPolygon(QPolygonF())
            bars.setPath(_bars(x, low, high))
        else:
            bars.setPath(QPainterPath())
            outline(band, x, low, high)

    def _style_lines(self) -> None:
        """Lines along the places, or a dash at each label."""
        self._draw_with(self.median, pen("prediction", 2.0))
        self._draw_with(self.curve, pen("highlight", 2.5))
        for line in self.best:
            self._draw_with(line, pen("prediction", 1.0, alpha=0.25))
        self._colour_modes()

    def _draw_with(self, item: pg.PlotDataItem, line: QPen) -> None:
        item.setPen(None if self.dashes else line)
        item.setSymbolPen(None)
        item.setSymbolBrush(line.color())
        item.setSymbolSize(DASH)
        item.setSymbol("_" if self.dashes else None)

    def restyle(self) -> None:
        self._style_lines()
        self.limits.restyle()
        self.band.setBrush(brush("prediction", 0.3))
        self.band.setPen(pen("prediction", 0.5, alpha=0.3))
        self.missed.setPen(pen("evidence", 2.0, Qt.PenStyle.DashLine))
        self.missed_band.setBrush(brush("evidence", 0.3))
        self.missed_band.setPen(pen("evidence", 0.5, alpha=0.5))
        bars = pen("prediction", BAR, alpha=0.22)
        bars.setCapStyle(Qt.PenCapStyle.FlatCap)
        self.measured_bars.setPen(bars)
        for item, colour, alpha in ((self.band_bars, "prediction", 0.3), (self.curve_bars, "highlight", 0.4)):
            wide = pen(colour, LABEL_BAR, alpha=alpha)
            wide.setCapStyle(Qt.PenCapStyle.FlatCap)
            item.setPen(wide)
        self.curve_band.setBrush(brush("highlight", 0.25))
        self.curve_band.setPen(pen("highlight", 0.5, alpha=0.4))
        self.data_points.setBrush(brush("plot_background"))
        self.data_points.setPen(pen("data", 2.0))
        self.returned.setBrush(brush("highlight"))
        self.returned.setPen(pen("plot_background", 1.0))
        self.errors.setData(pen=pen("data", 1.2, alpha=0.6))
        self.left_out.setPen(pen("plot_axis", 1.5))
        self.left_out.setBrush(brush("plot_axis"))


def _whole(p: Predicted, log: bool) -> tuple[Array, Array, Array, Array] | None:
    """Places across the plot, low end, median and high end; None: no more is known than at the data."""
    w = p.whole
    if w is None:
        return None
    there = w.x > 0.0 if log else np.ones(len(w.x), dtype=bool)
    return (np.log10(w.x[there]) if log else w.x), w.low[there], w.middle[there], w.high[there]


def band_item(z: float) -> QGraphicsPolygonItem:
    made = QGraphicsPolygonItem()
    made.setZValue(z)
    return made


def _bars(x: Array, low: Array, high: Array) -> QPainterPath:
    """One line at each place."""
    path = QPainterPath()
    for at, a, b in zip(x.tolist(), low.tolist(), high.tolist(), strict=True):
        path.moveTo(at, a)
        path.lineTo(at, b)
    return path


def _room(inner: Array, low: Array, high: Array) -> tuple[float, float]:
    """The ends of a band, not much farther than the values ``inner`` reach: early answers may have bands wide beyond use."""
    reach = MOST_ROOM * float(np.ptp(inner))
    return max(float(low.min()), float(inner.min()) - reach), min(float(high.max()), float(inner.max()) + reach)


def outline(item: QGraphicsPolygonItem, x: Array, low: Array, high: Array) -> None:
    corners = zip(np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]]), strict=True)
    item.setPolygon(QPolygonF([QPointF(a, b) for a, b in corners]))
