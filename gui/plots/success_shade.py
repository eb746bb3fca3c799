"""Where runs fail, as a shade with its border under the points of two parameters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from bayescope.engine.session.success_map import BORDER, SuccessMaps
from bayescope.gui.plots.polylines import polyline
from bayescope.gui.style.colours import rgb
from bayescope.gui.style.theme import theme

Array = NDArray[np.float64]
Ends = tuple[float, float]

GRID = 24  # places along each axis
DARKEST = 95  # of 255: where runs surely fail
FAINT = 0.05  # probability of failing below which nothing is shaded
KEPT = 64  # shades remembered: the pairs of one answer
WORDS = "shaded: where runs fail; dashed: its border, where half of them do"


@dataclass(frozen=True)
class Shade:
    """``fails`` (GRID, GRID) at even places on both axes; ``border``: lines (m, 2) as places on the axes."""

    x: Ends
    y: Ends
    fails: Array
    border: tuple[Array, ...]

    @property
    def seen(self) -> bool:
        """Whether there is anything to see."""
        return bool(self.fails.max() > FAINT)


@lru_cache(KEPT)
def shade_of(maps: SuccessMaps, i: int, j: int, x: Ends, y: Ends, logarithmic: tuple[bool, bool]) -> Shade:
    """Parameter i along x and j along y, both as places on axes that may be logarithmic; may be called in any thread."""
    from contourpy import contour_generator

    places = [np.linspace(*ends, GRID) for ends in (x, y)]
    values = [10.0**p if log else p for p, log in zip(places, logarithmic, strict=True)]
    works = maps.of_pair(i, j, *values)
    lines = contour_generator(places[0], places[1], works.T).lines(BORDER)
    return Shade(x, y, 1.0 - works, tuple(np.asarray(line) for line in lines))


def shade_image(shade: Shade) -> QImage:
    """The highest values of y at the top; premultiplied in the colour of failures."""
    r, g, b = rgb(theme.colours.failure)
    fails = np.where(shade.fails > FAINT, shade.fails, 0.0)
    alpha = np.ascontiguousarray((DARKEST * fails).T[::-1]).astype(np.uint32)
    pixels = ((alpha << 24) | ((r * alpha // 255) << 16) | ((g * alpha // 255) << 8) | (b * alpha // 255)).astype(np.uint32)
    h, w = pixels.shape
    return QImage(pixels.data, w, h, 4 * w, QImage.Format.Format_ARGB32_Premultiplied).copy()


def shade_place(shade: Shade) -> tuple[float, float, float, float]:
    """Left, lower, width, height of the image on the axes: its pixels lie around the places."""
    half_x, half_y = (0.5 * (ends[1] - ends[0]) / (GRID - 1) for ends in (shade.x, shade.y))
    return shade.x[0] - half_x, shade.y[0] - half_y, shade.x[1] - shade.x[0] + 2 * half_x, shade.y[1] - shade.y[0] + 2 * half_y


def draw_shade(p: QPainter, r: QRectF, shade: Shade, border: bool) -> None:
    """In the cell ``r``, which shows exactly the shade's ends."""
    if not shade.seen:
        return
    sx, sy = r.width() / (shade.x[1] - shade.x[0]), r.height() / (shade.y[1] - shade.y[0])
    left, lower, width, height = shade_place(shade)
    p.save()
    p.setClipRect(r)
    p.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    top = r.bottom() - (lower + height - shade.y[0]) * sy
    p.drawImage(QRectF(r.left() + (left - shade.x[0]) * sx, top, width * sx, height * sy), shade_image(shade))
    if border:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(theme.colour("failure"), 1.2, Qt.PenStyle.DashLine))
        for line in shade.border:
            p.drawPolyline(polyline(r.left() + (line[:, 0] - shade.x[0]) * sx, r.bottom() - (line[:, 1] - shade.y[0]) * sy))
    p.restore()
