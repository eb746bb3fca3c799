"""Which output predicts which data column: what is proposed, the list of comparisons, and one of them in full."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.data.dates.day_zero import starts_of
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.compared_outputs import with_match
from bayescope.gui.models.data.comparison_rows import match_columns
from bayescope.gui.models.data.dates.counted_dates import UNDO
from bayescope.gui.models.data.dates.day_doubt import day_said
from bayescope.gui.models.data.errors.expanded_size import divided_words
from bayescope.gui.models.data.keys.known_keys import completed, known_keys
from bayescope.gui.models.data.keys.outside_again import inside_now, outside_anew
from bayescope.gui.models.data.keys.part_keys import key_columns, pair_all
from bayescope.gui.models.data.list_edits import (
    NO_KEY,
    columns_of_errors,
    factor_read,
    unit_typed,
    with_errors,
    with_key_scaling,
    with_scaling,
)
from bayescope.gui.models.data.meanings import first_predictions
from bayescope.gui.models.data.new_comparison import compared_by_name, likely_pair, with_comparison
from bayescope.gui.models.data.partly import idle_now
from bayescope.gui.models.data.proposal import Proposal, compared_like, none_compared
from bayescope.gui.models.data.taking_part import set_aside
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.data.aside import AsideLine
from bayescope.gui.pages.data.comparison_table import TYPED_BEYOND, AlikeOffer, ComparisonsModel, ComparisonTable
from bayescope.gui.pages.data.details import ComparisonDetails
from bayescope.gui.pages.data.pairing import PairingTold
from bayescope.gui.pages.data.proposed import ProposedPart
from bayescope.gui.widgets.focus import focus_kept
from bayescope.gui.widgets.forms import beside, card, scrolled
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.scrolling import bring_into_sight
from bayescope.gui.widgets.tables import ROWS_A_STEP

LONGEST_NAME = 40  # characters of a name, or of how rows are paired, that its column grows for
SHORTEST_NAME = 10  # ... where there is little room
LONGEST_ON_BUTTON = 30  # characters of a column's name
CHANGES = {"factor": "Change factor", "noise": "Change errors", "key": "Change the shift of the key"}  # for undo
SETTLING = 4  # turns of the event loop until a layout has come to rest
MOST_ROWS = 9  # comparisons shown without scrolling; what is below them is needed too


class MatchingPart(QWidget):
    """Edits ``Predictions.matches`` and the noise models of single matches."""

    looked_at = Signal(str)  # the measured column of the comparison that was chosen
    compared = Signal(object)  # more is compared; the problem as it was before
    marking_wanted = Signal(str)  # of a key, on the Simulator page, beside the output of this name

    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, trial: Trial, told: PairingTold, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.problem, self.file, self.told = problem, file, told
        self.model = ComparisonsModel(self._set, self._take_cell, self)
        self.table = ComparisonTable(self.model)
        self.offer = AlikeOffer()
        self.offer.mended.connect(self.mend)
        self.model.refused.connect(lambda row, column, words: self.offer.refuse(words, self.problem.declared))
        self.table.emptied.connect(self._empty)
        self.table.key_missing.connect(lambda: self.offer.tell(NO_KEY, self.problem.declared))
        self.table.typed_beyond.connect(lambda: self.offer.tell(TYPED_BEYOND, self.problem.declared))
        self.table.pasted.connect(self._paste)
        self.table.resized.connect(self._share)
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
        self.remove_button = QPushButton("Re&move")
        self.remove_button.clicked.connect(lambda: self.model.remove(self.table.selected_rows(), "Remove comparison"))
        self.message = Notice(two_below=True)
        self.message.pressed.connect(self._match_idle)
        self.message.dismissed.connect(self._set_aside)
        self.aside = AsideLine()
        self.aside.mended.connect(self.mend)
        self.details = ComparisonDetails(problem, file, trial, told)
        self.details.focus_back = self.table
        self.details.form_changed.connect(self._form_changed)
        self.details.changed.connect(self._errors_changed)
        self.details.mended.connect(self.mend)
        self.details.marking_wanted.connect(self._to_marking)
        self.mismatch, self.units, self.day_zero = self.details.mismatch, self.details.units, self.details.day_zero
        self.form, self.every, self.errors = self.details.form, self.details.every, self.details.errors
        self.own, self.noise = self.details.own, self.details.noise
        self.proposed = ProposedPart()
        self.proposed.accepted.connect(self._take_proposed)
        self.trial = trial
        self._looked: object = trial.report  # the test run of which it is known which rows lie outside
        self.trial.changed.connect(self._tried)
        self._high = 0  # pixels: of the table, as long as the page is looked at
        self._first = 0  # comparisons that it began with then: it is no higher than these until more are added
        compare = card(
            self.offer,
            self.table,
            beside(self.add_button, self.auto_button, self.remove_button, 1),
            self.message,
            self.aside,
            title="What is compared with what",
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        self.area = self.details.area = scrolled(self.proposed, compare, self.details)
        box.addWidget(self.area)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._high = self._first = 0
        self.details.let_go()

    @property
    def predictions(self) -> Predictions | None:
        meaning = self.problem.declared.meaning
        return meaning if isinstance(meaning, Predictions) else None

    def refresh(self) -> None:
        found, locked = self.predictions, self.problem.locked
        self.model.read_only = locked
        self.model.set_columns(match_columns(self.problem.declared))
        self.model.set_rows(found.matches if found else ())
        self.model.refresh()  # errors that are said for all
        self.table.columns_of_errors = columns_of_errors(self.problem.declared)
        self.offer.follow(self.problem.declared, locked)
        some = bool(self.model.rows)
        self._share()
        self.table.setVisible(some or self._high > 0)
        self.table.say_nothing("" if some else "Nothing is compared yet.")
        if some and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.model.index(0, 0))
        problem = self.problem.declared
        for button in (self.add_button, self.auto_button):
            button.setEnabled(not locked and bool(problem.outputs) and problem.data is not None)
        self.remove_button.setEnabled(some and not locked)
        self._tried()

    def _share(self) -> None:
        self.table.share_all((LONGEST_NAME,) * len(self.model.columns), (1, 2), SHORTEST_NAME)
        self.table.resizeRowsToContents()  # how rows are paired may take two lines
        rows = len(self.model.rows)
        self._first = self._first if self._first and self.isVisible() else rows
        self.table.fit_rows(MOST_ROWS, 1 if rows <= self._first else ROWS_A_STEP)
        self._high = max(self._high, self.table.height() if self.model.rows else 0)  # no button moves from under the pointer
        self.table.setFixedHeight(max(self._high, self.table.height()))

    def _tried(self) -> None:
        """A test run tells of keys."""
        if not self.problem.locked and self.trial.report is not self._looked:
            self._looked = self.trial.report
            inside, said = inside_now(self.problem.declared, self.trial.report)
            if said and self.problem.replace(inside, "Rows inside count again"):
                self.offer.tell(said, self.problem.declared)
        with focus_kept((*self.message.findChildren(QPushButton), self.aside.button), (self.table, self.add_button), self):
            self._say(self.problem.declared, bool(self.model.rows), self.problem.locked)
        self.proposed.show_proposal(self.told.told(self.problem.locked).proposal, self.problem.locked)
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
        elif not locked and all(m.column for m in self.model.rows) and (words := (left := idle_now(problem, self.trial)).words()):
            output, name = likely_pair(problem, left, known_keys(problem, self.trial))
            several = len(left.outputs) + len(left.columns) > 1
            use = f"Use “{one_line(name, LONGEST_ON_BUTTON)}”" if name else ""
            tip = f"Compares “{output}” with “{name}”." if output else f"Compares an output with “{name}”."
            more = ""
            keys = key_columns(problem, self.trial.report, left.columns)
            if (key := next(iter(keys.values()), None)) is not None:
                use, tip = f"Pair by “{one_line(key.column, LONGEST_ON_BUTTON)}”", key.column
                more = f"Output “{one_line(key.output, 24)}” and column “{one_line(key.column, 24)}” agree in {key.count}."
            self.message.say("info", words, more, use.replace("&", "&&"), "They do not count" if several else "It does not count")
            self.message.explain(tip if use else "")
        else:
            self.message.clear()
        self.aside.show_problem(problem, locked)

    def open_field(self) -> QWidget:
        """Where the next question about the comparisons is answered: what is proposed, a column not chosen, else a new one."""
        if self.proposed.found is not None and self.proposed.isVisibleTo(self):
            QTimer.singleShot(0, self, lambda: self._into_sight(self.proposed))  # when the tab has been laid out
            return self.proposed.button
        row = next((i for i, m in enumerate(self.model.rows) if not m.column), None)
        if row is None:
            return self.add_button
        self.table.setCurrentIndex(self.model.index(row, 0))
        return self.form.editor("column")

    def _chosen(self) -> None:
        self.details.let_go()
        self._show_row()
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            self.looked_at.emit(self.model.rows[row].column)

    def _show_row(self) -> None:
        row = self.table.currentIndex().row()
        self.details.show_row(row if row < len(self.model.rows) else -1)

    def show_comparison(self, row: int, field: str = "") -> QWidget:
        """Select it; its ``field``, or for none where rows that do not fit are mended."""
        self.table.setCurrentIndex(self.model.index(row, 0))
        found = self.details.part_of(field)
        part = next((p for p in (self.details.rows, self.details.mismatch) if p.isAncestorOf(found)), found)  # with its words
        QTimer.singleShot(0, self, lambda: self._into_sight(part))  # when the tab has been laid out
        return found

    def _into_sight(self, part: QWidget, turns: int = SETTLING) -> None:
        """``part`` stands whole where it can; the layout around it settles in steps, unless the user goes on meanwhile."""
        focus = self.area.focusWidget()
        if turns < SETTLING and focus is not None and focus is not part and not part.isAncestorOf(focus):
            return
        bring_into_sight(part)
        if turns > 1:
            QTimer.singleShot(0, self, lambda: self._into_sight(part, turns - 1))

    def ask_day(self, row: int) -> None:
        """Select it, with the focus where day 0 of its dates is said."""
        self.table.setCurrentIndex(self.model.index(row, 0))
        QTimer.singleShot(0, self, self.details.choose_day)  # when the tab has been laid out

    def _to_marking(self) -> None:
        row = self.table.currentIndex().row()
        self.marking_wanted.emit(self.model.rows[row].output if 0 <= row < len(self.model.rows) else "")

    def show_own_errors(self, row: int) -> None:
        """Select it, with the focus where it gets errors of its own."""
        self.table.setCurrentIndex(self.model.index(row, 0))
        QTimer.singleShot(0, self, self.details.to_own_errors)  # when the tab has been laid out

    # -------------------------------------------------------------- edits

    def mend(self, changed: Problem, text: str) -> None:
        """``changed`` in place of the problem; ``text`` for undo. A day 0 that was said by that is known from now on, one that
        was only proposed is asked about."""
        self.details.let_go(all_of_it=True)
        starts, known = starts_of(changed.data), starts_of(self.problem.declared.data)
        if text == UNDO:
            for start in (s for s in starts if s not in known):
                self.trial.answers.guess_day(start)
        elif any(text == day_said(start) for start in starts):
            self.trial.answers.keep(text)
        before = self.problem.declared
        changed, said = outside_anew(before, changed, self.trial.report)
        if self.problem.replace(changed, text) and said:
            self.offer.tell(said, self.problem.declared)

    def none_of(self, found: Proposal) -> None:
        """No output of a proposal is compared: none of them counts."""
        self.problem.replace(none_compared(self.problem.declared, found), "It does not count")

    def _take_proposed(self, found: Proposal) -> None:
        if not found.compared:
            self.none_of(found)
            return
        before = self.problem.declared
        if self.problem.replace(compared_like(found, self.trial), "Compare as proposed"):
            self.table.setCurrentIndex(self.model.index(0, 0))
            self.compared.emit(before)

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
        self.details.hold_room()
        place, before = self._place(), problem
        changed, said = outside_anew(before, with_match(before, row, match), self.trial.report)
        self.problem.replace(changed, "Change comparison")
        self.offer.note(before, self.problem.declared, row, said=said)
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

    def _errors_changed(self, match: Match, text: str) -> None:
        before, row = self.problem.declared, self.table.currentIndex().row()
        self._replace(match, text)
        self.offer.note(before, self.problem.declared, row)

    def _take_cell(self, row: int, key: str, text: str) -> None:
        """Of the list. Raises ValueError with words."""
        before, match, column, outside = self.problem.declared, self.model.rows[row], self.model.column_of(key), ""
        if key == "factor":
            changed = with_scaling(before, row, text)
        elif key == "noise":
            changed = with_errors(before, row, text)
        elif key == "key":
            changed, outside = outside_anew(before, with_key_scaling(before, row, text), self.trial.report)
        elif text in self.model.columns[column].choices:
            made = completed(before, match, msgspec.structs.replace(match, **{key: text}), known_keys(before, self.trial))
            self.model.replace(row, made, "Change comparison")
            return
        else:
            return  # left without a choice
        if changed != before and self.problem.replace(changed, CHANGES[key]):
            unit = unit_typed(text) if key == "factor" else ""
            said = divided_words(text, self.model.index(row, column).data()) if key == "noise" else outside
            read = factor_read(changed, row, text) if key == "noise" else None
            said, meant = read or (said, None)
            self.offer.note(before, self.problem.declared, row, unit, said, meant)

    def _empty(self, column: int, rows: list[int]) -> None:
        for row in rows:
            self.model.setData(self.model.index(row, column), "")

    def _paste(self, text: str) -> None:
        """Cells of a spreadsheet, from the current one on downwards; into those that are typed into."""
        at = self.table.currentIndex()
        for k, line in enumerate(text.splitlines()):
            for i, cell in enumerate(line.split("\t")):
                index = self.model.index(at.row() + k, at.column() + i)
                if self.table.is_typed(index) and cell.strip():
                    self.model.setData(index, cell.strip())

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
        """A column that is in no comparison pairs rows if it is a key; else it is to be in one, of an output that is in none
        either, if there is one."""
        left = idle_now(self.problem.declared, self.trial)
        problem, report = self.problem.declared, self.trial.report
        output, column = likely_pair(problem, left, known_keys(problem, self.trial))
        if keys := key_columns(problem, report, left.columns):
            self.problem.replace(pair_all(problem, next(iter(keys)), report) or problem, "Pair rows by a key")
        elif column:
            self._add(output, column)
            self.form.editor("output").setFocus()

    def _set_aside(self) -> None:
        left = idle_now(self.problem.declared, self.trial)
        self.problem.replace(set_aside(self.problem.declared, (*left.outputs, *left.columns)), "They do not count")

    def match_by_name(self) -> None:
        problem = self.problem.declared
        if not first_predictions(problem, known_keys(problem, self.trial), words=True).matches:
            why = "No output has the name of a data column, or is a word of only one."
            self.message.say("warning", why, "Add the comparisons one by one.")
            self._answer_in_sight()
            return
        changed = compared_by_name(problem, self.trial)
        if changed != problem:
            self.problem.replace(changed, "Compare outputs and columns by name")
            self.compared.emit(problem)
            return
        left = idle_now(problem, self.trial).words()
        self.message.say("info", "Nothing to add: what has the same name is compared already.", left)
        self._answer_in_sight()

    def _answer_in_sight(self) -> None:
        """What a button below the list leads to stands right below it: both are seen, in a low window too."""
        QTimer.singleShot(0, self, lambda: self._into_sight(self.message))  # when it has been laid out
