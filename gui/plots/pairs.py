"""All pairs of parameters in ONE widget: densities with 50 and 90 % contours, the simulator's points over them, marginals on the
diagonal. One QWidget and QImages: 45 plots of pyqtgraph with 2,000 points each would take seconds per update.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import isValid

from bayescope.engine.problem.definition import Parameter
from bayescope.gui.plots.acquired_points import run_words
from bayescope.gui.plots.curves import PosteriorCurves, settled_range
from bayescope.gui.plots.pair_densities import DensityLayer, draw_curves, paint_densities
from bayescope.gui.plots.pair_layers import AxesLayer, Cells, PointLayer, draw_points
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.reader import CurveReader
from bayescope.gui.run_data import RunData
from bayescope.gui.style.theme import theme

Array = NDArray[np.float64]
MIN_CELL = 58
HOVER_PIXELS = 9.0


class PairsWidget(QWidget):
    """``point_clicked(index)``, ``pair_opened(x, y)`` (double click): evaluation index, parameter numbers."""

    point_clicked = Signal(int)
    pair_opened = Signal(int, int)

    def __init__(self, reader: CurveReader | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader  # paints densities and contours; without one they are painted here
        self._densities: DensityLayer | None = None
        self._wanted: tuple[object, ...] = ()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._parameters: tuple[Parameter, ...] = ()
        self._curves: PosteriorCurves | None = None
        self._data: RunData | None = None
        self._ranges: list[tuple[float, float]] = []
        self._fixed_ranges = False
        self._cells = Cells(0, QSize(1, 1), 0, 0)
        self._axes = AxesLayer()
        self._points = PointLayer()
        self._composed: QPixmap | None = None
        self._hover: int | None = None
        self._hover_cell: tuple[int, int] | None = None
        self._focus_cell = (0, 0)

    # ---------------------------------------------------------------- content

    def show_problem(self, parameters: Sequence[Parameter], ranges: Sequence[tuple[float, float]]) -> None:
        """Parameters and the ranges to show before there is an answer (the plausible ones)."""
        if tuple(parameters) == self._parameters:
            return
        self._parameters, self._ranges = tuple(parameters), list(ranges)
        self._curves, self._hover, self._data = None, None, None
        side = max(len(self._parameters), 1) * MIN_CELL
        self.setMinimumSize(side + 40, side + 24)
        self._relayout()

    def update_content(self, curves: PosteriorCurves | None, data: RunData) -> None:
        """The newest answer and runs. Cheap: images are made in the reader thread, new points are stamped on the old layer."""
        d = len(self._parameters)
        if curves is not None and (len(curves.marginals) != d or (d > 1 and not curves.pairs)):
            curves = None
        self._data = data
        self._curves = curves
        if curves is not None:
            wanted = [settled_range(r, m.reach) for r, m in zip(self._ranges, curves.marginals, strict=True)]
            if wanted != self._ranges:
                self._ranges = wanted
                self._axes.forget()
                self._points.forget()
        self._compose_later()

    def _compose_later(self) -> None:
        """Paint again; densities in the reader thread if there is one, the last picture stays until they come."""
        key = self._density_key()
        painted = self._densities is not None and self._densities.key == key
        if painted or self._curves is None or self._reader is None or not self.isVisible():
            self._composed = None
            self.update()
        elif self._wanted != key:
            self._wanted = key
            ratio, ranges = self.devicePixelRatioF(), list(self._ranges)
            job = partial(paint_densities, key, self._curves, self._cells, self.size(), ratio, ranges)
            self._reader.paint(job, self._take_densities)

    def _density_key(self) -> tuple[object, ...]:
        size, ratio = self.size(), self.devicePixelRatioF()
        return (id(self._curves), size.width(), size.height(), ratio, tuple(self._ranges), theme.colours.name)

    def _take_densities(self, layer: object) -> None:
        if isinstance(layer, DensityLayer) and isValid(self):
            self._densities = layer
            self._composed = None
            self.update()

    def reset(self) -> None:
        if self._curves is not None:
            self._ranges = [m.reach for m in self._curves.marginals]
        self._forget()

    def _forget(self) -> None:
        self._axes.forget()
        self._points.forget()
        self._wanted = ()
        self._composed = None
        self.update()

    def _relayout(self) -> None:
        m = QFontMetrics(theme.small_font())
        self._cells = Cells(len(self._parameters), self.size(), m.horizontalAdvance("−0.0000"), 2 * m.height() + 9)
        self._forget()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._relayout()

    def on_theme(self) -> None:
        self._forget()

    # ---------------------------------------------------------------- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._composed is None or self._composed.devicePixelRatioF() != ratio:
            self._composed = self._compose(ratio)
        p = QPainter(self)
        p.drawPixmap(0, 0, self._composed)
        self._paint_hover(p)
        p.end()

    def _compose(self, ratio: float) -> QPixmap:
        out = QPixmap(self.size() * ratio)
        out.setDevicePixelRatio(ratio)
        p = QPainter(out)
        p.drawPixmap(0, 0, self._axes.pixmap(self._cells, self.size(), ratio, self._parameters, self._ranges))
        # a picture of the answer before is good for the moment until the new one comes; one of other ranges is not
        if self._curves is not None and self._densities is not None and self._densities.key[1:] == self._density_key()[1:]:
            p.drawImage(QPointF(0, 0), self._densities.image)
        else:
            self._paint_densities(p)
        if self._data is not None and len(self._parameters) > 1:
            p.drawImage(QPointF(0, 0), self._points.image(self._cells, self.size(), ratio, self._ranges, self._data))
        p.end()
        return out

    def _paint_densities(self, p: QPainter) -> None:
        if self._curves is not None:
            draw_curves(p, self._curves, self._cells, self._ranges)

    def paint_figure(self, p: QPainter, size: QSize) -> None:
        """Everything as vectors, for a file."""
        p.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(theme.colours.plot_background))
        self._axes.paint(p, self._cells, self._parameters, self._ranges)
        self._paint_densities(p)
        if self._data is not None:
            draw_points(p, self._cells, self._ranges, self._data)

    def _paint_hover(self, p: QPainter) -> None:
        if self.hasFocus() and len(self._parameters):
            p.setPen(QPen(QColor(theme.colours.focus), 2))
            p.drawRect(self._cells.outer(*self._focus_cell))
        if self._hover is None or self._data is None:
            return
        theta = self._data.theta.view()[self._hover]
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(QColor(theme.colours.highlight), 2))
        for i in range(len(self._parameters)):
            for j in range(i):
                at = self._cells.place(i, j, self._ranges, theta[j], theta[i])
                if at is not None:
                    p.drawEllipse(at, 5, 5)
        self._paint_tip(p)

    def _paint_tip(self, p: QPainter) -> None:
        """The values go to the free upper right triangle, so they never cover a plot."""
        if self._data is None or self._hover is None:
            return
        p.setFont(theme.small_font())
        m = QFontMetrics(theme.small_font())
        lines = run_words(self._data, self._hover, self._parameters).split("\n")
        width = min(max(m.horizontalAdvance(line) for line in lines) + 20, self.width() * 0.6)
        height = m.height() * len(lines) + 14
        box = QRectF(self.width() - width - 6, 6, width, height)
        p.setPen(QPen(QColor(theme.colours.border_strong), 1))
        p.setBrush(QColor(theme.colours.raised))
        p.drawRoundedRect(box, 6, 6)
        p.setPen(QColor(theme.colours.text))
        for k, line in enumerate(lines):
            text = m.elidedText(line, Qt.TextElideMode.ElideRight, int(width - 18))
            p.drawText(QPointF(box.left() + 10, box.top() + 7 + m.ascent() + k * m.height()), text)

    # ---------------------------------------------------------------- mouse and keys

    def nearest(self, at: QPointF) -> int | None:
        """Position in ``data.evaluations`` of the run under the mouse in the pair under the mouse."""
        cell = self._cells.at(at, below=True)
        if cell is None or self._data is None or not len(self._data.evaluations):
            return None
        i, j = cell
        inner, theta = self._cells.inner(i, j), self._data.theta.view()
        (x0, x1), (y0, y1) = self._ranges[j], self._ranges[i]
        dx = inner.left() + (theta[:, j] - x0) / (x1 - x0) * inner.width() - at.x()
        dy = inner.bottom() - (theta[:, i] - y0) / (y1 - y0) * inner.height() - at.y()
        d = dx * dx + dy * dy
        k = int(np.nanargmin(d)) if np.isfinite(d).any() else -1
        return k if k >= 0 and d[k] <= HOVER_PIXELS**2 else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        found = self.nearest(event.position())
        if found != self._hover:
            self._hover = found
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            k = self.nearest(event.position())
            if k is not None and self._data is not None:
                self.point_clicked.emit(self._data.evaluations[k].index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        cell = self._cells.at(event.position(), below=True)
        if cell is not None:
            self.pair_opened.emit(cell[1], cell[0])

    def keyPressEvent(self, event: object) -> None:
        steps = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
        key = event.key()  # type: ignore[attr-defined]
        d = len(self._parameters)
        if key in steps and d:
            i = min(max(self._focus_cell[0] + steps[key][0], 0), d - 1)
            self._focus_cell = (i, min(max(self._focus_cell[1] + steps[key][1], 0), i))
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Space) and self._focus_cell[0] != self._focus_cell[1]:
            self.pair_opened.emit(self._focus_cell[1], self._focus_cell[0])
        else:
            super().keyPressEvent(event)  # type: ignore[arg-type]


class PairsPlot(PlotPanel):
    """The card around it. Double click (or Enter) opens one pair large."""

    pair_opened = Signal(int, int)

    def __init__(self, reader: CurveReader | None = None) -> None:
        super().__init__(
            "Pairs", "shades and 50 / 90 % contours: posterior; points: simulator runs; double-click opens a pair"
        )
        self.widget = PairsWidget(reader)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidget(self.widget)
        self.widget.point_clicked.connect(self.point_clicked)
        self.widget.pair_opened.connect(self.pair_opened)
        self.set_plot(self._scroll)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.widget.update)

    def reset(self) -> None:
        self.widget.reset()

    def on_theme(self) -> None:
        self.widget.on_theme()
        self._later.start()

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self.widget.paint_figure(painter, size)

    def figure_size(self) -> QSize:
        return self.widget.size()
