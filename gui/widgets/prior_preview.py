"""The density of one parameter's prior, cut at its limits, with the plausible range: a small picture, no axes to fiddle with."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from bayescope.engine.problem.definition import Parameter
from bayescope.engine.problem.errors import ProblemError
from bayescope.gui.models.scales import LN10, is_logarithmic, log_ticks
from bayescope.gui.models.tick_words import shared
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import told_apart

FLAT = 1e-6  # of the highest density: differences that nobody sees
POINTS = 400
BESIDE = 8.0  # pixels beside the axis that the numbers below it may take


class PriorPreview(QWidget):
    """``show_parameter(None)``: nothing selected. What cannot be drawn is said in words instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Density of the prior")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._x: NDArray[np.float64] = np.empty(0)
        self._y: NDArray[np.float64] = np.empty(0)
        self._plausible: tuple[float, float] | None = None
        self._fixed: float | None = None
        self._log = False  # drawn over the logarithm, as a density over the logarithm
        self._words = "Select a parameter to see its prior."
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(360, 190)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 110)

    def words(self) -> str:
        """What is said instead of a curve; empty if a curve is drawn."""
        return self._words

    def curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self._x, self._y

    def show_parameter(self, parameter: Parameter | None) -> None:
        self._x, self._y, self._words = np.empty(0), np.empty(0), ""
        self._plausible = self._fixed = None
        if parameter is None:
            self._words = "Select a parameter to see its prior."
        else:
            self._plausible, self._fixed = parameter.plausible, parameter.fixed
            try:
                self._x, self._y = density_curve(parameter)
                self._log = is_logarithmic(parameter) and bool(len(self._x))
                if self._log:
                    self._x, self._y = over_logarithm(parameter)
            except ProblemError:
                self._words = "This prior cannot be drawn yet: see the message beside it."
            if not self._words and (not np.all(np.isfinite(self._y)) or float(self._y.max(initial=0.0)) <= 0):
                self._words = "This prior is too narrow or too wide to be drawn."
        self.setAccessibleDescription(self._words or _spoken(self._x, self._y))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(12, 20, -12, -24)
        if self._words or len(self._x) < 2:
            painter.setPen(theme.colour("muted"))
            painter.drawText(
                QRectF(self.rect()).adjusted(12, 0, -12, 0),
                int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap),
                self._words,
            )
            return
        low, high = self._scaled(float(self._x[0])), self._scaled(float(self._x[-1]))
        top = float(self._y.max()) * 1.06

        def place(x: float, y: float) -> QPointF:
            return QPointF(
                area.left() + (self._scaled(x) - low) / (high - low) * area.width(),
                area.bottom() - y / top * area.height(),
            )

        if self._plausible is not None:
            a, b = (min(max(v, float(self._x[0])), float(self._x[-1])) for v in self._plausible)
            painter.fillRect(QRectF(place(a, top), place(b, 0.0)), theme.colour("accent_soft"))
        points = [place(float(x), float(y)) for x, y in zip(self._x, self._y, strict=True)]
        base = [QPointF(p.x(), area.bottom()) for p in (points[0], points[-1])]
        line, shape = QPolygonF(points), QPolygonF([base[0], *points, base[1]])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("posterior", 0.18))
        painter.drawPolygon(shape)
        painter.setPen(QPen(theme.colour("posterior"), 2))
        painter.drawPolyline(line)
        painter.setPen(QPen(theme.colour("plot_axis"), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        if self._fixed is not None and float(self._x[0]) <= self._fixed <= float(self._x[-1]):
            painter.setPen(QPen(theme.colour("highlight"), 2, Qt.PenStyle.DashLine))
            painter.drawLine(place(self._fixed, 0.0), place(self._fixed, top))
        self._ticks(painter, area, low, high)

    def _ticks(self, painter: QPainter, area: QRectF, low: float, high: float) -> None:
        painter.setFont(theme.small_font())
        painter.setPen(theme.colour("plot_text"))
        for share, text in self._shown_ticks(low, high):
            x = area.left() + share * area.width()
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3))
            wide = painter.fontMetrics().horizontalAdvance(text) + 2.0  # under its tick, as far as there is room
            left = min(max(x - 0.5 * wide, area.left() - BESIDE), area.right() + BESIDE - wide)
            align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(QRectF(left, area.bottom() + 3, wide, 18), int(align), text)
        common = shared(low, high)
        said = ["logarithmic scale"] if self._log else [f"below: value{common.words}"] if common.words else []
        said += ["shaded: plausible range"] if self._plausible is not None else []
        corner = QRectF(area.left(), self.rect().top(), area.width(), 18)
        painter.drawText(corner, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom), "; ".join(said))

    def _scaled(self, x: float) -> float:
        return math.log(x) if self._log else x

    def _shown_ticks(self, low: float, high: float) -> list[tuple[float, str]]:
        """(share of the width, text): powers of ten on a logarithmic axis."""
        if not self._log:
            shares, common = (0.0, 0.5, 1.0), shared(low, high)
            values = [low + k * (high - low) for k in shares]
            if common.words:
                values = [round((v - common.start) / 10.0**common.power, 6) + 0.0 for v in values]
            return list(zip(shares, told_apart(values, 3), strict=True))
        return [((place * LN10 - low) / (high - low), text) for place, text in log_ticks(low / LN10, high / LN10)]


def density_curve(parameter: Parameter) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(POINTS,) values and densities over where the mass is. Raises ProblemError if the prior is not proper."""
    from bayescope.engine.problem.priors import of_parameter

    prior = of_parameter(parameter)
    one_sided = math.isinf(prior.upper) and math.isfinite(prior.lower)  # a long tail would hide where the mass is
    low, high = (float(v) for v in np.asarray(prior.quantile(np.array([0.002, 0.96 if one_sided else 0.998]))))
    low = prior.lower if math.isfinite(prior.lower) else low
    high = prior.upper if math.isfinite(prior.upper) and prior.upper - low < 3 * (high - low) else high
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return np.empty(0), np.empty(0)
    edge = (high - low) * 1e-6
    x = np.linspace(low, high, POINTS)
    with np.errstate(all="ignore"):
        y = np.exp(np.asarray(prior.log_density(np.clip(x, low + edge, high - edge)), dtype=float))
    finite = y[np.isfinite(y)]
    cap = (
        float(np.quantile(finite, 0.97)) * 4 if len(finite) else 0.0
    )  # a density that rises without end at a limit is cut
    return x, np.minimum(np.nan_to_num(y, posinf=cap), cap if cap > 0 else np.inf)


def over_logarithm(parameter: Parameter) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(POINTS,) values evenly spaced by factors over where the mass is, and the density over the logarithm there: p(x) x."""
    from bayescope.engine.problem.priors import of_parameter

    prior = of_parameter(parameter)
    low = prior.lower if prior.lower > 0 else float(np.asarray(prior.quantile(0.002)))
    high = prior.upper if math.isfinite(prior.upper) else float(np.asarray(prior.quantile(0.998)))
    even = np.geomspace(low, high, POINTS)
    inside = np.clip(even, low * (1 + 1e-9), high * (1 - 1e-9))
    with np.errstate(all="ignore"):
        return even, np.nan_to_num(np.exp(np.asarray(prior.log_density(inside), dtype=float)) * inside)


def _spoken(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    low, high, top = told_apart([float(x[0]), float(x[-1]), float(x[int(np.argmax(y))])], 3)
    if len(y) and np.ptp(y) <= FLAT * np.max(y):
        return f"From {low} to {high}, everywhere alike."
    return f"From {low} to {high}, highest near {top}."
