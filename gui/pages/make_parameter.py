"""“Make it a parameter”: a number marked in an input becomes @name@, and a parameter of that name with a first prior."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Parameter, Problem
from bayescope.engine.problem.numbers_in_text import Number, line_bounds, number_at
from bayescope.gui import words
from bayescope.gui.models.parameters import around, fresh_name
from bayescope.gui.models.trial import Trial
from bayescope.gui.widgets.forms import LineField, set_state
from bayescope.gui.widgets.notices import label

if TYPE_CHECKING:
    from bayescope.gui.session_controller import SessionController


class MakeParameter(QFrame):
    """A strip under the text. ``put(problem, text)`` gives the problem with the changed text in its place."""

    made = Signal(str)  # the name

    def __init__(
        self,
        controller: SessionController,
        trial: Trial,
        put: Callable[[Problem, str], Problem],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.controller, self.trial, self._put = controller, trial, put
        self.setProperty("role", "well")
        self._text, self._number = "", Number(0, 0, 0.0)
        self.words = label()
        self.name = LineField("Name of the parameter", "A new name, or that of a parameter you have.", "name")
        self.name.setMaximumWidth(160)
        self.name.returnPressed.connect(self.accept)
        self.button = QPushButton("&Make it a parameter")
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self.accept)
        self.close_button = QPushButton("Cancel")
        self.close_button.setProperty("kind", "quiet")
        self.close_button.setAccessibleName("Do not make it a parameter")
        self.close_button.clicked.connect(self.hide)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 12, 8)
        line.setSpacing(8)
        line.addWidget(self.words)
        line.addWidget(self.name)
        line.addWidget(self.button)
        line.addWidget(self.close_button)
        line.addStretch(1)
        self.hide()

    def offer(self, text: str, start: int, end: int) -> bool:
        """Show the strip if there is a number at the mark (and no placeholder)."""
        number = number_at(text, start, end)
        inside = number is not None and any(a < number.end and number.start < b for _, a, b in placeholders.find(text))
        if number is None or inside or self.controller.locked:
            self.hide()
            return False
        self._text, self._number = text, number
        self.words.setText(f"Marked {words.number(number.value, 8)}:")
        taken = [p.name for p in self.controller.problem.parameters]
        self.name.show_text(fresh_name(taken, word_before(text, number.start)))
        set_state(self.name, "")
        self.name.setToolTip("A new name, or that of a parameter you have.")
        self.show()
        return True

    def accept(self) -> None:
        """Put the placeholder in and, if its name is new, add the parameter: one step to undo."""
        name = placeholders.normal(self.name.text().strip())
        if not placeholders.is_name(name) or name in (placeholders.SEED, "run_folder"):
            set_state(self.name, "error")
            self.name.setToolTip(
                "Letters, digits and _ only, not beginning with a digit; “seed” and “run_folder” are reserved."
            )
            self.words.setText("Not a name:")
            return
        problem = self.controller.problem
        text = self._text[: self._number.start] + f"@{name}@" + self._text[self._number.end :]
        if name not in [p.name for p in problem.parameters]:
            parameter = Parameter(name=name, prior=around(self._number.value))
            problem = msgspec.structs.replace(problem, parameters=(*problem.parameters, parameter))
        self.hide()
        if self.controller.set_problem(self._put(problem, text), f"Make {name} a parameter"):
            self.trial.set_value(name, self._number.value)
            self.made.emit(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


def word_before(text: str, position: int) -> str:
    """The last word before a number on its line: a good first name for it (``--width=``, ``rho   ``, ``"k":``)."""
    start, _ = line_bounds(text, position)
    before = text[start:position]
    word = ""
    for c in reversed(before):
        if c.isalnum() or c == "_":
            word = c + word
        elif word:
            break
    return word if word and not word.isdigit() else ""
