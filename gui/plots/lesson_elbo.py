"""What is an ELBO? A density of two numbers to which a mixture of Gaussians is fitted by hand or step by step; for the help page
of that name (after seed 003, Variational inference IV and its toy examples)."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QGraphicsPathItem, QWidget

from bayescope.gui.models.teaching import DENSITIES, Mix, base_draws, log_density
from bayescope.gui.plots.handles import Handles
from bayescope.gui.plots.lesson_parts import button, caption, lay_out
from bayescope.gui.plots.pg import Canvas, mode_pen, path_of, pen, viridis_table
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import number
from bayescope.gui.widgets.forms import Choice
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.number_boxes import CountBox

Array = NDArray[np.float64]

BOX = 3.2  # half the side of what is shown
PIXELS = 160
MOST_GAUSSIANS = 5
STEPS = 150  # of a fit
STEPS_AT_ONCE = 2  # between two pictures
PAUSE = 30  # ms between them
CIRCLE = np.column_stack([f(np.linspace(0, 2 * np.pi, 73)) for f in (np.cos, np.sin)])
JUDGES = base_draws(np.random.default_rng(1), 1024)  # of every ELBO shown, so that two can be compared
MOST_NOTED = 2000  # of the trace
LOWEST = -6.0  # nats of the trace that are shown


class ElboLesson(QWidget):
    """``mix``: the Gaussians as they stand; ``trace``: its ELBO after each step or drag."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mix, self.trace = Mix.begin(2), list[float]()
        self._rng, self._left = np.random.default_rng(0), 0
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._go_on)
        self.canvas = Canvas()
        self.canvas.setAccessibleName("A density of two parameters and the Gaussians that are fitted to it: drag their centres")
        self._plot = self.canvas.add_plot(0, 0, "first parameter", "second parameter")
        self._picture = pg.ImageItem()
        self._picture.setZValue(-10)
        self._plot.addItem(self._picture, ignoreBounds=True)
        view = self._plot.getViewBox()
        view.setMouseEnabled(False, False)
        view.setRange(xRange=(-BOX, BOX), yRange=(-BOX, BOX), padding=0.0)
        self._curve = self.canvas.add_plot(0, 1, "steps and drags", "ELBO")
        self._curve.getViewBox().setMouseEnabled(False, False)
        self._line, self._level = QGraphicsPathItem(), pg.InfiniteLine(0.0, angle=0, movable=False)
        for item in (self._line, self._level):
            self._curve.addItem(item, ignoreBounds=True)
        self.canvas.ci.layout.setColumnStretchFactor(0, 3)
        self.canvas.ci.layout.setColumnStretchFactor(1, 2)
        self._outlines: list[QGraphicsPathItem] = []
        self._handles = Handles(self._plot, "surface", self)
        self._handles.keep_within((-BOX, -BOX), (BOX, BOX))
        self._handles.dragged.connect(self._on_dragged)
        self.density = Choice("Density", "The density that is to be described")
        self.density.offer(tuple(DENSITIES.items()), "banana")
        self.density.chosen.connect(self.start)
        self.count = CountBox(1, MOST_GAUSSIANS, 2)
        self.count.setAccessibleName("Number of Gaussians")
        self.count.valueChanged.connect(self.start)
        self.step = button("One &step", "Every Gaussian moves, turns and grows a little, to where the ELBO rises")
        self.step.clicked.connect(self.take_step)
        self.fit = button("&Fit", f"Up to {STEPS} steps, one after another")
        self.fit.clicked.connect(self._fit_or_stop)
        self.again = button("Start &again", "Round Gaussians, as at the beginning")
        self.again.clicked.connect(self.start)
        self.words = caption()
        side = (label("Density"), self.density, label("Gaussians"), self.count, self.step, self.fit, self.again)
        lay_out(self, self.canvas, self.words, side)
        theme.changed.connect(self._restyle)
        self.start()

    # ------------------------------------------------------------------ what the buttons do

    @property
    def elbo(self) -> float:
        """Of the Gaussians as they stand; the log evidence is 0, so that minus this is the divergence."""
        return self.mix.elbo(self.density.key(), JUDGES)

    def start(self) -> None:
        """Round Gaussians and an empty trace."""
        self._stop()
        self._rng = np.random.default_rng(0)
        self.mix, self.trace = Mix.begin(self.count.value()), []
        self._paint()
        self._note()

    def take_step(self, count: int = 1) -> None:
        for _ in range(int(count) or 1):  # a click says False
            self.mix = self.mix.step(self.density.key(), base_draws(self._rng))
        self._note()

    def _fit_or_stop(self) -> None:
        if self._timer.isActive():
            self._stop()
        else:
            self._left = STEPS
            self.fit.setText("S&top")
            self._timer.start()

    def _go_on(self) -> None:
        self.take_step(min(STEPS_AT_ONCE, self._left))
        self._left -= STEPS_AT_ONCE
        if self._left <= 0:
            self._stop()

    def _stop(self) -> None:
        self._timer.stop()
        self.fit.setText("&Fit")

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop()

    def _on_dragged(self) -> None:
        self.mix = Mix(self.mix.logits, self._handles.places, self.mix.factors)
        self._note()

    # ------------------------------------------------------------------ drawing

    def _note(self) -> None:
        """The Gaussians are other ones."""
        self.trace = [*self.trace, self.elbo][-MOST_NOTED:]
        self._show()

    def _show(self) -> None:
        self._handles.show_at(self.mix.means)
        while len(self._outlines) > len(self.mix.means):
            self._plot.removeItem(self._outlines.pop())
        while len(self._outlines) < len(self.mix.means):
            self._outlines.append(QGraphicsPathItem())
            self._plot.addItem(self._outlines[-1], ignoreBounds=True)
        for k, (item, mean, factor) in enumerate(zip(self._outlines, self.mix.means, self.mix.factors, strict=True)):
            x, y = (mean + 2.0 * CIRCLE @ factor.T).T
            item.setPath(path_of(x, y))
            item.setPen(mode_pen(k, 1.0 + 3.0 * float(self.mix.weights[k])))
        steps, values = np.arange(len(self.trace), dtype=float), np.array(self.trace)
        self._line.setPath(path_of(steps, np.maximum(values, LOWEST)))
        lowest = max(float(values.min()), LOWEST)
        self._curve.getViewBox().setRange(
            xRange=(0.0, max(10.0, len(self.trace))), yRange=(lowest - 0.1, max(0.1, -0.1 * lowest)), padding=0.0
        )
        elbo = round(self.trace[-1], 2) + 0.0  # no minus zero
        self.words.setText(
            f"ELBO {number(elbo, 3)}; log evidence 0 (dashed line). The gap between them, {number(max(-elbo, 0.0), 3)}, is how "
            "far the Gaussians are from the density (Kullback-Leibler divergence). Ellipses: two standard deviations, thicker "
            "with more weight."
        )

    def _restyle(self) -> None:
        self._paint()
        self._show()

    def _paint(self) -> None:
        """The density, and all pens of the theme in use."""
        self.canvas.restyle()
        side = (np.arange(PIXELS) + 0.5) / PIXELS * 2 * BOX - BOX
        x, y = np.meshgrid(side, side, indexing="ij")
        value = np.exp(log_density(self.density.key(), np.column_stack([x.ravel(), y.ravel()]))[0]).reshape(x.shape)
        self._picture.setLookupTable(viridis_table())
        self._picture.setImage(np.sqrt(value), levels=(0.0, float(np.sqrt(value.max()))))
        self._picture.setRect(QRectF(-BOX, -BOX, 2 * BOX, 2 * BOX))
        self._line.setPen(pen("elbo", 2.0))
        self._level.setPen(pen("prior", 1.2, Qt.PenStyle.DashLine))
        self._handles.restyle()
