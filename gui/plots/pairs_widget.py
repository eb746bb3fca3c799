"""All pairs of parameters in ONE widget: densities with 50 and 90 % contours, the simulator's points over them, marginals on the
diagonal. One QWidget and QImages: 45 plots of pyqtgraph with 2,000 points each would take seconds per update.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from bayescope.engine.answer.modes import Modes
from bayescope.engine.problem.definition import Parameter
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.models.scales import columns_on_axes, is_logarithmic
from bayescope.gui.plots.acquired_points import run_words
from bayescope.gui.plots.curves import PosteriorCurves, curves_on_axes, settled_range
from bayescope.gui.plots.pair_densities import Picture, Wanted, draw_curves, paint_picture
from bayescope.gui.plots.pair_layers import (
    WIDEST_TICK,
    AxesLayer,
    Cells,
    Legend,
    draw_points,
    legend_of,
    outside,
    point_colours,
)
from bayescope.gui.plots.reader import CurveReader
from bayescope.gui.style.theme import theme

Array = NDArray[np.float64]
MIN_CELL = 58
HOVER_PIXELS = 9.0


class PairsWidget(QWidget):
    """``point_clicked(index)``, ``pair_opened(x, y)`` (double click): evaluation index, parameter numbers."""

    point_clicked = Signal(int)
    pair_opened = Signal(int, int)
    outside_changed = Signal()

    def __init__(self, reader: CurveReader | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = reader  # paints densities, contours and points; without one they are painted here
        self._shown: Picture | None = None
        self._asked = False  # a picture is being painted
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._parameters: tuple[Parameter, ...] = ()
        self._logarithmic: tuple[bool, ...] = ()
        self._given: PosteriorCurves | None = None
        self._curves: PosteriorCurves | None = None  # the same as places on the axes
        self._data: RunData | None = None
        self._ranges: list[tuple[float, float]] = []
        self._all_runs = False
        self._cells = Cells(0, QSize(1, 1), 0, 0)
        self._axes = AxesLayer()
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
        self._logarithmic = tuple(is_logarithmic(p) for p in self._parameters)
        self._given, self._curves, self._hover, self._data, self._shown = None, None, None, None, None
        side = max(len(self._parameters), 1) * MIN_CELL
        self.setMinimumSize(side + 40, side + 24)
        self._relayout()

    def update_content(self, curves: PosteriorCurves | None, data: RunData) -> None:
        """The newest answer and runs. Cheap: images are made in the reader thread, new points are stamped on the old layer."""
        d = len(self._parameters)
        if curves is not None and (len(curves.marginals) != d or (d > 1 and not curves.pairs)):
            curves = None
        self._data = data
        if curves is not self._given or self._curves is None:
            self._given = curves
            self._curves = None if curves is None else curves_on_axes(curves, self._logarithmic)
        self._refresh()

    def show_all_runs(self, on: bool) -> None:
        """Ranges that hold every run, or (off) those of the posterior."""
        self._all_runs = on
        self.reset()

    def _wanted_ranges(self, now: Sequence[tuple[float, float] | None]) -> list[tuple[float, float]]:
        if self._curves is None:
            return list(self._ranges)
        reach = [m.reach for m in self._curves.marginals]
        if self._all_runs and self._data is not None and len(self._data.theta):
            theta = self._theta
            low, high = np.nanmin(theta, axis=0), np.nanmax(theta, axis=0)
            margin = 0.03 * (high - low)
            ends = zip((low - margin).tolist(), (high + margin).tolist(), strict=True)
            reach = [(min(a, r[0]), max(b, r[1])) for (a, b), r in zip(ends, reach, strict=True)]
        return [settled_range(r, wanted) for r, wanted in zip(now, reach, strict=True)]

    @property
    def modes(self) -> Modes | None:
        """The separate modes, if there are several."""
        return None if self._curves is None else self._curves.modes

    @property
    def _theta(self) -> Array:
        """(n, D) the runs as places on the axes."""
        if self._data is None:
            return np.empty((0, len(self._parameters)))
        return columns_on_axes(self._data.theta.view(), self._logarithmic)

    def _wanted(self, ranges: Sequence[tuple[float, float]]) -> Wanted:
        theta = self._theta
        colours = np.empty(0, dtype=np.uint32) if self._data is None else point_colours(self._data)
        return Wanted(
            self._curves, self._data, self._cells, self.size(), self.devicePixelRatioF(), tuple(ranges), theme.colours.name,
            theta, colours,
        )  # fmt: skip

    def _refresh(self, anew: bool = False) -> None:
        """Stamp the new runs on the picture, or have another one painted if it does not fit any more.

        The picture on show stays, axes and all, until the other one has come from the reader thread. ``anew``: ranges that fit
        best, not the old ones as long as they do.
        """
        wanted = self._wanted(self._wanted_ranges([None] * len(self._ranges) if anew else self._ranges))
        shown = self._shown
        if shown is not None and wanted.same(shown.wanted) and shown.points.fits(wanted.colours):
            shown.points.stamp(wanted.theta, wanted.colours)
            self._compose_again()
        elif self._reader is None or not self.isVisible():
            self._shown = None
            self._ranges = list(wanted.ranges)
            self._compose_again()
        elif not self._asked:
            self._asked = True
            self._reader.paint(partial(paint_picture, wanted), self._take)

    def _take(self, picture: object) -> None:
        if not isValid(self):
            return
        self._asked = False
        if not isinstance(picture, Picture):  # it could not be painted; said by the reader
            return
        if picture.wanted.cells.d == len(self._parameters) and picture.wanted.data is self._data:
            self._show(picture)
        self._refresh()

    def _show(self, picture: Picture) -> None:
        self._shown, ranges = picture, list(picture.wanted.ranges)
        if ranges != self._ranges:
            self._ranges = ranges
            self._axes.forget()
        self._compose_again()

    def _compose_again(self) -> None:
        self._composed = None
        self.outside_changed.emit()
        self.update()

    def reset(self) -> None:
        self._refresh(anew=True)

    def _relayout(self) -> None:
        m = QFontMetrics(theme.small_font())
        self._cells = Cells(len(self._parameters), self.size(), m.horizontalAdvance(WIDEST_TICK), 2 * m.height() + 9)
        self._refresh()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._relayout()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def on_theme(self) -> None:
        self._axes.forget()
        self._refresh()

    @property
    def outside(self) -> tuple[int, int]:
        """Runs with a value outside the ranges shown, and all runs."""
        if self._data is None or not self._ranges:
            return 0, 0
        theta = self._theta
        return outside(theta, self._ranges), len(theta)

    def legend(self, curves: PosteriorCurves | None) -> Legend:
        """What there is to explain with these curves: nothing that is not shown."""
        modes = 0 if curves is None or curves.modes is None else len(curves.modes)
        failing = curves is not None and curves.success is not None
        if self._data is None:
            return Legend(curves is not None, failing=failing, modes=modes)
        found = legend_of(curves is not None, self._theta, point_colours(self._data), self._ranges)
        return found._replace(failing=failing, modes=modes)

    # ---------------------------------------------------------------- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        shown = self._shown
        if shown is None and (self._reader is None or not self.isVisible()):
            self._show(shown := paint_picture(self._wanted(self._ranges)))
        stale = shown is None or shown.wanted.size != self.size() or shown.wanted.ratio != ratio
        if self._composed is None:
            self._composed = self._compose(ratio)
        p = QPainter(self)
        p.drawPixmap(self.rect(), self._composed)
        if not stale:
            self._paint_hover(p)
        p.end()

    def _compose(self, ratio: float) -> QPixmap:
        """Axes, densities and points as one picture; the axes alone while nothing is painted for this size yet."""
        out = QPixmap(self.size() * ratio)
        out.setDevicePixelRatio(ratio)
        p = QPainter(out)
        shown = self._shown
        legend = self.legend(self._curves if shown is None else shown.wanted.curves)
        p.drawPixmap(0, 0, self._axes.pixmap(self._cells, self.size(), ratio, self._parameters, self._ranges, legend))
        if shown is not None and shown.wanted.size == self.size() and shown.wanted.ratio == ratio:
            p.drawImage(QPointF(0, 0), shown.densities)
            if len(self._parameters) > 1:
                p.drawImage(QPointF(0, 0), shown.points.image())
        p.end()
        return out

    def paint_figure(self, p: QPainter, size: QSize) -> None:
        """Everything as vectors, for a file."""
        p.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(theme.colours.plot_background))
        self._axes.paint(p, self._cells, self._parameters, self._ranges, self.legend(self._curves))
        if self._curves is not None:
            draw_curves(p, self._curves, self._cells, self._ranges)
        if self._data is not None:
            draw_points(p, self._cells, self._ranges, self._theta, point_colours(self._data))

    def _paint_hover(self, p: QPainter) -> None:
        if self.hasFocus() and len(self._parameters):
            p.setPen(QPen(QColor(theme.colours.focus), 2))
            p.drawRect(self._cells.outer(*self._focus_cell))
        if self._hover is None or self._data is None:
            return
        theta = self._theta[self._hover]
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
            text = m.elidedText(line, Qt.TextElideMode.ElideMiddle, int(width - 18))
            p.drawText(QPointF(box.left() + 10, box.top() + 7 + m.ascent() + k * m.height()), text)

    # ---------------------------------------------------------------- mouse and keys

    def nearest(self, at: QPointF) -> int | None:
        """Position in ``data.evaluations`` of the run under the mouse in the pair under the mouse."""
        cell = self._cells.at(at, below=True)
        if cell is None or self._data is None or not len(self._data.evaluations):
            return None
        i, j = cell
        inner, theta = self._cells.inner(i, j), self._theta
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
