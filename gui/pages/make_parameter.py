"""“Make it a parameter”: a number marked in an input becomes @name@, and a parameter of that name with a first prior."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.definition import Parameter, Problem
from bayescope.engine.problem.fixed_seed import is_seed_name
from bayescope.engine.problem.numbers.numbers_in_text import problem_at
from bayescope.gui.models.parameters import fresh_name, parse_name
from bayescope.gui.models.plain import names_needed, one_line
from bayescope.gui.models.priors_in_units import parse_in_unit, unit_said
from bayescope.gui.models.simulator.numbers.headed_columns import headed, unit_above
from bayescope.gui.models.simulator.numbers.marked_number import Marked, marked_under
from bayescope.gui.models.simulator.numbers.name_and_prior import name_and_prior, several_typed
from bayescope.gui.models.simulator.numbers.named_numbers import named_behind
from bayescope.gui.models.simulator.numbers.remarked_range import first_prior, without_range
from bayescope.gui.models.simulator.numbers.remarks import remark_on, unit_behind
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.style import words
from bayescope.gui.widgets.elided import ElidedLabel
from bayescope.gui.widgets.forms import LineField, set_state
from bayescope.gui.widgets.notices import label

if TYPE_CHECKING:
    from bayescope.gui.analysis.declared_problem import DeclaredProblem


LEAST_SAID = 110  # pixels: of the number and what it becomes, in a narrow window
MOST_MARKED = 60  # characters; who marks more wants to copy them
STAYS = ("", "-", "–")  # in place of a name
MOST_AT_ONCE = 24  # numbers of a drag: names of more cannot be overlooked in one line
ONE_NAME, MORE_NAMES = 230, 420  # pixels of the field
LEAST_NAMES, LEAST_COUNT = 210, 30
TIP = "A new name, or that of a parameter you have; with what you know of it, if you like: k = 60 to 125, or 60 to 125 alone."
AND_PRIOR = "or with its prior: k = 60 to 125"
TIP_OF_SEVERAL = (
    "Names with commas between, in the order of the numbers, each with its prior if you like: k = 60 to 125, m; - in place of "
    "one: that number stays as it is."
)


class MakeParameter(QFrame):
    """A strip under the text. ``put(problem, text)`` gives the problem with the changed text in its place."""

    made = Signal(str)  # the name
    turned = Signal(bool)  # the strip is there, or gone
    offered = Signal(int, int)  # characters [start, end) of the number that would be replaced
    several = Signal(list)  # ... of each of several such numbers

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
        self._text = ""
        self._marks: list[Marked] = []
        self._by_hand = False  # the name was typed
        self._longer: dict[int, int] = {}  # by the place of each number that was replaced last, by how many characters
        self.place = 0  # in its text, behind the last placeholder that was put in
        self.words = ElidedLabel()
        self.words.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.words.setMinimumWidth(LEAST_SAID)
        self.refused = label(wrap=True)  # a sentence: it has all the room there is, on two lines if need be
        self.refused.hide()
        self.name = LineField("Name of the parameter", TIP, "name")
        self.name.setMaximumWidth(ONE_NAME)
        self.name.returnPressed.connect(self.accept)
        self.name.installEventFilter(self)
        self.name.textChanged.connect(self._say_what)
        self.name.textEdited.connect(self._begun)
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
        self.and_prior = ElidedLabel("hint")
        self.and_prior.say(AND_PRIOR)
        line.addWidget(self.and_prior, 1)
        line.addStretch(1)
        self.hide()

    def _begun(self) -> None:
        self._by_hand = True

    def settled(self, start: int, end: int) -> tuple[int, int] | None:
        """Another place [start, end) is marked: what was typed for the numbers before it is taken first, as Return does. Where
        the place is then; None: the typed name cannot be one, or it is of the number that is marked again."""
        if not (self._by_hand and self.isVisible() and self.name.isVisible() and self._marks):
            return start, end
        if any(mark.number.start < end and start < mark.number.end for mark in self._marks):
            return None
        self.accept()
        if self.isVisible():
            return None  # refused, with words
        shift = sum(longer for at, longer in self._longer.items() if at < start)
        return start + shift, end + shift

    def offer(self, text: str, start: int, end: int) -> bool:
        """Show the strip if there are numbers at the mark (and no placeholder): one, or all that a drag touches."""
        marks = marked_under(text, start, end)
        inside = any(a < m.number.end and m.number.start < b for m in marks for _, a, b in placeholders.find(text))
        if not marks or inside or len(marks) > MOST_AT_ONCE or self.problem.locked:
            self.hide()
            if len(marks) > MOST_AT_ONCE and not self.problem.locked:
                self._say_no_offer(f"There are {len(marks)} numbers in it; {MOST_AT_ONCE} at most become parameters at once.")
            elif not marks and not self.problem.locked:
                self._say_none(text[start:end], problem_at(text, start, end))
            return False
        self._text, self._marks, self._by_hand = text, marks, False
        for part in (self.name, self.button):
            part.show()
        self.name.setMaximumWidth(ONE_NAME if len(marks) == 1 else MORE_NAMES)
        self.name.setMinimumWidth(0 if len(marks) == 1 else LEAST_NAMES)
        self.words.setMinimumWidth(LEAST_SAID if len(marks) == 1 else LEAST_COUNT)
        self.name.setText(", ".join(self._wishes()))
        self._select_names()
        self._say_what()
        set_state(self.name, "")
        self.name.setToolTip(TIP if len(marks) == 1 else TIP_OF_SEVERAL)
        self.show()
        if len(marks) == 1:
            self.offered.emit(marks[0].number.start, marks[0].number.end)
        else:
            self.several.emit([(mark.number.start, mark.number.end) for mark in marks])
        return True

    def follow(self, text: str) -> None:
        """The text is this now: what is offered for another one is over."""
        if text != self._text:
            self.hide()

    def _wishes(self) -> list[str]:
        """A name for each number."""
        taken = [p.name for p in self.problem.declared.parameters]
        found: list[str] = []
        for mark in self._marks:
            seed = is_seed_name(mark.name) and placeholders.SEED not in found
            found.append(placeholders.SEED if seed else fresh_name([*taken, *found], mark.name))
        return found

    def _typed(self) -> list[str]:
        return [placeholders.normal(name.strip().strip("@")) for name, _ in self._said()]

    def _said(self) -> list[tuple[str, str]]:
        """Of each number that is typed for: its name, and what is known of it."""
        text, count = self.name.text(), len(self._marks)
        typed = several_typed(text, count) if count > 1 else [text]
        wishes = [*self._wishes(), *[""] * len(typed)]
        return [name_and_prior(one, wish) for one, wish in zip(typed, wishes, strict=False)]

    def _priors_typed(self, names: list[str], new: Mapping[str, Marked]) -> dict[str, str]:
        """By the name of the new parameter the words for the prior that stands beside it. Raises ValueError with words."""
        told: dict[str, str] = {}
        for name, (_, said) in zip(names, self._said(), strict=True):
            if said and name not in new:
                raise ValueError("Only a new parameter gets a prior here; those that you have are on the Parameters page.")
            if said and told.setdefault(name, said) != said:
                raise ValueError(f"“{one_line(name, 24)}” has two priors: “{one_line(told[name], 24)}”, “{one_line(said, 24)}”.")
        return told

    def _say_what(self) -> None:
        """A parameter is learned; the seed is a whole number that is new in every run, and no parameter."""
        if len(self._marks) > 1:
            self._say_several([words.number(mark.number.value, 6) for mark in self._marks])
            return
        mark = self._marks[0]
        behind = f" (“{mark.suffix}” stays behind it)" if mark.suffix else ""
        seed = self._typed() == [placeholders.SEED]
        self._say(words.number(mark.number.value, 8), behind, ": a new number each run" if seed else " is the parameter")
        self.button.setText("&Make it the seed" if seed else "&Make it a parameter")

    def _say_several(self, values: list[str]) -> None:
        """Which of the ``values`` becomes what: 120, 3.4 are parameters, 48213 the seed."""
        typed = [*self._typed(), *values][: len(values)]
        seeds = [value for value, name in zip(values, typed, strict=True) if name == placeholders.SEED]
        named = [(v, name) for v, name in zip(values, typed, strict=True) if name not in (*STAYS, placeholders.SEED)]
        learned, n = [v for v, _ in named], len({name for _, name in named})
        seed = f"{', '.join(seeds)} the seed" if seeds else ""
        is_are = "are parameters" if len(learned) != 1 else "is a parameter"
        counted = f"{len(values)} numbers"
        if learned:
            listed = ", ".join(learned)
            self._say(listed, "", f" {is_are}{f', {seed}' if seed else ''}", listed, counted, f"{len(values)}:")
        else:
            self._say(seed or counted, "", " (a new number each run)" if seed else "", counted, f"{len(values)}:")
        made = f"&Make them {n} parameters" if n != 1 else "&Make it a parameter"
        self.button.setText(f"{made}{' and the seed' if seed else ''}" if learned or not seed else "&Make it the seed")

    def take_focus(self) -> None:
        """After marking with the mouse: type the name, press Return."""
        if self.isVisible() and self.name.isVisible():
            self.name.setFocus()
            self._select_names()

    def _select_names(self) -> None:
        """All of them, the first ones in sight."""
        self.name.end(False)
        self.name.cursorBackward(True, len(self.name.text()))

    def _say_none(self, marked: str, problem: str) -> None:
        """A dead end is worse than a sentence: say that what was marked holds no number."""
        if not marked.strip() or len(marked) > MOST_MARKED or "\n" in marked or "@" in marked:
            return
        self._say_no_offer(problem or f"There is no number in “{one_line(marked.strip(), 30)}”. Double-click a number.")

    def _say_no_offer(self, reason: str) -> None:
        self._say_refused(reason)
        for part in (self.name, self.button):
            part.hide()
        self.show()

    def accept(self) -> None:
        """Put the placeholders in and add a parameter for each name that is new and not the seed's: one step to undo."""
        problem, text = self.problem.declared, self._text
        known = [p.name for p in problem.parameters]
        new: dict[str, Marked] = {}
        try:
            names = self._names()
            for name, mark in zip(names, self._marks, strict=True):
                if name and name != placeholders.SEED and name not in known:
                    new.setdefault(name, mark)
            said = self._priors_typed(names, new)
            guessed = tuple(self._parameter(name, mark, unit_said(said.get(name, ""))) for name, mark in new.items())
            told = {p.name: parse_in_unit(said[p.name], p) for p in guessed if p.name in said}
        except ValueError as error:
            return self._refuse(str(error))
        added = tuple(msgspec.structs.replace(p, prior=told.get(p.name, p.prior)) for p in guessed)
        self._longer = {}
        for name, mark in reversed([*zip(names, self._marks, strict=True)]):
            if name:
                text = text[: mark.number.start] + f"@{name}@" + text[mark.number.end :]
                self._longer[mark.number.start] = len(name) + 2 - (mark.number.end - mark.number.start)
        behind = sum(self._longer.values())
        last = max(mark.number.end for name, mark in zip(names, self._marks, strict=True) if name)
        used = list(dict.fromkeys(name for name in names if name))
        self.hide()
        problem = msgspec.structs.replace(problem, parameters=(*problem.parameters, *added))
        seed = used == [placeholders.SEED]
        step = "Make it the seed" if seed else f"Make {used[0]} a parameter"
        if self.problem.replace(self._put(problem, text), step if len(used) == 1 else f"Make {len(used)} parameters"):
            for parameter in guessed:
                assert parameter.prior is not None
                self.trial.answers.guess(parameter.name, parameter.prior, new[parameter.name].number.value)
            if told:
                self.trial.answers.said(told)
            for name, mark in zip(names, self._marks, strict=True):
                if name and name != placeholders.SEED:
                    self.trial.set_value(name, mark.number.value)
            self.place = last + behind
            self.made.emit(used[-1])

    def _names(self) -> list[str]:
        """One for each number, '' for those that stay as they are. Raises ValueError with words."""
        typed = self._typed()
        if len(typed) != len(self._marks):
            raise ValueError(names_needed(len(self._marks), len(typed)))
        several = len(typed) > 1
        names = ["" if several and name in STAYS else parse_name(name) for name in typed]
        if placeholders.RUN_FOLDER in names:
            raise ValueError("“run_folder” is reserved for the folder of the run.")
        if not any(names):
            raise ValueError("Type a name for at least one of the numbers.")
        values: dict[str, float] = {}
        for name, mark in zip(names, self._marks, strict=True):
            if name not in ("", placeholders.SEED) and values.setdefault(name, mark.number.value) != mark.number.value:
                both = f"{words.number(values[name], 6)} and {words.number(mark.number.value, 6)}"
                raise ValueError(f"“{one_line(name, 24)}” stands for {both}: give each a name of its own.")
        return names

    def _parameter(self, name: str, mark: Marked, typed_unit: str = "") -> Parameter:
        text, number = self._text, mark.number
        behind, end = unit_behind(text, number.start, mark.end)
        said, unit = remark_on(text, number.start, end)
        unit = behind or unit
        if not (said or unit or behind):
            column = headed(text, number.start)
            _, said, unit = named_behind(text, number.start, number.end)
            unit = (column.unit if column is not None else unit) or unit_above(text, number.start)
        said = without_range(said)
        told = said if said.casefold() != name.casefold() else ""
        prior = first_prior(text, number.start, mark.end, number.value)
        return Parameter(name=name, label=told, unit=unit or typed_unit, prior=prior)

    def _refuse(self, reason: str) -> None:
        set_state(self.name, "error")
        self.name.setToolTip(reason)
        self._say_refused(reason)

    def _say(self, value: str, behind: str, what: str, *shortest: str) -> None:
        shorter = (f"{value}{behind.replace(' behind it', '')}{what}", f"{value}{what}", *shortest)
        self.words.say(f"{value}{behind}{what}", shorter=shorter)
        self._show_words(refused=False)

    def _say_refused(self, reason: str) -> None:
        self.refused.setText(reason)
        self.refused.setToolTip(reason)
        self._show_words(refused=True)

    def _show_words(self, *, refused: bool) -> None:
        several = len(self._marks) > 1
        self.words.setVisible(not refused)
        self.and_prior.setVisible(not refused and not several)
        self.refused.setVisible(refused)
        self._line.setStretch(self._line.indexOf(self.name), int(several and not refused))
        self._line.setStretch(self._line.count() - 1, 0)

    def setVisible(self, visible: bool) -> None:
        """What gives it its room goes before it comes: the text above is laid out once, and none of it moves for a moment."""
        if visible:
            self.turned.emit(True)
        super().setVisible(visible)
        if not visible:
            self.turned.emit(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape closes the strip; in a field alone it would put back the name that was there before."""
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape
        if watched is self.name and pressed:
            self.hide()
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
