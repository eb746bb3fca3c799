"""“Make it a parameter”: a number marked in an input becomes @name@, and a parameter of that name with a first prior."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Parameter, Problem
from bayescope.engine.problem.fixed_seed import is_seed_name
from bayescope.engine.problem.numbers.number_surroundings import problem_around
from bayescope.engine.problem.numbers.number_text import NUMBER, value_of
from bayescope.engine.problem.numbers.numbers_in_text import Number, line_bounds, number_at, overlaps, problem_at
from bayescope.gui.models.parameters import around, fresh_name, parse_name
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.assigned import assigned_at, typed_name
from bayescope.gui.models.simulator.first_words import key_before
from bayescope.gui.models.simulator.named_numbers import holder_name, named_behind, spoken_name, tagged_name
from bayescope.gui.models.simulator.remarks import remark_on
from bayescope.gui.models.simulator.trial import Trial
from bayescope.gui.style import words
from bayescope.gui.widgets.fitting import ElidedLabel
from bayescope.gui.widgets.forms import LineField, set_state
from bayescope.gui.widgets.notices import label

if TYPE_CHECKING:
    from bayescope.gui.analysis.declared_problem import DeclaredProblem


LEAST_SAID = 110  # pixels: of the number and what it becomes, in a narrow window
MOST_MARKED = 60  # characters; who marks more wants to copy them
_WITH_SUFFIX = re.compile(r"(?<![\w.@])(?<![0-9],)(" + NUMBER + r")([A-Za-zµΩ%°]{1,5})(?![\w@])")
_PART = re.compile(r"[A-Za-z]{1,4}\d+(?=\s)")


class MakeParameter(QFrame):
    """A strip under the text. ``put(problem, text)`` gives the problem with the changed text in its place."""

    made = Signal(str)  # the name
    turned = Signal(bool)  # the strip is there, or gone
    offered = Signal(int, int)  # characters [start, end) of the number that would be replaced

    def __init__(
        self,
        problem: DeclaredProblem,
        trial: Trial,
        put: Callable[[Problem, str], Problem],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.problem, self.trial, self._put = problem, trial, put
        self.setProperty("role", "well")
        self._text, self._number, self._suffix = "", Number(0, 0, 0.0), ""
        self._end = 0  # of the number with what gives it to a name: a remark follows
        self.words = ElidedLabel()
        self.words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.words.setMinimumWidth(LEAST_SAID)
        self.refused = label(wrap=True)  # a sentence: it has all the room there is, on two lines if need be
        self.refused.hide()
        self.name = LineField("Name of the parameter", "A new name, or that of a parameter you have.", "name")
        self.name.setMaximumWidth(160)
        self.name.returnPressed.connect(self.accept)
        self.name.textChanged.connect(self._say_what)
        self.button = QPushButton("&Make it a parameter")
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self.accept)
        self.close_button = QPushButton("Cancel")
        self.close_button.setProperty("kind", "quiet")
        self.close_button.setAccessibleName("Do not make it a parameter")
        self.close_button.clicked.connect(self.hide)
        line = self._line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 12, 8)
        line.setSpacing(8)
        line.addWidget(self.words)
        line.addWidget(self.refused, 1)
        line.addWidget(self.name)
        line.addWidget(self.button)
        line.addWidget(self.close_button)
        line.addStretch(1)
        self.hide()

    @property
    def place(self) -> int:
        """Where the number offered last begins in its text."""
        return self._number.start

    def offer(self, text: str, start: int, end: int) -> bool:
        """Show the strip if there is a number at the mark (and no placeholder)."""
        given = assigned_at(text, start, end)
        number, suffix = (number_at(text, start, end), "") if given is None else (given.number, given.suffix)
        if number is None:
            number, suffix = number_with_suffix(text, start, end)
        inside = number is not None and any(a < number.end and number.start < b for _, a, b in placeholders.find(text))
        if number is None or inside or self.problem.locked:
            self.hide()
            if number is None and not self.problem.locked:
                self._say_none(text[start:end], problem_at(text, start, end))
            return False
        self._text, self._number, self._suffix = text, number, suffix
        self._end = number.end if given is None else given.end
        for part in (self.name, self.button):
            part.show()
        taken = [p.name for p in self.problem.declared.parameters]
        wish = given.name if given is not None else name_for(text, number.start, number.end)
        self.name.setText(placeholders.SEED if is_seed_name(wish) else fresh_name(taken, wish))
        self.name.selectAll()
        self._say_what()
        set_state(self.name, "")
        self.name.setToolTip("A new name, or that of a parameter you have.")
        self.show()
        self.offered.emit(number.start, number.end)
        return True

    def _typed(self) -> str:
        return placeholders.normal(self.name.text().strip().strip("@"))

    def _say_what(self) -> None:
        """A parameter is learned; the seed is a whole number that is new in every run, and no parameter."""
        value = words.number(self._number.value, 8)
        behind = f" (“{self._suffix}” stays behind it)" if self._suffix else ""
        if self._typed() == placeholders.SEED:
            self._say(value, behind, ": a new number each run")
            self.button.setText("&Make it the seed")
        else:
            self._say(value, behind, " is the parameter")
            self.button.setText("&Make it a parameter")

    def take_focus(self) -> None:
        """After marking with the mouse: type the name, press Return."""
        if self.isVisible() and self.name.isVisible():
            self.name.setFocus()
            self.name.selectAll()

    def _say_none(self, marked: str, problem: str) -> None:
        """A dead end is worse than a sentence: say that what was marked holds no number."""
        if not marked.strip() or len(marked) > MOST_MARKED or "\n" in marked or "@" in marked:
            return
        none = f"There is no number in “{one_line(marked.strip(), 30)}”. Double-click a number."
        self._say_refused(problem or none)
        for part in (self.name, self.button):
            part.hide()
        self.show()

    def accept(self) -> None:
        """Put the placeholder in and, if its name is new and not the seed's, add the parameter: one step to undo."""
        try:
            name = parse_name(self.name.text())
        except ValueError as error:
            return self._refuse(str(error))
        if name == placeholders.RUN_FOLDER:
            return self._refuse("“run_folder” is reserved for the folder of the run.")
        problem = self.problem.declared
        text = self._text[: self._number.start] + f"@{name}@" + self._text[self._number.end :]
        if name == placeholders.SEED:
            self.hide()
            if self.problem.replace(self._put(problem, text), "Make it the seed"):
                self.made.emit(name)
            return
        known = [p.name for p in problem.parameters]
        if name not in known:
            said, unit = remark_on(self._text, self._number.start, self._end)
            if not (said or unit):
                _, said, unit = named_behind(self._text, self._number.start, self._number.end)
            told = said if said.casefold() != name.casefold() else ""
            parameter = Parameter(name=name, label=told, unit=unit, prior=around(self._number.value))
            problem = msgspec.structs.replace(problem, parameters=(*problem.parameters, parameter))
        self.hide()
        if self.problem.replace(self._put(problem, text), f"Make {name} a parameter"):
            if name not in known:
                self.trial.answers.guess(name, around(self._number.value))
            self.trial.set_value(name, self._number.value)
            self.made.emit(name)

    def _refuse(self, reason: str) -> None:
        set_state(self.name, "error")
        self.name.setToolTip(reason)
        self._say_refused(reason)

    def _say(self, value: str, behind: str, what: str) -> None:
        self.words.say(f"{value}{behind}{what}", shorter=(f"{value}{behind.replace(' behind it', '')}{what}", f"{value}{what}"))
        self._show_words(refused=False)

    def _say_refused(self, reason: str) -> None:
        self.refused.setText(reason)
        self.refused.setToolTip(reason)
        self._show_words(refused=True)

    def _show_words(self, *, refused: bool) -> None:
        self.words.setVisible(not refused)
        self.refused.setVisible(refused)
        self._line.setStretch(self._line.count() - 1, int(not refused))

    def setVisible(self, visible: bool) -> None:
        super().setVisible(visible)
        self.turned.emit(visible)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)


def number_with_suffix(text: str, start: int, end: int) -> tuple[Number | None, str]:
    """The number at the mark with letters right behind it (22m, 4.7uF), and those letters; (None, "") if there is none."""
    low, high = line_bounds(text, start)
    for match in _WITH_SUFFIX.finditer(text, low, max(high, end)):
        value = value_of(match.group(1))
        if value is not None and overlaps(match.start(), match.end(), start, end):
            whole = not problem_around(text, match.start(1), match.end(1))
            return (Number(match.start(1), match.end(1), value), match.group(2)) if whole else (None, "")
    return None, ""


def name_for(text: str, position: int, end: int = 0) -> str:
    """A first name for the number at ``position``: the part a netlist's line is about (R1 in a 220), else the word before it,
    else what stands behind its ``end``."""
    start, _ = line_bounds(text, position)
    part = _PART.match(text, start, position)
    before = text[start:position]
    if part is not None and not any(c in before for c in "=:,;\"'"):
        return part.group()
    if name := typed_name(before) or tagged_name(text, position) or spoken_name(before):
        return name
    word = key_before(text, position)
    return holder_name(text, position, word) or word or (named_behind(text, position, end)[0] if end else "")
