"""The question before a stranger's program, or a changed one, is run: all that will run, be read and be sent."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.session.trust import confinement
from bayescope.engine.session.trust.sheet import TrustSheet
from bayescope.gui.analysis.session_file import Agreement

WIDTH, HEIGHT = 760, 620


class TrustDialog(QDialog):
    """Shows a sheet; ``agreement`` after it was accepted."""

    def __init__(self, sheet: TrustSheet, confined: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sheet = sheet
        self.setWindowTitle("Run this program?")
        screen = self.screen().availableGeometry()
        self.resize(min(WIDTH, screen.width() - 40), min(HEIGHT, screen.height() - 80))
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(10)
        why = _words(sheet.why, "heading")
        box.addWidget(why)
        box.addWidget(
            _words(
                "Below is everything that its runs start, read and are given. Agree only if you trust it."
                if sheet.foreign
                else "Below is what changed, and everything that its runs start, read and are given."
            )
        )
        self.view = QPlainTextEdit("\n".join(sheet.lines()[2:]), readOnly=True)
        self.view.setAccessibleName("What will run")
        self.view.setFont(QFont("monospace", self.font().pointSize()))
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.view.setTabChangesFocus(True)
        box.addWidget(self.view, 1)
        self.confine = QCheckBox("Run it &confined: no network, home folder hidden, only its own run folder writable")
        possible = bool(confinement.kind())
        self.confine.setEnabled(possible)
        self.confine.setChecked(possible and (confined or sheet.foreign))
        box.addWidget(self.confine)
        box.addWidget(_words(confinement.words(), "hint"))
        self.quietly = QCheckBox("Do not ask again about changes of these &files until the window is closed")
        self.quietly.setVisible(not sheet.foreign)
        box.addWidget(self.quietly)
        buttons = QDialogButtonBox()
        agree = buttons.addButton("&Run it here", QDialogButtonBox.ButtonRole.AcceptRole)
        no = buttons.addButton("Cancel", QDialogButtonBox.ButtonRole.RejectRole)
        no.setShortcut(QKeySequence(Qt.Key.Key_Escape))
        # a stranger's program is not started by a stray Return; one's own, just edited, may be
        (no if sheet.foreign else agree).setDefault(True)
        agree.setProperty("kind", "primary")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box.addWidget(buttons)
        (no if sheet.foreign else agree).setFocus()

    @property
    def agreement(self) -> Agreement:
        return Agreement(self.confine.isChecked(), self.quietly.isVisibleTo(self) and self.quietly.isChecked())


def _words(text: str, role: str = "") -> QLabel:
    label = QLabel(text[:2000])
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setProperty("role", role)
    return label


def ask_whether_to_run(parent: QWidget, sheet: TrustSheet, confined: bool) -> Agreement | None:
    """Show the sheet and wait; None if the person does not agree."""
    dialog = TrustDialog(sheet, confined, parent)
    agreed = dialog.exec() == QDialog.DialogCode.Accepted
    agreement = dialog.agreement if agreed else None
    dialog.deleteLater()
    return agreement
