"""Which output predicts which data column, how rows are paired, and how large the measurement errors are."""

from __future__ import annotations

from operator import is_

import msgspec
from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.data.day_zero import written
from bayescope.engine.problem.data.text_keys import unit_of
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.comparison_rows import MATCH_COLUMNS
from bayescope.gui.models.data.day_zero import key_day_zero, starts_at_first, with_day_zero
from bayescope.gui.models.data.distances import distance
from bayescope.gui.models.data.known_keys import completed, known_keys
from bayescope.gui.models.data.left_out import alike
from bayescope.gui.models.data.meanings import first_predictions
from bayescope.gui.models.data.mismatches import better_key, mismatch
from bayescope.gui.models.data.new_comparison import compared_by_name, with_comparison
from bayescope.gui.models.data.noise_parameter import with_new_parameter
from bayescope.gui.models.data.own_keys import own_key, paired_by_values
from bayescope.gui.models.data.part_keys import contradiction, key_columns, pair_all
from bayescope.gui.models.data.same_pairing import for_all
from bayescope.gui.models.data.shared_key import shared_key, with_shared_key
from bayescope.gui.models.data.taking_part import idle, set_aside
from bayescope.gui.models.fields import Field
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.models.simulator.trial import Trial
from bayescope.gui.pages.data.aside import AsideLine
from bayescope.gui.pages.data.mismatch import MismatchPart
from bayescope.gui.pages.data.own_errors import OwnErrors
from bayescope.gui.pages.data.units import UnitDoubt
from bayescope.gui.widgets.day_zero import DayZeroField
from bayescope.gui.widgets.focus import focus_kept
from bayescope.gui.widgets.forms import Choice, beside, card, scrolled
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.struct_form import StructForm
from bayescope.gui.widgets.tables import TableView

LONGEST_NAME = 20  # characters of an output's name that its column grows for
SETTLING = 4  # turns of the event loop until a layout has come to rest
PAIRED = 2  # the column that tells how rows are paired
MOST_ROOM = 80  # pixels: of a sentence or two with a button
MOST_ROWS = 6  # comparisons shown without scrolling; what is below them is needed too
FIELDS = (
    Field("output", "Output", "What the program computes.", "output"),
    Field("column", "Measured column", "The data column with the measured values.", "data_column"),
    Field("factor", "times", "1000 where the program gives metres and millimetres were measured.", "number"),
    Field("offset", "plus", "-273.15 where the program gives kelvins and degrees Celsius were measured.", "number"),
    Field(
        "key_output",
        "Pair by the output",
        "For example the time. None: first with first, second with second.",
        "optional_output",
    ),
    Field("key_column", "with the column", "The data column with the same quantity or labels.", "optional_key_column"),
    Field(
        "key_tolerance",
        "Tolerance",
        "How far two such values may be apart.",
        "optional_number",
        placeholder="automatic",
    ),
    Field(
        "second_key_output",
        "And by the output",
        "Where one key stands in several rows: one depth on many dates.",
        "optional_output",
    ),
    Field("second_key_column", "with the column", "The data column of the second key.", "optional_key_column"),
    Field(
        "interpolate",
        "Interpolate between the rows of the output",
        "What is predicted lies on the straight line between the values on both sides. Where the output bends, let the program "
        "print more rows.",
        "flag",
    ),
    Field("left_out", "Rows left out", "Their numbers in the table, the first is 1.", "counts", placeholder="none"),
)


class MatchingPart(QWidget):
    """Edits ``Predictions.matches`` and the noise models of single matches."""

    looked_at = Signal(str)  # the measured column of the comparison that was chosen

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file = problem, file
        self.model = RecordsModel[Match](MATCH_COLUMNS, self._set, self)
        self.table = TableView("Comparisons of outputs with data", self.model)
        self.table.set_widths(11, 14, 17, 13, stretch=(1,))
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self._chosen())
        self.table.delete_pressed.connect(lambda rows: self.model.remove(rows, "Remove comparison"))
        self.add_button = QPushButton("&Add comparison")
        self.add_button.clicked.connect(lambda: self._add())
        self.auto_button = QPushButton("&Compare by name")
        self.auto_button.setToolTip(
            "Compare each output with the data column of the same name, units in brackets aside, or the only one that holds it "
            "as a word: DIPOLE and Dipole moment."
        )
        self.auto_button.clicked.connect(self.match_by_name)
        self.remove_button = QPushButton("Rem&ove")
        self.remove_button.clicked.connect(lambda: self.model.remove(self.table.selected_rows(), "Remove comparison"))
        self.message = Notice()
        self.message.pressed.connect(self._match_idle)
        self.message.dismissed.connect(self._set_aside)
        self.aside = AsideLine()
        self.aside.mended.connect(lambda changed, text: problem.replace(changed, text))
        self.form = StructForm()
        self.form.changed.connect(self._form_changed)
        self.every = QPushButton()
        self.every.clicked.connect(self._leave_out_everywhere)
        self.errors = OwnErrors()
        self.own, self.noise = self.errors.own, self.errors.noise
        self.errors.changed.connect(self._replace)
        self.errors.size_wanted.connect(lambda: QTimer.singleShot(0, self, self._to_size))
        self.noise.mended.connect(lambda changed, text: problem.replace(changed, text))
        self.noise.parameter_wanted.connect(self._make_noise_parameter)
        self.words = label("", "heading")
        self.mismatch = MismatchPart()
        self.mismatch.mended.connect(lambda changed, text: problem.replace(changed, text))
        self.mismatch.key_wanted.connect(self._choose_key)
        self.units = UnitDoubt()
        self.units.mended.connect(lambda changed, text: problem.replace(changed, text))
        self.day_zero = DayZeroField()
        self.day_zero.changed.connect(self._set_day)
        self.mismatch.day_wanted.connect(self._choose_day)
        self.trial = trial
        self.trial.changed.connect(self._tried)
        self._high = 0  # pixels: of the table, as long as the page is looked at
        self._held = 0  # pixels of what was said when a field was changed: the fields stay where they are
        self._room = 0  # pixels that are kept for what is said of a comparison
        self._shown: tuple[object, ...] | None = None  # what the mismatches on the screen are of
        self.said = QWidget()  # what is to be said of one comparison: its room is kept while another is looked at
        room = QVBoxLayout(self.said)
        room.setContentsMargins(0, 0, 0, 0)
        room.setSpacing(10)
        for part in (self.mismatch, self.units):
            room.addWidget(part)
        room.addStretch(1)
        self.details = card(self.words, self.said, self.day_zero, self.form, beside(self.every, 1), self.errors)
        compare = card(
            self.table,
            beside(self.add_button, self.auto_button, self.remove_button, 1),
            self.message,
            self.aside,
            title="What is compared with what",
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        self.area = scrolled(compare, self.details)
        box.addWidget(self.area)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._high = self._held = 0

    @property
    def predictions(self) -> Predictions | None:
        meaning = self.problem.declared.meaning
        return meaning if isinstance(meaning, Predictions) else None

    def refresh(self) -> None:
        found, locked = self.predictions, self.problem.locked
        self.model.set_rows(found.matches if found else ())
        some = bool(self.model.rows)
        self.table.fit_rows(MOST_ROWS)
        self._high = max(self._high, self.table.height() if some else 0)  # no button moves from under the pointer
        self.table.setFixedHeight(max(self._high, self.table.height()))
        kept = self.table.sizePolicy()
        kept.setRetainSizeWhenHidden(self._high > 0)
        self.table.setSizePolicy(kept)
        self.table.setVisible(some)
        if some and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.model.index(0, 0))
        problem = self.problem.declared
        for button in (self.add_button, self.auto_button):
            button.setEnabled(not locked and bool(problem.outputs) and problem.data is not None)
        self.remove_button.setEnabled(some and not locked)
        self.table.fit_words(0, LONGEST_NAME)
        self.table.fit_words(PAIRED, LONGEST_NAME)
        self._tried()

    def _tried(self) -> None:
        """A test run tells of keys."""
        with focus_kept((*self.message.findChildren(QPushButton), self.aside.button), (self.table, self.add_button), self):
            self._say(self.problem.declared, bool(self.model.rows), self.problem.locked)
        self._show_row()

    def _say(self, problem: Problem, some: bool, locked: bool) -> None:
        """What is missing, wrong, or in no comparison."""
        findings = self.problem.findings("meaning.matches")
        if not problem.outputs:
            self.message.say("info", "The simulator has no outputs yet.", "Mark them on the Simulator page first.")
        elif problem.data is None:
            self.message.say("info", "There is no data table yet.", "Import it on the Table tab.")
        elif some and findings and findings[0].where == "meaning.matches":
            self.message.say(findings[0].level, findings[0].message, findings[0].suggestion)
        elif not locked and all(m.column for m in self.model.rows) and (words := (left := idle(problem, self.steady())).words()):
            name = (*left.columns, "")[0]
            several = len(left.outputs) + len(left.columns) > 1
            use = f"Use “{one_line(name, 16)}”" if name else ""
            more = ""
            if (key := key_columns(problem, self.trial.report, left.columns).get(name)) is not None:
                use = f"Pair by “{one_line(name, 16)}”"
                more = f"Output “{one_line(key.output, 24)}” and column “{one_line(name, 24)}” agree in {key.count}."
            self.message.say("info", words, more, use, "They do not count" if several else "It does not count")
        else:
            self.message.clear()
        self.aside.show_problem(problem, locked)

    def open_field(self) -> QWidget:
        """Where the next question about the comparisons is answered: a column not chosen yet, else a new comparison."""
        row = next((i for i, m in enumerate(self.model.rows) if not m.column), None)
        if row is None:
            return self.add_button
        self.table.setCurrentIndex(self.model.index(row, 0))
        return self.form.editor("column")

    def _chosen(self) -> None:
        self._held = 0
        self._show_row()
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            self.looked_at.emit(self.model.rows[row].column)

    def _show_row(self) -> None:
        row = self.table.currentIndex().row()
        some = 0 <= row < len(self.model.rows)
        self.details.setVisible(some)
        if not some:
            return
        match, problem, locked = self.model.rows[row], self.problem.declared, self.problem.locked
        columns = list(problem.data.columns) if problem.data else []
        against = f"compared with {one_line(match.column, 40)}" if match.column else "(its measured column is not chosen yet)"
        self.words.setText(f"{one_line(match.output, 40)} {against}")
        self.form.offer_names(columns, [], texts=list(problem.data.texts) if problem.data else [])
        self.form.offer_outputs([o.name for o in problem.outputs])
        self.form.show_record(match, FIELDS, locked, match.output)
        where = f"meaning.matches[{row}]"
        findings = self.problem.findings(where)
        self.form.show_findings(findings, where)
        for field, name in (("key_column", match.key_column), ("second_key_column", match.second_key_column)):
            unit = unit_of(problem.data.texts.get(name, ())) if problem.data and name else ""
            self.form.note(field, f"Its times count in seconds{unit[1:]}; so must the output's." if unit else "")
        far, counts = distance(problem, row, self.trial.report), key_day_zero(match)
        self.form.note("key_tolerance", far.words if far is not None else "")
        self.day_zero.show_start(counts.start if counts is not None else None, locked, starts_at_first(problem.data, match))
        self.errors.show_row(problem, row, self.file.folder, locked, findings)
        self.every.setVisible(len(self.model.rows) > 1)  # always: nothing below it moves
        self.every.setText(f"The same rows left out for all {len(self.model.rows)}")
        self.every.setEnabled(not locked and alike(problem, row) is not None)
        self._show_mismatch()

    def _show_mismatch(self) -> None:
        row, problem, report = self.table.currentIndex().row(), self.problem.declared, self.trial.report
        shown = (problem, row, report, self.problem.locked, self.trial.answers.settled.kept)
        if self._shown is not None and all(map(is_, shown, self._shown)):
            return  # looking for keys that fit takes time where tables are long
        self._shown = shown
        found = mismatch(problem, row, report)
        better = (better_key(problem, row, report) or own_key(problem, row, report, self.trial.second)) if found is None else None
        paired = problem if better is None else better[0]
        keyed = paired if found is None else found.other_key
        alike = for_all(keyed, row, report) if keyed is not None else None
        if better is None and (found is None or found.other_key is None or found.partly):
            found, better, alike = with_shared_key(shared_key(problem, row, report), found, alike)
        doubt = contradiction(problem, row, report) if found is None and better is not None else None
        against = doubt[2] if doubt is not None and doubt[2] not in self.trial.answers.settled.kept else ""
        far = distance(problem, row, report) if found is None else None
        by_values = paired_by_values(problem, row, report) if found is None and better is None else None
        words = far.words if far is not None and far.far else ""
        buttons = [*self.mismatch.findChildren(QPushButton), *self.units.findChildren(QPushButton)]
        with focus_kept(buttons, (self.table,), self.table):  # its button goes with what it mends
            self.units.show_comparison(problem, row, report, self.problem.locked)
            self.mismatch.show_mismatch(found, self.problem.locked, better, alike, words, by_values, against)
        self._keep_room()

    def _keep_room(self) -> None:
        """The fields of every comparison stand where those of the others do, but for one with a whole table of mismatches."""
        parts = [part for part in (self.mismatch, self.units) if part.isVisibleTo(self.said)]
        needed = sum(part.sizeHint().height() for part in parts)
        self._room = max(self._room, min(needed, MOST_ROOM)) if len(self.model.rows) > 1 else 0
        self.said.setMinimumHeight(max(self._room, self._held))
        self.said.setVisible(bool(self._room or self._held or parts))

    def show_comparison(self, row: int, field: str = "") -> QWidget:
        """Select it; its ``field``, or for none where rows that do not fit are mended."""
        self.table.setCurrentIndex(self.model.index(row, 0))
        form = self.errors.form if field == "sd_column" else self.form
        found = form.editor(field) if field else self.mismatch.other
        QTimer.singleShot(0, self, lambda: self.area.ensureWidgetVisible(found))  # when the tab has been laid out
        return found

    def show_own_errors(self, row: int) -> None:
        """Select it, with the focus where it gets errors of its own."""
        self.table.setCurrentIndex(self.model.index(row, 0))
        QTimer.singleShot(0, self, self._to_own)  # when the tab has been laid out

    def _to_own(self) -> None:
        self.area.ensureWidgetVisible(self.errors)
        self.area.ensureWidgetVisible(self.own)
        self.own.setFocus()

    def _leave_out_everywhere(self) -> None:
        found = alike(self.problem.declared, self.table.currentIndex().row())
        if found is not None:
            self.problem.replace(found, "The same rows left out")

    def _choose_day(self) -> None:
        self.area.ensureWidgetVisible(self.day_zero)
        self.day_zero.field.setFocus()
        self.day_zero.field.selectAll()

    def _set_day(self, start: float) -> None:
        changed = with_day_zero(self.problem.declared, start)
        self.problem.replace(changed, f"Day 0 is {written(start)}")

    def _choose_key(self) -> None:
        editor = self.form.editor("key_output")  # its column comes with it
        editor.setFocus()
        if isinstance(editor, Choice):
            editor.showPopup()

    # -------------------------------------------------------------- edits

    def _set(self, rows: tuple[Match, ...], text: str) -> bool:
        found = self.predictions
        if found is None:
            return False
        return self.problem.edit(text, meaning=msgspec.structs.replace(found, matches=rows))

    def _form_changed(self, match: Match) -> None:
        """One side of a key chosen, or another measured column: what belongs to it is proposed with it."""
        problem, row = self.problem.declared, self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            match = completed(problem, self.model.rows[row], match, known_keys(problem, self.trial))
        self._held = self.said.height() if self.said.isVisible() else 0
        place = self._place()
        self._replace(match, "Change comparison")
        QTimer.singleShot(0, self, lambda: self._stay(place))

    def _stay(self, place: int, turns: int = SETTLING) -> None:
        """More is said above the fields, of which the layout settles in steps: they are scrolled to where they were."""
        inside, bar = self.area.widget(), self.area.verticalScrollBar()
        if inside is not None and (layout := inside.layout()) is not None:
            layout.activate()
        bar.setValue(bar.value() + self._place() - place)
        if turns > 1:
            QTimer.singleShot(0, self, lambda: self._stay(place, turns - 1))

    def _place(self) -> int:
        return self.form.mapTo(self.area, QPoint(0, 0)).y()

    def _replace(self, match: Match, text: str) -> None:
        self.model.replace(self.table.currentIndex().row(), match, text)

    def _add(self, output: str | None = None, column: str = "") -> None:
        problem = self.problem.declared
        if problem.data is None or not problem.outputs:
            return
        if self.problem.replace(with_comparison(problem, self.trial, output, column), "Add comparison"):
            self.table.setCurrentIndex(self.model.index(len(self.model.rows) - 1, 0))

    def steady(self) -> frozenset[str]:
        """Outputs that no parameter changes, as far as test runs tell."""
        return known_keys(self.problem.declared, self.trial).steady

    def match(self, output: str) -> QWidget:
        """A new comparison of ``output``; where its column is chosen."""
        self._add(output)
        return self.form.editor("column")

    def _match_idle(self) -> None:
        """The first column that is in no comparison is to be in one: of an output that is in none either, if there is one."""
        left = idle(self.problem.declared, self.steady())
        problem, report = self.problem.declared, self.trial.report
        if left.columns and left.columns[0] in key_columns(problem, report, left.columns):
            self.problem.replace(pair_all(problem, left.columns[0], report) or problem, "Pair rows by a key")
        elif left.columns:
            self._add((*left.outputs, None)[0], left.columns[0])
            self.form.editor("output").setFocus()

    def _set_aside(self) -> None:
        left = idle(self.problem.declared, self.steady())
        self.problem.replace(set_aside(self.problem.declared, (*left.outputs, *left.columns)), "They do not count")

    def match_by_name(self) -> None:
        problem = self.problem.declared
        if not first_predictions(problem, known_keys(problem, self.trial), words=True).matches:
            why = "No output has the name of a data column, or is a word of only one."
            self.message.say("warning", why, "Add the comparisons one by one.")
            return
        changed = compared_by_name(problem, self.trial)
        if changed != problem:
            self.problem.replace(changed, "Compare outputs and columns by name")
            return
        left = idle(problem, self.steady()).words()
        self.message.say("info", "Nothing to add: what has the same name is compared already.", left)

    def _to_size(self) -> None:
        """The size is what differs most often: the cursor goes there, into sight."""
        size = self.noise.form.editor("sd")
        self.area.ensureWidgetVisible(size)
        size.setFocus()
        if isinstance(size, QLineEdit):
            size.selectAll()

    def _make_noise_parameter(self) -> None:
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            self.problem.replace(
                with_new_parameter(self.problem.declared, row), "New parameter for the errors"
            )
