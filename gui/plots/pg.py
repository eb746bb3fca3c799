"""The one import of pyqtgraph, and plots in the window's style."""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetrics,
    QGuiApplication,
    QHideEvent,
    QPainter,
    QPainterPath,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QLabel, QSizePolicy
from shiboken6 import isValid

from bayescope.engine.answer.predictions.unmeasured import COUNTED as COUNTED_VALUES
from bayescope.engine.problem.data.rows.across import ROW
from bayescope.gui.models.date_ticks import date_ticks
from bayescope.gui.models.scales import log_ticks
from bayescope.gui.models.tick_words import Shared, shared
from bayescope.gui.plots.paper import for_paper
from bayescope.gui.style.colours import VIRIDIS, rgb
from bayescope.gui.style.theme import theme

pg.setConfigOptions(antialias=True, useOpenGL=False, enableExperimental=False, crashWarning=False)
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
COUNTED = (ROW, COUNTED_VALUES)  # how the names of places that are counted begin
POWER_ROOM = 60  # pixels for each number of a logarithmic axis
DATE_ROOM = 90  # ... for each date
LEAST_GAP = 8.0  # pixels between the numbers of an axis
SHADES = 32  # cached brushes of a value scale: a new brush per point costs 25 times more


class Axis(pg.AxisItem):  # type: ignore[misc]
    """No tick without its number: pyqtgraph leaves the numbers out that would stand over the axis's ends, but not their ticks."""

    powers = False  # a logarithmic axis: what stands at x has the value 10**x
    dates = False  # what stands at x is a date, x seconds since 1970
    counted = False  # rows or values by their numbers: there is none between two
    named = False  # it has a name, behind which stands what its numbers share
    shared = Shared()
    shared_changed = Signal(object)  # the axis

    def show_powers(self, on: bool) -> None:
        if on != self.powers:
            self.powers = on
            self.picture = None
            self.update()

    def show_dates(self, on: bool) -> None:
        if on != self.dates:
            self.dates, self.picture = on, None
            self.setRange(*self.range)
            self.update()

    def setTicks(self, ticks: Any) -> None:
        super().setTicks(ticks)
        self.setRange(*self.range)

    def setRange(self, mn: float, mx: float) -> None:
        super().setRange(mn, mx)
        said = self.powers or self.dates or self.logMode or self._tickLevels is not None  # whole, by the ticks themselves
        now = Shared() if said or not self.named else shared(mn, mx)
        if now != self.shared:
            self.shared, self.picture = now, None
            self.shared_changed.emit(self)

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> Any:
        levels = super().tickSpacing(minVal, maxVal, size)
        return ([level for level in levels if level[0] >= 1.0] or [(1.0, 0.0)]) if self.counted else levels

    def tickValues(self, minVal: float, maxVal: float, size: float) -> Any:
        if self.dates:
            self._words = dict(date_ticks(minVal, maxVal, max(2, int(size / DATE_ROOM))))
            return [(1.0, list(self._words))]
        if not self.powers:
            return super().tickValues(minVal, maxVal, size)
        self._words = dict(log_ticks(minVal, maxVal, max(2, int(size / POWER_ROOM))))
        return [(1.0, list(self._words))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if self.powers or self.dates:
            return [self._words.get(v, "") for v in values]
        if self.shared.words:
            return self.shared.strings([v * scale for v in values], spacing * scale)
        return [_typeset(text) for text in super().tickStrings(values, scale, spacing)]

    def generateDrawSpecs(self, p: QPainter) -> Any:
        specs = super().generateDrawSpecs(p)
        if specs is None or self._tickLevels is not None or not specs[2]:  # chosen ticks may stand without numbers
            return specs
        line, ticks, texts = specs
        upright = self.orientation in ("left", "right")
        texts = texts if upright else _apart(texts)
        named = [r.center().y() if upright else r.center().x() for r, _, _ in texts]
        kept = [t for t in ticks if any(abs((t[1].y() if upright else t[1].x()) - place) < 1 for place in named)]
        return line, kept, texts


def _apart(texts: list[Any]) -> list[Any]:
    """Every text, or every second, third ... one: as many as do not run together."""
    ordered = sorted(texts, key=lambda t: t[0].left())
    for stride in range(1, len(ordered) + 1):
        kept = ordered[(len(ordered) - 1) % stride // 2 :: stride]
        if all(a[0].right() + LEAST_GAP <= b[0].left() for a, b in pairwise(kept)):
            return kept
    return texts


def _typeset(text: str) -> str:
    """``-4e+06`` as −4×10⁶."""
    digits, _, power = text.partition("e")
    if power:
        digits += f"×10{str(int(power)).translate(_RAISED)}"
    return digits.replace("-", "−")


class _Waiting:
    """A layout that takes items in but does not place them yet."""

    def __init__(self, layout: Any) -> None:
        self._layout = layout

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layout, name)

    def activate(self) -> bool:
        return False


class Canvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]
    """Plots in a grid on the card's background. ``left``: the mouse has gone, or the canvas is not on show any more."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(self.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(120, 76)
        self.ci.layout.setContentsMargins(2, 2, 4, 2)
        self.ci.layout.setSpacing(8)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAntialiasing(True)  # of plain path items too
        self.setBackground(theme.colours.plot_background)
        self._labels: dict[tuple[Any, str], str] = {}  # (plot, side) -> whole text

    def sizeHint(self) -> QSize:
        return QSize(420, 260)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl the wheel zooms; without it the page scrolls, as everywhere else on it."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        else:
            event.ignore()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.left.emit()

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Plots added inside are laid out once, at the end: after each of them, fifty would take ten seconds."""
        layout = self.ci.layout
        self.ci.layout = _Waiting(layout)
        try:
            yield
        finally:
            self.ci.layout = layout
            layout.activate()

    def add_plot(self, row: int, column: int, x_label: str = "", y_label: str = "", left: bool = True) -> Any:
        """A PlotItem with thin axes; no menu (the panel has the tools); Ctrl with the wheel zooms, a drag moves."""
        axes = {side: Axis(side) for side in ("left", "bottom")}
        plot = self.addPlot(row=row, col=column, axisItems=axes, enableMenu=False)
        plot.hideButtons()
        plot.showAxis("left", left)
        plot.getViewBox().setDefaultPadding(0.02)
        for side in ("left", "bottom"):
            plot.getAxis(side).enableAutoSIPrefix(False)
            plot.getAxis(side).shared_changed.connect(self._on_shared)
        style_plot(plot)
        self.label(plot, "bottom", x_label)
        if left:
            self.label(plot, "left", y_label)
        plot.getViewBox().sigResized.connect(self._on_resized)  # a lambda here would keep the plot alive for ever
        return plot

    def label(self, plot: Any, side: str, text: str) -> None:
        """Name an axis (plain text); cut in the middle where it has no room."""
        if self._labels.get((plot, side)) != text:
            self._labels[plot, side] = text
            axis = plot.getAxis(side)
            axis.named, axis.counted = bool(text), text.startswith(COUNTED)
            axis.setRange(*axis.range)
            self._fit_label(plot, side)

    def _on_shared(self, axis: Any) -> None:
        for plot, side in list(self._labels):
            if plot.getAxis(side) is axis:
                self._fit_label(plot, side)

    def _on_resized(self, box: Any) -> None:
        for plot, side in list(self._labels):
            if plot.getViewBox() is box:
                self._fit_label(plot, side)

    def _fit_label(self, plot: Any, side: str) -> None:
        box, font = plot.getViewBox().boundingRect(), theme.small_font()
        room = int(box.width() if side == "bottom" else box.height())
        axis, metrics = plot.getAxis(side), QFontMetrics(font)
        room = max(room - 10 - metrics.horizontalAdvance(axis.shared.words), 30)
        text = metrics.elidedText(self._labels[plot, side], Qt.TextElideMode.ElideMiddle, room) + axis.shared.words
        if axis.labelText != (shown := html.escape(text)):
            axis.setLabel(shown, color=theme.colours.plot_text, **{"font-size": f"{font.pointSizeF():.1f}pt"})
            axis.resizeEvent(None)  # it places the label for its new length

    def clear(self) -> None:
        self._labels.clear()
        super().clear()

    def restyle(self) -> None:
        """After a theme change."""
        self.setBackground(theme.colours.plot_background)
        for item in self.ci.items:
            if isinstance(item, pg.PlotItem):
                style_plot(item)

    def render_to(self, painter: QPainter, size: QSize) -> None:
        with for_paper(self.scene(), painter.worldTransform().m11()):
            self.render(painter, QRectF(0, 0, size.width(), size.height()), self.viewport().rect())


def style_plot(plot: Any) -> None:
    """Axis pens, tick fonts and label colours of the theme in use."""
    c = theme.colours
    font = theme.small_font()
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(QPen(QColor(c.plot_axis), 1))
        axis.setTextPen(QColor(c.plot_text))
        axis.setTickFont(font)
        axis.setTickDensity(1.4)
        axis.setStyle(tickLength=4, tickTextOffset=4, hideOverlappingLabels=True, maxTickLevel=0)
        if axis.labelText:
            axis.setLabel(axis.labelText, color=c.plot_text, **{"font-size": f"{font.pointSizeF():.1f}pt"})


def path_of(x: NDArray[np.float64], y: NDArray[np.float64]) -> QPainterPath:
    """A line through the points. Plain path items: pyqtgraph's data items cost three times as much per update."""
    good = np.isfinite(x) & np.isfinite(y)
    return cast("QPainterPath", pg.arrayToQPath(x[good], y[good]))


def escape(text: str) -> str:
    """Axis labels are rich text in pyqtgraph: names may hold anything."""
    return html.escape(text if len(text) <= 40 else text[:39] + "…")


def pen(name: str, width: float = 1.6, style: Qt.PenStyle = Qt.PenStyle.SolidLine, alpha: float = 1.0) -> QPen:
    """A cosmetic pen in a named colour; Qt counts its width in device pixels, so it is scaled here."""
    return plain_pen(theme.colour(name, alpha), width, style)


def mode_pen(k: int, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """The same in the colour of separate mode ``k`` (0: A)."""
    return plain_pen(theme.mode_colour(k), width, style)


def plain_pen(colour: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A cosmetic pen in any colour."""
    screen = QGuiApplication.primaryScreen()
    p = QPen(colour, width * (screen.devicePixelRatio() if screen is not None else 1.0), style)
    p.setCosmetic(True)
    return p


def brush(name: str, alpha: float = 1.0) -> QBrush:
    return QBrush(theme.colour(name, alpha))


def viridis_table(count: int = 256) -> NDArray[np.uint8]:
    """(count, 3) colours from dark to light; on a dark ground the darkest fifth is left out."""
    places = np.linspace(0, 1, len(VIRIDIS))
    table = np.array([rgb(h) for h in VIRIDIS], dtype=float)
    at = np.linspace(0.22 if theme.dark else 0.0, 1, count)
    return np.stack([np.interp(at, places, table[:, k]) for k in range(3)], axis=1).round().astype(np.uint8)


def shade_brushes() -> list[QBrush]:
    """SHADES brushes of the value scale."""
    return [QBrush(QColor(int(r), int(g), int(b))) for r, g, b in viridis_table(SHADES)]


class Tip(QLabel):
    """The small box with a point's values: on the window, so that no plot cuts it; it never leaves the window."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setProperty("role", "tip")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        canvas.left.connect(self._on_left)

    def _on_left(self) -> None:
        if isValid(self):  # the window may go before its canvases
            self.hide()

    def show_at(self, plot: Any, x: float, y: float, words: str) -> None:
        """Beside the point (x, y) of ``plot``."""
        window = self._canvas.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        self.setText(words)
        self.adjustSize()
        scene = plot.getViewBox().mapViewToScene(QPointF(x, y))
        at = self._canvas.mapTo(window, self._canvas.mapFromScene(scene))
        left = at.x() + 14 if at.x() + 14 + self.width() <= window.width() - 4 else at.x() - 14 - self.width()
        top = min(max(at.y() - self.height() // 2, 4), window.height() - self.height() - 4)
        self.move(max(left, 4), max(top, 4))
        self.show()
        self.raise_()
