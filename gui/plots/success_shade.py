"""Where runs fail, as a shade with its border under the points of two parameters, in the colours of the reasons."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from bayescope.engine.answer.failures.kinds import KINDS
from bayescope.engine.answer.failures.success_map import BORDER, SuccessMaps
from bayescope.gui.plots.polylines import polyline
from bayescope.gui.style.colours import rgb
from bayescope.gui.style.theme import theme

Array = NDArray[np.float64]
Ends = tuple[float, float]

GRID = 24  # places along each axis
DARKEST = 95  # of 255: where runs surely fail
FAINT = 0.05  # probability of failing below which nothing is shaded
KEPT = 64  # shades remembered: the pairs of one answer
WORDS = "shaded: where runs fail{}; dashed: its border, where half of them do"


@dataclass(frozen=True)
class Shade:
    """``fails`` (GRID, GRID) at even places on both axes, for reasons as probable as ``why`` (GRID, GRID, kinds) says, zeros: not
    known; ``border``: lines (m, 2) as places on the axes, each with its likeliest reason: a place in ``KINDS``, -1: not known."""

    x: Ends
    y: Ends
    fails: Array
    why: Array
    border: tuple[tuple[Array, int], ...]

    @property
    def seen(self) -> bool:
        """Whether there is anything to see."""
        return bool(self.fails.max() > FAINT)

    @property
    def words(self) -> str:
        return WORDS.format(", coloured by the likeliest reason" if self.why.any() else "")

    def colours(self) -> NDArray[np.uint8]:
        """(GRID, GRID, 3) of the theme."""
        unknown, *table = (np.array(rgb(reason_colour(k).name()), dtype=float) for k in range(-1, len(KINDS)))
        known = self.why.sum(axis=2, keepdims=True)
        return np.asarray(self.why @ np.array(table) + (1.0 - known) * unknown).clip(0, 255).astype(np.uint8)


@lru_cache(KEPT)
def shade_of(maps: SuccessMaps, i: int, j: int, x: Ends, y: Ends, logarithmic: tuple[bool, bool]) -> Shade:
    """Parameter i along x and j along y, both as places on axes that may be logarithmic; may be called in any thread."""
    from contourpy import contour_generator

    places = [np.linspace(*ends, GRID) for ends in (x, y)]
    values = [10.0**p if log else p for p, log in zip(places, logarithmic, strict=True)]
    works = maps.of_pair(i, j, *values)

    def why(at: Array) -> Array:
        a, b = (10.0**p if log else p for p, log in zip(at.T, logarithmic, strict=True))
        return maps.why(i, j, a, b)

    border = [part for line in contour_generator(places[0], places[1], works.T).lines(BORDER)
              for part in _parts(np.asarray(line), why(np.asarray(line)))]  # fmt: skip
    grid = np.stack(np.meshgrid(*places, indexing="ij"), axis=-1).reshape(-1, 2)
    return Shade(x, y, 1.0 - works, why(grid).reshape(GRID, GRID, -1), tuple(border))


def _parts(line: Array, why: Array) -> list[tuple[Array, int]]:
    """``line`` (m, 2) cut where the likeliest of its reasons (m, kinds) changes."""
    whys = np.where(why.any(axis=1), why.argmax(axis=1), -1)
    ends = [0, *(np.flatnonzero(np.diff(whys)) + 1), len(line)]
    return [(line[max(a - 1, 0) : b], int(whys[a])) for a, b in pairwise(ends)]


def reason_colour(k: int) -> QColor:
    """Of a place in ``KINDS``; -1: not known."""
    return theme.colour("failure") if k < 0 else theme.reason_colour(k)


def shade_image(shade: Shade) -> QImage:
    """The highest values of y at the top; premultiplied."""
    r, g, b = (c.T[::-1].astype(np.uint32) for c in np.moveaxis(shade.colours(), 2, 0))
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
        for line, why in shade.border:
            p.setPen(QPen(reason_colour(why), 1.2, Qt.PenStyle.DashLine))
            p.drawPolyline(polyline(r.left() + (line[:, 0] - shade.x[0]) * sx, r.bottom() - (line[:, 1] - shade.y[0]) * sy))
    p.restore()
