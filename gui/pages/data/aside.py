"""What was said not to count in the comparisons: it stays in sight, with the way back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.taking_part import put_aside, taken_back
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import label


class AsideLine(QWidget):
    """``mended`` carries (problem, words for undo)."""

    mended = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem: Problem | None = None
        self.words = label("", "hint", wrap=True)
        self.words.setProperty("grow", True)
        self.button = QPushButton("Let them count a&gain")
        self.button.clicked.connect(self._take_back)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(beside(self.words, self.button))

    def show_problem(self, problem: Problem, locked: bool) -> None:
        self._problem, found = problem, put_aside(problem)
        self.words.setText(found.words("Set aside, in no comparison"))
        one = len(found.outputs) + len(found.columns) == 1
        self.button.setText("Let it count a&gain" if one else "Let them count a&gain")
        self.button.setEnabled(not locked)
        self.setVisible(bool(found.words()))

    def _take_back(self) -> None:
        if self._problem is not None:
            found = put_aside(self._problem)
            self.mended.emit(taken_back(self._problem, (*found.outputs, *found.columns)), "They count again")
