"""How the evidence bound (ELBO) went over the evaluations, with its uncertainty band; the warm-up shaded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem

from bayescope.engine.answer.digits import rough, with_error
from bayescope.gui.analysis.run_data import TracePoint
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas, Tip, brush, pen
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import duration

BAND_SDS = 1.96
LESS = 0.02  # nats: a smaller step down is not seen
BAND = "; band: 95 % uncertainty"
BOUND = f"a lower bound of the log evidence{BAND}"
EVEN = f"agrees with the log evidence (dashed) within their errors{BAND}"
SO_FAR = f"within the errors of the log evidence (dashed), as far as it is known; no answer yet{BAND}"
ABOVE = f"above the log evidence (dashed), of which it is a bound: one of them is off{BAND}"
FELL = f"fell, as the newest mixture fits the draws less closely; the log evidence (dashed) is as it was{BAND}"
WITHIN = 2.0  # standard deviations


class ElboTrace(PlotPanel):
    """``update_trace`` with all points; a click on one asks for that past iteration."""

    iteration_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__("Evidence bound (ELBO)", BOUND)
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0, "Simulator runs", "ELBO")
        self.warm_up = pg.LinearRegionItem(movable=False)
        self.warm_up.setZValue(-20)
        self.warm_up.hide()
        self._warm_words = pg.TextItem("warm-up", anchor=(0, 0))
        self._warm_words.hide()
        self.band = QGraphicsPolygonItem()
        self.band.setZValue(-10)
        self.line = pg.PlotDataItem()
        self.dots = pg.ScatterPlotItem(size=5, pxMode=True)
        self.evidence = pg.PlotDataItem()
        self.marker = pg.InfiniteLine(angle=90, movable=False)
        self.marker.hide()
        self.veil = pg.LinearRegionItem(movable=False)  # over what came after a past answer
        self.veil.setZValue(5)
        self.veil.hide()
        self.tip = Tip(self._canvas)
        for item in (
            self.warm_up,
            self._warm_words,
            self.band,
            self.evidence,
            self.line,
            self.dots,
            self.veil,
            self.marker,
        ):
            self.plot.addItem(item, ignoreBounds=True)
        self.trace: tuple[TracePoint, ...] = ()
        self._counted = "runs"
        self._x = np.empty(0)
        self._y = np.empty(0)
        self._range: tuple[float, float, float, float] | None = None
        self.zoomed = False
        self.plot.getViewBox().sigRangeChangedManually.connect(self._on_zoom)
        for moved in (self.plot.getViewBox().sigRangeChanged, self.plot.getViewBox().sigResized):
            moved.connect(self._fit_warm_words)
        self.plot.scene().sigMouseMoved.connect(self._on_move)
        self.plot.scene().sigMouseClicked.connect(self._on_click)
        self.set_plot(self._canvas)
        self.on_theme()
        self.update_trace(())

    def count(self, title: str, counted: str) -> None:
        """What is counted along the trace: ``title`` of its axis, and in sentences."""
        self._counted = counted
        self.plot.getAxis("bottom").setLabel(title)

    def update_trace(self, trace: Sequence[TracePoint]) -> None:
        self.trace = tuple(trace)
        if not self.trace:
            self.say_hint(BOUND)
            self.say_empty("The trace begins with the first answer.")
            return
        self.say_empty("")
        self._x = x = np.array([t.n_evaluations for t in self.trace], dtype=float)
        self._y = y = np.array([t.elbo for t in self.trace])
        sd = np.array([t.elbo_sd for t in self.trace])
        good = np.isfinite(y)
        sd = np.where(np.isfinite(sd), sd, 0.0)
        xs, low, high = x[good], (y - BAND_SDS * sd)[good], (y + BAND_SDS * sd)[good]
        outline = zip(np.concatenate([xs, xs[::-1]]), np.concatenate([high, low[::-1]]), strict=True)
        self.band.setPolygon(QPolygonF([QPointF(a, b) for a, b in outline]))
        self.say_hint(FELL if self._fell(y[good], sd[good]) else beside_evidence(self.trace[-1]))
        self._show_evidence(x)
        self.line.setData(xs, y[good])
        self.dots.setData(x=xs, y=y[good])
        self._show_warm_up()
        if not self.zoomed:
            self._fit(xs, y[good], low, high)

    def _show_evidence(self, x: Any) -> None:
        """From where on it was known: of what the ELBO is a bound."""
        evidence = np.array([t.log_evidence for t in self.trace])
        settled = np.isfinite(evidence) & ~np.array([t.warm_up for t in self.trace])
        self.evidence.setData(x[settled], evidence[settled])

    def _fell(self, y: Any, sd: Any) -> bool:
        """Whether the newest bound is below the largest of the last ones while the log evidence stayed what it was: the mixture
        is refitted to the draws now and then, and does not always come as near to them as before."""
        late = len(y) // 2
        if len(y) < 4:
            return False
        k = late + int(np.argmax(y[late:-1] - BAND_SDS * sd[late:-1]))
        drop, chance = float(y[k] - y[-1]), float(np.hypot(sd[k], sd[-1]))
        newest, before = self.trace[-1], self.trace[-len(y) + k] if len(y) == len(self.trace) else self.trace[-2]
        moved = abs(newest.log_evidence - before.log_evidence)
        return drop > max(LESS, chance) and not moved > 0.5 * drop

    def _show_warm_up(self) -> None:
        warm = [t.n_evaluations for t in self.trace if t.warm_up]
        shown = bool(warm)
        self.warm_up.setVisible(shown)
        if shown:
            after = [t.n_evaluations for t in self.trace if not t.warm_up and t.n_evaluations > warm[-1]]
            self.warm_up.setRegion((min(0, warm[0]), after[0] if after else warm[-1] + 1))
        self._fit_warm_words()

    def _fit_warm_words(self, *_: object) -> None:
        """In the band's corner, where the band has room for them and the curve is not under them."""
        box, words = self.plot.getViewBox(), self._warm_words.boundingRect()
        (left, right), (bottom, top) = self.warm_up.getRegion(), box.viewRange()[1]
        left = max(left, box.viewRange()[0][0])
        self._warm_words.setPos(left, top)
        per_x, per_y = box.viewPixelSize()
        room = (right - left) / per_x >= words.width() + 2 if per_x > 0 else False
        under = self._y[(self._x >= left) & (self._x <= left + words.width() * per_x)]
        free = not bool((under > top - words.height() * per_y).any()) and (top - bottom) / per_y >= 2 * words.height()
        self._warm_words.setVisible(self.warm_up.isVisible() and room and free)

    def _fit(self, x: Any, y: Any, low: Any, high: Any) -> None:
        """The settled part decides the height: early bounds may be thousands too low."""
        if not len(y):
            return
        late = len(y) // 2
        bottom, top = float(low[late:].min()), float(high[late:].max())
        known = self.evidence.getData()[1]
        if known is not None and len(known):
            top = max(top, min(float(known[-1]), top + (top - bottom)))  # seen too, unless it is far above
        span = max(top - bottom, 1.0)
        wanted = (float(min(x[0], 0)), float(max(x[-1] * 1.03, x[0] + 5)), bottom - 0.15 * span, top + 0.15 * span)
        old = self._range
        inside = old is not None and 1.1 * old[1] >= wanted[1] and old[2] <= bottom and old[3] >= top
        if inside and old is not None and top - bottom > 0.3 * (old[3] - old[2]):
            return
        self._range = wanted
        box = self.plot.getViewBox()
        box.setRange(xRange=(wanted[0], wanted[1] * 1.1), yRange=(wanted[2], wanted[3]), padding=0)
        self._fit_warm_words()

    def mark_iteration(self, iteration: int | None) -> None:
        """A line at the iteration the scrubber shows; None: the newest."""
        at = next((t.n_evaluations for t in self.trace if t.iteration == iteration), None)
        self.marker.setVisible(at is not None)
        self.veil.setVisible(at is not None)
        if at is not None:
            self.marker.setValue(at)
            self.veil.setRegion((at, 1e6 + at))

    def nearest(self, scene_x: float, scene_y: float, within: float = 14.0) -> TracePoint | None:
        """The point of the trace under the mouse."""
        if not len(self._x):
            return None
        box = self.plot.getViewBox()
        per_x, per_y = box.viewPixelSize()
        at = box.mapSceneToView(QPointF(scene_x, scene_y))
        d = ((self._x - at.x()) / per_x) ** 2 + (np.where(np.isfinite(self._y), self._y - at.y(), np.inf) / per_y) ** 2
        k = int(np.argmin(d))
        return self.trace[k] if d[k] <= within**2 else None

    def _on_move(self, at: QPointF) -> None:
        point = self.nearest(at.x(), at.y()) if self.trace else None
        if point is None:
            self.tip.hide()
            return
        elbo = with_error(point.elbo, point.elbo_sd, "−")
        evidence = with_error(point.log_evidence, point.log_evidence_sd, "−")
        runs = f"iteration {point.iteration}, {point.n_evaluations} {self._counted}"
        took = f"\nafter {duration(point.elapsed_s)}" if point.elapsed_s > 0.0 else ""  # 0: made from runs that there were
        words = f"{runs}\nELBO {elbo}\nlog evidence {evidence}{took}"
        self.tip.show_at(self.plot, point.n_evaluations, point.elbo, words)

    def _on_click(self, event: Any) -> None:
        at = event.scenePos()
        point = self.nearest(at.x(), at.y())
        if point is not None and event.button() == Qt.MouseButton.LeftButton:
            self.iteration_chosen.emit(point.iteration)

    def _on_zoom(self, *_: object) -> None:
        self.zoomed = True

    def reset(self) -> None:
        self.zoomed, self._range = False, None
        self.update_trace(self.trace)

    def on_theme(self) -> None:
        self._canvas.restyle()
        self.line.setPen(pen("elbo", 2.0))
        self.evidence.setPen(pen("prior", 1.2, Qt.PenStyle.DashLine))
        self.dots.setBrush(brush("elbo"))
        self.dots.setPen(None)
        self.band.setBrush(brush("elbo", 0.18))
        self.band.setPen(pen("elbo", 0.5, alpha=0.3))
        self.warm_up.setBrush(brush("warm_up"))
        for edge in self.warm_up.lines:
            edge.setPen(pen("prior", 1.0, Qt.PenStyle.DotLine))
        self._warm_words.setFont(theme.small_font())
        self._warm_words.setColor(pen("plot_text").color())
        self.marker.setPen(pen("highlight", 1.5))
        self.marker.setZValue(6)
        self.veil.setBrush(brush("plot_background", 0.65))
        for edge in self.veil.lines:
            edge.setPen(pen("plot_background", 0.0, alpha=0.0))

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)


def beside_evidence(newest: TracePoint) -> str:
    """Where the newest bound lies, measured by the log evidence that is drawn."""
    gap = newest.log_evidence - newest.elbo
    if newest.warm_up or not math.isfinite(gap):
        return BOUND
    error = WITHIN * float(np.nan_to_num(math.hypot(newest.elbo_sd, newest.log_evidence_sd)))
    if abs(gap) <= max(error, LESS):
        return EVEN if newest.converged else SO_FAR
    return ABOVE if gap < 0.0 else f"now {rough(gap)} nats below the log evidence (dashed){BAND}"
