"""The application's icon in every form that a system asks for, drawn from resources/icons/bayescope.svg.

Run by packaging/bundle/build.py with the environment's Python: icons.py FOLDER
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SVG = Path(__file__).resolve().parents[2] / "resources" / "icons" / "bayescope.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512, 1024)  # pixels
LINUX_SIZES = tuple(size for size in SIZES if size <= 512)  # folders of the hicolor theme
WINDOWS_SIZES = (16, 24, 32, 48, 64, 128, 256)  # an .ico holds no larger ones


def drawn(size: int) -> bytes:
    """A PNG of ``size`` x ``size`` pixels."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(SVG)).render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def write(folder: Path) -> None:
    """bayescope-SIZE.png, bayescope.ico and bayescope.icns; every size drawn by itself, none scaled from another."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures: dict[int, Image.Image] = {}
    for size in SIZES:
        data = drawn(size)
        (folder / f"bayescope-{size}.png").write_bytes(data)
        pictures[size] = Image.open(BytesIO(data))
    windows = [pictures[size] for size in WINDOWS_SIZES]
    windows[-1].save(folder / "bayescope.ico", sizes=[(s, s) for s in WINDOWS_SIZES], append_images=windows[:-1])
    pictures[1024].save(folder / "bayescope.icns", append_images=[pictures[s] for s in (16, 32, 64, 128, 256, 512)])


if __name__ == "__main__":
    write(Path(sys.argv[1]))
