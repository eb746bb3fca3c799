"""The report as a PDF: the same page as the HTML one, laid out by Qt, figures as vectors, files of the analysis attached."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)

from bayescope.engine.answer.latest import usable_posterior
from bayescope.engine.report.report import Medium, report_html
from bayescope.engine.report.report_repeat import attached
from bayescope.engine.session import atomic
from bayescope.gui.plots.figure_painter import POINTS_PER_INCH, paint_figure, size_of
from bayescope.gui.plots.report_pages import PICTURE, keep_together

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bayescope.engine.session.store import SessionStore

RESOLUTION = 1200  # dots per inch of the coordinates: lines and glyphs end where they should
POINT = RESOLUTION / POINTS_PER_INCH  # dots
MARGINS = QMarginsF(18.0, 16.0, 18.0, 18.0)  # mm
FOOTER = 22.0  # points below the text for the page number
TEXT_SIZE, FOOTER_SIZE = 9.0, 7.5  # points
MOST_SHRUNK = 0.45  # a wide table makes the whole smaller, down to this
FIGURE = QTextFormat.ObjectTypes.UserObject + 1
NUMBER = QTextFormat.Property.UserProperty + 1
_MADE: list[QGuiApplication] = []  # Python would end it where nobody holds it
_KNOWN = (  # Qt has no such tags: it would put a figure into the line of its heading
    ("<figure>", "<p>"), ("<figcaption>", '</p><p class="caption">'), ("</figcaption></figure>", "</p>"),
)  # fmt: skip
_MIME = {".json": "application/json", ".csv": "text/csv"}
_MAP = re.compile(rb"beginbfrange.*?endbfrange", re.DOTALL)  # of a font's glyphs to characters; Qt leaves it uncompressed
_TARGETS = re.compile(rb"\[[<>0-9A-Fa-f\s]*\]")
_STYLE = """
h1 { font-size: 17pt; margin-bottom: 6px } h2 { font-size: 12.5pt; margin-top: 16px; margin-bottom: 5px }
h3 { font-size: 10.5pt; margin-top: 10px; margin-bottom: 3px } table { border-collapse: collapse; margin-top: 4px }
th, td { padding: 2px 6px; border-bottom: 1px solid #cccccc; text-align: left } td.n { text-align: right }
th { font-weight: 600 } pre { background-color: #f3f3f3; font-size: 8pt; white-space: pre-wrap } .caption { color: #555555 }
.good { color: #00664a } .warn { color: #a33f00 }
"""


def export_report_pdf(store: SessionStore, path: Path | str, *, replace: bool = False) -> None:
    """Write the report of the newest answer. Raises SessionError; ``replace``: a file of that name may be lost."""
    _application()
    figures: list[Figure] = []

    def drawn(figure: Figure) -> str:
        figures.append(figure)
        return f'<img src="figure:{len(figures) - 1}">'

    with usable_posterior(store):
        page = report_html(store, Medium(drawn, _STYLE, links=False))
        pdf = pdf_of(page, figures, store.problem.name, attached(store))
    atomic.write(path, pdf, replace=replace)


def pdf_of(page: str, figures: list[Figure], title: str, files: dict[str, bytes]) -> bytes:
    """``page``: HTML in which ``<img src="figure:K">`` stands for figure K."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(RESOLUTION)
    writer.setPageLayout(
        QPageLayout(QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, MARGINS, QPageLayout.Unit.Millimeter)
    )
    writer.setTitle(title)
    writer.setCreator("Bayescope")
    for name, data in files.items():
        writer.addFileAttachment(name, data, _MIME[Path(name).suffix])
    room = QSizeF(writer.width(), writer.height())
    document = _document(page, figures, room.width(), writer)
    scale = max(min(1.0, room.width() / document.size().width()), MOST_SHRUNK)
    body = QSizeF(room.width() / scale, (room.height() - FOOTER * POINT) / scale)
    document.setPageSize(body)
    keep_together(document)
    painter = QPainter(writer)
    for number in range(document.pageCount()):
        if number:
            writer.newPage()
        _paint_page(document, painter, number, body, scale)
        _paint_footer(painter, title, f"{number + 1} / {document.pageCount()}", room)
    painter.end()
    return with_spaces(bytes(buffer.data().data()))


def with_spaces(pdf: bytes) -> bytes:
    """Qt takes the glyph of a space for that of the tab it also stands for: what is copied and searched shall have spaces."""
    return _MAP.sub(lambda part: _TARGETS.sub(lambda found: found[0].replace(b"<0009>", b"<0020>"), part[0]), pdf)


def _document(page: str, figures: list[Figure], width: float, writer: QPdfWriter) -> QTextDocument:
    """Laid out in dots of ``writer``, as wide as its widest table if that is more than ``width``."""
    document = QTextDocument()
    document.documentLayout().setPaintDevice(writer)
    document.setDocumentMargin(0.0)
    document.setDefaultFont(_font(TEXT_SIZE))
    handler = _Figures(document, figures, width)
    document.documentLayout().registerHandler(FIGURE, handler)
    for tag, known in _KNOWN:
        page = page.replace(tag, known)
    document.setHtml(page)
    found = document.find(PICTURE)
    while not found.isNull():
        picture = found.charFormat().toImageFormat()
        if picture.name().startswith("figure:"):
            stands = QTextCharFormat()
            stands.setObjectType(FIGURE)
            stands.setProperty(NUMBER, int(picture.name().removeprefix("figure:")))
            found.insertText(PICTURE, stands)
        found = document.find(PICTURE, found)
    document.setTextWidth(width)
    return document


class _Figures(QPyTextObject):
    """Draws the figures where they stand in the text."""

    def __init__(self, parent: QTextDocument, figures: list[Figure], width: float) -> None:
        super().__init__(parent)
        self._figures, self._width = figures, width

    def intrinsicSize(self, document: QTextDocument, position: int, form: QTextFormat) -> QSizeF:
        width, height = size_of(self._figures[int(form.property(NUMBER))])
        scale = min(POINT, self._width / width)
        return QSizeF(scale * width, scale * height)

    def drawObject(
        self, painter: QPainter, place: QRectF | QRect, document: QTextDocument, position: int, form: QTextFormat
    ) -> None:
        paint_figure(self._figures[int(form.property(NUMBER))], painter, QRectF(place))


def _paint_page(document: QTextDocument, painter: QPainter, number: int, body: QSizeF, scale: float) -> None:
    painter.save()
    painter.scale(scale, scale)
    painter.translate(0.0, -number * body.height())
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = QRectF(0.0, number * body.height(), body.width(), body.height())  # type: ignore[assignment]
    context.palette.setColor(QPalette.ColorRole.Text, Qt.GlobalColor.black)  # type: ignore[attr-defined]
    painter.setClipRect(context.clip)
    document.documentLayout().draw(painter, context)
    painter.restore()


def _paint_footer(painter: QPainter, title: str, number: str, room: QSizeF) -> None:
    painter.setFont(_font(FOOTER_SIZE))
    painter.setPen(Qt.GlobalColor.darkGray)
    place = QRectF(0.0, room.height() - FOOTER * POINT, room.width(), FOOTER * POINT)
    metrics = painter.fontMetrics()
    said = metrics.elidedText(title, Qt.TextElideMode.ElideRight, int(0.8 * room.width()))
    painter.drawText(place, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, said)
    painter.drawText(place, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignRight, number)


def _font(points: float) -> QFont:
    font = QFont(_family())
    font.setPointSizeF(points)
    font.setFeature(QFont.Tag("liga"), 0)  # ligatures are found by no search for their letters
    return font


def _family() -> str:
    """The computer's sans serif; where it has no fonts at all, Matplotlib's own."""
    if not QFontDatabase.families():
        from matplotlib import get_data_path

        for face in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"):
            QFontDatabase.addApplicationFont(str(Path(get_data_path()) / "fonts" / "ttf" / face))
        return "DejaVu Sans"
    return "sans-serif"


def _application() -> None:
    """Fonts need one; a terminal may have no display, which Linux must be told."""
    if QGuiApplication.instance() is None:
        if sys.platform.startswith("linux"):
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
        _MADE.append(QGuiApplication([]))
