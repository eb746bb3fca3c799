"""Help > About Bayescope: version, licence, the licences of what it is built on, and where to report what is wrong."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine import protocol
from bayescope.gui.dialogs.messages import reveal
from bayescope.gui.style.icon_files import app_icon
from bayescope.gui.system import licences
from bayescope.gui.widgets.notices import label

PICTURE = 64  # pixels
OWN = "bayescope"
LICENCE = "BSD 3-Clause licence: free to use, change and pass on, without any warranty. Copyright 2026, the Bayescope developers."
REPORT = (
    "Something wrong, or a question? Write to the maintainers of the repository that you have Bayescope from, or to whoever "
    "installed it here. Help > Save support bundle puts what they need into one file; Help > Check this installation tells "
    "whether it computes what it should. A security hole: by a private security advisory of the repository, please."
)


def _about() -> metadata.PackageMetadata | None:
    try:
        return metadata.metadata(OWN)
    except metadata.PackageNotFoundError:
        return None


def addresses() -> list[str]:
    """``Name: address`` of the project's pages, as its metadata have them."""
    about = _about()
    urls = (about.get_all("Project-URL") if about is not None else None) or []
    return [": ".join(part.strip() for part in str(url).split(",", 1)) for url in urls]


def licence_text() -> str:
    """The licence of Bayescope itself, as it was installed."""
    packed = licences.folder()
    try:
        files = metadata.distribution(OWN).files or []
        installed = [Path(str(file.locate())) for file in files if file.name == "LICENSE"]
    except metadata.PackageNotFoundError:
        installed = []
    for file in ([packed / OWN / "LICENSE"] if packed is not None else []) + installed:
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return LICENCE


class AboutDialog(QDialog):
    """Three tabs; everything in it can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setWindowTitle("About Bayescope")
        self.resize(620, 440)
        about = _about()
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(PICTURE, PICTURE))
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(label(f"Bayescope {about['Version'] if about is not None else 'from source'}", "title"))
        head.addWidget(label("Posterior distributions from expensive simulators, in tens of runs.", "hint", wrap=True))
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(head, 1)
        self.tabs = QTabWidget()
        self.tabs.addTab(self._first_page(), "&About")
        self.tabs.addTab(_text(licence_text(), "Licence of Bayescope"), "&Licence")
        self.tabs.addTab(_text(licences.third_party(), "Licences of the parts"), "&Parts and their licences")
        self.show_button = QPushButton("&Show the licence texts")
        self.show_button.setToolTip("The folder with the texts of all licences")
        self.show_button.clicked.connect(self._show_texts)
        self.show_button.setVisible(licences.folder() is not None)
        close = QPushButton("&Close")
        close.clicked.connect(self.close)
        row = QHBoxLayout()
        row.addWidget(self.show_button)
        row.addStretch(1)
        row.addWidget(close)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(12)
        box.addLayout(top)
        box.addWidget(self.tabs, 1)
        box.addLayout(row)
        close.setFocus()

    def _first_page(self) -> QWidget:
        page = QWidget()
        box = QVBoxLayout(page)
        box.setContentsMargins(4, 12, 4, 4)
        box.setSpacing(12)
        system = f"Python {platform.python_version()}, Qt {qVersion()}, {platform.system()} {platform.machine()}, protocol "
        for words in (LICENCE, "\n".join((REPORT, *addresses())), f"{system}{protocol.PROTOCOL_VERSION}"):
            made = label(words, wrap=True)
            made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            box.addWidget(made)
        box.addStretch(1)
        return page

    @staticmethod
    def _show_texts() -> None:
        found = licences.folder()
        if found is not None:
            reveal(found)


def _text(words: str, name: str) -> QPlainTextEdit:
    made = QPlainTextEdit(words, readOnly=True)
    made.setAccessibleName(name)
    return made


def show_about(window: QWidget) -> AboutDialog:
    """Open it, or bring forward the one that is open."""
    found = window.findChild(AboutDialog)
    if found is None:
        found = AboutDialog(window)
        found.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        found.show()
    found.raise_()
    found.activateWindow()
    return found
