"""Line icons painted from paths on a 24 x 24 grid: sharp at every scale, in the theme's colours, no image files to lose."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPen, QPixmap

from bayescope.gui.style.theme import theme

# name -> strokes "x,y x,y ..." parted by semicolons
_PATHS: dict[str, str] = {
    "check": "5,12.5 10,17.5 19,7",
    "cross": "6,6 18,18; 18,6 6,18",
    "plus": "12,5 12,19; 5,12 19,12",
    "minus": "5,12 19,12",
    "chevron-right": "9,5 16,12 9,19",
    "chevron-up": "5,16 12,9 19,16",
    "chevron-down": "5,9 12,16 19,9",
    "lock": "6,11 18,11 18,20 6,20 6,11; 8.5,11 8.5,8 10,5.2 12,4.6 14,5.2 15.5,8 15.5,11",
    "warning": "12,4 21,20 3,20 12,4; 12,10 12,14.5; 12,17 12,17.2",
    "error": "12,7 12,13; 12,16.6 12,16.8",
    "info": "12,11 12,17; 12,7.3 12,7.5",
    "folder": "3.5,19 3.5,6 9,6 11,8.5 20.5,8.5 20.5,19 3.5,19",
    "file": "6,3.5 14,3.5 18.5,8 18.5,20.5 6,20.5 6,3.5; 14,3.5 14,8 18.5,8",
    "save": "12,4 12,15; 7.5,10.8 12,15.2 16.5,10.8; 4.5,16.5 4.5,20 19.5,20 19.5,16.5",
    "copy": "8.5,8.5 19.5,8.5 19.5,20 8.5,20 8.5,8.5; 15.5,8.5 15.5,4 4.5,4 4.5,15.5 8.5,15.5",
    "reset": "4,9 4,4 9,4; 15,4 20,4 20,9; 20,15 20,20 15,20; 9,20 4,20 4,15",
    "refresh": "19,5 19,10 14,10; 19,10 16.5,6.8 12.5,5.2 8.4,6 5.6,9 5,13 6.8,16.8 10.4,18.8 14.6,18.4 17.8,16",
    "home": "4,11.5 12,4.5 20,11.5; 6.5,10 6.5,19.5 17.5,19.5 17.5,10",
    "chip": (
        "7,7 17,7 17,17 7,17 7,7; 9.5,3.5 9.5,7; 14.5,3.5 14.5,7; 9.5,17 9.5,20.5; 14.5,17 14.5,20.5; "
        "3.5,9.5 7,9.5; 3.5,14.5 7,14.5; 17,9.5 20.5,9.5; 17,14.5 20.5,14.5"
    ),
    "sliders": "4,7 20,7; 4,12 20,12; 4,17 20,17; 9,5 9,9; 15,10 15,14; 7.5,15 7.5,19",
    "table": "4,5 20,5 20,19 4,19 4,5; 4,10 20,10; 4,14.5 20,14.5; 11,5 11,19",
    "curve": "3,19 7,18 9,14 10.5,8 12,5.5 13.5,8 15,14 17,18 21,19",
    "report": "6,3.5 18,3.5 18,20.5 6,20.5 6,3.5; 9,16.5 9,13; 12,16.5 12,8; 15,16.5 15,11",
    "search": "15,15 20,20",
    "flag": "6,21 6,4 18,4 15,8.5 18,13 6,13",
    "dots": "",
    "help": "9.2,9.4 9.8,7.6 12,6.8 14.2,7.8 14.6,9.8 13.2,11.6 12,12.6 12,14.2; 12,17 12,17.2",
}
_FILLED: dict[str, list[list[tuple[float, float]]]] = {
    "play": [[(7.5, 4.5), (19.5, 12), (7.5, 19.5)]],
    "pause": [[(6.5, 5), (10.3, 5), (10.3, 19), (6.5, 19)], [(13.7, 5), (17.5, 5), (17.5, 19), (13.7, 19)]],
    "stop": [[(6, 6), (18, 6), (18, 18), (6, 18)]],
}
_CIRCLES: dict[str, list[tuple[float, float, float]]] = {
    "error": [(12, 12, 9)], "info": [(12, 12, 9)], "help": [(12, 12, 9)], "search": [(10.5, 10.5, 6)], "dots": [(12, 12, 3.5)],
}  # fmt: skip


def _strokes(text: str) -> list[list[tuple[float, float]]]:
    points = [[tuple(map(float, p.split(","))) for p in stroke.split()] for stroke in text.split(";") if stroke.strip()]
    return [[(p[0], p[1]) for p in stroke] for stroke in points]


_STROKES = {name: _strokes(text) for name, text in _PATHS.items()}


class _Engine(QIconEngine):
    def __init__(self, name: str, colour: QColor, disabled: QColor) -> None:
        super().__init__()
        self._name, self._colour, self._disabled = name, colour, disabled

    def paint(self, painter: QPainter, rect: object, mode: QIcon.Mode, state: QIcon.State) -> None:
        colour = self._disabled if mode == QIcon.Mode.Disabled else self._colour
        paint_icon(painter, self._name, QRectF(rect), colour)  # type: ignore[call-overload]

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        out = QPixmap(size)
        out.fill(Qt.GlobalColor.transparent)
        painter = QPainter(out)
        self.paint(painter, out.rect(), mode, state)
        painter.end()
        return out

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._colour, self._disabled)


def paint_icon(painter: QPainter, name: str, rect: QRectF, colour: QColor) -> None:
    """Paint icon ``name`` into ``rect``. Raises KeyError for an unknown name."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = min(rect.width(), rect.height())
    painter.translate(rect.center().x() - side / 2, rect.center().y() - side / 2)
    painter.scale(side / 24, side / 24)
    if name in _FILLED:
        painter.setPen(QPen(colour, 1.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(colour)
        for polygon in _FILLED[name]:
            painter.drawPolygon([QPointF(x, y) for x, y in polygon])
    else:
        painter.setPen(QPen(colour, 1.9, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for stroke in _STROKES[name]:
            path = QPainterPath(QPointF(*stroke[0]))
            for x, y in stroke[1:]:
                path.lineTo(x, y)
            painter.drawPath(path)
        for x, y, r in _CIRCLES.get(name, []):
            painter.drawEllipse(QPointF(x, y), r, r)
    painter.restore()


def icon(name: str, colour: str = "text") -> QIcon:
    """Icon ``name`` in the named colour of the theme in use (ask again after ``theme.changed``)."""
    if name not in _STROKES and name not in _FILLED:
        raise KeyError(name)
    return QIcon(_Engine(name, theme.colour(colour), theme.colour("disabled")))
