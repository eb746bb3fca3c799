"""The layers of the pairs widget: axes (cached pixmap), densities (scaled images), points (a pixel buffer stamped by numpy)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QImage, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from bayescope.engine.problem.definition import Parameter
from bayescope.gui.plots.curves import (
    MarginalCurve,
    PairDensity,
    PosteriorCurves,
    colour_positions,
    nice_ticks,
    shown_height,
)
from bayescope.gui.plots.pg import viridis_table
from bayescope.gui.run_data import RunData
from bayescope.gui.style.colours import rgb
from bayescope.gui.style.theme import theme
from bayescope.gui.words import number

Ranges = Sequence[tuple[float, float]]
GAP = 7.0


class Cells:
    """Where the cells of the lower triangle lie: row i, column j <= i."""

    def __init__(self, d: int, size: QSize, left: int, bottom: int) -> None:
        self.d, self.left, self.bottom = d, left + 18, bottom
        self.width = max(size.width() - self.left - 6, 10) / max(d, 1)
        self.height = max(size.height() - bottom - 6, 10) / max(d, 1)

    @property
    def side(self) -> float:
        return min(self.width, self.height)

    @property
    def point(self) -> float:
        """Size of a point in logical pixels: larger ones would hide the density."""
        return 2.0 if self.side < 90 else 3.0 if self.side < 170 else 4.0

    def outer(self, i: int, j: int) -> QRectF:
        return QRectF(self.left + j * self.width, 4 + i * self.height, self.width, self.height)

    def inner(self, i: int, j: int) -> QRectF:
        return self.outer(i, j).adjusted(GAP / 2, GAP / 2, -GAP / 2, -GAP / 2)

    def at(self, point: QPointF, below: bool = False) -> tuple[int, int] | None:
        """The cell under ``point``; ``below``: only pairs, not the diagonal."""
        j, i = int((point.x() - self.left) // self.width), int((point.y() - 4) // self.height)
        if 0 <= j <= i < self.d and not (below and i == j):
            return i, j
        return None

    def place(self, i: int, j: int, ranges: Ranges, x: float, y: float) -> QPointF | None:
        """Where (x, y) lies in cell (i, j); None outside it."""
        r, (x0, x1), (y0, y1) = self.inner(i, j), ranges[j], ranges[i]
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            return None
        return QPointF(r.left() + (x - x0) / (x1 - x0) * r.width(), r.bottom() - (y - y0) / (y1 - y0) * r.height())


class AxesLayer:
    """Frames, ticks and names; drawn again only when sizes, ranges or the theme change."""

    def __init__(self) -> None:
        self._pixmap: QPixmap | None = None
        self._key: tuple[object, ...] = ()

    def forget(self) -> None:
        self._pixmap = None

    def pixmap(
        self, cells: Cells, size: QSize, ratio: float, parameters: Sequence[Parameter], ranges: Ranges
    ) -> QPixmap:
        key = (size.width(), size.height(), ratio)
        if self._pixmap is None or key != self._key:
            self._key = key
            self._pixmap = QPixmap(size * ratio)
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(QColor(theme.colours.plot_background))
            p = QPainter(self._pixmap)
            self.paint(p, cells, parameters, ranges)
            p.end()
        return self._pixmap

    def paint(self, p: QPainter, cells: Cells, parameters: Sequence[Parameter], ranges: Ranges) -> None:
        c = theme.colours
        p.setFont(theme.small_font())
        m = QFontMetrics(theme.small_font())
        d = cells.d
        for i in range(d):
            for j in range(i + 1):
                p.setPen(QPen(QColor(c.border), 1))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawRect(cells.inner(i, j))
        p.setPen(QColor(c.plot_text))
        for k in range(d):
            name = parameters[k].label or parameters[k].name
            below, beside = cells.inner(d - 1, k), cells.inner(k, 0)
            self._ticks(p, m, ranges[k], below, True)
            text = m.elidedText(name, Qt.TextElideMode.ElideRight, int(below.width()))
            place = QRectF(below.left(), below.bottom() + m.height() + 4, below.width(), m.height() + 2)
            p.drawText(place, int(Qt.AlignmentFlag.AlignHCenter), text)
            if k:
                self._ticks(p, m, ranges[k], beside, False)
                p.save()
                p.translate(m.height() * 0.5 + 1, beside.center().y())
                p.rotate(-90)
                text = m.elidedText(name, Qt.TextElideMode.ElideRight, int(beside.height()))
                p.drawText(
                    QRectF(-beside.height() / 2, -m.height() / 2, beside.height(), m.height()),
                    int(Qt.AlignmentFlag.AlignCenter),
                    text,
                )
                p.restore()
            own = cells.inner(k, k)
            if own.height() > 3 * m.height():
                text = m.elidedText(name, Qt.TextElideMode.ElideRight, int(own.width() - 8))
                p.drawText(
                    own.adjusted(4, 2, -4, 0), int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), text
                )
        if d >= 3:
            draw_legend(p, m, cells)

    def _ticks(self, p: QPainter, m: QFontMetrics, bounds: tuple[float, float], r: QRectF, across: bool) -> None:
        room = r.width() / (m.horizontalAdvance("0.000") * 1.4) if across else r.height() / (m.height() * 1.6)
        taken = -1e9
        for v in nice_ticks(*bounds, count=max(1, min(4, int(room)))):
            share = (v - bounds[0]) / (bounds[1] - bounds[0])
            text = number(v, 4)
            w = m.horizontalAdvance(text)
            if across:
                x = r.left() + share * r.width()
                start = min(max(x - w / 2, r.left()), r.right() - w)
                if start < taken + 4 or abs(start - x + w / 2) > w / 3:
                    continue
                taken = start + w
                p.drawLine(QPointF(x, r.bottom()), QPointF(x, r.bottom() + 3))
                p.drawText(QPointF(start, r.bottom() + 3 + m.ascent()), text)
            else:
                y = r.bottom() - share * r.height()
                p.drawLine(QPointF(r.left() - 3, y), QPointF(r.left(), y))
                p.drawText(
                    QPointF(
                        r.left() - 6 - w, min(max(y + m.ascent() / 2 - 1, r.top() + m.ascent() - 2), r.bottom() + 2)
                    ),
                    text,
                )


def draw_legend(p: QPainter, m: QFontMetrics, cells: Cells) -> None:
    """In the free upper right triangle: what shades, lines and points mean."""
    c, line = theme.colours, m.height() + 5
    width = m.horizontalAdvance("simulator runs: log density, lowest to best") + 40
    end = cells.left + cells.width * cells.d
    rows = 1 if cells.height >= 4 * line else 2
    if width > end - cells.outer(rows - 1, rows - 1).right() - 10:
        return
    left, y = end - width, 10.0
    p.setBrush(theme.colour("posterior", 0.35))
    p.setPen(QPen(QColor(c.posterior), 1))
    p.drawRect(QRectF(left, y + 2, 28, m.height() - 4))
    p.setPen(QColor(c.plot_text))
    p.drawText(QPointF(left + 36, y + m.ascent()), "posterior, lines: 50 % and 90 % of it")
    y += line
    for k, (r, g, b) in enumerate(viridis_table(28)):
        p.fillRect(QRectF(left + k, y + 3, 1.5, m.height() - 6), QColor(int(r), int(g), int(b)))
    p.drawText(QPointF(left + 36, y + m.ascent()), "simulator runs: log density, lowest to best")
    y += line
    p.setPen(QPen(QColor(c.failure), 1.4))
    for dx in (-3, 3):
        p.drawLine(QPointF(left + 14 - dx, y + m.height() / 2 - 3), QPointF(left + 14 + dx, y + m.height() / 2 + 3))
    p.setPen(QColor(c.plot_text))
    p.drawText(QPointF(left + 36, y + m.ascent()), "failed runs")


class PointLayer:
    """All runs in all pairs as one image the size of the widget; new runs are stamped on it."""

    def __init__(self) -> None:
        self._buffer: NDArray[np.uint32] | None = None
        self._image: QImage | None = None
        self._stamped = 0
        self._data: RunData | None = None
        self._colours: NDArray[np.uint32] = np.empty(0, dtype=np.uint32)

    def forget(self) -> None:
        self._buffer = None

    def image(self, cells: Cells, size: QSize, ratio: float, ranges: Ranges, data: RunData) -> QImage:
        w, h = max(round(size.width() * ratio), 1), max(round(size.height() * ratio), 1)
        colours = point_colours(data)
        n = len(colours)
        if (
            self._buffer is None
            or self._buffer.shape != (h, w)
            or data is not self._data
            or not np.array_equal(colours[: self._stamped], self._colours)
        ):
            self._buffer = np.zeros((h, w), dtype=np.uint32)
            self._stamped = 0
        if n > self._stamped:
            theta = data.theta.view()[self._stamped : n]
            self._stamp(self._buffer, cells, ratio, ranges, theta, colours[self._stamped :])
        self._stamped, self._data, self._colours = n, data, colours
        self._image = QImage(self._buffer.data, w, h, 4 * w, QImage.Format.Format_ARGB32_Premultiplied)
        self._image.setDevicePixelRatio(ratio)
        return self._image

    def _stamp(
        self,
        buffer: NDArray[np.uint32],
        cells: Cells,
        ratio: float,
        ranges: Ranges,
        theta: NDArray[np.float64],
        colours: NDArray[np.uint32],
    ) -> None:
        point = cells.point
        side = max(2, round(point * ratio))
        dx, dy = (v.ravel() for v in np.meshgrid(np.arange(side), np.arange(side)))
        shares = [(theta[:, k] - ranges[k][0]) / (ranges[k][1] - ranges[k][0]) for k in range(cells.d)]
        inside = [(s >= 0) & (s <= 1) for s in shares]
        failed = colours == failure_colour()
        for i in range(cells.d):
            for j in range(i):
                r = cells.inner(i, j)
                seen = np.flatnonzero(inside[i] & inside[j])
                if not len(seen):
                    continue
                x = ((r.left() + shares[j][seen] * (r.width() - point)) * ratio).astype(np.int64)
                y = ((r.bottom() - point - shares[i][seen] * (r.height() - point)) * ratio).astype(np.int64)
                rows = np.clip(y[:, None] + dy, 0, buffer.shape[0] - 1)
                columns = np.clip(x[:, None] + dx, 0, buffer.shape[1] - 1)
                buffer[rows, columns] = colours[seen][:, None]
                self._stamp_crosses(buffer, x[failed[seen]], y[failed[seen]], ratio)

    def _stamp_crosses(
        self, buffer: NDArray[np.uint32], x: NDArray[np.int64], y: NDArray[np.int64], ratio: float
    ) -> None:
        """Failures are crosses: told apart by shape, not by colour alone."""
        if not len(x):
            return
        reach, colour = max(2, round(2.5 * ratio)), failure_colour()
        k = np.arange(-reach, reach + 1)
        for across in (k, -k):
            for thick in range(max(1, round(ratio))):
                rows = np.clip(y[:, None] + k, 0, buffer.shape[0] - 1)
                columns = np.clip(x[:, None] + across + thick, 0, buffer.shape[1] - 1)
                buffer[rows, columns] = colour


def point_colours(data: RunData) -> NDArray[np.uint32]:
    """(n,) ARGB: the value scale in 32 steps, failures in their own colour."""
    table = viridis_table(32).astype(np.uint32)
    argb = (0xFF << 24) | (table[:, 0] << 16) | (table[:, 1] << 8) | table[:, 2]
    positions = colour_positions(data.log_density.view(), len(data.names))
    steps = np.nan_to_num(positions * 31, nan=0.0).astype(np.int64)
    return np.where(np.isfinite(positions), argb[steps], failure_colour()).astype(np.uint32)


def failure_colour() -> np.uint32:
    """ARGB of failed runs."""
    r, g, b = rgb(theme.colours.failure)
    return np.uint32((0xFF << 24) | (r << 16) | (g << 8) | b)


def density_image(levels: NDArray[np.uint8]) -> QImage:
    """Levels as shades of the posterior's colour on a clear ground."""
    r, g, b = rgb(theme.colours.posterior)
    alpha = np.arange(256, dtype=np.uint32) * 150 // 255
    table = (alpha << 24) | ((r * alpha // 255) << 16) | ((g * alpha // 255) << 8) | (b * alpha // 255)
    pixels = np.ascontiguousarray(table.astype(np.uint32)[levels])
    h, w = pixels.shape
    return QImage(pixels.data, w, h, 4 * w, QImage.Format.Format_ARGB32_Premultiplied).copy()


def draw_density(
    p: QPainter, r: QRectF, pair: PairDensity, xs: tuple[float, float], ys: tuple[float, float], smooth: bool
) -> None:
    """The density image and its contours, cut to the cell ``r`` that shows ``xs`` by ``ys``."""
    sx, sy = r.width() / (xs[1] - xs[0]), r.height() / (ys[1] - ys[0])
    place = QRectF(
        r.left() + (pair.x[0] - xs[0]) * sx,
        r.bottom() - (pair.y[1] - ys[0]) * sy,
        (pair.x[1] - pair.x[0]) * sx,
        (pair.y[1] - pair.y[0]) * sy,
    )
    p.save()
    p.setClipRect(r)
    p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    p.drawImage(place, density_image(pair.levels))
    p.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    p.setBrush(Qt.BrushStyle.NoBrush)
    for lines, alpha in zip(pair.contours, (0.95, 0.55), strict=False):
        p.setPen(QPen(theme.colour("posterior", alpha), 1.0))
        for line in lines:
            p.drawPolyline(polyline(r.left() + (line[:, 0] - xs[0]) * sx, r.bottom() - (line[:, 1] - ys[0]) * sy))
    p.restore()


@dataclass(frozen=True)
class DensityLayer:
    """Densities, contours and diagonal curves of one answer as one image; ``key`` says for what it was painted."""

    key: tuple[object, ...]
    image: QImage


def paint_densities(
    key: tuple[object, ...], curves: PosteriorCurves, cells: Cells, size: QSize, ratio: float, ranges: Ranges
) -> DensityLayer:
    """Paint the layer; may run in any thread (QPainter on a QImage)."""
    out = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    out.setDevicePixelRatio(ratio)
    out.fill(Qt.GlobalColor.transparent)
    p = QPainter(out)
    draw_curves(p, curves, cells, ranges)
    p.end()
    return DensityLayer(key, out)


def draw_curves(p: QPainter, curves: PosteriorCurves, cells: Cells, ranges: Ranges) -> None:
    """All densities with contours, and the marginals on the diagonal."""
    smooth = cells.side > 50
    for (i, j), pair in curves.pairs.items():
        draw_density(p, cells.inner(i, j), pair, ranges[j], ranges[i], smooth)
    for i, marginal in enumerate(curves.marginals):
        draw_marginal(p, cells.inner(i, i), marginal, ranges[i])


def draw_marginal(p: QPainter, r: QRectF, curve: MarginalCurve, bounds: tuple[float, float]) -> None:
    """The curve of the diagonal, filled."""
    top = shown_height(curve.x, curve.density, bounds)
    seen = (curve.x >= bounds[0]) & (curve.x <= bounds[1])
    if top <= 0 or not seen.any():
        return
    x = r.left() + (curve.x[seen] - bounds[0]) / (bounds[1] - bounds[0]) * r.width()
    y = r.bottom() - curve.density[seen] / top * r.height() * 0.86
    line = polyline(x, y)
    area = QPainterPath()
    area.addPolygon(QPolygonF([QPointF(float(x[0]), r.bottom()), *line, QPointF(float(x[-1]), r.bottom())]))
    p.save()
    p.setClipRect(r)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    p.fillPath(area, QBrush(theme.colour("posterior", 0.15)))
    p.setPen(QPen(QColor(theme.colours.posterior), 1.6))
    p.drawPolyline(line)
    p.restore()


def polyline(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[QPointF]:
    return [QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]


def draw_points(p: QPainter, cells: Cells, ranges: Ranges, data: RunData) -> None:
    """Points as vectors, for a file."""
    colours = point_colours(data)
    theta = data.theta.view()
    p.setPen(Qt.PenStyle.NoPen)
    for k, colour in enumerate(colours):
        p.setBrush(QColor.fromRgb(int(colour) & 0xFFFFFF))
        for i in range(cells.d):
            for j in range(i):
                at = cells.place(i, j, ranges, theta[k, j], theta[k, i])
                if at is not None:
                    p.drawEllipse(at, cells.point / 2, cells.point / 2)
