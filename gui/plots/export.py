"""Figures out of the window: copy, PNG, SVG, PDF. Every plot brings ``render(painter, size)``.

PNG by painting on a finer picture; SVG by QSvgGenerator in its version 1.1, which can clip (pyqtgraph's SVGExporter adds a
frame, its ImageExporter shrinks legends); PDF by QPdfWriter at 96 dots per inch, a pixel being 0.75 points.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRect, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from bayescope.engine.session import atomic
from bayescope.gui.dialogs.file_questions import ask

Render = Callable[[QPainter, QSize], None]
PNG_SCALE = 3.0
FILTERS = "PNG image (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"


def svg_bytes(render: Render, size: QSize, title: str = "") -> bytes:
    """The figure as an SVG document."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setResolution(96)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    render(painter, size)
    painter.end()
    buffer.close()
    return without_cosmetic_strokes(bytes(data.data()).decode()).encode()


_GROUP = re.compile(r'(<g [^>]*?)transform="matrix\(([^)]*)\)"([^>]*>)(.*?)(</g>)', re.DOTALL)
_ELEMENT = re.compile(r"<(text|image|rect|circle|ellipse|path|polyline|polygon|use)\b[^>]*>")
_PAIR = re.compile(r"(-?[\d.]+(?:e[-+]?\d+)?),(-?[\d.]+(?:e[-+]?\d+)?)")
_COSMETIC = 'vector-effect="non-scaling-stroke"'


def without_cosmetic_strokes(svg: str) -> str:
    """The same drawing with strokes that grow with it: lines of plots are drawn in data units with strokes that do not scale,
    which many programs do not understand. Their coordinates are turned into those of the page."""

    def element(found: re.Match[str], matrix: str) -> str:
        text = found[0]
        if _COSMETIC not in text:
            return f'<{found[1]} transform="matrix({matrix})"{text[1 + len(found[1]) :]}'
        a, b, c, d, e, f = map(float, matrix.split(","))

        def moved(pair: re.Match[str]) -> str:
            x, y = float(pair[1]), float(pair[2])
            return f"{a * x + c * y + e:.3f},{b * x + d * y + f:.3f}"

        return re.sub(
            r'\b(d|points)="([^"]*)"',
            lambda m: f'{m[1]}="{_PAIR.sub(moved, m[2])}"',
            text.replace(_COSMETIC, ""),
        )

    def group(found: re.Match[str]) -> str:
        if _COSMETIC not in found[4]:
            return found[0]
        inside = _ELEMENT.sub(lambda m: element(m, found[2]), found[4])
        return f"{found[1]}{found[3]}{inside}{found[5]}"

    return _GROUP.sub(group, svg).replace(_COSMETIC, "")  # what is left are borders of clipping, in units of the page


def image(render: Render, size: QSize, background: str, scale: float = PNG_SCALE) -> QImage:
    """The figure as an image ``scale`` times its size on screen."""
    out = QImage(round(size.width() * scale), round(size.height() * scale), QImage.Format.Format_ARGB32_Premultiplied)
    out.fill(background)
    painter = QPainter(out)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.scale(scale, scale)
    render(painter, size)
    painter.end()
    return out


def write(render: Render, size: QSize, path: Path, background: str, title: str = "") -> None:
    """Write as what the name ends in: .png, .svg, .pdf; the user agreed to lose a figure of that name. Raises SessionError."""
    suffix = path.suffix.lower()
    if suffix == ".svg":
        content = svg_bytes(render, size, title)
    elif suffix == ".pdf":
        content = pdf_bytes(render, size, title)
    else:
        content = png_bytes(image(render, size, background))
    atomic.write(path, content, replace=True)


def png_bytes(picture: QImage) -> bytes:
    """The picture as a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs know only text here
    buffer.close()
    return bytes(data.data())


def pdf_bytes(render: Render, size: QSize, title: str) -> bytes:
    """The figure as a PDF document of one page."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setResolution(96)
    writer.setPageSize(QPageSize(QSizeF(size.width() * 0.75, size.height() * 0.75), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    render(painter, size)
    painter.end()
    buffer.close()
    return bytes(data.data())


def copy(render: Render, size: QSize, background: str) -> None:
    """Put the figure on the clipboard as an image."""
    QGuiApplication.clipboard().setImage(image(render, size, background, 2.0))


def ask_path(parent: QWidget, folder: Path, name: str) -> Path | None:
    """The file dialog, in ``folder``; the ending follows the chosen kind."""
    return ask.target(parent, "Save figure", folder / f"{name}.png", FILTERS, (".png", ".svg", ".pdf"))
