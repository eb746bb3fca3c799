"""Plots of pyqtgraph drawn for a file: lines as thick as on the screen at any scale, points as vectors, nothing of the mouse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyqtgraph as pg
from PySide6.QtGui import QGuiApplication, QPen
from PySide6.QtWidgets import QGraphicsLineItem, QGraphicsPathItem, QGraphicsPolygonItem, QGraphicsScene

SHAPES = (QGraphicsLineItem, QGraphicsPathItem, QGraphicsPolygonItem)


@contextmanager
def for_paper(scene: QGraphicsScene, scale: float) -> Iterator[None]:
    """While it lasts, ``scene`` is drawn for a device that is ``scale`` times finer than the plot's size in pixels.

    Cosmetic pens count pixels of the device, so they are widened; what follows the mouse (``hover_only``) is hidden.
    """
    screen = QGuiApplication.primaryScreen()
    factor = scale / (screen.devicePixelRatio() if screen is not None else 1.0)  # the pens are wider there already
    items = list(scene.items())
    hidden = [i for i in items if getattr(i, "hover_only", False) and i.isVisible()]
    pens = [(i, QPen(p)) for i in items if (p := _pen(i)) is not None and p.isCosmetic()]
    points = [i for i in items if isinstance(i, pg.ScatterPlotItem)]
    for item in hidden:
        item.hide()
    for item, before in pens:
        wider = QPen(before)
        wider.setWidthF(before.widthF() * factor)
        _set_pen(item, wider)
    for item in points:
        item.setExportMode(True, {"resolutionScale": scale})
    try:
        yield
    finally:
        for item in points:
            item.setExportMode(False)
        for item, before in pens:
            _set_pen(item, before)
        for item in hidden:
            item.show()


def _pen(item: Any) -> QPen | None:
    if isinstance(item, (pg.PlotCurveItem, pg.ScatterPlotItem)):
        found = item.opts["pen"]
    elif isinstance(item, pg.InfiniteLine):
        found = item.currentPen
    else:
        found = item.pen() if isinstance(item, SHAPES) else None
    return found if isinstance(found, QPen) else None


def _set_pen(item: Any, pen: QPen) -> None:
    if isinstance(item, (pg.PlotCurveItem, pg.ScatterPlotItem)):
        item.opts["pen"] = pen
    elif isinstance(item, pg.InfiniteLine):
        item.currentPen = pen
    else:
        item.setPen(pen)
