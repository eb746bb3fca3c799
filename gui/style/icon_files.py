"""Icons that are files: the application's own, and those that the style sheet names."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtGui import QIcon

from bayescope.gui.style.colours import Colours


def app_icon() -> QIcon:
    """The application's icon, for the window and the task bar."""
    return QIcon(_resource("bayescope.svg"))


def arrow_file(direction: str, colours: Colours) -> str:
    """Path of the small arrow that the style sheet needs as a file."""
    return _resource(f"arrow-{direction}-{colours.name}.svg")


def check_file(colours: Colours) -> str:
    """Path of the check mark in a ticked box."""
    return _resource(f"check-{colours.name}.svg")


def _resource(name: str) -> str:
    return str(files("bayescope.resources") / "icons" / name).replace("\\", "/")
