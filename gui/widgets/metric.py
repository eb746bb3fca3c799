"""A small caption over a value."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget


class Metric(QVBoxLayout):
    """A small caption over a value."""

    def __init__(self, caption: str, tip: str, field: QWidget | None = None) -> None:
        super().__init__()
        self.setSpacing(0)
        self.caption = QLabel(caption)
        self.caption.setProperty("role", "caption")
        self.value = QLabel("–", field)
        if field is not None:
            self.value.hide()  # the field stands in its place; without a parent it would be a window of its own
        self.value.setProperty("role", "value")
        self.value.setTextFormat(Qt.TextFormat.PlainText)
        for part in (self.caption, field or self.value):
            part.setToolTip(tip)
            self.addWidget(part)
        self.addStretch(1)

    def entitle(self, caption: str, tip: str) -> None:
        """Another caption, and what it means."""
        self.caption.setText(caption)
        for part in (self.caption, self.value):
            part.setToolTip(tip)

    def say(self, text: str) -> None:
        """Empty: not there."""
        for part in (self.caption, self.value):
            part.setVisible(bool(text))
        if self.value.text() != text:
            self.value.setText(text)
            self.value.setAccessibleName(f"{self.caption.text()}: {text}")
