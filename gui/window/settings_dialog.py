"""Edit > Settings: what holds for every window of this user. What belongs to an analysis is set on its pages."""

from __future__ import annotations

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QButtonGroup, QDialog, QHBoxLayout, QPushButton, QRadioButton, QVBoxLayout, QWidget

from bayescope.gui.analysis import session_files
from bayescope.gui.dialogs.graphics_card import show_graphics_card
from bayescope.gui.dialogs.messages import reveal
from bayescope.gui.style.theme import Choice, theme
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.scrolling import least_height

THEMES: tuple[tuple[Choice, str], ...] = (("system", "As the &system"), ("light", "&Light"), ("dark", "&Dark"))


class SettingsDialog(QDialog):
    """Every choice holds at once. ``settings`` keep them."""

    def __init__(self, settings: QSettings | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.setWindowTitle("Settings")
        self.setMinimumWidth(460)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 16)
        box.setSpacing(8)
        box.addWidget(label("Theme", "heading"))
        self.themes: dict[Choice, QRadioButton] = {}
        group, row = QButtonGroup(self), QHBoxLayout()
        for choice, words in THEMES:
            button = self.themes[choice] = QRadioButton(words)
            button.setChecked(theme.choice == choice)
            button.clicked.connect(lambda _=False, choice=choice: theme.choose(choice, settings))
            group.addButton(button)
            row.addWidget(button)
        row.addStretch(1)
        box.addLayout(row)
        box.addSpacing(10)
        box.addWidget(label("Files of Bayescope", "heading"))
        box.addWidget(label(f"Drafts, settings and logs are in {session_files.home()}.", "hint", wrap=True))
        self.folder_button = QPushButton("Show the &folder")
        self.folder_button.clicked.connect(lambda: reveal(session_files.home()))
        box.addWidget(self.folder_button, 0, Qt.AlignmentFlag.AlignLeft)
        box.addSpacing(10)
        box.addWidget(label("Computing", "heading"))
        each = "How many runs, how many at a time and by which method is set for each analysis, on its Run page."
        box.addWidget(label(each, "hint", wrap=True))
        self.card_button = QPushButton("&Graphics card…")
        self.card_button.clicked.connect(lambda: show_graphics_card(self))
        box.addWidget(self.card_button, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        close = QPushButton("&Close")
        close.clicked.connect(self.close)
        box.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.setMinimumHeight(least_height(self, self.minimumWidth()))  # Qt allows a dialog two thirds of a low screen


def show_settings(window: QWidget, settings: QSettings | None) -> SettingsDialog:
    """Open it, or bring forward the one that is open."""
    found = window.findChild(SettingsDialog)
    if found is None:
        found = SettingsDialog(settings, window)
        found.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        found.show()
    found.raise_()
    found.activateWindow()
    return found
