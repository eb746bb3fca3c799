"""The card around all pairs of parameters: what they show in words, the count of runs outside, the switch to show all."""

from __future__ import annotations

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QScrollArea, QToolButton

from bayescope.gui.plots.mode_legend import ModeLegend
from bayescope.gui.plots.pairs_widget import PairsWidget
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.reader import CurveReader


class PairsPlot(PlotPanel):
    """The card around it. Double click (or Enter) opens one pair large."""

    pair_opened = Signal(int, int)

    def __init__(self, reader: CurveReader | None = None) -> None:
        super().__init__(
            "Pairs", "shades and 50 / 90 % contours: posterior; points: simulator runs; double-click opens a pair"
        )
        self.widget = PairsWidget(reader)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setWidget(self.widget)
        self.widget.point_clicked.connect(self.point_clicked)
        self.widget.pair_opened.connect(self.pair_opened)
        self._outside = QLabel()
        self._outside.setProperty("role", "caption")
        self._all = QToolButton()
        self._counted = "runs"
        self._all.setText("All runs")
        self._all.setCheckable(True)
        self._all.setProperty("kind", "switch")
        self._all.setToolTip("Show every simulator run instead of where the posterior is")
        self._all.toggled.connect(self.widget.show_all_runs)
        self.legend = ModeLegend()
        self.add_control(self.legend)
        self.add_control(self._outside)
        self.add_control(self._all)
        self.widget.outside_changed.connect(self._count_outside)
        self.set_plot(self._scroll)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.widget.update)

    def count(self, counted: str) -> None:
        """What its points are called, in sentences."""
        self._counted = counted
        self._all.setText(f"All {counted}")

    def reset(self) -> None:
        self.widget.reset()

    def _count_outside(self) -> None:
        self.legend.show_modes(self.widget.modes)
        n, of = self.widget.outside
        words = f"{n:,} of {of:,} {self._counted} lie outside" if n else ""
        if words != self._outside.text():
            self._outside.setText(words)
            self._outside.setToolTip(
                f"{self._counted.capitalize()} at values that these ranges leave out, from the search before the posterior was "
                "found"
            )

    def on_theme(self) -> None:
        self.widget.on_theme()
        self._later.start()

    def render_figure(self, painter: QPainter, size: QSize) -> None:
        self.widget.paint_figure(painter, size)

    def figure_size(self) -> QSize:
        return self.widget.size()
