"""Files dropped on the window: an analysis or a problem file is opened, others are for the page they are dropped on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QMainWindow, QWidget

from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.closing import may_leave
from bayescope.gui.pages.page import Page

ANALYSES = (".bayescope", ".json")
SHOWN_MS = 12_000
NOT_TAKEN = (
    "Nothing here takes that file now. Drop data on the Data page, input files on Simulator, Inputs; analyses anywhere."
)


def files_in(dragged: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in dragged.urls() if url.isLocalFile()]


def take(
    paths: list[Path], window: QMainWindow, page: QWidget | None, controller: SessionController, opened: Callable[[Path], None]
) -> None:
    """What is done with them, or a sentence in the status bar. ``page``: the one on show; ``opened``: given the analysis."""
    analysis = next((path for path in paths if path.suffix in ANALYSES), None)
    if analysis is not None:
        if may_leave(window, controller.file, controller.run):
            opened(analysis)
    elif paths and not (isinstance(page, Page) and page.take_files(paths)):
        window.statusBar().showMessage(NOT_TAKEN, SHOWN_MS)
