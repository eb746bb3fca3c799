"""Where the simulator was run: any two quantities, coloured by log density or by order; failures by the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel
from shiboken6 import isValid

from bayescope.engine.answer.failures.kinds import KINDS, Kind
from bayescope.engine.answer.failures.success_map import SuccessMaps
from bayescope.engine.answer.modes import Modes
from bayescope.engine.problem.definition import Parameter, told_apart, with_names
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.models.scales import is_logarithmic, on_axis
from bayescope.gui.plots.curves import colour_positions
from bayescope.gui.plots.failure_marks import MARKS, ReasonLegend, kind_of_run, reason_pen
from bayescope.gui.plots.marginals import axis_name
from bayescope.gui.plots.mode_legend import ModeLegend
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.pg import SHADES, Canvas, Tip, mode_pen, pen, shade_brushes
from bayescope.gui.plots.success_item import SuccessItem
from bayescope.gui.plots.success_shade import shade_of
from bayescope.gui.style.words import duration, number
from bayescope.gui.widgets.elided import FittingCombo

ORDER, DENSITY, NOISE = "run number", "log density", "noise"
HINT = "lightest: best; open shapes: failed"
BEYOND = 0.05  # of the range of the runs that the shade goes beyond them
MODE_RING = 13  # pixels


class AcquiredPoints(PlotPanel):
    """``show_problem`` fills the choices; ``update_points`` adds what is new."""

    def __init__(self, compact: bool = False) -> None:
        super().__init__("Runs" if compact else "Simulator runs", HINT)
        self._waiting = waiting_words(several=False)
        self._compact = compact  # no room for the choice of colours, which the large view has
        self._x, self._y, self._colour = (
            FittingCombo(words, widest)
            for words, widest in (("Shown across", 220), ("Shown upwards", 220), ("Shown by colour", 140))
        )
        self._captions: list[QLabel] = []
        for words, combo in (("across", self._x), ("up", self._y), ("colour", self._colour)):
            if not compact:  # the tool tips say it where there is little room
                caption = QLabel(words)
                caption.setProperty("role", "caption")
                caption.setVisible(False)
                self._captions.append(caption)
                self.add_control(caption)
            self.add_control(combo, 30)
            combo.setVisible(False)  # until there is something to choose from
        self._colour.addItems([DENSITY, ORDER])
        self._canvas = Canvas()
        self.plot = self._canvas.add_plot(0, 0)
        self.points = pg.ScatterPlotItem(size=9, pxMode=True, pen=None)
        self.failures = pg.ScatterPlotItem(size=10, pxMode=True, symbol="x", brush=None)
        self.doubts = pg.ScatterPlotItem(size=15, pxMode=True, brush=None)  # rings around values the answer doubts
        self.ring = pg.ScatterPlotItem(size=17, pxMode=True, brush=None)
        self.ring.hover_only = True
        self.in_modes: list[pg.ScatterPlotItem] = []  # rings in a mode's colour around the runs inside it
        self.legend = ModeLegend(self)
        self.reasons = ReasonLegend(self)
        if not compact:  # it stands beside the marginals, which have the first; the tips say the second
            self.add_control(self.legend)
            self.add_control(self.reasons)
        self.tip = Tip(self._canvas)
        self._canvas.left.connect(self._on_left)
        self.shade = SuccessItem(self.plot)
        self._maps: SuccessMaps | None = None
        for z, item in enumerate((self.failures, self.points, self.doubts, self.ring)):
            item.setZValue(z)
            self.plot.addItem(item)
        self._parameters: tuple[Parameter, ...] = ()
        self._data: RunData | None = None
        self._drawn = 0  # evaluations drawn
        self._shades: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._at = np.empty((0, 2))
        self._doubted: tuple[int, ...] = ()
        self._modes: Modes | None = None
        self._labels: NDArray[np.intp] = np.empty(0, dtype=np.intp)  # (n,) the mode of each run drawn; -1: of none
        self._brushes = shade_brushes()
        self._kinds: list[Kind | None] = []  # why each run failed
        self._pens: dict[Kind, QPen] = {}
        self._noise: dict[int, float] = {}
        for combo in (self._x, self._y, self._colour):
            combo.currentIndexChanged.connect(lambda _, whole=combo is not self._colour: self._redraw(whole))
        self.plot.scene().sigMouseMoved.connect(self._on_move)
        self.plot.scene().sigMouseClicked.connect(self._on_click)
        self.set_plot(self._canvas)
        self.on_theme()
        self.say_empty(self._waiting)

    def minimumSizeHint(self) -> QSize:
        """The captions give way where there is little room: the tool tips of the choices say the same."""
        least = super().minimumSizeHint()
        shown = sum(c.sizeHint().width() + self.head.spacing() for c in self._captions if not c.isHidden())
        return QSize(least.width() - shown, least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_captions()

    def _show_captions(self) -> None:
        needed = sum(c.sizeHint().width() + self.head.spacing() for c in self._captions)
        room = bool(self._parameters) and self.width() >= self.minimumSizeHint().width() + needed
        for caption in self._captions:
            caption.setVisible(room)

    def show_problem(self, parameters: Sequence[Parameter]) -> None:
        if tuple(parameters) == self._parameters:
            return
        self._parameters = tuple(parameters)
        names = [p.label or p.name for p in with_names(self._parameters)] + [DENSITY, ORDER]  # the axes name the units
        for combo, start in ((self._x, 0), (self._y, 1 if len(self._parameters) > 1 else len(self._parameters))):
            combo.blockSignals(True)
            combo.clear()
            combo.addItems(names)
            combo.setCurrentIndex(start)
            combo.blockSignals(False)
        for combo in (self._x, self._y, self._colour):
            combo.setVisible(bool(self._parameters) and not (self._compact and combo is self._colour))
        self._show_captions()
        self._redraw()

    def count(self, runs_at_each: int) -> None:
        """How many runs of the program a point is made of."""
        self._waiting = waiting_words(several=runs_at_each > 1)
        if self.empty_words:
            self.say_empty(self._waiting)

    def show_pair(self, x: int, y: int) -> None:
        """Show parameters ``x`` across and ``y`` up."""
        self._x.setCurrentIndex(x)
        self._y.setCurrentIndex(y)

    def update_points(self, data: RunData) -> None:
        """Draw what is new in ``data``; all of it again if the colours must move."""
        if data is not self._data:
            self._data, self._drawn, self._kinds = data, 0, []
            self.points.clear()
            self.failures.clear()
            self.ring.clear()
        n = len(data.evaluations)
        self.say_empty("" if n else self._waiting)
        if n == self._drawn:
            return
        shades = self._shade(data)
        if self._drawn and np.array_equal(shades[: self._drawn], self._shades):
            self._add(data, self._drawn, shades)
        else:
            self.points.clear()
            self.failures.clear()
            self._add(data, 0, shades)
        self._shades, self._drawn = shades, n

    def show_doubted(self, indices: Sequence[int]) -> None:
        """Rings around runs (by index) whose value lies far off the rest, and is left out or counts less for it."""
        self._doubted = tuple(indices)
        self._draw_doubts()

    def show_modes(self, modes: Modes | None) -> None:
        """Rings around the runs inside each separate mode, in its colour; None: there is one."""
        if modes is not self._modes:
            self._modes, self._labels = modes, np.empty(0, dtype=np.intp)
            self.legend.show_modes(None if self._compact else modes)
            self._draw_modes()

    def show_success(self, maps: SuccessMaps | None) -> None:
        """The probability that a run succeeds as a shade with its border; None: none failed for its place."""
        if maps is not self._maps:
            self._maps = maps
            self._draw_success()

    def show_noise(self, noise: dict[int, float]) -> None:
        """The sds of runs' log densities, by index, as a further choice of colours; empty: the noise is the same everywhere."""
        if noise == self._noise:
            return
        if bool(noise) != bool(self._noise):
            self._colour.addItem(NOISE) if noise else self._colour.removeItem(self._colour.findText(NOISE))
        self._noise = noise
        if self._colour.currentText() == NOISE:
            self._redraw(whole=False)

    def _draw_success(self) -> None:
        i, j, d = self._x.currentIndex(), self._y.currentIndex(), len(self._parameters)
        at, shade = self._at[np.isfinite(self._at).all(axis=1)], None
        if self._maps is not None and 0 <= i < d and 0 <= j < d and i != j and len(at) > 1:
            low, high = at.min(axis=0), at.max(axis=0)
            beyond = np.maximum(BEYOND * (high - low), 1e-9 * (1.0 + np.abs(high)))
            (x0, y0), (x1, y1) = (low - beyond).tolist(), (high + beyond).tolist()
            shade = shade_of(self._maps, i, j, (x0, x1), (y0, y1), (self._logarithmic(i), self._logarithmic(j)))
        self.shade.show_shade(shade)
        hint = HINT.replace("best", "noisiest") if self._colour.currentText() == NOISE else HINT
        self.say_hint(hint + ("" if self.shade.shade is None else f"; {self.shade.shade.words}"))

    def _draw_modes(self) -> None:
        count = 0 if self._modes is None else len(self._modes)
        while len(self.in_modes) < count:
            item = pg.ScatterPlotItem(size=MODE_RING, pxMode=True, brush=None)
            item.setZValue(-1)
            item.setPen(mode_pen(len(self.in_modes), 1.8))
            self.plot.addItem(item)
            self.in_modes.append(item)
        if self._modes is not None and self._data is not None and len(self._labels) != len(self._at):
            self._labels = self._modes.labels_of_runs(self._data.theta.view()[: len(self._at)])
        for k, item in enumerate(self.in_modes):
            here = (self._labels == k) & np.isfinite(self._at).all(axis=1) if k < count else np.zeros(0, dtype=bool)
            item.setData(x=self._at[here, 0], y=self._at[here, 1]) if here.any() else item.clear()

    def _draw_doubts(self) -> None:
        chosen = set(self._doubted)
        if self._data is None or not chosen:
            self.doubts.clear()
            return
        at = self._at[[k for k, e in enumerate(self._data.evaluations[: len(self._at)]) if e.index in chosen]]
        at = at[np.isfinite(at).all(axis=1)]
        self.doubts.setData(x=at[:, 0], y=at[:, 1])

    def _shade(self, data: RunData) -> NDArray[np.int64]:
        """(n,) which of the cached brushes each run has; -1 for failures. Coarse steps keep most colours when one is added."""
        density = data.log_density.view()
        if self._colour.currentText() == ORDER:
            n = len(density)
            step = max(1, 2 ** int(np.ceil(np.log2(max(n, 1)))) // SHADES)
            shades = np.minimum(np.arange(n) // step, SHADES - 1)
        elif self._colour.currentText() == NOISE:
            low, high = min(self._noise.values(), default=1.0), max(self._noise.values(), default=1.0)
            sds = np.array([self._noise.get(e.index, low) for e in data.evaluations])
            shades = (np.log(sds / low) / max(np.log(high / low), 1e-9) * (SHADES - 1)).astype(np.int64)
        else:
            positions = colour_positions(density, len(data.names))
            shades = np.nan_to_num(positions * (SHADES - 1), nan=0.0).astype(np.int64)
        failed = np.array([e.outcome != "ok" for e in data.evaluations], dtype=bool)
        return np.where(failed, -1, shades)

    def _logarithmic(self, choice: int) -> bool:
        return 0 <= choice < len(self._parameters) and is_logarithmic(self._parameters[choice])

    def _column(self, data: RunData, choice: int) -> NDArray[np.float64]:
        d = len(self._parameters)
        if choice < d:
            return on_axis(data.theta.view()[:, choice], self._logarithmic(choice))
        return data.log_density.view() if choice == d else np.arange(1.0, len(data.evaluations) + 1)

    def _add(self, data: RunData, first: int, shades: NDArray[np.int64]) -> None:
        x, y = self._column(data, self._x.currentIndex()), self._column(data, self._y.currentIndex())
        self._at = np.stack([x, y], axis=1)
        here = np.arange(first, len(x))
        finite = np.isfinite(x[here]) & np.isfinite(y[here])
        good, bad = here[(shades[here] >= 0) & finite], here[(shades[here] < 0) & finite]
        if len(good):
            self.points.addPoints(x=x[good], y=y[good], brush=[self._brushes[k] for k in shades[good]], data=good)
        self._kinds += [kind_of_run(e) for e in data.evaluations[len(self._kinds) : len(x)]]
        if len(bad):
            kinds: list[Kind] = [self._kinds[k] or "other" for k in bad]
            pens, symbols = [self._pens[kind] for kind in kinds], [MARKS[kind].symbol for kind in kinds]
            self.failures.addPoints(x=x[bad], y=y[bad], data=bad, pen=pens, symbol=symbols)
        if not self._compact:
            self.reasons.show_kinds([kind for kind in self._kinds if kind is not None])
        self._draw_doubts()
        self._draw_modes()

    def _redraw(self, whole: bool = True) -> None:
        """All points again; ``whole``: other quantities are shown, so the zoom of the old ones is given up."""
        names = [axis_name(p) for p in told_apart(self._parameters)] + [DENSITY, ORDER]
        for side, combo in (("bottom", self._x), ("left", self._y)):
            choice = combo.currentIndex()
            self._canvas.label(self.plot, side, names[choice] if choice >= 0 else "")
            self.plot.getAxis(side).show_powers(self._logarithmic(choice))
        self.tip.hide()
        if self._data is not None:
            data, self._data = self._data, None
            self.update_points(data)
            self._draw_success()
            if whole:
                self.reset()

    # ---------------------------------------------------------------- mouse

    def nearest(self, scene: QPointF, within: float = 14.0) -> int | None:
        """Position in ``data.evaluations`` of the run under the mouse."""
        if not len(self._at):
            return None
        box = self.plot.getViewBox()
        per_x, per_y = box.viewPixelSize()
        at = box.mapSceneToView(scene)
        d = ((self._at[:, 0] - at.x()) / per_x) ** 2 + ((self._at[:, 1] - at.y()) / per_y) ** 2
        d = np.where(np.isfinite(d), d, np.inf)
        k = int(np.argmin(d))
        return k if d[k] <= within**2 else None

    def _on_move(self, scene: QPointF) -> None:
        k = self.nearest(scene)
        if k is None or self._data is None:
            self.tip.hide()
            self.ring.setData([], [])
            return
        x, y = float(self._at[k, 0]), float(self._at[k, 1])
        self.ring.setData([x], [y])
        words = run_words(self._data, k, self._parameters)
        index = self._data.evaluations[k].index
        if index in self._doubted:
            known = self._data.far_off.words_of(index)
            words += f"\nringed: {known or 'its value lies much further off the others than its noise explains'}"
        if self._modes is not None and k < len(self._labels) and self._labels[k] >= 0:
            words += f"\nin mode {self._modes.modes[self._labels[k]].name}"
        words += f"\nnoise of the log density ± {number(self._noise[index], 2)}" if index in self._noise else ""
        self.tip.show_at(self.plot, x, y, words)

    def _on_left(self) -> None:
        if isValid(self.ring):  # a canvas is hidden once more while it is deleted
            self.ring.setData([], [])

    def _on_click(self, event: Any) -> None:
        k = self.nearest(event.scenePos())
        if k is not None and self._data is not None and event.button() == Qt.MouseButton.LeftButton:
            self.point_clicked.emit(self._data.evaluations[k].index)

    def reset(self) -> None:
        self.plot.enableAutoRange()  # not autoRange(): that fits once and stays there
        self.plot.getViewBox().updateAutoRange()

    def on_theme(self) -> None:
        self._canvas.restyle()
        self._pens = {kind: reason_pen(kind, 1.2) for kind in KINDS}
        self._brushes = shade_brushes()
        self._shades = np.empty(0, dtype=np.int64)
        if self._data is not None:
            self._redraw(whole=False)
        self.shade.restyle()
        self.doubts.setPen(pen("failure", 1.6))
        self.ring.setPen(pen("highlight", 2.0))
        for k, item in enumerate(self.in_modes):
            item.setPen(mode_pen(k, 1.8))
        self.points.setPen(pen("plot_axis", 0.6, alpha=0.7))

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self._canvas.render_to(painter, size)


def waiting_words(several: bool) -> str:
    """``several``: each point takes more than one run of the program."""
    first = "all simulator runs of the first one have ended" if several else "there are runs"
    return f"Points appear as soon as {first}."


def run_words(data: RunData, k: int, parameters: Sequence[Parameter]) -> str:
    """What a tip says of run ``k``: its number, values, log density or why it failed."""
    e = data.evaluations[k]
    lines = [f"run {e.index}"]
    lines += [f"{p.label or p.name} = {number(e.values.get(p.name), 5)} {p.unit}".rstrip() for p in with_names(parameters[:12])]
    if len(parameters) > 12:
        lines.append(f"… and {len(parameters) - 12} more")
    if e.outcome == "ok":
        lines.append(f"log density {number(e.log_density, 6)}, took {duration(e.duration_s)}")
    else:
        reason = e.reason if len(e.reason) < 90 else e.reason[:89] + "…"
        lines.append(f"{e.outcome}: {reason}")
    return "\n".join(lines)
