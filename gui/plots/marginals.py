"""Marginal posteriors of all parameters, each in the user's units, with its prior behind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QScrollArea, QToolButton

from bayescope.engine.answer.intervals import Kind
from bayescope.engine.problem.data.units.unit_scales import with_unit
from bayescope.engine.problem.definition import Parameter, told_apart
from bayescope.gui.models.results.summary import short_words
from bayescope.gui.models.scales import is_logarithmic
from bayescope.gui.plots.curves import (
    MarginalCurve,
    PosteriorCurves,
    curve_on_axis,
    prior_curve,
    settled_range,
    shown_height,
)
from bayescope.gui.plots.marginal_item import MarginalItem
from bayescope.gui.plots.mode_legend import ModeLegend
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import Canvas

ROW_HEIGHT = 132
LEAST_ROW = 92  # pixels: below, nothing of a curve is seen over its axis and its name
WORDS_HEIGHT = 18  # pixels


def axis_name(parameter: Parameter) -> str:
    """Label (or name) with its unit, for an axis."""
    return with_unit(parameter.label or parameter.name, parameter.unit)


class _Cell:
    """One parameter: prior dashed, posterior filled, the 90 % interval darker, a line at the median."""

    def __init__(self, plot: Any, parameter: Parameter) -> None:
        self.plot, self.parameter, self.logarithmic = plot, parameter, is_logarithmic(parameter)
        plot.getAxis("bottom").show_powers(self.logarithmic)
        self.prior_x, self.prior_y = prior_curve(parameter)
        self.wide = (float(self.prior_x[0]), float(self.prior_x[-1]))
        self.shown: tuple[float, float] = self.wide
        self.settled: tuple[float, float] | None = None
        self.top = 0.0
        self.zoomed = False  # by the mouse: kept until the zoom is reset
        plot.showAxis("left", False)
        plot.getViewBox().sigRangeChangedManually.connect(self._on_zoom)
        plot.getViewBox().setMouseEnabled(x=True, y=False)
        plot.getViewBox().sigResized.connect(self._on_resized)
        self.item = MarginalItem(plot.getViewBox(), self.prior_x, self.prior_y)
        self.fit(self.wide, float(self.prior_y.max(initial=1e-300)))

    def _on_zoom(self, *_: object) -> None:
        self.zoomed = True

    def _on_resized(self, *_: object) -> None:
        if self.top:
            self._fit_height()

    def _fit_height(self) -> None:
        """Above the curve there is room for the line of words, and no more than that."""
        height = max(float(self.plot.getViewBox().height()), 1.0)
        self.plot.getViewBox().setYRange(0.0, (1 + min(WORDS_HEIGHT / height, 0.45)) * self.top, padding=0.0)

    def restyle(self) -> None:
        self.item.restyle()

    def fit(self, x: tuple[float, float], top: float) -> None:
        """Fixed ranges, changed only when they must be: autorange on every update costs three times as much."""
        self.shown = x
        self.plot.getViewBox().setXRange(*x, padding=0.0)
        if not 0.8 * self.top <= top <= 1.02 * self.top:
            self.top = 1.1 * top
            self._fit_height()

    def update(self, curve: MarginalCurve, whole_prior: bool, sketch: bool) -> None:
        words = "" if sketch else short_words(curve.median, curve.intervals, curve.step)
        curve = curve_on_axis(curve, self.logarithmic)
        self.item.show_curve(curve, words, sketch)
        self.settled = settled_range(self.settled, curve.reach)
        wanted = self.wide if whole_prior else self.settled
        seen = (self.prior_x >= wanted[0]) & (self.prior_x <= wanted[1])
        prior_top = float(self.prior_y[seen].max(initial=0.0))
        highest = shown_height(curve.x, curve.density, wanted)
        top = max(highest, min(prior_top, 2 * highest))
        if self.zoomed:
            return
        if wanted != self.shown or not 0.8 * self.top <= top <= 1.02 * self.top:
            self.fit(wanted, top)

    def clear(self) -> None:
        self.item.show_curve(None)
        self.settled = None
        self.top = 0.0
        self.zoomed = False
        self.fit(self.wide, float(self.prior_y.max(initial=1e-300)))


class MarginalsPlot(PlotPanel):
    """Grid of marginals; ``show_problem`` builds it, ``update_curves`` moves the curves."""

    def __init__(self) -> None:
        super().__init__("Posterior of each parameter")
        self.curves: PosteriorCurves | None = None
        self.show_kind("equal_tailed")
        self._canvas = Canvas()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidget(self._canvas)
        self._whole = QToolButton()
        self._whole.setText("Whole prior")
        self._whole.setCheckable(True)
        self._whole.setProperty("kind", "switch")
        self._whole.setToolTip("Show the whole range of the prior instead of where the posterior is")
        self._whole.toggled.connect(lambda: self.reset())
        self.add_control(self._whole)
        self.legend = ModeLegend()
        self.add_control(self.legend)
        self.set_plot(self._scroll)
        self.cells: list[_Cell] = []
        self._parameters: tuple[Parameter, ...] = ()
        self._of: object = None
        self._columns = 0

    def say_computing(self, on: bool) -> None:
        """Words in place of priors alone, which would look like an answer that learnt nothing."""
        self.say_empty("The posterior is being computed…" if on and self.curves is None else "")

    def show_kind(self, kind: Kind, modes: str = "") -> None:
        """Which intervals the curves come with; ``modes``: what is to be said about several."""
        which = "equal tails" if kind == "equal_tailed" else "the shortest"
        hatched = "; hatched: where runs fail" if self.hatched else ""
        self._kind = kind, modes
        if self.curves is not None and self.curves.sketch:
            self.say_hint("dashed: prior; first sketch, from few runs; it will still move")
            return
        self.say_hint(f"{modes}   dark: 90 %, {which}; dashed: prior; thin: others that the runs allow{hatched}".strip())

    @property
    def hatched(self) -> bool:
        """Whether some of the answer lies where runs fail."""
        return self.curves is not None and any(m.failing is not None for m in self.curves.marginals)

    def show_problem(self, parameters: Sequence[Parameter], of: object = None) -> None:
        """Draw the priors of the free parameters; keeps the plots, and the axes that were settled on, if they are the same and of
        the same analysis (whatever stands for it)."""
        if tuple(parameters) == self._parameters and of is self._of:
            return
        self._of = of
        self._parameters = tuple(parameters)
        self.curves = None
        self._build()

    def _build(self) -> None:
        self._canvas.clear()
        self.cells = []
        n = len(self._parameters)
        self._columns = self._fitting_columns()
        with self._canvas.at_once():
            for k, parameter in enumerate(told_apart(self._parameters)):
                plot = self._canvas.add_plot(k // self._columns, k % self._columns, axis_name(parameter), left=False)
                self.cells.append(_Cell(plot, parameter))
        rows = math.ceil(n / self._columns) if n else 1
        self._canvas.setMinimumHeight(rows * (ROW_HEIGHT if n > 4 else LEAST_ROW))
        self._scroll.setMinimumHeight(min(rows, 2) * LEAST_ROW)
        if self.curves is not None:
            self.update_curves(self.curves)

    def _fitting_columns(self) -> int:
        n, width, height = len(self._parameters), max(self.width(), 300), max(self.height() - 60, 90)
        most = max(1, width // 210)
        if n in (2, 3, 4) and most >= 2:  # side by side in a low card, two by two in a high one
            return n if most >= n and width > 2.2 * height else 2
        return min(most, max(n, 1))

    def update_curves(self, curves: PosteriorCurves | None) -> None:
        """Move the curves; None clears them (no answer yet)."""
        self.curves = curves
        self.legend.show_modes(None if curves is None else curves.modes)
        if curves is None or curves.names != tuple(p.name for p in self._parameters):
            for cell in self.cells:
                cell.clear()
            return
        self.say_computing(False)
        self.show_kind(*self._kind)
        for cell, marginal in zip(self.cells, curves.marginals, strict=True):
            cell.update(marginal, self._whole.isChecked(), curves.sketch)

    def reset(self) -> None:
        for cell in self.cells:
            cell.settled = None
            cell.top = 0.0
            cell.zoomed = False
        if self.curves is not None:
            self.update_curves(self.curves)
            for cell in self.cells:
                cell.fit(cell.shown, cell.top / 1.1)
        else:
            for cell in self.cells:
                cell.fit(cell.wide, float(cell.prior_y.max(initial=1e-300)))

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        if self._parameters and self._fitting_columns() != self._columns:
            self._build()

    def on_theme(self) -> None:
        self._canvas.restyle()
        for cell in self.cells:
            cell.restyle()

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)

    def figure_size(self) -> QSize:
        return QSize(self._canvas.size())
