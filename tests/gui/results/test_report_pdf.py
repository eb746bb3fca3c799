"""The report as a PDF: figures as vectors that agree with Matplotlib's own picture, files attached, through the real command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter, QPdfWriter, QTextDocument

from bayescope.gui.plots.figure_painter import paint_figure, size_of
from bayescope.gui.plots.report_pages import PICTURE, keep_together
from bayescope.gui.plots.report_pdf import _document, pdf_of

GOLDEN = Path(__file__).parents[2] / "engine" / "session" / "golden"


def streams(pdf: bytes) -> list[bytes]:
    """All of a PDF, unpacked."""
    found = []
    for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            found.append(zlib.decompress(part))
        except zlib.error:
            found.append(part)
    return found


def figure() -> Figure:
    made = Figure(figsize=(4.0, 3.0))
    axes = made.add_axes((0.15, 0.2, 0.8, 0.7))  # an automatic layout is rounded to pixels, here and there differently
    x = np.linspace(0, 10, 200)
    axes.fill_between(x, np.sin(x) - 0.3, np.sin(x) + 0.3, color="#0072B2", alpha=0.3, linewidth=0)
    axes.plot(x, 3 * np.sin(x), color="#D55E00", linestyle="--", linewidth=2)
    axes.plot(x[::20], np.sin(x[::20]), "o", markerfacecolor="white", markeredgecolor="black")
    axes.contourf(x[::20], np.linspace(-1, 0, 5), np.outer(np.arange(5.0), np.arange(10.0)), cmap="Blues", alpha=0.5)
    axes.set_ylim(-1.5, 1.5)  # the dashed line leaves the axes: it is to be clipped
    axes.set_xlabel("rate [1/s]")
    axes.set_yscale("linear")
    return made


def painted(made: Figure, dpi: int) -> NDArray[np.float64]:
    width, height = size_of(made)
    scale = dpi / 72.0
    image = QImage(round(scale * width), round(scale * height), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    paint_figure(made, painter, QRectF(0, 0, scale * width, scale * height))
    painter.end()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return pixels[:, : image.width(), 2::-1].astype(float) / 255.0


@pytest.mark.window
def test_a_painted_figure_is_the_picture_that_matplotlib_draws(qapp: object) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    ours, without = painted(figure(), 100), figure()
    without.axes[0].lines[0].remove()
    for other, alike in ((figure(), True), (without, False)):
        other.set_dpi(100)
        canvas = FigureCanvasAgg(other)
        canvas.draw()
        theirs = np.asarray(canvas.buffer_rgba())[..., :3].astype(float) / 255.0
        assert ours.shape == theirs.shape == (300, 400, 3)
        blurred = [a.reshape(30, 10, 40, 10, 3).mean((1, 3)) for a in (ours, theirs)]  # there lines are moved to whole pixels
        assert (np.abs(blurred[0] - blurred[1]).max() < 0.2) == alike, "and a line that is missing shows"


@pytest.mark.window
def test_a_pdf_holds_figures_as_paths_words_and_files(qapp: object) -> None:
    page = '<html><body><h1>Title</h1><p>Words</p><img src="figure:0"><table><tr><td>1</td></tr></table></body></html>'
    pdf = pdf_of(page, [figure()], "Title", {"problem.json": b'{"a": 1}', "runs.csv": b"a,b\n1,2\n"})
    assert pdf.startswith(b"%PDF")
    assert b"/Subtype /Image" not in pdf, "nothing is a raster"
    inside = streams(pdf)
    assert b'{"a": 1}' in inside
    assert b"a,b\n1,2\n" in inside
    curves = max(len(re.findall(rb"\b[lc]\b", part)) for part in inside)
    assert curves > 300, "the lines of the figure"
    assert b"problem.json" in pdf or "problem.json".encode("utf-16-be") in pdf


@pytest.mark.window
def test_a_table_that_is_wider_than_the_page_makes_it_smaller_and_is_not_cut(qapp: object) -> None:
    cells = "".join(f"<td>{'W' * 12}{k}</td>" for k in range(14))
    narrow = pdf_of("<table><tr><td>1</td></tr></table>", [], "t", {})
    wide = pdf_of(f"<table><tr>{cells}</tr></table>", [], "t", {})
    sizes = [max(len(part) for part in streams(pdf)) for pdf in (narrow, wide)]
    assert sizes[1] > sizes[0]
    assert wide.count(b"/Type /Page\n") == narrow.count(b"/Type /Page\n") == 1


@pytest.mark.window
def test_no_page_ends_with_a_heading_and_no_short_table_or_picture_is_parted_from_its_words(qapp: object) -> None:
    table = "<table>" + "<tr><td>1</td><td>2</td></tr>" * 2 + "</table>"
    for lines in range(30, 60):
        document = QTextDocument()
        document.setHtml(f"{'<p>.</p>' * lines}<h2>Heading</h2><p>Words:</p>{table}<h2>Pairs</h2><p>{PICTURE}</p><p>Caption</p>")
        document.setPageSize(QSizeF(400, 700))
        keep_together(document)
        blocks = [b for b in (document.findBlockByNumber(k) for k in range(document.blockCount())) if b.text()]
        pages = {b.text(): int(document.documentLayout().blockBoundingRect(b).top() // 700) for b in blocks}
        assert pages["Heading"] == pages["Words:"] == pages["1"] == pages["2"], lines
        assert pages["Pairs"] == pages[PICTURE] == pages["Caption"], lines
        assert document.pageCount() <= 4


@pytest.mark.window
def test_a_figure_stands_below_its_heading(qapp: object) -> None:
    page = '<h2>Pairs</h2><figure><img src="figure:0"><figcaption>Caption</figcaption></figure>'
    document = _document(page, [figure()], 4000.0, QPdfWriter(QBuffer()))
    said = [document.findBlockByNumber(k).text() for k in range(document.blockCount())]
    assert [words for words in said if words] == ["Pairs", PICTURE, "Caption"]


@pytest.mark.loops
def test_the_command_writes_a_pdf_of_an_old_session_without_a_display(tmp_path: Path) -> None:
    source = GOLDEN / "format3.bayescope"
    session = tmp_path / "old.bayescope"
    session.write_bytes(source.read_bytes())
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    command = [sys.executable, "-P", "-m", "bayescope.gui", "export", str(session), "--report", str(tmp_path / "r.pdf")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=100, env=environment)
    assert done.returncode == 0, done.stderr
    pdf = (tmp_path / "r.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    declared = next(part for part in streams(pdf) if part.startswith(b"{"))
    assert json.loads(declared)["parameters"]


def test_without_the_window_a_pdf_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from bayescope.engine.app.cli import main

    session = tmp_path / "old.bayescope"
    session.write_bytes((GOLDEN / "format3.bayescope").read_bytes())
    assert main(["export", str(session), "--report", str(tmp_path / "r.pdf")]) != 0
    assert "Write it as .html" in capsys.readouterr().err


def test_what_is_copied_or_searched_in_the_pdf_has_spaces_and_letters_and_neither_tabs_nor_ligatures(qapp) -> None:
    pdf = pdf_of("<p>two words of an efficient office</p><pre>bayescope run a.bayescope</pre>", [], "A name", {})
    maps = [part for part in streams(pdf) if b"beginbfrange" in part]
    assert len(maps) >= 2
    assert all(b"<0020>" in part and b"<0009>" not in part.partition(b"[")[2] for part in maps)
    assert not any(re.search(rb"<FB0[0-6]>", part, re.IGNORECASE) for part in maps)
