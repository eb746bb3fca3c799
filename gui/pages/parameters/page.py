"""Parameters page: the unknown numbers, what is believed of them before the data, and between which limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Parameter, Prior, Uniform, free_parameters
from bayescope.engine.problem.findings import Finding
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.models.first_ranges import AROUND, prior_around
from bayescope.gui.models.parameter_findings import cell_findings, outside_file_value, place_of
from bayescope.gui.models.parameters import (
    ParametersModel,
    fresh_name,
    merged,
    parse_pasted,
    ranges_pasted,
)
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.prior_families import FAMILIES, converted
from bayescope.gui.models.prior_readings import Reading, below_zero, reading_of
from bayescope.gui.models.simulator.renaming import new_name, renamed
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import guesses_words
from bayescope.gui.pages.page import Page, Status, status_of
from bayescope.gui.pages.parameters.guesses import tell_guesses
from bayescope.gui.pages.parameters.prior import PriorPanel
from bayescope.gui.widgets.focus import focus_kept
from bayescope.gui.widgets.forms import beside, card
from bayescope.gui.widgets.notices import Empty, Notice
from bayescope.gui.widgets.scrolling import Part
from bayescope.gui.widgets.tables import TableView

LONGEST = (24, 30, 24, 34, 13, 13, 22, 13)  # characters that each column grows for
LEAST_ROWS = 3  # in sight in a low window
BELOW = 0.28  # of the height at least for the prior
SPARE = (3, 1, 2)  # prior, label and unit take what room is left


class ParametersPage(Page):
    step = "parameters"
    asks_again = True
    title = "Parameters"
    purpose = "The numbers you want to learn, and what is known of each before seeing the data (its prior)."
    help_page = "parameters"

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(controller, parent)
        self._by_hand = False  # whether the user moved the line between table and prior
        self.trial = Trial.of(controller)
        self.model = ParametersModel(self._commit, self)
        self.model.refused.connect(self._refused)
        self.model.said = lambda: self.trial.answers.settled.typed
        self.model.prior_typed.connect(self._prior_typed)
        self.table = TableView("Parameters", self.model)
        self.table.resized.connect(self._share_room)
        self.table.pasted.connect(self.paste)
        self.table.delete_pressed.connect(self.remove)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_row())
        self.add_button = self._button("&Add", "Add a parameter.", self.add_one)
        self.remove_button = self._button(
            "Re&move", "Remove the selected parameters (Delete).", lambda: self.remove(self.table.selected_rows())
        )
        self.up_button = self._button("Move &up", "Move the selected parameter up.", lambda: self._move(-1))
        self.down_button = self._button("Move dow&n", "Move the selected parameter down.", lambda: self._move(1))
        self.paste_button = self._button(
            "Paste from a spreadshee&t",
            "Rows copied from a spreadsheet: name, label, unit, prior ... or simply name, smallest, largest.",
            lambda: self.paste(QGuiApplication.clipboard().text()),
        )
        self.message = Notice()
        self.message.pressed.connect(self._mean_other)
        self._read: tuple[Parameter, Reading | None] | None = None  # of what is being typed, with the parameter as it was
        self._meant: tuple[str, Prior] | None = None  # what the button makes of the named parameter
        self._meant_rows: tuple[Parameter, ...] = ()  # those of which it was said
        self.guesses = Notice()
        self.guesses.pressed.connect(self._agree)
        self.guesses.dismissed.connect(lambda: self._settle(self.trial.answers.open_guesses()))
        self.empty = Empty(
            "No parameters yet",
            "Add them here, paste them from a spreadsheet, or mark numbers in the simulator's input file "
            "on the Simulator page and make them parameters.",
            "Add the first parameter",
        )
        self.empty.pressed.connect(self.add_one)
        self.panel = PriorPanel()
        self.panel.changed.connect(self._prior_changed)
        self.panel.typed_whole.connect(self._reading)
        self.panel.kind_chosen.connect(self._kind_for_all)
        self.panel.around_chosen.connect(self._around_for_all)
        self.panel.passed.connect(self._next_row)

        top = Part()
        box = QVBoxLayout(top)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        box.addWidget(
            beside(self.add_button, self.remove_button, self.up_button, self.down_button, 1, self.paste_button)
        )
        box.addWidget(self.table, 1)
        box.addWidget(self.empty, 1)
        box.addWidget(self.message)  # below: no row moves when something is said
        box.addWidget(self.guesses)
        self.bottom = card(self.panel)
        self.split = split = QSplitter(Qt.Orientation.Vertical)
        split.splitterMoved.connect(self._moved_by_hand)
        split.addWidget(top)
        split.addWidget(self.bottom)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(10)
        self.add(split, 1)
        self.follow()

    def _button(self, words: str, tip: str, pressed: object) -> QPushButton:
        made = QPushButton(words)
        made.setToolTip(tip)
        made.clicked.connect(pressed)
        return made

    # -------------------------------------------------------------- shown

    def _share_room(self) -> None:
        self.table.share_room(*LONGEST, spare=SPARE)
        header, row = self.table.horizontalHeader().sizeHint().height(), self.table.verticalHeader().defaultSectionSize()
        self.table.setMinimumHeight(header + LEAST_ROWS * row + self.table.horizontalScrollBar().sizeHint().height() + 4)

    def _moved_by_hand(self) -> None:
        self._by_hand = True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._say_guesses()  # a number may have been marked since
        QTimer.singleShot(0, self, self._part_room)  # when it has been laid out

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._part_room)

    def _part_room(self) -> None:
        """Fields of the prior that would have to be scrolled to get the room that the table has no rows for."""
        whole = sum(self.split.sizes())
        if self._by_hand or not self.bottom.isVisible():
            return
        row = self.table.verticalHeader().defaultSectionSize()
        empty = self.table.viewport().height() - max(len(self.model.rows) + 1, LEAST_ROWS) * row
        now = self.bottom.height()
        wanted = max(int(BELOW * whole), min(self.bottom.sizeHint().height(), now + empty))
        if wanted != now:
            self.split.setSizes([whole - wanted, wanted])

    def first_field(self) -> QWidget | None:
        if not self.model.rows:
            return self.empty.button
        if not self.trial.answers.open_guesses() or not self.panel.fields:
            return None
        self.panel.fields[0].selectAll()  # a guess is typed over
        return self.panel.fields[0]

    def refresh(self) -> None:
        locked = self.problem.locked
        self.model.read_only = locked
        if self._meant is not None and self.problem.declared.parameters != self._meant_rows:
            self._meant = None
            self.message.clear()  # undone, or changed elsewhere
        before = self.table.currentIndex().row()
        self.model.set_rows(self.problem.declared.parameters)
        self.model.set_findings(
            cell_findings(self.problem.declared.parameters, [*self.problem.findings("parameters"), *self._outside()])
        )
        some = bool(self.model.rows)
        self.table.setVisible(some)
        self.bottom.setVisible(some)
        self.empty.setVisible(not some)
        self.empty.button.setEnabled(not locked)
        if some and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.model.index(min(max(before, 0), len(self.model.rows) - 1), 0))
        for button in (self.add_button, self.paste_button):
            button.setEnabled(not locked)
        self._share_room()
        self._say_guesses()
        self._show_row()

    def _outside(self) -> list[Finding]:
        return outside_file_value(self.problem.declared.parameters, self.trial.answers.number_of)

    def _say_guesses(self) -> None:
        row = self.table.currentIndex().row()
        chosen = self.model.rows[row].name if 0 <= row < len(self.model.rows) else ""
        tell_guesses(self.guesses, self.model.rows, chosen, self.trial.answers, self.problem.locked)

    def _agreed(self, names: Sequence[str]) -> None:
        """What stands there for these is said by the user."""
        self.trial.answers.said(names)
        self._say_guesses()
        self.announce()

    def _agree(self) -> None:
        """The guessed prior of the chosen row stays."""
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            self._settle([self.model.rows[row].name])

    def _settle(self, names: Sequence[str]) -> None:
        """The guessed priors of these stay as they are; the next that is open is shown."""
        self.trial.answers.agree(names)
        unsure = self.trial.answers.open_guesses()
        following = next((i for i, p in enumerate(self.model.rows) if p.name in unsure), None)
        with focus_kept(self.guesses.findChildren(QPushButton), (), self.table):
            if following is not None:
                self.table.setCurrentIndex(self.model.index(following, 0))
            self._say_guesses()
        self.announce()

    def status(self) -> Status:
        parameters = self.problem.declared.parameters
        free = len(free_parameters(self.problem.declared))
        fixed = len(parameters) - free
        empty = "" if parameters else "Declare the unknowns."
        words = f"{free} to learn" + (f", {fixed} fixed" if fixed else "")
        status = status_of(self.problem.findings("parameters"), empty, words)
        unsure = self.trial.answers.open_guesses()
        guessed = len(self.trial.answers.guessed())
        return ("todo", guesses_words(unsure, guessed)) if status[0] == "done" and unsure else status

    def _show_row(self) -> None:
        row = self.table.currentIndex().row()
        some = 0 <= row < len(self.model.rows)
        locked = self.problem.locked
        for button, possible in (
            (self.remove_button, some),
            (self.up_button, some and row > 0),
            (self.down_button, some and row < len(self.model.rows) - 1),
        ):
            button.setEnabled(possible and not locked)
        if not some:
            self.panel.show_parameter(None, [], locked)
            return
        parameter = self.model.rows[row]
        told = [*self.problem.findings("parameters"), *self._outside()]
        mine = [f for f in told if place_of(f.where, self.model.rows)[0] == row]
        value = self.trial.answers.number_of(parameter.name)
        self.panel.show_parameter(parameter, mine, locked, value, max(1, len(self.table.selected_rows())))
        self._say_guesses()

    def _row_chosen(self, now: QModelIndex | QPersistentModelIndex, before: object) -> None:
        self._show_row()

    # -------------------------------------------------------------- edits

    def _commit(self, rows: tuple[Parameter, ...], text: str) -> bool:
        self.message.clear()
        before = self.problem.declared
        names = new_name(before.parameters, rows)
        if names is None:
            done = self.problem.edit(text, parameters=rows)
            self._say_reading(rows)
            return done
        old, new = names
        changed, places = renamed(before, old, new)
        self.trial.renamed(old, new)
        if not self.problem.replace(msgspec.structs.replace(changed, parameters=rows), text):
            return False
        if places:
            where = "one place" if places == 1 else f"{places} places"
            self.message.say(
                "info", f"@{old}@ is now @{new}@, also in {where} where the simulator or the noise uses it."
            )
        return True

    def _prior_typed(self, name: str, text: str) -> None:
        before = next((p for p in self.model.rows if p.name == name), None)
        if before is not None:
            self._reading(before, text)
        self.trial.answers.note_typed(name, text)

    def _reading(self, before: Parameter, text: str) -> None:
        """How the prior that is typed for the parameter ``before`` is read: said once it has it."""
        self._read = before, reading_of(text, before) or below_zero(text, before, self.trial.answers.number_of(before.name))

    def _say_reading(self, rows: Sequence[Parameter]) -> None:
        read, self._read = self._read, None
        reading = None if read is None else read[1]
        self._meant = None
        if read is None or reading is None or read[0].name not in {p.name for p in rows}:
            return
        if reading.other is not None:
            self._meant, self._meant_rows = (read[0].name, reading.other), tuple(rows)
        self.message.say("info", reading.words, "", reading.button if reading.other is not None else "")

    def _mean_other(self) -> None:
        """The typed words are meant in the other way."""
        if self._meant is not None:
            name, prior = self._meant
            rows = [msgspec.structs.replace(p, prior=prior) if p.name == name else p for p in self.model.rows]
            self.model.commit(rows, f"Change prior of {one_line(name, 30)}")
            self.panel.begin()  # the button is gone

    def _refused(self, row: int, column: int, words: str) -> None:
        self.message.say("error", words, "The cell keeps its former value.")

    def add_one(self) -> None:
        taken = [p.name for p in self.model.rows]
        made = Parameter(name=fresh_name(taken), prior=Uniform(low=0.0, high=1.0))
        if self.model.append(made, "Add a parameter"):
            index = self.model.index(len(self.model.rows) - 1, 0)
            self.table.setCurrentIndex(index)
            self.table.setFocus()
            QTimer.singleShot(0, self, lambda: self.table.edit(index))

    def remove(self, rows: list[int]) -> None:
        words = "Remove a parameter" if len(rows) == 1 else f"Remove {len(rows)} parameters"
        self.model.remove(rows, words)

    def _move(self, by: int) -> None:
        row = self.table.currentIndex().row()
        if self.model.move(row, by, "Move a parameter"):
            self.table.setCurrentIndex(self.model.index(row + by, 0))

    def paste(self, text: str) -> None:
        if self.problem.locked:
            return
        ranges = ranges_pasted(text, self.model.rows, self.table.currentIndex().row())
        if ranges is not None:
            n, row = len(text.strip().splitlines()), self.table.currentIndex().row()
            if self._commit(ranges, f"Paste {n} priors"):
                self._agreed([p.name for p in ranges[row : row + n]])  # also where it is what was guessed
                self.message.say("ok", f"{n} prior{'s' if n != 1 else ''} pasted.")
            return
        pasted = parse_pasted(text)
        done = f"{len(pasted.parameters)} parameter{'s' if len(pasted.parameters) != 1 else ''} pasted."
        if pasted.parameters:
            self._commit(merged(self.model.rows, pasted.parameters), f"Paste {len(pasted.parameters)} parameters")
        if pasted.problems:
            first = " ".join(pasted.problems[:3]) + (
                f" (and {len(pasted.problems) - 3} more)" if len(pasted.problems) > 3 else ""
            )
            what = f"{done} Not understood: {first}" if pasted.parameters else first
            self.message.say(
                "warning" if pasted.parameters else "error",
                what,
                "Each line: name, smallest value, largest value; or with headings such as name, label, unit, prior, fixed.",
            )
        else:
            self.message.say("ok", done)

    def _for_all(self, change: Callable[[Parameter], Prior], text: str) -> None:
        """Another prior for each of the selected rows, in one step."""
        chosen = set(self.table.selected_rows())
        rows = [
            msgspec.structs.replace(p, prior=change(p)) if i in chosen else p for i, p in enumerate(self.model.rows)
        ]
        self.model.commit(rows, f"{text} of {len(chosen)} parameters" if len(chosen) > 1 else text)

    def _kind_for_all(self, tag: str) -> None:
        family = next(f for f in FAMILIES if f.tag == tag)
        still, guesses = self.trial.answers.guessed(), self.trial.answers.settled.guesses
        # a guess in another shape is made of the guess itself: its numbers are as little said as before
        self._for_all(lambda p: converted(guesses[p.name] if p.name in still else p.prior, family), "Change prior")

    def _around_for_all(self, key: str) -> None:
        how = next(a for a in AROUND if a.key == key)

        def around(p: Parameter) -> Prior:
            value = self.trial.answers.number_of(p.name)
            return p.prior if value is None else prior_around(value, how, p.prior)

        self._for_all(around, "Set range")

    def _next_row(self) -> None:
        """After the last number of a row, which is as the user wants it: the first of the next one."""
        row = self.table.currentIndex().row() + 1
        if 0 < row <= len(self.model.rows):
            self._agreed([self.model.rows[row - 1].name])
        if row < len(self.model.rows):
            self.table.setCurrentIndex(self.model.index(row, self.table.currentIndex().column()))
            self.panel.pass_on()

    def _prior_changed(self, parameter: Parameter, text: str) -> None:
        row = self.table.currentIndex().row()
        self.model.replace(row, parameter, text)
