"""The layers of the pairs widget: axes (a cached pixmap) and points (a pixel buffer stamped by numpy)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen, QPixmap

from bayescope.engine.answer.failures.kinds import KINDS
from bayescope.engine.answer.modes import mode_name
from bayescope.engine.problem.definition import Parameter, told_apart
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.models.scales import is_logarithmic, log_ticks, nice_ticks
from bayescope.gui.plots.curves import colour_positions
from bayescope.gui.plots.failure_marks import kind_of_run
from bayescope.gui.plots.marginals import axis_name
from bayescope.gui.plots.pg import viridis_table
from bayescope.gui.style.colours import rgb
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import number

Ranges = Sequence[tuple[float, float]]
GAP = 7.0
LEGEND_WORDS = (
    ("posterior", "posterior, lines: 50 % and 90 % of it"),
    ("runs", "simulator runs: log density, lowest to best"),
    ("failures", "failed runs, coloured by the reason"),
    ("failing", "where runs fail, and why; dashed: half do"),
)


WIDEST_TICK = "−1.234e−05"  # beside the left axis, whose name stands before it


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


def outside(theta: NDArray[np.float64], ranges: Ranges) -> int:
    """How many rows of ``theta`` (n, D) are shown in no pair, or not in all of them: some value lies outside its range."""
    if not len(theta):
        return 0
    low, high = np.array(ranges).T
    return int(((theta < low) | (theta > high)).any(axis=1).sum())


class AxesLayer:
    """Frames, ticks and names; drawn again only when sizes, ranges or the theme change."""

    def __init__(self) -> None:
        self._pixmap: QPixmap | None = None
        self._key: tuple[object, ...] = ()

    def forget(self) -> None:
        self._pixmap = None

    def pixmap(
        self, cells: Cells, size: QSize, ratio: float, parameters: Sequence[Parameter], ranges: Ranges, legend: Legend
    ) -> QPixmap:
        key = (size.width(), size.height(), ratio, legend)
        if self._pixmap is None or key != self._key:
            self._key = key
            self._pixmap = QPixmap(size * ratio)
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(QColor(theme.colours.plot_background))
            p = QPainter(self._pixmap)
            self.paint(p, cells, parameters, ranges, legend)
            p.end()
        return self._pixmap

    def paint(
        self, p: QPainter, cells: Cells, parameters: Sequence[Parameter], ranges: Ranges, legend: Legend
    ) -> None:
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
        names = [axis_name(q) for q in told_apart(parameters)]
        for k in range(d):
            name = names[k]
            below, beside = cells.inner(d - 1, k), cells.inner(k, 0)
            log = is_logarithmic(parameters[k])
            self._ticks(p, m, ranges[k], below, True, log)
            text = m.elidedText(name, Qt.TextElideMode.ElideMiddle, int(below.width()))
            place = QRectF(below.left(), below.bottom() + m.height() + 4, below.width(), m.height() + 2)
            p.drawText(place, int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextDontClip), text)
            if k:
                self._ticks(p, m, ranges[k], beside, False, log)
                p.save()
                p.translate(m.height() * 0.5 + 1, beside.center().y())
                p.rotate(-90)
                text = m.elidedText(name, Qt.TextElideMode.ElideMiddle, int(beside.height()))
                p.drawText(
                    QRectF(-beside.height() / 2, -m.height() / 2, beside.height(), m.height()),
                    int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip),
                    text,
                )
                p.restore()
            own = cells.inner(k, k)
            if own.height() > 3 * m.height():
                text = m.elidedText(name, Qt.TextElideMode.ElideMiddle, int(own.width() - 8))
                p.drawText(
                    own.adjusted(4, 2, -4, 0), int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), text
                )
        if d >= 3:
            draw_legend(p, m, cells, legend)

    def _ticks(
        self, p: QPainter, m: QFontMetrics, bounds: tuple[float, float], r: QRectF, across: bool, logarithmic: bool
    ) -> None:
        room = r.width() / (m.horizontalAdvance("0.000") * 1.4) if across else r.height() / (m.height() * 1.6)
        taken = -1e9
        count = max(1, min(4, int(room)))
        plain = [] if logarithmic else [(v, number(v, 4)) for v in nice_ticks(*bounds, count=count)]
        for v, text in log_ticks(*bounds, count) if logarithmic else plain:
            share = (v - bounds[0]) / (bounds[1] - bounds[0])
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


class Legend(NamedTuple):
    """What there is to explain in the pairs as they are shown."""

    posterior: bool = False
    runs: bool = False
    failures: bool = False
    failing: bool = False  # a region of them
    modes: int = 0  # separate ones, by their colours; 0 where there is one

    def words(self) -> list[tuple[str, str]]:
        """(what, its words), from top to bottom."""
        there = dict(zip(self._fields, self, strict=True))
        found = [(what, text) for what, text in LEGEND_WORDS if there[what]]
        if not self.modes:
            return found
        names = f"modes {mode_name(0)} to {mode_name(self.modes - 1)}, lines: 50 % and 90 %"
        return [(what, names if what == "posterior" else text) for what, text in found]


def legend_of(
    posterior: bool, theta: NDArray[np.float64], colours: NDArray[np.uint32], ranges: Ranges
) -> Legend:
    """``theta`` (n, D) and ``colours`` (n,) of the runs; one that lies in no pair's range is not there to be seen."""
    n = min(len(theta), len(colours))
    if not n or len(ranges) < 2:
        return Legend(posterior)
    low, high = np.array(ranges).T
    seen = ((theta[:n] >= low) & (theta[:n] <= high)).sum(axis=1) >= 2
    failed = np.isin(colours[:n], failure_colours())
    return Legend(posterior, bool((seen & ~failed).any()), bool((seen & failed).any()))


def draw_legend(p: QPainter, m: QFontMetrics, cells: Cells, legend: Legend) -> None:
    """In the free upper right triangle: what shades, lines and points mean."""
    c, line = theme.colours, m.height() + 5
    width = max(m.horizontalAdvance(text) for _, text in LEGEND_WORDS) + 40
    end = cells.left + cells.width * cells.d
    rows = 1 if cells.height >= 4 * line else 2
    if width > end - cells.outer(rows - 1, rows - 1).right() - 10:
        return
    left, y = end - width, 10.0
    for what, text in legend.words():
        if what == "posterior":
            for k in range(max(legend.modes, 1)):
                colour = theme.mode_colour(k) if legend.modes else QColor(c.posterior)
                p.setPen(QPen(colour, 1))
                colour.setAlphaF(0.35)
                p.setBrush(colour)
                share = 28 / max(legend.modes, 1)
                p.drawRect(QRectF(left + k * share, y + 2, share - (1 if legend.modes else 0), m.height() - 4))
        elif what == "runs":
            for k, (r, g, b) in enumerate(viridis_table(28)):
                p.fillRect(QRectF(left + k, y + 3, 1.5, m.height() - 6), QColor(int(r), int(g), int(b)))
        elif what == "failing":
            colour = QColor(c.failure)
            p.setPen(QPen(colour, 1.2, Qt.PenStyle.DashLine))
            colour.setAlphaF(0.35)
            p.setBrush(colour)
            p.drawRect(QRectF(left, y + 2, 27, m.height() - 4))
        else:
            p.setPen(QPen(QColor(c.failure), 1.4))
            middle = QPointF(left + 14, y + m.height() / 2)
            for dx in (-3, 3):
                p.drawLine(middle + QPointF(-dx, -3), middle + QPointF(dx, 3))
        p.setPen(QColor(c.plot_text))
        p.drawText(QPointF(left + 36, y + m.ascent()), text)
        y += line


class PointLayer:
    """All runs in all pairs as one image the size of the widget; new runs are stamped on it. May be made in any thread."""

    def __init__(self, cells: Cells, size: QSize, ratio: float, ranges: Ranges) -> None:
        w, h = max(round(size.width() * ratio), 1), max(round(size.height() * ratio), 1)
        self._cells, self._ratio, self._ranges = cells, ratio, ranges
        self._buffer = np.zeros((h, w), dtype=np.uint32)
        self._colours: NDArray[np.uint32] = np.empty(0, dtype=np.uint32)

    def fits(self, colours: NDArray[np.uint32]) -> bool:
        """Whether the runs stamped so far still have the colours (n,) they were stamped in."""
        return np.array_equal(colours[: len(self._colours)], self._colours)

    def stamp(self, theta: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        """Add what is new in ``theta`` (n, D) with its ``colours`` (n,)."""
        done, n = len(self._colours), min(len(theta), len(colours))
        if n > done:
            self._stamp(theta[done:n], colours[done:n])
            self._colours = np.concatenate([self._colours, colours[done:n]])

    def image(self) -> QImage:
        """Shares its pixels with the layer, which must live longer."""
        h, w = self._buffer.shape
        out = QImage(self._buffer.data, w, h, 4 * w, QImage.Format.Format_ARGB32_Premultiplied)
        out.setDevicePixelRatio(self._ratio)
        return out

    def _stamp(self, theta: NDArray[np.float64], colours: NDArray[np.uint32]) -> None:
        cells, ratio, ranges, buffer = self._cells, self._ratio, self._ranges, self._buffer
        point = cells.point
        side = max(2, round(point * ratio))
        dx, dy = (v.ravel() for v in np.meshgrid(np.arange(side), np.arange(side)))
        shares = [(theta[:, k] - ranges[k][0]) / (ranges[k][1] - ranges[k][0]) for k in range(cells.d)]
        inside = [(s >= 0) & (s <= 1) for s in shares]
        failed = np.isin(colours, failure_colours())
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
                self._stamp_crosses(buffer, x[failed[seen]], y[failed[seen]], colours[seen][failed[seen]], ratio)

    def _stamp_crosses(
        self,
        buffer: NDArray[np.uint32],
        x: NDArray[np.int64],
        y: NDArray[np.int64],
        colours: NDArray[np.uint32],
        ratio: float,
    ) -> None:
        """Failures are crosses: told apart by shape, not by colour alone."""
        if not len(x):
            return
        reach = max(2, round(2.5 * ratio))
        k = np.arange(-reach, reach + 1)
        for across in (k, -k):
            for thick in range(max(1, round(ratio))):
                rows = np.clip(y[:, None] + k, 0, buffer.shape[0] - 1)
                columns = np.clip(x[:, None] + across + thick, 0, buffer.shape[1] - 1)
                buffer[rows, columns] = colours[:, None]


def point_colours(data: RunData) -> NDArray[np.uint32]:
    """(n,) ARGB: the value scale in 32 steps, failures in the colours of their reasons."""
    table = viridis_table(32).astype(np.uint32)
    argb = (0xFF << 24) | (table[:, 0] << 16) | (table[:, 1] << 8) | table[:, 2]
    positions = colour_positions(data.log_density.view(), len(data.names))
    steps = np.nan_to_num(positions * 31, nan=0.0).astype(np.int64)
    kinds = [kind_of_run(e) for e in data.evaluations[: len(positions)]]
    why = np.array([KINDS.index(kind or "other") for kind in kinds], dtype=np.int64)
    return np.where(np.isfinite(positions), argb[steps], failure_colours()[why]).astype(np.uint32)


def failure_colours() -> NDArray[np.uint32]:
    """ARGB of failed runs, by ``failure_kinds.KINDS``."""
    rows = np.array([rgb(name) for name in theme.colours.reasons], dtype=np.uint32)
    return np.asarray((0xFF << 24) | (rows[:, 0] << 16) | (rows[:, 1] << 8) | rows[:, 2], dtype=np.uint32)


def draw_points(
    p: QPainter, cells: Cells, ranges: Ranges, theta: NDArray[np.float64], colours: NDArray[np.uint32]
) -> None:
    """Points as vectors, for a file: ``theta`` (n, D) as places on the axes, ``colours`` (n,)."""
    p.setPen(Qt.PenStyle.NoPen)
    failed, half = failure_colours(), cells.point / 2
    for k, colour in enumerate(colours):
        p.setBrush(QColor.fromRgb(int(colour) & 0xFFFFFF))
        cross = QPen(QColor.fromRgb(int(colour) & 0xFFFFFF), 1.4) if colour in failed else None
        p.setPen(cross if cross is not None else Qt.PenStyle.NoPen)
        for i in range(cells.d):
            for j in range(i):
                at = cells.place(i, j, ranges, theta[k, j], theta[k, i])
                if at is None:
                    continue
                if cross is None:
                    p.drawEllipse(at, half, half)
                    continue
                for dy in (-2.5, 2.5):
                    p.drawLine(at + QPointF(-2.5, -dy), at + QPointF(2.5, dy))
