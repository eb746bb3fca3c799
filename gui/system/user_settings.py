"""The choices a user has made for every window."""

from __future__ import annotations

import sys

from PySide6.QtCore import QSettings

from bayescope.gui.analysis.session_files import home


def keep_out_of_home() -> None:
    """Qt's own choices (what its file dialog remembers) lie with ours, not as QtProject.conf among the user's settings. Windows
    and macOS have file dialogs of their own, and the registry in place of files."""
    if sys.platform.startswith("linux"):
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(home() / "qt"))


def settings() -> QSettings:
    """The user's choices of the window (theme, size), in the application's data folder."""
    return QSettings(str(home() / "settings.ini"), QSettings.Format.IniFormat)
