"""A part that few need: a line to click, and what it opens."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QScrollArea, QToolButton, QVBoxLayout, QWidget


class Expander(QWidget):
    """Closed at first. The arrow, the words and the accessible state all say whether it is open."""

    def __init__(self, title: str, body: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.body = body
        self.button = QToolButton()
        self.button.setText(title)
        self.button.setAccessibleName(title.replace("&", ""))
        self.button.setCheckable(True)
        self.button.setAutoRaise(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.toggled.connect(self._show)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(self.button)
        box.addWidget(body)
        self._show(False)

    def open(self) -> None:
        self.button.setChecked(True)

    def _show(self, on: bool) -> None:
        self.body.setVisible(on)
        self.button.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)
        self.button.setAccessibleDescription("open" if on else "closed")
        if on:
            QTimer.singleShot(0, self, self._scroll_to)

    def _scroll_to(self) -> None:
        """In a small window what was opened may lie below the edge."""
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        if parent is not None:
            parent.ensureWidgetVisible(self.body)
