"""Arrays as the points of a line that Qt draws."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QPainterPath, QPolygonF

from bayescope.gui.style.theme import theme


def polyline(x: NDArray[np.float64], y: NDArray[np.float64]) -> list[QPointF]:
    return [QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]


def hatched_area(x: NDArray[np.float64], y: NDArray[np.float64], bottom: float, share: NDArray[np.float64]) -> QPainterPath:
    """The upper ``share`` (m,) of the area between the curve (x, y) and ``bottom``, in pixels."""
    lower = y + share * (bottom - y)
    path = QPainterPath()
    path.addPolygon(QPolygonF([*polyline(x, y), *polyline(x[::-1], lower[::-1])]))
    return path


def hatching() -> QBrush:
    """Of the answer where runs fail."""
    return QBrush(theme.colour("failure"), Qt.BrushStyle.BDiagPattern)
