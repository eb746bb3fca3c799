"""Points of a plot that the mouse drags."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from bayescope.gui.plots.pg import brush, pen

Array = NDArray[np.float64]
SIZE = 13  # pixels


class Handles(QObject):
    """``dragged``: the user moved one; ``places`` (n, 2) then has it."""

    dragged = Signal()

    def __init__(self, plot: Any, colour: str, parent: QObject) -> None:
        super().__init__(parent)
        self._plot, self._colour = plot, colour
        self.items: list[Any] = []
        self._low, self._high = np.full(2, -np.inf), np.full(2, np.inf)
        self._setting = False

    def keep_within(self, low: tuple[float, float], high: tuple[float, float]) -> None:
        """No handle leaves this box: it could not be got hold of again."""
        self._low, self._high = np.array(low), np.array(high)

    @property
    def places(self) -> Array:
        return np.array([[item.pos().x(), item.pos().y()] for item in self.items]).reshape(-1, 2)

    def show_at(self, places: Array) -> None:
        """Handles at (n, 2), new ones as needed."""
        while len(self.items) > len(places):
            self._plot.removeItem(self.items.pop())
        while len(self.items) < len(places):
            item = pg.TargetItem(size=SIZE, symbol="o", movable=True)
            item.sigPositionChanged.connect(self._on_moved)
            self._plot.addItem(item, ignoreBounds=True)
            self.items.append(item)
            self._paint(item)
        self._setting = True
        for item, (x, y) in zip(self.items, places, strict=True):
            item.setPos(float(x), float(y))
        self._setting = False

    def restyle(self) -> None:
        """After a theme change."""
        for item in self.items:
            self._paint(item)

    def _paint(self, item: Any) -> None:
        item.setZValue(20)
        item.setPen(pen("data", 1.2))
        item.setBrush(brush(self._colour))
        item.setHoverPen(pen("highlight", 2.0))
        item.setHoverBrush(brush(self._colour))

    def _on_moved(self, item: Any) -> None:
        if self._setting:
            return
        place = np.clip([item.pos().x(), item.pos().y()], self._low, self._high)
        self._setting = True
        item.setPos(float(place[0]), float(place[1]))
        self._setting = False
        self.dragged.emit()
