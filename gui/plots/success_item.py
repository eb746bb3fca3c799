"""The shade of where runs fail as items of a plot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from scipy import ndimage

from bayescope.gui.plots.pg import plain_pen
from bayescope.gui.plots.success_shade import DARKEST, FAINT, Shade, reason_colour, shade_place

FINER = 6  # pixels of the picture for each place: it is not smoothed when it is drawn
BEHIND = -5  # points, rings and grid lie over it


class SuccessItem:
    """Image and border, added to ``plot``; they take no part in its ranges."""

    def __init__(self, plot: Any) -> None:
        self.image, self._plot = pg.ImageItem(), plot
        self.border: list[pg.PlotCurveItem] = []  # a line for each reason
        self.shade: Shade | None = None
        self._add(self.image)
        self.restyle()

    def _add(self, item: Any) -> None:
        item.setZValue(BEHIND)
        self._plot.addItem(item, ignoreBounds=True)

    @property
    def visible(self) -> bool:
        return self.shade is not None

    def show_shade(self, shade: Shade | None) -> None:
        self.shade = shade if shade is not None and shade.seen else None
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        self.image.setVisible(self.visible)
        for item in self.border:
            self._plot.removeItem(item)
        self.border = []
        if self.shade is None:
            return
        fails = ndimage.zoom(self.shade.fails, FINER, order=1, mode="nearest", grid_mode=True)
        pixels = np.empty((*fails.shape, 4), dtype=np.uint8)
        pixels[..., :3] = ndimage.zoom(self.shade.colours(), (FINER, FINER, 1), order=1, mode="nearest", grid_mode=True)
        pixels[..., 3] = DARKEST * np.where(fails > FAINT, fails, 0.0)
        self.image.setImage(pixels, levels=(0, 255))
        self.image.setRect(QRectF(*shade_place(self.shade)))
        gap = np.full((1, 2), np.nan)
        for why in sorted({k for _, k in self.shade.border}):
            parts = [part for line, k in self.shade.border if k == why for part in (line, gap)]
            dashed = plain_pen(reason_colour(why), 1.2, Qt.PenStyle.DashLine)
            self.border.append(pg.PlotCurveItem(*np.concatenate(parts).T, connect="finite", pen=dashed))
            self._add(self.border[-1])
