"""One marginal as a single graphics item: prior, area, 90 % interval, curve, median and words, painted in pixels.

Six items of pyqtgraph for the same picture cost twice as much per update: each has its own transform, bounds and paint call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from bayescope.engine.answer.modes import mode_name
from bayescope.gui.plots.curves import MarginalCurve
from bayescope.gui.plots.pg import path_of
from bayescope.gui.plots.polylines import hatched_area, hatching
from bayescope.gui.style.theme import theme

Array = NDArray[np.float64]
FLAT = 0.5  # pixels above the axis: nothing of a mode is seen there
FINEST = 2.0  # pixels between the points of a drawn curve: finer ones cannot be seen


class MarginalItem(QGraphicsItem):
    """Child of a ``ViewBox``, which it fills; pens are in logical pixels, so it is right on paper and at any scale."""

    def __init__(self, box: Any, prior_x: Array, prior_y: Array) -> None:
        super().__init__(box)
        self.box = box
        self.prior_x, self.prior_y = prior_x, prior_y
        self.curve: MarginalCurve | None = None
        self.words = ""
        self.sketch = False
        self._shown_words = ""  # cut where there is no room for all
        self._shapes: _Shapes | None = None
        self._prior, self._prior_view = QPainterPath(), ""  # kept while the view stays
        self.restyle()
        box.sigRangeChanged.connect(self._on_range)
        box.sigResized.connect(self._on_resized)

    def restyle(self) -> None:
        """Take the colours and the font of the theme."""
        self.prior_pen = QPen(theme.colour("prior"), 1.4, Qt.PenStyle.DashLine)
        self.curve_pen = QPen(theme.colour("posterior"), 2.0)
        self._sketch_pen = QPen(theme.colour("posterior"), 1.6, Qt.PenStyle.DotLine)
        self._median_pen = QPen(theme.colour("posterior"), 1.0, Qt.PenStyle.DotLine)
        self._possible_pen = QPen(theme.colour("posterior", 0.4), 0.8)
        self._area = QBrush(theme.colour("posterior", 0.13))
        self._core = QBrush(theme.colour("posterior", 0.26))
        self._text, self._font = QPen(theme.colour("text")), theme.small_font()
        self._ground = theme.colour("surface", 0.85)
        self._letters = theme.small_font()
        self._letters.setBold(True)
        self._forget()

    def show_curve(self, curve: MarginalCurve | None, words: str = "", sketch: bool = False) -> None:
        """Draw ``curve`` with ``words`` in the upper right corner; None: the prior alone. ``sketch``: dotted, no interval."""
        self.curve, self.words, self.sketch = curve, words, sketch
        self._forget()

    def _on_range(self, *_: object) -> None:
        self._forget()

    def _on_resized(self, *_: object) -> None:
        self.prepareGeometryChange()
        self._forget()

    def _forget(self) -> None:
        self._shapes = None
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(self.box.rect())

    def paint(self, p: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self._shapes is None:
            self._shapes = _Shapes(self.box, self.curve)
            self._place()
        s = self._shapes
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # ten times dearer; the smooth curve covers the edge
        if s.area is not None and not s.modes:
            p.fillPath(s.area, self._area)
        for core in s.cores if not s.modes and not self.sketch else ():
            p.fillPath(core, self._core)
        if s.failing is not None:
            p.fillPath(s.failing, hatching())
        for k, mode in enumerate(s.modes):
            p.fillPath(mode.area, theme.mode_colour(k, 0.16))
            for core in mode.cores:
                p.fillPath(core, theme.mode_colour(k, 0.3))
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(self.prior_pen)
        p.drawPath(self._prior)
        p.setPen(self._possible_pen)
        for line in s.possible:
            p.drawPath(line)
        if s.median is not None and not self.sketch:
            p.setPen(self._median_pen)
            p.drawLine(*s.median)
        if s.line is not None:
            p.setPen(self._sketch_pen if self.sketch else self.curve_pen)
            p.drawPath(s.line)
        if s.modes:
            self._paint_modes(p, s.modes)
        if self.words:
            p.fillRect(self._words_over, self._ground)  # other posteriors may rise as high as the words stand
            p.setPen(self._text)
            p.setFont(self._font)
            p.drawText(self._words_at, self._shown_words)

    def _paint_modes(self, p: QPainter, modes: list[_ModeShape]) -> None:
        """The curve of each in its colour, its letter under the peak, or above one too low for it."""
        metrics = QFontMetricsF(self._letters)
        for k, mode in enumerate(modes):
            p.setPen(QPen(theme.mode_colour(k), 2.0))
            p.drawPath(mode.line)
        p.setFont(self._letters)
        floor, taken = self.boundingRect().bottom(), [QRectF()]
        for k, mode in enumerate(modes):
            low = floor - mode.peak.y() < 2 * metrics.height()
            size = QSizeF(metrics.horizontalAdvance(mode.name) + 2, metrics.height())
            top = mode.peak.y() + (-size.height() - 2 if low else 2)
            at = QRectF(QPointF(mode.peak.x() - 0.5 * size.width(), top), size)
            while any(at.intersects(other) for other in taken):  # peaks of a parameter that does not tell the modes apart
                at.translate(0.5 * size.width(), 0.0)
            taken.append(at)
            p.setPen(theme.mode_colour(k) if low else self._text)
            p.drawText(at, int(Qt.AlignmentFlag.AlignCenter), mode.name)

    def _place(self) -> None:
        """The words to the right, and the prior if the view has changed."""
        metrics, rect = QFontMetricsF(self._font), self.boundingRect()
        self._shown_words = metrics.elidedText(self.words, Qt.TextElideMode.ElideRight, max(rect.width() - 6, 30))
        self._words_at = QPointF(
            rect.right() - 3 - metrics.horizontalAdvance(self._shown_words), rect.top() + 1 + metrics.ascent()
        )
        wide = metrics.horizontalAdvance(self._shown_words)
        self._words_over = QRectF(rect.right() - 6 - wide, rect.top() + 1, wide + 6, metrics.height())
        view = f"{self.box.viewRange()} {rect.width()} {rect.height()}"
        if self._shapes is not None and view != self._prior_view:
            self._prior, self._prior_view = self._shapes.line_of(self.prior_x, self.prior_y), view


@dataclass(frozen=True)
class _ModeShape:
    """The part of a curve that belongs to one mode."""

    name: str
    line: QPainterPath
    area: QPainterPath
    cores: list[QPainterPath]
    peak: QPointF


class _Shapes:
    """The shapes of a curve in the pixels of its box, made once per answer, range and size."""

    def __init__(self, box: Any, curve: MarginalCurve | None) -> None:
        rect = QRectF(box.rect())
        (self._x0, x1), (self._y0, y1) = box.viewRange()
        self._sx, self._sy = rect.width() / ((x1 - self._x0) or 1.0), rect.height() / ((y1 - self._y0) or 1.0)
        self._x1, self._left, self._bottom, self._top = x1, rect.left(), rect.bottom(), rect.top()
        self.area: QPainterPath | None = None
        self.cores: list[QPainterPath] = []  # the parts of the 90 % interval
        self.line: QPainterPath | None = None
        self.median: tuple[QPointF, QPointF] | None = None
        self.failing: QPainterPath | None = None  # where runs fail
        self.possible: list[QPainterPath] = []  # other posteriors that the runs allow
        self.modes: list[_ModeShape] = []
        if curve is None:
            return
        x, y = self._pixels(curve.x, curve.density)
        self.line, self.area = path_of(x, y), self._closed(x, y)
        if curve.possible is not None:
            self.possible = [self.line_of(curve.x, other) for other in curve.possible]
        if len(x) > 1:
            parts = (self._between(x, y, self._across(a), self._across(b)) for a, b in curve.intervals)
            self.cores = [part for part in parts if part is not None]
            median = self._across(curve.median)
            self.median = QPointF(median, self._bottom), QPointF(median, float(np.interp(median, x, y)))
            if curve.failing is not None:
                places = self._left + (curve.x - self._x0) * self._sx
                self.failing = hatched_area(x, y, self._bottom, np.interp(x, places, curve.failing))

            for k, share in enumerate(() if curve.shares is None else curve.shares):
                self._add_mode(mode_name(k), curve, share)

    def _add_mode(self, name: str, curve: MarginalCurve, share: Array) -> None:
        x, y = self._pixels(curve.x, curve.density * share)
        there = np.flatnonzero(y < self._bottom - FLAT)
        if len(there) < 2:
            return
        x, y = x[there[0] : there[-1] + 1], y[there[0] : there[-1] + 1]
        area = self._closed(x, y)
        assert area is not None
        parts = (self._between(x, y, self._across(a), self._across(b)) for a, b in curve.intervals)
        top = int(np.argmin(y))
        peak = QPointF(float(x[top]), float(y[top]))
        self.modes.append(_ModeShape(name, path_of(x, y), area, [part for part in parts if part is not None], peak))

    def _between(self, x: Array, y: Array, low: float, high: float) -> QPainterPath | None:
        """The area under the curve (x, y) from low to high, all in pixels."""
        inside = (x > low) & (x < high)
        ends = np.interp([low, high], x, y)
        return self._closed(
            np.concatenate([[low], x[inside], [high]]), np.concatenate([ends[:1], y[inside], ends[1:]])
        )

    def line_of(self, x: Array, y: Array) -> QPainterPath:
        """Another curve in the same view."""
        return path_of(*self._pixels(x, y))

    def _across(self, value: float) -> float:
        return float(self._left + (value - self._x0) * self._sx)

    def _pixels(self, x: Array, y: Array) -> tuple[Array, Array]:
        """In pixels; what lies outside the view is left out, and points closer than can be seen."""
        good = np.isfinite(x) & np.isfinite(y)
        px, py = self._left + (x[good] - self._x0) * self._sx, self._bottom - (y[good] - self._y0) * self._sy
        span = self._x1 - self._x0
        margin = 0.05 * span * self._sx
        first = max(int(np.searchsorted(px, self._left - margin)) - 1, 0)
        last = int(np.searchsorted(px, self._left + span * self._sx + margin)) + 1
        px, py = px[first:last], np.maximum(py[first:last], self._top - 4 * (self._bottom - self._top))
        if len(px) > 2 and (per := FINEST * (len(px) - 1) / (px[-1] - px[0] + 1e-9)) > 1.5:
            step = int(per + 0.5)
            px, py = np.append(px[:-1:step], px[-1]), np.append(py[:-1:step], py[-1])
        return px, py

    def _closed(self, x: Array, y: Array) -> QPainterPath | None:
        if not len(x):
            return None
        floor = [self._bottom]
        return path_of(np.concatenate([x[:1], x, x[-1:]]), np.concatenate([floor, y, floor]))
