"""The shade of where runs fail as items of a plot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from scipy import ndimage

from bayescope.gui.plots.pg import pen
from bayescope.gui.plots.success_shade import DARKEST, FAINT, Shade, shade_place
from bayescope.gui.style.colours import rgb
from bayescope.gui.style.theme import theme

FINER = 6  # pixels of the picture for each place: it is not smoothed when it is drawn
BEHIND = -5  # points, rings and grid lie over it


class SuccessItem:
    """Image and border, added to ``plot``; they take no part in its ranges."""

    def __init__(self, plot: Any) -> None:
        self.image, self.border = pg.ImageItem(), pg.PlotCurveItem(connect="finite")
        self.shade: Shade | None = None
        for item in (self.image, self.border):
            item.setZValue(BEHIND)
            plot.addItem(item, ignoreBounds=True)
        self.restyle()

    @property
    def visible(self) -> bool:
        return self.shade is not None

    def show_shade(self, shade: Shade | None) -> None:
        self.shade = shade if shade is not None and shade.seen else None
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        for item in (self.image, self.border):
            item.setVisible(self.visible)
        if self.shade is None:
            return
        fails = ndimage.zoom(self.shade.fails, FINER, order=1, mode="nearest", grid_mode=True)
        pixels = np.empty((*fails.shape, 4), dtype=np.uint8)
        pixels[..., :3] = rgb(theme.colours.failure)
        pixels[..., 3] = DARKEST * np.where(fails > FAINT, fails, 0.0)
        self.image.setImage(pixels, levels=(0, 255))
        self.image.setRect(QRectF(*shade_place(self.shade)))
        gap = np.full((1, 2), np.nan)
        lines = [part for line in self.shade.border for part in (line, gap)] or [gap]
        self.border.setData(*np.concatenate(lines).T)
        self.border.setPen(pen("failure", 1.2, Qt.PenStyle.DashLine))
