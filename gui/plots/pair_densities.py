"""The densities of the pairs widget with their contours, and the curves of its diagonal: one image per answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from bayescope.gui.plots.curves import MarginalCurve, PairDensity, PosteriorCurves, shown_height
from bayescope.gui.plots.marginal_item import FLAT
from bayescope.gui.plots.pair_layers import Cells, PointLayer, Ranges
from bayescope.gui.plots.polylines import hatched_area, hatching, polyline
from bayescope.gui.plots.success_shade import draw_shade, shade_of
from bayescope.gui.style.colours import rgb
from bayescope.gui.style.theme import theme


def density_image(levels: NDArray[np.uint8], owners: NDArray[np.uint8] | None = None) -> QImage:
    """Levels as shades of the posterior's colour on a clear ground, or of the colours of the modes that own them."""
    pixels = _shades(theme.colours.posterior)[levels]
    for k in () if owners is None else np.unique(owners):
        pixels[owners == k] = _shades(theme.mode_colour(int(k)).name())[levels[owners == k]]
    pixels = np.ascontiguousarray(pixels)
    h, w = pixels.shape
    return QImage(pixels.data, w, h, 4 * w, QImage.Format.Format_ARGB32_Premultiplied).copy()


def _shades(colour: str) -> NDArray[np.uint32]:
    """(256,) premultiplied ARGB from clear to 150 / 255 of a colour."""
    r, g, b = rgb(colour)
    alpha = np.arange(256, dtype=np.uint32) * 150 // 255
    table = (alpha << 24) | ((r * alpha // 255) << 16) | ((g * alpha // 255) << 8) | (b * alpha // 255)
    return table.astype(np.uint32)


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
    p.drawImage(place, density_image(pair.levels, pair.owners))
    p.setRenderHint(QPainter.RenderHint.Antialiasing, smooth)
    p.setBrush(Qt.BrushStyle.NoBrush)
    for lines, alpha in zip(pair.contours, (0.95, 0.55), strict=False):
        for line in lines:
            k = pair.owner_of(line)
            p.setPen(QPen(theme.colour("posterior", alpha) if k < 0 else theme.mode_colour(k, alpha), 1.0))
            p.drawPolyline(polyline(r.left() + (line[:, 0] - xs[0]) * sx, r.bottom() - (line[:, 1] - ys[0]) * sy))
    p.restore()


@dataclass(frozen=True)
class Wanted:
    """For what a picture is painted: ``theta`` (n, D) and ``colours`` (n,) are the runs known when it was asked for."""

    curves: PosteriorCurves | None
    data: object  # the run that theta is of
    cells: Cells
    size: QSize
    ratio: float
    ranges: tuple[tuple[float, float], ...]
    look: str  # name of the theme's colours
    theta: NDArray[np.float64]
    colours: NDArray[np.uint32]

    def same(self, other: Wanted) -> bool:
        """Whether a picture of the other one, with the newer runs stamped on, shows this."""
        return (
            (self.curves is other.curves and self.data is other.data)
            and (self.size, self.ratio, self.ranges, self.look) == (other.size, other.ratio, other.ranges, other.look)
            and self.cells.d == other.cells.d
        )


@dataclass(frozen=True)
class Picture:
    """The densities with contours and diagonal curves of one answer as an image, and the runs over them."""

    wanted: Wanted
    densities: QImage
    points: PointLayer


def paint_picture(wanted: Wanted) -> Picture:
    """Paint both layers; may run in any thread (QPainter on a QImage)."""
    out = QImage(wanted.size * wanted.ratio, QImage.Format.Format_ARGB32_Premultiplied)
    out.setDevicePixelRatio(wanted.ratio)
    out.fill(Qt.GlobalColor.transparent)
    if wanted.curves is not None:
        p = QPainter(out)
        draw_curves(p, wanted.curves, wanted.cells, wanted.ranges)
        p.end()
    points = PointLayer(wanted.cells, wanted.size, wanted.ratio, wanted.ranges)
    points.stamp(wanted.theta, wanted.colours)
    return Picture(wanted, out, points)


def draw_curves(p: QPainter, curves: PosteriorCurves, cells: Cells, ranges: Ranges) -> None:
    """Where runs fail, all densities with contours, and the marginals on the diagonal."""
    smooth = cells.side > 50
    for (i, j), pair in curves.pairs.items():
        if curves.success is not None:
            logs = curves.logarithmic[j], curves.logarithmic[i]
            draw_shade(p, cells.inner(i, j), shade_of(curves.success, j, i, ranges[j], ranges[i], logs), smooth)
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
    y = r.bottom() - curve.density[seen] / top * r.height() * 0.8
    p.save()
    p.setClipRect(r)
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    if curve.shares is None:
        _draw_hump(p, r, x, y, QColor(theme.colours.posterior))
    if curve.failing is not None:
        p.setPen(Qt.PenStyle.NoPen)
        p.fillPath(hatched_area(x, y, r.bottom(), curve.failing[seen]), hatching())
    for k, share in enumerate(() if curve.shares is None else curve.shares):
        part = r.bottom() - (r.bottom() - y) * share[seen]
        there = np.flatnonzero(part < r.bottom() - FLAT)
        if len(there):
            some = slice(there[0], there[-1] + 1)
            _draw_hump(p, r, x[some], part[some], theme.mode_colour(k))
    p.restore()


def _draw_hump(p: QPainter, r: QRectF, x: NDArray[np.float64], y: NDArray[np.float64], colour: QColor) -> None:
    line, light = polyline(x, y), QColor(colour)
    light.setAlphaF(0.15)
    area = QPainterPath()
    area.addPolygon(QPolygonF([QPointF(float(x[0]), r.bottom()), *line, QPointF(float(x[-1]), r.bottom())]))
    p.fillPath(area, QBrush(light))
    p.setPen(QPen(colour, 1.6))
    p.drawPolyline(line)

