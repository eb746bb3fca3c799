"""Outputs tab: mark a number in a real output with the mouse, and the way to read it is built and shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Output, Problem
from bayescope.engine.problem.marks.find_quantities import find_quantities
from bayescope.engine.problem.marks.found import Each
from bayescope.engine.problem.marks.quantity import Quantity
from bayescope.engine.problem.placeholders import is_name, nearest_name
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.session import atomic
from bayescope.engine.session.errors import SessionError
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask
from bayescope.gui.models.data.dates.dated_labels import by_agreement
from bayescope.gui.models.data.meanings import AND_ITS_ERROR, first_predictions
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.models.simulator.files.binary_outputs import (
    ENDING,
    binary_line,
    binary_outputs,
    binary_words,
    only_binary,
    printing_script,
    started_by,
    text_tells,
)
from bayescope.gui.models.simulator.files.program_folder import program_folder
from bayescope.gui.models.simulator.outputs.output_views import (
    NO_TEXT,
    OutputView,
    again_of,
    output_view_columns,
    parts_of,
    same_numbers,
    same_words,
    texts_of,
    varying_words,
    view_of,
)
from bayescope.gui.models.simulator.outputs.table_quantities import (
    compared_with_table,
    compared_words,
    missing_words,
    named_by_data,
    offer_words,
    without_output,
)
from bayescope.gui.models.simulator.renaming import outputs_renamed, twin_of
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.output_editor import OutputEditor
from bayescope.gui.widgets.folding import TabsBeside
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import Empty, Notice
from bayescope.gui.widgets.output_picker import OutputPicker
from bayescope.gui.widgets.scrolling import Part, VerticalScroll
from bayescope.gui.widgets.tables import TableView

BEFORE_RUN = "Press Test run, on the right, or open an output file below. Then click the number you need."
AFTER_RUN = "Choose the text that holds the result, and click a number in it."
LONGEST = (40, 16, 26, 26, 22)  # characters that the columns of the outputs grow for
SHORTEST = 12  # ... where there is little room
FEW_ROWS = 4  # outputs that are listed without scrolling
LOW_ROWS = 2  # where there is little room; of several
ROOMY = 500  # pixels: of the tab, below which the text to mark in needs all of them
LOW_PADDING = 9  # pixels around the words of a row there
LEAST_AROUND = 36  # pixels: the heading and the frame of the table, around the one row that is always seen
FIND = "&Find in the files"
MAKE_SCRIPT = "Make the &script…"
PREDICTS = "Taken as predictions of what was measured; the Meaning tab says what else it could be."


class OutputsTab(QWidget):
    """Edits ``Problem.outputs``."""

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.trial = problem, file, trial
        self.message = Notice()
        self.message.pressed.connect(lambda: self._help())
        self._help: Callable[[], None] = self._find_quantities  # what the button of the message does
        self._found_for: dict[str, str] = {}  # by output the column of the table that it was found for
        self._sought: set[str] = set()  # columns of the table that no text of a run was found to have
        self.model = RecordsModel[OutputView](output_view_columns(), self._rows_changed, self)
        self.model.refused.connect(lambda r, c, words: self.message.say("error", words))
        self.table = TableView("Outputs", self.model)
        self.table.resized.connect(self._share_room)
        self.table.setMinimumHeight(
            self.table.verticalHeader().defaultSectionSize() + LEAST_AROUND
        )  # in a low window it scrolls sooner
        self._row = self.table.verticalHeader().defaultSectionSize()
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self._show_row())
        self.table.delete_pressed.connect(lambda rows: self.model.remove(rows, "Remove output"))
        self.empty = Empty("No outputs yet", BEFORE_RUN)
        self.empty.setMinimumHeight(self.table.minimumHeight())
        self.remove_button = QPushButton("Re&move")
        self.remove_button.clicked.connect(lambda: self.model.remove(self.table.selected_rows(), "Remove output"))
        self.by_hand_button = QPushButton("Add &by hand")
        self.by_hand_button.setToolTip("Describe an output without a text to mark it in.")
        self.by_hand_button.clicked.connect(self._add_by_hand)
        self.check_button = QPushButton("Ru&n at other values")
        self.check_button.setToolTip(
            "Run the simulator at other values: which numbers depend on them, and is every output still found?"
        )
        self.check_button.clicked.connect(self._check)
        self.picker = OutputPicker()
        self.picker.strip.named = lambda names: named_by_data(names, problem.declared)
        self.picker.chosen.connect(self._picked)
        self.picker.opened.connect(self._opened)
        self.picker.add_message(self.message)
        self.picker.hints.folded.clicked.connect(self._unfold)
        self._unfolded: TrialRunReport | None = None  # the run whose binary files are asked about
        self._script = Path()  # made for binary files
        self.editor = OutputEditor()
        self.editor.changed.connect(self._edited)
        buttons = beside(self.remove_button, self.by_hand_button, self.check_button)
        self.tabs = TabsBeside(buttons)  # on a line that is there anyway: the room is the text's
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("How outputs are read")
        self.tabs.addTab(self.picker, "Mark in text")
        self.tabs.addTab(self.editor, "Details")
        self.tabs.setTabToolTip(1, "Everything of the selected output, to be set by hand.")

        top = Part()
        box = QVBoxLayout(top)
        box.setContentsMargins(0, 0, 0, 0)
        self.either = QStackedWidget()  # so that the first output moves nothing
        self.either.addWidget(self.empty)
        self.either.addWidget(self.table)
        box.addWidget(self.either, 1)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(top)
        split.addWidget(self.tabs)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 6)
        split.setSizes([1000, 6000])
        split.setChildrenCollapsible(False)
        split.setHandleWidth(6)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 6, 0, 0)
        self.area = VerticalScroll(split)
        outer.addWidget(self.area)
        self.picker.offered.connect(lambda: self.area.reveal(self.picker.strip))
        self.picker.text.released.connect(self.refresh)
        trial.changed.connect(self.refresh)

    # -------------------------------------------------------------- shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_table()
        QTimer.singleShot(0, self, self._fit_binary)  # when its width is known

    def _share_room(self) -> None:
        self.table.share_all(LONGEST, (2, 3), SHORTEST)

    def _fit_table(self) -> None:
        """Whole rows are shown. Their room is kept from the first on, so that no further output moves the text below."""
        roomy, lines = self.height() >= ROOMY, self.table.verticalHeader()
        low = min(self._row, self.table.fontMetrics().lineSpacing() + LOW_PADDING)
        lines.setDefaultSectionSize(self._row if roomy else low)
        high = (FEW_ROWS if roomy else LOW_ROWS) * lines.defaultSectionSize() + LEAST_AROUND
        self.table.setMinimumHeight(high)
        self.empty.setMinimumHeight(high)

    def refresh(self) -> None:
        if self.picker.text.held:
            return  # until the button is up: nothing moves under a drag
        locked, outputs = self.problem.locked, self.problem.declared.outputs
        report = self.trial.report
        self.picker.outputs = outputs
        earlier = Path(report.run_folder) if report is not None and report.run_folder else None
        self.picker.roots = (earlier, program_folder(self.problem.declared.simulator, self.file.folder))
        self.picker.set_texts(
            texts_of(report), self.file.folder, locked, texts_of(self.trial.second), parts_of(report), again_of(report)
        )
        here = self.picker.texts()
        there = texts_of(self.trial.other)
        self.model.read_only = locked
        self.model.set_rows([view_of(output, here, there) for output in outputs])
        self.table.setColumnHidden(self.model.column_of("other"), self.trial.other is None)
        self._share_room()
        some = bool(outputs)
        self.either.setCurrentWidget(self.table if some else self.empty)
        self._fit_table()
        self.remove_button.setEnabled(some and not locked)
        self.by_hand_button.setEnabled(not locked)
        self.check_button.setEnabled(self.trial.report is not None and not self.trial.waiting)
        if some and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.model.index(0, 0))
        ran = self.trial.report is not None and self.trial.report.outcome != "failed"
        self.empty.say("No outputs yet", AFTER_RUN if ran else BEFORE_RUN)
        findings = self.problem.findings("outputs", "error") if some else []
        self.picker.hints.fold("")
        if findings:
            near = self._nearest_name() if findings[0].where.endswith(".name") else ""
            self._help = self._take_nearest
            self.message.say(
                "error", findings[0].message, "" if near else findings[0].suggestion, f"Call it “{near}”" if near else ""
            )
        elif same := same_numbers(self.model.rows):
            self.message.say("warning", *same_words(*same[0]))
        elif self.trial.stale and self.problem.declared.simulator.command[:1] == (str(self._script),):
            self._say_script()
        elif self._say_binary(alone=True):
            pass
        elif (wanted := self._wanted()) and not any(view.other.startswith("✕") for view in self.model.rows):
            self._help = self._find_quantities
            self.message.say("info", offer_words(wanted), button=FIND)
        elif self.trial.other is not None and (some or self.trial.other.outcome == "failed"):
            self._say_check()
        elif not self._say_binary(alone=False):
            self.message.clear()
        self._show_row()
        self._fit_binary()

    def _fit_binary(self) -> None:
        """What is said of binary files is seen whole: without it there is nothing to be marked."""
        self.picker.fit_hints(self.message.isVisibleTo(self) and self._help == self._make_script)

    def _nearest_name(self) -> str:
        """An allowed name like that of the first output whose name is none; '' where there is none, or it is taken."""
        names = [o.name for o in self.problem.declared.outputs]
        near = nearest_name(next((name for name in names if not is_name(name)), ""))
        return near if near and near not in names and not self.problem.locked else ""

    def _take_nearest(self) -> None:
        near, outputs = self._nearest_name(), list(self.problem.declared.outputs)
        row = next((i for i, output in enumerate(outputs) if not is_name(output.name)), None)
        if near and row is not None:
            outputs[row] = msgspec.structs.replace(outputs[row], name=near)
            self.problem.replace(outputs_renamed(self.problem.declared, tuple(outputs)), f"Call it {one_line(near, 30)}")

    def _say_binary(self, alone: bool) -> bool:
        """How numbers are read of binary files that the run left; ``alone``: where they are all that it left."""
        report, problem = self.trial.report, self.problem.declared
        answered = bool(problem.outputs) or self.trial.stale or self.problem.locked
        files = [] if answered else binary_outputs(report, problem.simulator, self.file.folder)
        if report is None or not files or (alone and not only_binary(report)):
            return False
        if not alone and self._unfolded is not report and text_tells(report, self.trial.second):
            self.picker.hints.fold(binary_line(files))
            return False
        can = printing_script(problem.simulator, self.file.folder, files) is not None
        self._help = self._make_script
        self.message.say("warning" if alone else "info", *binary_words(files), MAKE_SCRIPT if can else "")
        return True

    def _unfold(self) -> None:
        """How binary files are read, though there is text."""
        self._unfolded = self.trial.report
        self.refresh()

    def _make_script(self) -> None:
        """Write the script that prints the binary files, and take it as the program."""
        simulator = self.problem.declared.simulator
        files = binary_outputs(self.trial.report, simulator, self.file.folder)
        made = printing_script(simulator, self.file.folder, files)
        if made is None:
            return
        text, arguments = made
        beside = program_folder(simulator, self.file.folder) or self.file.folder
        proposed = beside / f"run-and-print{ENDING}"
        path = ask.target(self, "Script that prints the files", proposed, f"Scripts (*{ENDING})", [ENDING])
        if path is None:
            return
        try:
            atomic.write(path, text.encode(), replace=True, mode=0o777)
        except SessionError as error:
            self.message.say("error", error.what, error.suggestion)
            return
        self._script = path  # said until the next test run
        if self.problem.edit("Start it by a script", simulator=started_by(simulator, path, arguments)):
            self._say_script()

    def _say_script(self) -> None:
        words = f"“{one_line(self._script.name, 40)}” is the program now."
        self.message.say("ok", words, "Press Test run: what it prints is text.")

    def _wanted(self) -> list[Quantity]:
        """What the table of measured data names and a run may have written."""
        ran = self.trial.report is not None and self.trial.report.outcome == "ok"
        there = {self._found_for.get(o.name, "") for o in self.problem.declared.outputs}
        return without_output(self.problem.declared, self._sought | there) if ran and not self.problem.locked else []

    def _find_quantities(self) -> None:
        """Look for them in what the newest run wrote; what is found is proposed, what is not is named."""
        wanted, texts = self._wanted(), self.picker.texts()
        if not wanted:
            return
        taken = [o.name for o in self.problem.declared.outputs]
        found, missing = find_quantities(wanted, texts, texts_of(self.trial.second), taken, self.trial.answers.lines)
        self._sought.update(q.column for q in missing)
        columns = [q.column for q in wanted if q not in missing]
        self._found_for |= {one.name: column for one, column in zip(found, columns, strict=False)}
        if found:
            self.picker.offer_found(Each(tuple(found)), missing_words(missing))
        else:
            self.message.say("warning", f"{missing_words(missing)} in any text of the run.", "Click the numbers yourself.")

    def _say_check(self) -> None:
        lost = [view for view in self.model.rows if view.other.startswith("✕")]
        other = self.trial.other
        if other is not None and other.outcome == "failed":
            self.message.say(
                "warning",
                f"At other values the run failed: {other.reason}",
                "That may be right, if the model cannot be computed there.",
            )
        elif lost:
            self.message.say(
                "error",
                f"At other values {one_line(lost[0].name, 40)} was not found any more.",
                "Choose another way to read it.",
            )
        elif self.model.rows and not any(view.moves for view in self.model.rows):
            self.message.say(
                "warning", "At other values all outputs are exactly the same.", "Do the parameters reach the program?"
            )
        else:
            self.message.say(
                "ok",
                "Every output was found at other values too.",
                varying_words([view.name for view in self.model.rows if view.varies]),
            )

    def show_output(self, name: str) -> bool:
        """Select the output ``name``, with the text that it is read from; False: there is none."""
        row = next((i for i, view in enumerate(self.model.rows) if view.name == name), None)
        if row is None:
            return False
        self.tabs.setCurrentWidget(self.picker)
        self.table.setCurrentIndex(self.model.index(row, 0))
        self.picker.reveal_output()
        return True

    def _show_row(self) -> None:
        row = self.table.currentIndex().row()
        output = self.model.rows[row].output if 0 <= row < len(self.model.rows) else None
        self.picker.show_output(output)
        mine = self.problem.findings(f"outputs[{row}]") or (
            self.problem.findings(f"outputs.{output.name}") if output else []
        )
        reads = self.model.rows[row].reads if output is not None else ""
        self.editor.show_output(output, mine, self.picker.sources(), self.problem.locked, "" if reads == NO_TEXT else reads)

    def _opened(self, name: str) -> None:
        self.trial.opened.add(name)

    # -------------------------------------------------------------- edits

    def _rows_changed(self, rows: tuple[OutputView, ...], text: str) -> bool:
        problem, outputs = self.problem.declared, [view.output for view in rows]
        if (twin := twin_of(problem.outputs, outputs)) is not None:  # what compares it would be lost
            row, name = twin
            kept = one_line(problem.outputs[row].name, 30)
            words = f"There is an output called “{one_line(outputs[row].name, 30)}” already: “{kept}” keeps its name."
            outputs[row] = msgspec.structs.replace(outputs[row], name=name)
            self._show_row()
            self._help = lambda: self._call_twin(problem, tuple(outputs), text)
            self.message.say("error", words, "", f"Call it “{one_line(name, 30)}”")
            return False
        return self.problem.replace(outputs_renamed(problem, tuple(outputs)), text)

    def _call_twin(self, of: Problem, outputs: tuple[Output, ...], text: str) -> None:
        """The name that none has, unless the problem is another one by now."""
        if self.problem.declared is of:
            self.problem.replace(outputs_renamed(of, outputs), text)

    def _picked(self, picked: tuple[Output, ...]) -> None:
        """New outputs, or another way to read those of the same names."""
        texts, data = self.picker.texts(), self.problem.declared.data
        picked = tuple(by_agreement(one, texts.get(one.source, ""), data) for one in picked)  # the month of dates
        outputs, output = list(self.problem.declared.outputs), picked[-1]
        text = f"Add output {one_line(output.name, 30)}" if len(picked) == 1 else f"Add {len(picked)} outputs"
        for one in picked:
            names = [o.name for o in outputs]
            if one.name in names:
                outputs[names.index(one.name)] = one
                text = f"Read {one_line(one.name, 30)} another way"
            else:
                outputs.append(one)
        problem, first = msgspec.structs.replace(self.problem.declared, outputs=tuple(outputs)), False
        several = len(outputs) > AND_ITS_ERROR or self.picker.searched
        if (several or output.length is None) and getattr(problem.meaning, "output", None) == "":
            problem, first = msgspec.structs.replace(problem, meaning=first_predictions(problem)), True
        compared = problem
        if self.picker.searched:
            compared = compared_with_table(problem, self.trial, [one.name for one in picked], self._found_for)
        if self.problem.replace(compared, text):
            if compared is not problem:
                self.message.say("ok", *compared_words(len(picked), problem, compared))
            elif first:
                listed = f"{one_line(output.name, 40)} is a list of numbers."
                told = listed if output.length is None and len(picked) == 1 else f"{len(outputs)} outputs are read."
                self.message.say("info", told, PREDICTS)
            row = [o.name for o in outputs].index(picked[0].name)
            self.table.setCurrentIndex(self.model.index(row, self.model.column_of("name")))
            # their names came from the table: whoever wants others and has typed none types them from here on
            if len(picked) > 1 and not self.picker.strip.typed:
                self.table.setFocus()
                self.table.edit(self.table.currentIndex())

    def _add_by_hand(self) -> None:
        from bayescope.engine.problem.definition import LastNumber
        from bayescope.gui.models.parameters import fresh_name

        name = fresh_name([o.name for o in self.problem.declared.outputs], "output")
        self._picked((Output(name=name, source="stdout", extractor=LastNumber()),))
        self.tabs.setCurrentWidget(self.editor)

    def _edited(self, output: Output) -> None:
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            view = msgspec.structs.replace(self.model.rows[row], output=output)
            self.model.replace(row, view, f"Change output {one_line(output.name, 30)}")

    def _check(self) -> None:
        self.trial.check()
