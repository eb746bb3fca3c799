"""The theme in use: follows the system (or the user's choice), applies palette and style sheet, tells who draws by hand."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from bayescope.gui.style.colours import DARK, LIGHT, Colours
from bayescope.gui.style.icon_files import arrow_file, check_file
from bayescope.gui.style.stylesheet import stylesheet

Choice = Literal["system", "light", "dark"]


class Theme(QObject):
    """One per application: ``theme.colours``, and ``theme.changed`` for everything painted by hand."""

    changed = Signal()
    _restyled = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.colours: Colours = LIGHT
        self.choice: Choice = "system"
        self._base_pt = 0.0
        self._sheet = ""

    def install(self, app: QApplication, settings: QSettings | None = None) -> None:
        """Apply to ``app`` and follow the system from now on. ``settings`` remembers the user's choice."""
        app.setStyle("Fusion")
        self._base_pt = max(app.font().pointSizeF(), 9.0)
        stored = str(settings.value("theme", "system")) if settings is not None else "system"
        self.choice = "light" if stored == "light" else "dark" if stored == "dark" else "system"
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._apply(app)

    def choose(self, choice: Choice, settings: QSettings | None = None) -> None:
        self.choice = choice
        if settings is not None:
            settings.setValue("theme", choice)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            self._apply(app)

    def dress(self, window: QWidget) -> None:
        """The style sheet for a window without a parent, now and after every choice; its dialogs inherit it.

        It is not the application's: under such a one Qt styles every widget anew with each parent it gets, so that a page put
        together from small parts is styled many times over.
        """
        app = QApplication.instance()
        if not self._sheet and isinstance(app, QApplication):
            self._apply(app)
        window.setStyleSheet(self._sheet)
        self._restyled.connect(window.setStyleSheet)

    @property
    def dark(self) -> bool:
        return self.colours is DARK

    def colour(self, name: str, alpha: float = 1.0) -> QColor:
        """A named colour with an opacity."""
        c = QColor(getattr(self.colours, name))
        c.setAlphaF(alpha)
        return c

    def mode_colour(self, k: int, alpha: float = 1.0) -> QColor:
        """Of separate mode ``k`` (0: A); those beyond the last colour share it."""
        c = QColor(self.colours.modes[min(k, len(self.colours.modes) - 1)])
        c.setAlphaF(alpha)
        return c

    def reason_colour(self, k: int) -> QColor:
        """Of failures of kind ``k`` in ``failure_kinds.KINDS``."""
        return QColor(self.colours.reasons[k])

    def small_font(self) -> QFont:
        font = QApplication.font()
        font.setPointSizeF(self._base_pt * 0.85 if self._base_pt else 8.0)
        return font

    def _system_changed(self) -> None:
        app = QApplication.instance()
        if self.choice == "system" and isinstance(app, QApplication):
            self._apply(app)

    def _apply(self, app: QApplication) -> None:
        system_dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        dark = self.choice == "dark" or (self.choice == "system" and system_dark)
        self.colours = DARK if dark else LIGHT
        up, down = arrow_file("up", self.colours), arrow_file("down", self.colours)
        sheet = stylesheet(self.colours, self._base_pt or 9.0, up, down, check_file(self.colours))
        if sheet == self._sheet:  # the look in use: to give all widgets the same again would hold up the window
            return
        app.setPalette(qt_palette(self.colours))
        self._sheet = sheet
        self._restyled.emit(sheet)
        self.changed.emit()


def qt_palette(c: Colours) -> QPalette:
    """The same colours for what a style sheet does not reach (standard dialogs, item views)."""
    p = QPalette()
    role = QPalette.ColorRole
    for r, name in (
        (role.Window, c.window), (role.WindowText, c.text), (role.Base, c.surface), (role.AlternateBase, c.raised),
        (role.Text, c.text), (role.Button, c.raised), (role.ButtonText, c.text), (role.BrightText, c.error),
        (role.Highlight, c.accent), (role.HighlightedText, c.on_accent), (role.ToolTipBase, c.raised),
        (role.ToolTipText, c.text), (role.PlaceholderText, c.disabled), (role.Link, c.accent), (role.LinkVisited, c.accent),
        (role.Light, c.surface), (role.Midlight, c.raised), (role.Mid, c.border_strong), (role.Dark, c.border_strong),
        (role.Shadow, c.border_strong), (role.Accent, c.accent),
    ):  # fmt: skip
        p.setColor(r, QColor(name))
    for r in (role.WindowText, role.Text, role.ButtonText):
        p.setColor(QPalette.ColorGroup.Disabled, r, QColor(c.disabled))
    return p


def repolish(widget: QWidget) -> None:
    """Apply the style sheet again after a property it looks at has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


theme = Theme()
