"""Data page: the measured table, what it is compared with, and how large its errors are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from bayescope.engine.problem.data.dates.day_zero import start_of, starts_of
from bayescope.engine.problem.definition import DataTable, Match, Predictions, Problem
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.archive.import_columns import with_table, with_table_below
from bayescope.gui.models.data.dates.clock_units import clock_units
from bayescope.gui.models.data.dates.counted_dates import UNDO, clocks
from bayescope.gui.models.data.dates.day_doubt import OTHER, day_said
from bayescope.gui.models.data.dates.stated_days import stated_days, unread_day
from bayescope.gui.models.data.errors.error_size import ADDED
from bayescope.gui.models.data.errors.stated_by_files import stated_by_files
from bayescope.gui.models.data.errors.stated_sizes import Stated
from bayescope.gui.models.data.keys.asked_factor import TITLE
from bayescope.gui.models.data.keys.scaled_keys import UNDO as SCALED
from bayescope.gui.models.data.lost_comparisons import lost, restored
from bayescope.gui.models.data.meanings import MEANINGS, compares_with_data, converted
from bayescope.gui.models.data.partly import idle_now, left
from bayescope.gui.models.data.proposal import LIKE_THIS, NONE_OF_THESE
from bayescope.gui.models.data.rows.rows_without_value import missing_words
from bayescope.gui.models.data.rows.special_row import MEASURED, told_rows
from bayescope.gui.models.data.summary_faults import KEEP
from bayescope.gui.models.data.tables.further_sheets import PASS
from bayescope.gui.models.data.taking_part import Idle, idle_summaries, set_aside
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.step_status import DEPENDS, data_words, meaning_open
from bayescope.gui.pages.data.added import AddedOutputs
from bayescope.gui.pages.data.error_steps import SAY
from bayescope.gui.pages.data.errors_tab import ErrorsPart
from bayescope.gui.pages.data.importing.panel import ImportPanel
from bayescope.gui.pages.data.left_again import LeftAgain
from bayescope.gui.pages.data.matching import MatchingPart
from bayescope.gui.pages.data.pairing import PairingTold
from bayescope.gui.pages.data.pairing_steps import IN_ORDER
from bayescope.gui.pages.data.picture import PicturePart
from bayescope.gui.pages.data.step import COMPARISON, ERRORS, FACTOR, MARK_IT, NOISE, OUTPUTS, SHEET, TABLE, TEST, Step
from bayescope.gui.pages.data.steps import KEEP_SIGN, KEEP_UNITS, not_needed_words, open_step
from bayescope.gui.pages.data.summaries import SummariesPart
from bayescope.gui.pages.data.table_tab import TablePart, paste_button
from bayescope.gui.pages.data.typed_number import number_asked
from bayescope.gui.pages.data.typed_value import ADD_VALUE, TypedValue, ValueAdded
from bayescope.gui.pages.page import Page, Status, status_of
from bayescope.gui.widgets.folding import FoldingSplitter, Stack
from bayescope.gui.widgets.notices import Empty, Notice
from bayescope.gui.widgets.steady_bar import SteadyBar
from bayescope.gui.widgets.under_pointer import UnderPointer

IDLE_HINT = "The tab Comparison asks whether they count."
PLACES = ("data", "meaning.noise", "meaning.matches", "meaning.summaries", "meaning.column")


class DataPage(Page):
    step = "data"
    asks_again = True
    title = "Data"
    purpose = "What was measured, which output predicts it, and how large the measurement errors are."
    help_page = "data"
    page_requested = Signal(str)
    outputs_wanted = Signal(str)  # the tab of the Simulator page where they are marked, at the output of this name, if any

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(controller, parent)
        self.trial = Trial.of(controller)
        self.pairing = PairingTold(self.trial)
        self._stated: Stated | None = None  # what the file imported last says of its errors
        self._headings: dict[str, Stated] = {}  # ... and the headings of its columns
        self.not_needed = Empty("", "", "Compare predictions with data instead")
        self.not_needed.pressed.connect(self._use_predictions)
        self.empty = Empty(
            "No data yet",
            "Import a table of what was measured: CSV, tabs, semicolons, white space, Excel or OpenDocument; "
            "one file or several. They can be dropped here too.",
            "Open a data file…",
        )
        self.empty.pressed.connect(self._open)
        self.importer = ImportPanel()
        self.importer.taken.connect(self._take)
        self.importer.added.connect(self._add)
        self.importer.cancelled.connect(self._cancel)
        self.typed_value = TypedValue(self.trial)
        self.typed_value.taken.connect(self._take_value)
        self.value_added = ValueAdded()
        self.value_added.pressed.connect(self.type_value)
        self.typed_value.cancelled.connect(self._cancel)
        self.sheets = self.pairing.sheets
        self._imported = False  # a table came while the window is open
        self._lost: tuple[Match, ...] = ()  # comparisons of columns that a replaced table took away
        self._waiting: list[Path] = []  # files that were chosen together and are still to be imported
        self.table_part = TablePart(controller.problem)
        self.table_part.files = lambda: self.trial.answers.settled.files
        self.table_part.open_wanted.connect(self._open)
        self.table_part.pasted.connect(self.paste)
        self.table_part.value_wanted.connect(self.type_value)
        self.model, self.table, self.leave_out = self.table_part.model, self.table_part.table, self.table_part.leave_out
        self.origin, self.paste_button = self.table_part.origin, self.table_part.paste_button
        self.remove_button = self.table_part.remove_button
        self.empty_paste = paste_button()
        self.empty_paste.clicked.connect(lambda: self.paste(QGuiApplication.clipboard().text()))
        self.empty_value = QPushButton(ADD_VALUE)
        self.empty_value.clicked.connect(self.type_value)
        self.matching = MatchingPart(controller.problem, controller.file, self.trial, self.pairing)
        self.summaries = SummariesPart(controller.problem, self.trial)
        self.comparison = QStackedWidget()
        self.comparison.addWidget(self.matching)
        self.comparison.addWidget(self.summaries)
        self.errors = ErrorsPart(controller.problem, controller.file, self.trial)
        self.errors.own_wanted.connect(self._own_model)
        self.noise, self.shared, self.no_noise = self.errors.noise, self.errors.shared, self.errors.no_noise
        self.off, self.off_card, self.noise_check = self.errors.off, self.errors.off_card, self.errors.noise_check
        self.message = Notice()
        self.message.pressed.connect(self._next)
        self.message.dismissed.connect(self._dismiss)
        self.added = AddedOutputs()
        self.added.mended.connect(self.matching.mend)
        self.left_again = LeftAgain()
        self.left_again.mended.connect(self.matching.mend)
        self.matching.compared.connect(lambda before: self.added.note(before, self.problem.declared, self.trial.report))
        self.picture = PicturePart(self.trial)
        self.plot, self.test_words, self.test_button = self.picture.plot, self.picture.words, self.picture.button
        self.matching.proposed.changed.connect(self._say)
        self.matching.looked_at.connect(self.plot.choose)
        self.matching.looked_at.connect(lambda _: self._say())
        self.matching.marking_wanted.connect(self.outputs_wanted)
        self.tabs = QTabWidget()
        self.tabs.setTabBar(SteadyBar())
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Parts of the data page")
        for part, title, page in (
            (self.table_part, "&1  Table", "data"),
            (self.comparison, "&2  Comparison", "data"),
            (self.errors, "&3  Errors", "noise"),
        ):
            part.setProperty("help", page)
            self.tabs.addTab(part, title)
        self.plot.row_wanted.connect(lambda *_: self.tabs.setCurrentIndex(TABLE))
        self.plot.row_wanted.connect(self.table_part.show_cell)
        self.split = FoldingSplitter()
        self.split.addWidget(self.tabs)
        self.split.addWidget(self.picture)
        self.split.setSizes([640, 520])
        self.split.setHandleWidth(20)
        empty = QWidget()
        box = QVBoxLayout(empty)
        self.empty.add_beside(self.empty_paste)
        self.empty.add_beside(self.empty_value)
        box.addWidget(self.empty, 1)
        self.stack = Stack()
        self.tabs.currentChanged.connect(lambda index: self._say())
        self.file.shown.connect(self.left_again.forget)
        self.file.shown.connect(self._begin)
        for view in (self.not_needed, empty, self.importer, self.typed_value, self.split):
            self.stack.addWidget(view)
        self._empty_view = empty
        self.still = UnderPointer(self.stack)
        self.stack.currentChanged.connect(lambda _: self.still.shown_anew())
        self.tabs.currentChanged.connect(lambda _: self.still.shown_anew())
        self.add(self.message)
        self.add(self.added)
        self.add(self.value_added)
        self.add(self.left_again)
        self.add(self.stack, 1)
        self.trial.changed.connect(self._tried)
        self.follow()

    def first_field(self) -> QWidget | None:
        return self.empty.button if self.stack.currentWidget() is self._empty_view else None

    def refresh(self) -> None:
        problem, locked = self.problem.declared, self.problem.locked
        if locked or self.stack.currentWidget() not in (self.importer, self.typed_value):
            self.refresh_view()
        self.table_part.refresh()
        for button in (self.empty_paste, self.empty_value, self.empty.button, self.not_needed.button):
            button.setEnabled(not locked)
        self.matching.refresh()
        self.summaries.refresh()
        self.comparison.setCurrentWidget(self.summaries if hasattr(problem.meaning, "summaries") else self.matching)
        self.errors.refresh()
        self.added.follow(problem, locked)
        self.left_again.follow(problem, locked)
        self.value_added.follow(problem)
        self._note_steady()
        self._say()
        self._draw()

    def _say(self) -> None:
        """What is wrong with the table; else what is still to be said about it, with the way there."""
        if self.stack.currentWidget() in (self.importer, self.typed_value):
            self.message.clear()  # its button would lead behind the table that is being imported
            return
        if self.still.pointed() is not None:
            self.message.hold()
        problem = self.problem.declared
        step = self._open_step()
        if findings := self.problem.findings("data", "error") if problem.data is not None else []:
            self.message.say("error", findings[0].message, findings[0].suggestion)
        elif step is not None:
            here = (self.tabs.currentIndex() == step.tab and not self._of_another(step)) or self.problem.locked
            there = here and not step.aside and step.out is None and step.mended is None
            there = there and not step.confirms and step.field not in ("sd_column", SHEET, TEST, FACTOR)
            there = there or (self.problem.locked and step.mended is not None)
            question, button = self._proposed_now(step) if there else (step.question, step.button)
            self.message.say(step.level, question, step.hint, button, step.dismiss)
        elif problem.data is None and compares_with_data(problem.meaning):
            self.message.clear()  # the empty page says what to do
        elif self.problem.findings("meaning", "error"):
            self.message.rest()  # it is said at its field
        else:
            said = f"{data_words(problem)}. {missing_words(problem)}".strip()
            beside = self._idle_words(problem)  # that ask by their own box on the tab Comparison
            if beside:
                self.message.say("info", f"Nothing has to be done here: {said} {beside}", IDLE_HINT)
            else:
                self.message.settle(f"Nothing is left to do here: {said}")

    def _proposed_now(self, step: Step) -> tuple[str, str]:
        """The question on show and its button: of what is proposed as its lines are now, where none of them is a guess."""
        found = self.matching.proposed.found if step.dismiss == NONE_OF_THESE and not self.problem.locked else None
        if found is None:
            return step.question, ""
        return found.question, LIKE_THIS if found.sure and found.compared else ""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.message.let_go()  # not before: the tabs, which would move, are under the pointer
        self.added.let_go()
        self.left_again.let_go()
        if self.message.level == "ok":
            self.message.clear()

    def _own_model(self, row: int) -> None:
        """Of a comparison: the box that gives it its own, in sight."""
        self.tabs.setCurrentIndex(COMPARISON)
        self.matching.show_own_errors(row)

    def _open_step(self) -> Step | None:
        problem = self.problem.declared
        errors = [f for place in ("meaning.matches", "meaning.summaries") for f in self.problem.findings(place, "error")]
        locked = self.problem.locked
        idle = None if locked else self._left(problem)
        unfit = None if locked and self.trial.lacking() else self.trial.unfit()
        kept, stated = self.trial.answers.settled.kept, self._stated
        stated = None if stated is None or stated.words in kept else stated
        told = replace(self.pairing.told(locked), stated=stated, headings=self._headings)
        if not locked:
            told = replace(told, untested=self._imported and self.trial.report is None)
        return open_step(problem, errors, unfit, idle, None if locked else self.trial.fault(), told)

    def _of_another(self, step: Step) -> bool:
        """Whether it is about another comparison than the one that is shown in full: the way there is offered."""
        compared = step.tab == COMPARISON and self.comparison.currentWidget() is self.matching
        return compared and step.row not in (None, self.matching.details.row)

    def _begin(self) -> None:
        """An analysis without data begins with them, as the first one did; what its files said is known again."""
        self._hear(self.problem.declared.data)
        if self.problem.declared.data is None:
            self.tabs.setCurrentIndex(TABLE)
        self._say()
        self.announce()

    def _hear(self, data: DataTable | None) -> None:
        """What the files of the data say beside their tables."""
        files = self.trial.answers.settled.files
        self.pairing.remarks = tuple(line for one in files for line in one.around)
        self._stated, self._headings = stated_by_files(files, () if data is None else tuple(data.columns))

    def _idle_words(self, problem: Problem) -> str:
        asks = not self.problem.locked and isinstance(problem.meaning, Predictions) and problem.data is not None
        return idle_now(problem, self.trial).words() if asks else ""

    def _left(self, problem: Problem) -> Idle:
        """What takes part in no comparison and was not set aside."""
        if not hasattr(problem.meaning, "summaries"):
            return left(problem, self.trial)
        return idle_summaries(problem, self.matching.steady(), self.trial.answers.settled.not_needed)

    def _dismiss(self) -> None:
        if (step := self._open_step()) is not None and step.others:
            self.trial.check()
        elif step is not None and step.dismiss == OTHER and step.row is not None:
            self.tabs.setCurrentIndex(step.tab)
            part = self.summaries if hasattr(self.problem.declared.meaning, "summaries") else self.matching
            part.ask_day(step.row)
        elif step is not None and step.confirms:
            self.trial.answers.keep(step.confirms)
        elif step is not None and step.dismiss == NONE_OF_THESE:
            if (found := self.pairing.told(self.problem.locked).proposal) is not None:
                self.matching.none_of(found)
        elif step is not None and step.dismiss == SAY:
            self.tabs.setCurrentIndex(step.tab)
            self.errors.first_field(step.level == "error").setFocus()
        elif step is not None and step.dismiss == MARK_IT:
            self.outputs_wanted.emit("")
        elif step is not None and step.dismiss == PASS:
            self.sheets.pass_over()
            self.trial.answers.keep(step.question)
            self.refresh()
            self.announce()
        elif step is not None and step.dismiss in (IN_ORDER, MEASURED, KEEP_UNITS, KEEP_SIGN):
            self.trial.answers.keep(step.question)
        elif step is not None and step.dismiss == KEEP:
            self.trial.keep_all()
        elif step is not None and hasattr(self.problem.declared.meaning, "summaries"):
            self.trial.answers.leave_idle(step.aside)
        elif step is not None:
            self.problem.replace(set_aside(self.problem.declared, step.aside), "It does not count")

    def _next(self) -> None:
        if (step := self._open_step()) is None:
            return
        proposed = self.tabs.currentIndex() == step.tab and step.dismiss == NONE_OF_THESE
        if step.mended is None or step.tab != TABLE:  # rows that are left out are marked there: nothing is to be done
            self.tabs.setCurrentIndex(step.tab)
        if step.out is not None:
            self.trial.answers.leave_out(step.out)
        elif step.confirms and step.mended is None:
            self.trial.answers.keep(step.confirms)
        elif step.mended is not None:
            before = self.problem.declared
            self.matching.mend(step.mended, step.undo)
            self.added.note(before, self.problem.declared, self.trial.report)
            if step.undo == ADDED:
                self.errors.to_size()
            if step.undo == UNDO and step.row is not None:
                self.matching.ask_day(step.row)
            then = self._open_step()
            if step.tab == ERRORS and then is not None and then.tab == ERRORS and then.mended is None and not then.confirms:
                self.errors.first_field(then.level == "error").setFocus()  # the button is gone: what is typed next goes there
        elif proposed and self.matching.proposed.found is not None and self.matching.proposed.found.sure:
            self.matching.proposed.accept()
        elif step.field == SHEET:
            self._further_sheet()
        elif step.field == TEST:
            self.trial.run()
        elif step.field == FACTOR:
            self._ask_factor()
        elif step.field == NOISE and step.row is not None:
            self.matching.show_own_errors(step.row)
        elif step.field == OUTPUTS:
            self.outputs_wanted.emit("")
        elif step.aside and not step.field and not hasattr(self.problem.declared.meaning, "summaries"):
            self.matching.match(step.aside[0]).setFocus()
        elif step.tab == ERRORS:
            self.errors.first_field(step.level == "error").setFocus()
        else:
            self._place_of(step).setFocus()

    def _ask_factor(self) -> None:
        """What a key of the program is multiplied by, which only the user knows."""
        asked, problem = self.pairing.told(self.problem.locked).factor, self.problem.declared
        factor = number_asked(self, TITLE, asked.question) if asked is not None else None
        if asked is None or factor is None or self.problem.declared is not problem:
            return
        made = asked.paired(problem, self.trial.report, factor)
        if made is not None:
            self.matching.mend(made, SCALED)
        else:
            words = f"With {spoken(factor)}, most of what was measured lies beyond the rows of the program."
            self.message.say("error", words, asked.hint, asked.button)

    def _place_of(self, step: Step) -> QWidget:
        if hasattr(self.problem.declared.meaning, "summaries"):
            return self.summaries.show_summary(step.row, step.field)
        return self.matching.open_field() if step.row is None else self.matching.show_comparison(step.row, step.field)

    def refresh_view(self) -> None:
        """Which of the views fits: not needed, nothing yet, or the table."""
        problem = self.problem.declared
        if problem.data is not None:
            view: QWidget = self.split
        elif compares_with_data(problem.meaning) or not problem.outputs:
            view = self._empty_view
        else:
            view = self.not_needed
            self.not_needed.say(*not_needed_words(problem))
        self.stack.setCurrentWidget(view)

    def status(self) -> Status:
        problem = self.problem.declared
        if not compares_with_data(problem.meaning):
            if problem.outputs:
                if meaning_open(problem):
                    return "todo", DEPENDS
                return "done", data_words(problem)
            return "todo", "Import data."
        step = self._open_step()
        if step is not None and not step.settled:
            return ("error" if step.level == "error" else "todo"), step.caption or step.question
        findings = [f for f in self.problem.findings() if f.where.startswith(PLACES)]
        return status_of(findings, "" if problem.data else "Import data.", data_words(problem))

    def _tried(self) -> None:
        """A test run began or ended: what does not fit is said, and the picture is drawn anew."""
        self._note_steady()
        self._say()
        self._draw()
        self.announce()

    def _note_steady(self) -> None:
        if self.problem.declared.data is not None and self.trial.second is not None:
            self.trial.answers.note_steady(self.matching.steady())

    def _draw(self) -> None:
        self.picture.show_problem(self.problem.declared)

    # -------------------------------------------------------------- edits

    def _open(self) -> None:
        self.open_files(ask.files(self, "Measured data", self.file.place))

    def _further_sheet(self) -> None:
        """The next table of the file, which is asked for where this window has not read it."""
        content, name, digest, part = self.sheets.first
        if content:
            self._show_importer(together=True)
            self.importer.load_bytes(content, name, part)
        elif paths := ask.files(self, one_line(name, 60), self.file.place):
            self._show_importer(together=True)
            self.importer.load_file(paths[0], part, digest)

    def take_files(self, paths: list[Path]) -> bool:
        """Dropped: imported as if they had been chosen in the dialog."""
        if self.problem.locked:
            return False
        if self.stack.currentWidget() is self.not_needed:
            self._use_predictions()  # who brings data answers the question
        self.open_files(paths)
        return True

    def open_files(self, paths: Sequence[Path]) -> None:
        """Import the first; each of the others can be added below it."""
        if paths:
            self._waiting = list(paths[1:])
            self.open_file(paths[0])

    def open_file(self, path: Path, together: bool = False) -> None:
        """Show the import preview of a file; ``together`` with the one before it: to be put below it."""
        self._show_importer(together)
        self.importer.load_file(path)

    def _show_importer(self, together: bool = False) -> None:
        for banner in (self.added, self.value_added, self.left_again):
            banner.away()
        self.stack.setCurrentWidget(self.importer)
        declared = self.problem.declared
        counting, stated = clocks(declared, self.trial.report), stated_days(declared, self.trial.report)
        if not counting and (one := unread_day(self.trial.report)) is not None:
            counting, stated = {one.of: np.empty(0)}, {one.of: one}
        units, files = clock_units(declared), self.trial.answers.settled.files
        self.importer.know([o.name for o in declared.outputs], start_of(declared.data), counting, stated, units, files)
        self.importer.offer_adding(declared.data, together)
        self._say()

    def _next_file(self) -> None:
        if self._waiting:
            self.open_file(self._waiting.pop(0), together=True)

    def _cancel(self) -> None:
        self.refresh_view()
        self._say()
        self._next_file()

    def paste(self, text: str) -> None:
        if self.problem.locked:
            return
        self._show_importer()
        self.importer.load_bytes(text.encode("utf-8", "replace"), "the clipboard")

    def type_value(self) -> None:
        """A single measured value is typed, as data sheets state it."""
        if self.problem.locked:
            return
        for banner in (self.added, self.value_added, self.left_again):
            banner.away()
        self.stack.setCurrentWidget(self.typed_value)
        self.typed_value.begin(self.problem.declared)
        self._say()

    def _take_value(self, made: Problem, words: str) -> None:
        self._import(made, "Add a measured value")
        if words:
            self.value_added.note(words, self.problem.declared)

    def _take(self, table: DataTable) -> None:
        read = self.importer.as_read
        before, after = self.problem.declared, with_table(self.problem.declared, table, self.trial, self.importer.keys)
        self._lost = (*lost(before, after), *self._lost)
        self.sheets.replaced()
        self.sheets.took(*self.importer.shown_part)
        self.trial.answers.note_file(self.sheets.noted(read), alone=True)
        self._hear(after.data)
        self._import(after, "Import data")
        self.errors.refresh()
        self.table_part.refresh()

    def _add(self, table: DataTable) -> None:
        self.sheets.took(*self.importer.shown_part)
        new = self.importer
        below = with_table_below(self.problem.declared, table, self.trial, new.keys, new.moves, new.short_title)
        read = self.importer.as_read
        self.trial.answers.note_file(self.sheets.noted(read), alone=False)
        self._hear(below.data)
        self._import(restored(below, self._lost), "Add data")
        self.errors.refresh()
        self.table_part.refresh()

    def _import(self, problem: Problem, words: str) -> None:
        self.stack.setCurrentWidget(self.split)
        self._imported = True
        before = self.problem.declared
        self.problem.replace(problem, words)
        self.added.note(before, self.problem.declared, self.trial.report)
        starts = starts_of(self.problem.declared.data)
        if (start := self.importer.day_typed) is not None and start in starts:
            self.trial.answers.keep(day_said(start))
        elif (start := self.importer.day_guessed) is not None and start in starts:
            self.trial.answers.guess_day(start)
        for row in told_rows(self.problem.declared) if self.importer.lines_told.kept else ():
            if row.label in self.importer.lines_told.kept:  # it was said while the file was imported
                self.trial.answers.keep(row.words)
        self.refresh_view()
        if self.matching.proposed.found is not None:
            self.tabs.setCurrentIndex(COMPARISON)  # what is proposed is to be looked at
        self._say()
        self._next_file()

    def _use_predictions(self) -> None:
        kind = next(k for k in MEANINGS if k.kind is Predictions)
        self.problem.edit("The outputs are predictions", meaning=converted(self.problem.declared, kind))
