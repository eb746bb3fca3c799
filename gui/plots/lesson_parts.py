"""What the live help pages are put together from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSlider, QVBoxLayout, QWidget

from bayescope.gui.plots.pg import Canvas
from bayescope.gui.widgets.notices import label

LINES = 3  # of words below the plot: their room is always there, so that nothing moves


def button(words: str, tip: str) -> QPushButton:
    """One that Enter elsewhere in the help window does not press."""
    made = QPushButton(words)
    made.setToolTip(tip)
    made.setAutoDefault(False)
    return made


def slider(name: str, places: int, at: int) -> QSlider:
    """Of ``places`` places, at place ``at``."""
    made = QSlider(Qt.Orientation.Horizontal)
    made.setRange(0, places - 1)
    made.setValue(at)
    made.setAccessibleName(name)
    made.setToolTip("Drag, or use the arrow keys")
    return made


def caption() -> QLabel:
    """The words below a plot."""
    made = label("", "hint", wrap=True)
    made.setMinimumHeight(LINES * made.fontMetrics().lineSpacing())
    return made


def lay_out(lesson: QWidget, canvas: Canvas, words: QLabel, side: Sequence[QWidget]) -> None:
    """The plot with its words; beside it the controls, above each other."""
    left, right, line = QVBoxLayout(), QVBoxLayout(), QHBoxLayout(lesson)
    left.addWidget(canvas, 1)
    left.addWidget(words)
    right.setSpacing(8)
    for widget in side:
        right.addWidget(widget)
    right.addStretch(1)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(14)
    line.addLayout(left, 1)
    line.addLayout(right)
