"""Top-level windows of the application: one brought to the front, all of them closed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMainWindow


def close_all(front: QMainWindow) -> bool:
    """Close the windows of the application, ``front`` first; each asks its own questions. False: one stays, and the rest."""
    others = [
        w for w in QApplication.topLevelWidgets() if isinstance(w, type(front)) and w is not front and w.isVisible()
    ]
    for window in (front, *others):
        if window is not front:
            come_forward(window)  # what it asks is about what is in it
        if not window.close():
            return False
    return True


def come_forward(window: QMainWindow) -> None:
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    QApplication.alert(window)  # where the desktop lets no window come forward by itself
