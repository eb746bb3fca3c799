"""Matplotlib figures painted with Qt as vectors: what a QPdfWriter takes stays sharp at every size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.path import Path as Outline
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS_PER_INCH = 72.0
_CAPS = {"butt": Qt.PenCapStyle.FlatCap, "round": Qt.PenCapStyle.RoundCap, "projecting": Qt.PenCapStyle.SquareCap}
_JOINS = {"miter": Qt.PenJoinStyle.SvgMiterJoin, "round": Qt.PenJoinStyle.RoundJoin, "bevel": Qt.PenJoinStyle.BevelJoin}


def size_of(figure: Figure) -> tuple[float, float]:
    """Width and height in points."""
    width, height = figure.get_size_inches()
    return POINTS_PER_INCH * float(width), POINTS_PER_INCH * float(height)


def paint_figure(figure: Figure, painter: QPainter, place: QRectF) -> None:
    """The whole figure into ``place``, its proportions kept, in the painter's coordinates."""
    width, height = size_of(figure)
    figure.set_dpi(POINTS_PER_INCH)
    painter.save()
    painter.translate(place.topLeft())
    scale = min(place.width() / width, place.height() / height)
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(QRectF(0.0, 0.0, width, height), Qt.ClipOperation.IntersectClip)
    figure.draw(_PainterRenderer(painter, width, height))
    painter.restore()


class _PainterRenderer(RendererBase):  # type: ignore[misc]
    """Of a canvas in points whose origin is below, as Matplotlib has it; text is drawn as outlines."""

    def __init__(self, painter: QPainter, width: float, height: float) -> None:
        super().__init__()
        self._painter, self._size = painter, (width, height)
        self._up = Affine2D().scale(1.0, -1.0).translate(0.0, height)

    def flipy(self) -> bool:
        return False

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self._size

    def draw_path(self, gc: GraphicsContextBase, path: Outline, transform: Any, rgbFace: Any = None) -> None:
        outline = _painter_path(path, transform + self._up)
        self._painter.save()
        self._clip(gc)
        if rgbFace is not None:
            self._painter.fillPath(outline, QBrush(_colour(gc, rgbFace)))
        if gc.get_linewidth() > 0.0:
            self._painter.strokePath(outline, _pen(gc))
        self._painter.restore()

    def draw_image(self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Any = None) -> None:
        pixels = np.ascontiguousarray(im[::-1])  # its first line is the lowest
        height, width = pixels.shape[:2]
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
        self._painter.save()
        self._clip(gc)
        self._painter.drawImage(QPointF(x, self._size[1] - y - height), image)
        self._painter.restore()

    def _clip(self, gc: GraphicsContextBase) -> None:
        box = gc.get_clip_rectangle()
        if box is not None:
            place = QRectF(box.x0, self._size[1] - box.y1, box.width, box.height)
            self._painter.setClipRect(place, Qt.ClipOperation.IntersectClip)
        clip: tuple[Any, Any] = gc.get_clip_path()
        if clip[0] is not None:
            self._painter.setClipPath(_painter_path(clip[0], clip[1] + self._up), Qt.ClipOperation.IntersectClip)


def _painter_path(path: Outline, transform: Any) -> QPainterPath:
    made = QPainterPath()
    for points, code in path.iter_segments(transform, remove_nans=True, simplify=False, curves=True):
        places: NDArray[np.float64] = np.asarray(points, dtype=float).reshape(-1, 2)  # type: ignore[arg-type]
        p = [QPointF(x, y) for x, y in places.tolist()]
        if code == Outline.MOVETO:
            made.moveTo(p[0])
        elif code == Outline.LINETO:
            made.lineTo(p[0])
        elif code == Outline.CURVE3:
            made.quadTo(p[0], p[1])
        elif code == Outline.CURVE4:
            made.cubicTo(p[0], p[1], p[2])
        elif code == Outline.CLOSEPOLY:
            made.closeSubpath()
    made.setFillRule(Qt.FillRule.WindingFill)
    return made


def _colour(gc: GraphicsContextBase, rgb: Any) -> QColor:
    alpha = gc.get_alpha() if gc.get_forced_alpha() or len(rgb) < 4 else rgb[3]
    return QColor.fromRgbF(float(rgb[0]), float(rgb[1]), float(rgb[2]), float(1.0 if alpha is None else alpha))


def _pen(gc: GraphicsContextBase) -> QPen:
    width = float(gc.get_linewidth())
    pen = QPen(_colour(gc, gc.get_rgb()), width)
    pen.setCapStyle(_CAPS[str(gc.get_capstyle())])
    pen.setJoinStyle(_JOINS[str(gc.get_joinstyle())])
    stated: tuple[Any, Any] = gc.get_dashes()
    offset, dashes = stated
    if dashes is not None:  # Qt counts them in widths of the pen, and wants pairs
        pattern = [float(d) / width for d in dashes]
        pen.setDashPattern(pattern if len(pattern) % 2 == 0 else 2 * pattern)
        pen.setDashOffset(float(offset or 0.0) / width)
    return pen
