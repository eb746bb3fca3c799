"""The choices a user has made for every window."""

from __future__ import annotations

from PySide6.QtCore import QSettings

from bayescope.gui.analysis.session_files import home


def settings() -> QSettings:
    """The user's choices of the window (theme, size), in the application's data folder."""
    return QSettings(str(home() / "settings.ini"), QSettings.Format.IniFormat)
