"""Figures out of the window: copy, PNG, SVG, PDF. Every plot brings ``render(painter, size)``.

SVG by QSvgGenerator (pyqtgraph's SVGExporter adds a frame); PNG by rendering that SVG large, so text and lines keep their
proportions (ImageExporter shrinks legends); PDF by QPdfWriter at 96 dots per inch, a pixel being 0.75 points.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRect, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QFileDialog, QWidget

Render = Callable[[QPainter, QSize], None]
PNG_SCALE = 3.0
FILTERS = "PNG image (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"


def svg_bytes(render: Render, size: QSize, title: str = "") -> bytes:
    """The figure as an SVG document."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    render(painter, size)
    painter.end()
    buffer.close()
    # cosmetic pens would stay one pixel wide however large the figure is drawn
    return bytes(data.data()).replace(b'vector-effect="non-scaling-stroke"', b"")


def image(render: Render, size: QSize, background: str, scale: float = PNG_SCALE) -> QImage:
    """The figure as an image ``scale`` times its size on screen."""
    renderer = QSvgRenderer(QByteArray(svg_bytes(render, size)))
    out = QImage(round(size.width() * scale), round(size.height() * scale), QImage.Format.Format_ARGB32_Premultiplied)
    out.fill(background)
    painter = QPainter(out)
    renderer.render(painter)
    painter.end()
    return out


def write(render: Render, size: QSize, path: Path, background: str, title: str = "") -> None:
    """Write as what the name ends in: .png, .svg, .pdf. Raises OSError."""
    suffix = path.suffix.lower()
    if suffix == ".svg":
        path.write_bytes(svg_bytes(render, size, title))
    elif suffix == ".pdf":
        _write_pdf(render, size, path, title)
    elif not image(render, size, background).save(str(path)):
        raise OSError(f"The picture could not be written to {path}.")


def _write_pdf(render: Render, size: QSize, path: Path, title: str) -> None:
    with path.open("wb"):
        pass  # a folder that cannot be written is an OSError here, in words
    writer = QPdfWriter(str(path))
    writer.setTitle(title)
    writer.setResolution(96)
    writer.setPageSize(QPageSize(QSizeF(size.width() * 0.75, size.height() * 0.75), QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    render(painter, size)
    painter.end()


def copy(render: Render, size: QSize, background: str) -> None:
    """Put the figure on the clipboard as an image."""
    QGuiApplication.clipboard().setImage(image(render, size, background, 2.0))


def ask_path(parent: QWidget, name: str) -> Path | None:
    """The file dialog; the ending follows the chosen kind."""
    chosen, kind = QFileDialog.getSaveFileName(parent, "Save figure", str(Path.home() / f"{name}.png"), FILTERS)
    if not chosen:
        return None
    path = Path(chosen)
    if path.suffix.lower() not in (".png", ".svg", ".pdf"):
        path = path.with_name(path.name + kind[kind.index("*.") + 1 : -1])
    return path
