"""Data page: the measured table, what it is compared with, and how large its errors are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from bayescope.engine.problem.data.day_zero import start_of
from bayescope.engine.problem.definition import DataTable, NoiseModel, Predictions, Problem
from bayescope.gui.analysis.session_controller import SessionController
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.archive.import_columns import with_table, with_table_below
from bayescope.gui.models.data.data_table import DataTableModel
from bayescope.gui.models.data.left_out import matches_of, struck
from bayescope.gui.models.data.meanings import MEANINGS, compares_with_data, converted
from bayescope.gui.models.data.noise_parameter import with_new_parameter
from bayescope.gui.models.data.partly import left
from bayescope.gui.models.data.special_row import MEASURED, told_rows
from bayescope.gui.models.data.summary_faults import KEEP
from bayescope.gui.models.data.taking_part import Idle, idle_summaries, set_aside
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.output_views import reread
from bayescope.gui.models.simulator.trial import Trial
from bayescope.gui.models.step_status import DEPENDS, data_words, meaning_open
from bayescope.gui.pages.data.importing import ImportPanel
from bayescope.gui.pages.data.leave_out import LeaveOut
from bayescope.gui.pages.data.matching import MatchingPart
from bayescope.gui.pages.data.pairing import PairingTold
from bayescope.gui.pages.data.shared import SharedErrors, each_its_own, sharing
from bayescope.gui.pages.data.steps import (
    COMPARISON,
    ERRORS,
    IN_ORDER,
    Step,
    draws_line,
    line_words,
    not_needed_words,
    open_step,
)
from bayescope.gui.pages.data.summaries import SummariesPart
from bayescope.gui.pages.page import Page, Status, status_of
from bayescope.gui.plots.data_plot import DataPlot, shown_columns
from bayescope.gui.widgets.discrepancy_editor import EXPLAINED, DiscrepancyEditor
from bayescope.gui.widgets.fitting import FoldingSplitter, Stack
from bayescope.gui.widgets.forms import beside, card, scrolled
from bayescope.gui.widgets.noise_check import NoiseCheckPart
from bayescope.gui.widgets.noise_editor import NoiseEditor
from bayescope.gui.widgets.notices import Empty, Notice, label
from bayescope.gui.widgets.steady_bar import SteadyBar
from bayescope.gui.widgets.tables import TableView

WIDEST_CELL = 20  # characters of a label in the table, where columns have little room
LONGEST_LABEL = 30  # characters of a label that its column grows for
ONE_VALUE = ". To leave out one value alone, right-click it."
NO_NOISE = "The program is random itself: its own scatter stands for the errors. Let it add the measurement errors too."
PLACES = ("data", "meaning.noise", "meaning.matches", "meaning.summaries", "meaning.column")


class DataPage(Page):
    step = "data"
    asks_again = True
    title = "Data"
    purpose = "What was measured, which output predicts it, and how large the measurement errors are."
    help_page = "data"
    page_requested = Signal(str)
    outputs_wanted = Signal()  # the tab of the Simulator page where they are marked

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(controller, parent)
        self.trial = Trial.of(controller)
        self.pairing = PairingTold(self.trial)
        self.not_needed = Empty("", "", "Compare predictions with data instead")
        self.not_needed.pressed.connect(self._use_predictions)
        self.empty = Empty(
            "No data yet",
            "Import a table of what was measured: CSV, tabs, semicolons, white space, Excel or OpenDocument; "
            "one file or several.",
            "Open a data file…",
        )
        self.empty.pressed.connect(self._open)
        self.importer = ImportPanel()
        self.importer.taken.connect(self._take)
        self.importer.added.connect(self._add)
        self.importer.cancelled.connect(self._cancel)
        self._waiting: list[Path] = []  # files that were chosen together and are still to be imported
        self.model = DataTableModel(self)
        self.table = TableView("Measured data", self.model, numbers=True)
        self.table.resized.connect(lambda: self.table.narrow_to_fit(WIDEST_CELL))
        self.model.modelReset.connect(lambda: self.table.narrow_to_fit(WIDEST_CELL))
        self.leave_out = LeaveOut(controller.problem, self.table)
        self.origin = label("", "hint")
        self.open_button = QPushButton("&Open another file…")
        self.open_button.clicked.connect(self._open)
        self.paste_button = QPushButton("Pas&te from a spreadsheet")
        self.paste_button.clicked.connect(lambda: self.paste(QGuiApplication.clipboard().text()))
        self.empty_paste = QPushButton("Pas&te from a spreadsheet")
        self.empty_paste.clicked.connect(lambda: self.paste(QGuiApplication.clipboard().text()))
        self.remove_button = QPushButton("Re&move the table")
        self.remove_button.clicked.connect(lambda: controller.problem.edit("Remove the data", data=None))
        self.matching = MatchingPart(controller.problem, controller.file, self.trial, self.pairing)
        self.summaries = SummariesPart(controller.problem, self.trial)
        self.comparison = QStackedWidget()
        self.comparison.addWidget(self.matching)
        self.comparison.addWidget(self.summaries)
        self.no_noise = label(NO_NOISE, "hint", wrap=True)
        self.noise = NoiseEditor()
        self.noise.changed.connect(self._noise_changed)
        self.noise.mended.connect(lambda changed, text: controller.problem.replace(changed, text))
        self.noise.parameter_wanted.connect(self._make_noise_parameter)
        self.shared = SharedErrors()
        self.shared.pressed.connect(self._own_model)
        self.shared.changed.connect(lambda meaning: controller.problem.edit("Errors of one comparison", meaning=meaning))
        self.off = DiscrepancyEditor(controller.problem)
        self.noise_check = NoiseCheckPart(self.trial)
        self.message = Notice()
        self.message.pressed.connect(self._next)
        self.message.dismissed.connect(self._dismiss)
        self.plot = DataPlot()
        self.matching.looked_at.connect(self.plot.choose)
        self.matching.marking_wanted.connect(self.outputs_wanted)
        self.plot.column_chosen.connect(self._say_line)
        self.test_words = label("", "hint", wrap=True)
        self.test_words.setProperty("grow", True)
        self.test_words.setMinimumHeight(2 * self.fontMetrics().lineSpacing() + 2)  # longer words move nothing
        self.test_button = QPushButton("Test r&un")
        self.test_button.setToolTip(
            "Run the simulator once at the values on the Simulator page, to see its predictions here."
        )
        self.test_button.clicked.connect(lambda: self.trial.run())

        table = QWidget()
        box = QVBoxLayout(table)
        box.setContentsMargins(0, 12, 0, 0)
        box.addWidget(self.origin)
        box.addWidget(self.table, 1)
        box.addWidget(beside(self.open_button, self.paste_button, 1, self.leave_out.button, self.remove_button))
        noise, self.off_card = QWidget(), card(self.off, title="What the program may miss", hint=EXPLAINED)
        box = QVBoxLayout(noise)
        box.setContentsMargins(0, 12, 0, 0)
        box.addWidget(
            scrolled(
                card(self.noise, self.shared, self.no_noise, title="How the measured values scatter"),
                self.off_card,
                card(self.noise_check, title="Noise of the program"),
            )
        )
        self.tabs = QTabWidget()
        self.tabs.setTabBar(SteadyBar())
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Parts of the data page")
        for part, title, page in (
            (table, "&1  Table", "data"),
            (self.comparison, "&2  Comparison", "data"),
            (noise, "&3  Errors", "noise"),
        ):
            part.setProperty("help", page)
            self.tabs.addTab(part, title)
        right = QWidget()
        box = QVBoxLayout(right)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self.plot, 1)
        self.test_line = beside(self.test_words, self.test_button)
        box.addWidget(self.test_line)
        self.split = FoldingSplitter()
        self.split.addWidget(self.tabs)
        self.split.addWidget(right)
        self.split.setSizes([600, 560])
        self.split.setHandleWidth(20)
        empty = QWidget()
        box = QVBoxLayout(empty)
        self.empty.add_beside(self.empty_paste)
        box.addWidget(self.empty, 1)
        self.stack = Stack()
        self.tabs.currentChanged.connect(lambda index: self._say())
        for view in (self.not_needed, empty, self.importer, self.split):
            self.stack.addWidget(view)
        self._empty_view = empty
        self.add(self.message)
        self.add(self.stack, 1)
        self.trial.changed.connect(self._tried)
        self.follow()

    def first_field(self) -> QWidget | None:
        return self.empty.button if self.stack.currentWidget() is self._empty_view else None

    def refresh(self) -> None:
        problem, locked = self.problem.declared, self.problem.locked
        if locked or self.stack.currentWidget() is not self.importer:
            self.refresh_view()
        self.model.set_table(problem.data)
        for k in range(len(problem.data.texts) if problem.data is not None else 0):  # they stand first
            self.table.fit_words(k, LONGEST_LABEL)
        self.model.strike(struck(problem))
        self.leave_out.refresh()
        if problem.data is not None:
            rows = self.model.rowCount()
            self.origin.setText(
                f"{rows} rows, {self.model.columnCount()} columns, from {one_line(problem.data.origin or 'the clipboard', 60)}"
                + (ONE_VALUE if matches_of(problem) and not locked else "")
            )
        opening = (self.open_button, self.paste_button, self.empty_paste)
        for button in (*opening, self.remove_button, self.empty.button, self.not_needed.button):
            button.setEnabled(not locked)
        self.matching.refresh()
        self.summaries.refresh()
        self.comparison.setCurrentWidget(self.summaries if hasattr(problem.meaning, "summaries") else self.matching)
        self.no_noise.setVisible(not isinstance(problem.meaning, Predictions))
        meaning = problem.meaning
        noise = meaning.noise if isinstance(meaning, Predictions) else None
        place = "meaning.noise"
        self.noise.show_noise(noise, problem, None, self.file.folder, locked, self.problem.findings(place), place)
        if each_its_own(problem):
            self.noise.form.hide()  # nothing uses what it holds
            self.noise.notice.let_go()  # no gap stays where it was
        self.shared.show_problem(problem, locked)
        self.off.refresh()
        self.off_card.setVisible(self.off.has_rows)
        self.noise_check.refresh()
        self._note_steady()
        self._say()
        self._draw()

    def _say(self) -> None:
        """What is wrong with the table; else what is still to be said about it, with the way there."""
        if self.stack.currentWidget() is self.importer:
            self.message.clear()  # its button would lead behind the table that is being imported
            return
        problem = self.problem.declared
        step = self._open_step()
        if findings := self.problem.findings("data", "error") if problem.data is not None else []:
            self.message.say("error", findings[0].message, findings[0].suggestion)
        elif step is not None:
            here = self.tabs.currentIndex() == step.tab or self.problem.locked
            there = here and not step.aside and step.out is None and step.field != "sd_column" and step.mended is None
            self.message.say(step.level, step.question, step.hint, "" if there else step.button, step.dismiss)
        else:
            self.message.rest()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.message.let_go()  # not before: the tabs, which would move, are under the pointer

    def _own_model(self) -> None:
        """Of the comparison that is being looked at, if it has none: the box that gives it its own, in sight."""
        rows, now = sharing(self.problem.declared), self.matching.table.currentIndex().row()
        self.tabs.setCurrentIndex(COMPARISON)
        self.matching.show_own_errors(now if now in rows else rows[0])

    def _open_step(self) -> Step | None:
        problem = self.problem.declared
        errors = [f for place in ("meaning.matches", "meaning.summaries") for f in self.problem.findings(place, "error")]
        locked = self.problem.locked
        idle = None if locked else self._left(problem)
        unfit = None if locked and self.trial.lacking() else self.trial.unfit()
        return open_step(problem, errors, unfit, idle, None if locked else self.trial.fault(), self.pairing.told(locked))

    def _left(self, problem: Problem) -> Idle:
        """What takes part in no comparison and was not set aside."""
        if not hasattr(problem.meaning, "summaries"):
            return left(problem, self.trial)
        return idle_summaries(problem, self.matching.steady(), self.trial.answers.settled.not_needed)

    def _dismiss(self) -> None:
        if (step := self._open_step()) is not None and step.others:
            self.trial.check()
        elif step is not None and step.dismiss in (IN_ORDER, MEASURED):
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
        self.tabs.setCurrentIndex(step.tab)
        if step.out is not None:
            self.trial.answers.leave_out(step.out)
        elif step.mended is not None:
            self.problem.replace(step.mended, step.undo)
        elif step.aside and not step.field and not hasattr(self.problem.declared.meaning, "summaries"):
            self.matching.match(step.aside[0]).setFocus()
        elif step.tab == ERRORS:
            (self.noise.kind if step.level == "error" else self.noise.form.editor("sd")).setFocus()
        else:
            self._place_of(step).setFocus()

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
        problem = self.problem.declared
        report = reread(problem, self.trial.report)
        good = report if report is not None and report.outcome == "ok" and report.outputs else None
        self.test_button.setEnabled(not self.trial.waiting and bool(problem.simulator.command))
        self.test_line.setVisible(problem.data is not None and draws_line(problem))
        self.plot.show_columns(shown_columns(problem, good))
        self._say_line()

    def _say_line(self) -> None:
        """What the line in the picture is; where there is none, why."""
        self.test_words.setText(line_words(self.problem.declared, self.trial, self.plot.no_line))

    # -------------------------------------------------------------- edits

    def _open(self) -> None:
        self.open_files(ask.files(self, "Measured data", self.file.place))

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
        self.stack.setCurrentWidget(self.importer)
        declared = self.problem.declared
        self.importer.know([o.name for o in declared.outputs], start_of(declared.data))
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

    def _take(self, table: DataTable) -> None:
        self._import(with_table(self.problem.declared, table, self.trial), "Import data")

    def _add(self, table: DataTable) -> None:
        self._import(with_table_below(self.problem.declared, table, self.trial), "Add data")

    def _import(self, problem: Problem, words: str) -> None:
        self.stack.setCurrentWidget(self.split)
        self.problem.replace(problem, words)
        for row in told_rows(self.problem.declared) if self.importer.lines_told.kept else ():
            if row.label in self.importer.lines_told.kept:  # it was said while the file was imported
                self.trial.answers.keep(row.words)
        self.refresh_view()
        if self.matching.proposed.found is not None:
            self.tabs.setCurrentIndex(COMPARISON)  # what is proposed is to be looked at
        self._say()
        self._next_file()

    def _noise_changed(self, noise: NoiseModel) -> None:
        meaning = self.problem.declared.meaning
        if isinstance(meaning, Predictions):
            self.problem.edit("Change error model", meaning=msgspec.structs.replace(meaning, noise=noise))

    def _make_noise_parameter(self) -> None:
        self.problem.replace(with_new_parameter(self.problem.declared, None), "New parameter for the errors")

    def _use_predictions(self) -> None:
        kind = next(k for k in MEANINGS if k.kind is Predictions)
        self.problem.edit("The outputs are predictions", meaning=converted(self.problem.declared, kind))
