"""What is a surrogate? A Gaussian process of one number whose runs can be dragged; for the help page of that name."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPolygonF
from PySide6.QtWidgets import (
    QCheckBox,
    QGraphicsPathItem,
    QGraphicsPolygonItem,
    QGridLayout,
    QWidget,
)

from bayescope.gui.models.teaching import KERNELS, Process, next_run, truth
from bayescope.gui.plots.handles import Handles
from bayescope.gui.plots.lesson_parts import button, caption, lay_out, slider
from bayescope.gui.plots.pg import Canvas, brush, path_of, pen
from bayescope.gui.style.theme import theme
from bayescope.gui.style.words import number
from bayescope.gui.widgets.forms import Choice
from bayescope.gui.widgets.notices import label

AXIS = np.linspace(-4.0, 4.0, 241)
HEIGHT = (-11.0, 11.0)  # nats
PRIOR_SD = 4.8  # nats
FIRST = np.array([-2.6, 0.2, 2.9])  # runs at the beginning
MOST_RUNS = 25
LENGTHS = np.geomspace(0.15, 4.0, 61)  # places of the slider
NOISES = np.concatenate([[0.0], np.geomspace(0.1, 4.0, 40)])
START_LENGTH = 34


class SurrogateLesson(QWidget):
    """``runs`` (n, 2): places and values, as they were made or dragged to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas()
        self.canvas.setAccessibleName("A surrogate of one parameter: drag the runs")
        self._plot = self.canvas.add_plot(0, 0, "parameter", "log density")
        self._plot.getViewBox().setMouseEnabled(False, False)
        self._plot.getViewBox().setRange(xRange=(AXIS[0], AXIS[-1]), yRange=HEIGHT, padding=0.0)
        self._band, self._mean, self._truth = QGraphicsPolygonItem(), QGraphicsPathItem(), QGraphicsPathItem()
        for item in (self._band, self._truth, self._mean):
            self._plot.addItem(item, ignoreBounds=True)
        self._band.setZValue(-5)
        self._truth.setPath(path_of(AXIS, truth(AXIS)))
        self._handles = Handles(self._plot, "surface", self)
        self._handles.keep_within((AXIS[0], HEIGHT[0]), (AXIS[-1], HEIGHT[1]))
        self._handles.dragged.connect(self._show)
        self.kernel = Choice("Kernel", "How smooth the surrogate takes the log density to be")
        self.kernel.offer(tuple(KERNELS.items()), "se")
        self.kernel.chosen.connect(self._show)
        self.length = slider("Lengthscale", len(LENGTHS), START_LENGTH)
        self.noise = slider("Noise", len(NOISES), 0)
        for each in (self.length, self.noise):
            each.valueChanged.connect(self._show)
        self.add = button("Run where it &helps most", "Where doubt and promise are high together, as the recommended method does")
        self.add.clicked.connect(self.add_run)
        self.fit = button("&Fit the lengthscale", "The lengthscale under which these runs are most probable")
        self.fit.clicked.connect(self.fit_length)
        self.again = button("Start &again", "Three runs, as at the beginning")
        self.again.clicked.connect(self.start)
        self.revealed = QCheckBox("Show what the &program would return")
        self.revealed.toggled.connect(self._truth.setVisible)
        self._truth.setVisible(False)
        self.words = caption()
        self._values = [label(), label()]
        side = (self._controls(), self.add, self.fit, self.again, self.revealed)
        lay_out(self, self.canvas, self.words, side)
        theme.changed.connect(self._restyle)
        self._restyle()
        self.start()

    def _controls(self) -> QWidget:
        """The kernel and its two numbers, each below its name."""
        made = QWidget()
        grid = QGridLayout(made)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(6)
        rows = (("Kernel", self.kernel), ("Lengthscale", self.length), ("Noise", self.noise))
        for row, (name, editor) in enumerate(rows):
            grid.addWidget(label(name), 2 * row, 0)
            grid.addWidget(editor, 2 * row + 1, 0, 1, 2)
        for row, value in enumerate(self._values, 1):
            grid.addWidget(value, 2 * row, 1, Qt.AlignmentFlag.AlignRight)
        return made

    # ------------------------------------------------------------------ what the buttons do

    @property
    def runs(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        return self._handles.places

    @property
    def process(self) -> Process:
        """As the controls have it."""
        return Process(self.kernel.key(), float(LENGTHS[self.length.value()]), PRIOR_SD, float(NOISES[self.noise.value()]))

    def start(self) -> None:
        """Three runs and the first lengthscale."""
        self._handles.show_at(np.column_stack([FIRST, truth(FIRST)]))
        self.length.setValue(START_LENGTH)
        self.noise.setValue(0)
        self._show()

    def add_run(self) -> None:
        """One more run, of what the program returns there."""
        x, y = self.runs.T
        at = AXIS[next_run(*self.process.posterior(x, y, AXIS))]
        self._handles.show_at(np.vstack([self.runs, [at, float(truth(np.array([at]))[0])]]))
        self._show()

    def fit_length(self) -> None:
        x, y = self.runs.T
        best = self.process.fitted(x, y, LENGTHS).length
        self.length.setValue(int(np.argmin(np.abs(LENGTHS - best))))

    # ------------------------------------------------------------------ drawing

    def _show(self) -> None:
        process, (x, y) = self.process, self.runs.T
        mean, sd = process.posterior(x, y, AXIS)
        low, high = mean - 2 * sd, mean + 2 * sd
        self._mean.setPath(path_of(AXIS, mean))
        outline = zip(np.concatenate([AXIS, AXIS[::-1]]), np.concatenate([high, low[::-1]]), strict=True)
        self._band.setPolygon(QPolygonF([QPointF(a, b) for a, b in outline]))
        self._values[0].setText(number(process.length, 2))
        self._values[1].setText("none" if process.noise == 0.0 else number(process.noise, 2))
        self.add.setEnabled(len(x) < MOST_RUNS)
        least = int(np.argmax(sd))
        self.words.setText(
            f"{len(x)} runs. Line: what the surrogate expects. Band: two standard deviations. It knows least at "
            f"{number(float(AXIS[least]), 2)} (± {number(float(sd[least]), 2)}). Log probability of these runs under kernel and "
            f"lengthscale: {number(process.log_marginal(x, y), 3)}."
        )

    def _restyle(self) -> None:
        self.canvas.restyle()
        self._mean.setPen(pen("evidence", 2.0))
        self._band.setBrush(brush("evidence", 0.18))
        self._band.setPen(pen("evidence", 0.5, alpha=0.3))
        self._truth.setPen(pen("highlight", 1.4, Qt.PenStyle.DashLine))
        self._handles.restyle()

