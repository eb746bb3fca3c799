"""Test run: try the simulator once at chosen values and show everything of that one evaluation."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from bayescope.engine.answer.no_effect import QUICK_S
from bayescope.engine.problem.binary_files import output_advice
from bayescope.gui.analysis.counting import brief_words
from bayescope.gui.models.plain import number_of, shown
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.simulator.outputs.output_views import random_outputs, reread
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.models.simulator.trials.trial_tables import OutputRow, file_columns, output_columns, output_rows
from bayescope.gui.models.simulator.trials.trial_words import command_words, summary
from bayescope.gui.pages.trial_message import TrialMessage
from bayescope.gui.style.words import duration
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.noise_check import NoiseCheckPart
from bayescope.gui.widgets.notices import Empty, label
from bayescope.gui.widgets.scrolling import bring_into_sight
from bayescope.gui.widgets.tables import TableView
from bayescope.gui.widgets.text_pane import TextPane

LONGEST_VALUE = (16, 14, 12)  # ... of the values of the test run
LONGEST_READ = (16, 40, 24, 20)  # characters of what the columns of the outputs hold
FOLLOWS, MOVES = "Now at other values …", "Now with each parameter moved alone …"
SLOW_S = 5.0  # from where on a first run is said to be slower than later ones may be
OFTEN_SLOWER = "A first run is often slower than later ones."
UNDER_WAY = "A test run is under way"
NamedValue = tuple[str, str, float]  # name, unit, value


def _typed(row: NamedValue, text: str) -> NamedValue:
    return row[0], row[1], number_of(text, "The value")


VALUE_COLUMNS: tuple[Column[NamedValue], ...] = (
    Column("name", "Parameter", "The parameter.", lambda r: r[0]),
    Column("value", "Value", "The value for the test run; type another one.", lambda r: shown(r[2]), _typed, True),
    Column("unit", "Unit", "The parameter's unit.", lambda r: r[1]),
)

NOT_RUN = f"Not run at other values: it took over {QUICK_S:g} s."
RUN_TOO = "It was run at other values too: what the outputs gave there stands in the column “At other values”."


class TrialPanel(QWidget):
    """On the right of the Simulator page."""

    file_wanted = Signal()  # show where a file that the run lacks is put into its folder
    place_wanted = Signal()  # show the form of the place where it was to run
    marking_wanted = Signal()  # show where numbers are marked in what the program wrote
    use_wanted = Signal(str)  # show where this parameter stands
    meaning_wanted = Signal()  # show where it is said what random results mean

    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = QTimer(self, singleShot=True, interval=1000)
        self._clock.timeout.connect(self._say_elapsed)
        self._pressed = False  # somebody waits for the words of the run that goes on
        self.trial = trial
        self.setAccessibleName("Test run")
        self.setProperty("help", "simulator")
        self.message = TrialMessage(trial)
        self.message.file_wanted.connect(self.file_wanted)
        self.message.place_wanted.connect(self.place_wanted)
        self.message.marking_wanted.connect(self.marking_wanted)
        self.message.use_wanted.connect(self.use_wanted)
        self.message.meaning_wanted.connect(self.meaning_wanted)
        self.message.dismissed.connect(self._show_told)
        self.values = RecordsModel[NamedValue](VALUE_COLUMNS, self._values_typed, self)
        self.values.refused.connect(lambda row, column, text: self.message.say("error", text))
        self.values_table = TableView("Values for the test run", self.values)
        self.values_table.resized.connect(self._share_values)
        self.run_button = QPushButton("&Test run")
        self.run_button.setProperty("kind", "primary")
        self.run_button.setToolTip("Run the simulator once at the values below; nothing is recorded (F5).")
        self.run_button.clicked.connect(self._run_pressed)
        self.reset_button = QPushButton("T&ypical values")
        self.reset_button.setToolTip("The middle of each plausible range, or the prior's median.")
        self.reset_button.clicked.connect(self.trial.forget_values)
        self.twice = QCheckBox("R&un twice, to see whether it is random")
        self.twice.setToolTip("Runs it twice at the same values and compares the outputs.")
        self.follow = QCheckBox(f"Then at other values, if under {QUICK_S:g} s")
        self.follow.setToolTip(
            "Shows which numbers depend on the parameters, whether each output is found again there, and, with each moved alone, "
            "which parameters change nothing."
        )
        self.follow.clicked.connect(trial.set_follows)
        self.there = QCheckBox()
        self.there.setToolTip("Else it runs on this computer. Where runs happen is chosen on the Run page, Settings.")
        self.there.clicked.connect(trial.set_there)
        self.summary = label("", "hint", wrap=True)
        self.folder_button = QPushButton("Open the run's folder")
        self.folder_button.setProperty("kind", "link")
        self.folder_button.clicked.connect(self._open_folder)
        self.slow_words = slow = label(NOT_RUN, "hint", wrap=True)
        slow.setProperty("grow", True)
        self.slow_button = QPushButton("Run at &other values")
        self.slow_button.clicked.connect(self.trial.check)
        self.slow = beside(slow, self.slow_button)

        self.outputs = RecordsModel[OutputRow](output_columns(), None, self)
        self.outputs_table = TableView("Outputs of the test run", self.outputs)
        self.outputs_table.resized.connect(self._share_room)
        self.files = RecordsModel(file_columns(), None, self)
        self.files_table = TableView("Files of the test run", self.files)
        self.files_table.set_widths(22, 20, 10)
        self.files_table.horizontalHeader().setStretchLastSection(True)
        self.file_text = TextPane("Content of the selected file")
        self.files_table.selectionModel().currentRowChanged.connect(lambda now, before: self._show_file(now.row()))
        self.stdout, self.stderr, self.command = (
            TextPane("Printed text"),
            TextPane("Error text"),
            TextPane("Command and inputs", numbers=False),
        )
        self.nothing = Empty("No test run yet", "The numbers that a test run reads appear here.")
        self.noise = NoiseCheckPart(trial)
        outputs = QWidget()
        stack = QVBoxLayout(outputs)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.addWidget(self.outputs_table)
        stack.addWidget(self.nothing)
        self.files_tab = files = QSplitter(Qt.Orientation.Vertical)
        files.addWidget(self.files_table)
        files.addWidget(self.file_text)
        for part in (self.files_table, self.file_text):
            part.setMinimumHeight(60)  # of the some 80 that Qt asks for
        files.setChildrenCollapsible(False)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setProperty("kind", "dense")
        self.tabs.setAccessibleName("Everything of the test run")
        for page, title, tip in (
            (outputs, "Read", "The numbers that were read."),
            (self.stdout, "Printed", "What the program wrote to its standard output."),
            (self.stderr, "Errors", "What the program wrote to its error output."),
            (files, "Files", "The files of the run's folder: filled templates and what the program wrote."),
            (self.command, "Command", "The command line and inputs exactly as they were used."),
            (self.noise, "Noise", "For random programs: how much the log-likelihood changes from run to run."),
        ):
            self.tabs.setTabToolTip(self.tabs.addTab(page, title), tip)

        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(label("Test run", "heading"))
        box.addWidget(beside(self.run_button, self.reset_button, 1))  # above what grows with the parameters
        self.no_values = label("No parameters yet, so the program is run as it is.", "hint", wrap=True)
        box.addWidget(self.no_values)
        box.addWidget(self.values_table)
        box.addWidget(self.there)
        box.addWidget(self.twice)
        box.addWidget(self.follow)
        box.addWidget(self.message)
        self.summary.setProperty("grow", True)
        box.addWidget(beside(self.summary, self.folder_button))
        box.addWidget(self.slow)
        box.addWidget(self.tabs, 5)
        shortcut = QShortcut(QKeySequence("F5"), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(self.run)
        trial.changed.connect(self.refresh)
        self.refresh()

    # -------------------------------------------------------------- shown

    def refresh(self) -> None:
        problem, trial = self.trial.problem.declared, self.trial
        if self._pressed and not trial.waiting:
            self._pressed = False
            QTimer.singleShot(0, self, lambda: bring_into_sight(self.message))  # when it has its place
        values = trial.values()
        self.values.set_rows([(p.name, p.unit, values[p.name]) for p in problem.parameters])
        self._share_values()
        self.values_table.setVisible(bool(problem.parameters))
        self.no_values.setVisible(not problem.parameters)
        rows = min(max(len(problem.parameters), 2), 8)
        row = self.values_table.verticalHeader().defaultSectionSize()
        self.values_table.setMinimumHeight(2 * row + 40)  # in a low window it scrolls sooner
        self.values_table.setMaximumHeight(min(rows, 5) * row + 40)
        self.run_button.setText("Cancel &test run" if trial.waiting else "&Test run")
        ready = bool(problem.simulator.command and problem.simulator.command[0]) and not trial.checking_noise
        self.run_button.setEnabled(trial.waiting or ready)
        self.reset_button.setEnabled(bool(problem.parameters))
        self.follow.setChecked(trial.follows)
        self.follow.setVisible(bool(problem.parameters))
        self.there.setText(f"At “{trial.place.replace('&', '&&')}”, where the runs happen")
        self.there.setVisible(bool(trial.place))
        self.there.setChecked(trial.there)
        self._say()
        self.noise.refresh()
        report = trial.report
        self.slow.setVisible(trial.too_slow or trial.asked_for)
        self.slow_words.setText(RUN_TOO if trial.asked_for else NOT_RUN)
        self.slow_button.setVisible(trial.too_slow)
        self.folder_button.setVisible(report is not None and bool(report.run_folder))
        read = reread(problem, report)  # with what was marked since, in the same texts
        self.outputs.set_rows(output_rows(read, reread(problem, trial.other)) if read else ())
        self.outputs_table.setColumnHidden(self.outputs.column_of("other"), trial.other is None)
        self._share_room()
        self.outputs_table.setVisible(bool(self.outputs.rows))
        self.nothing.setVisible(not self.outputs.rows)
        if trial.waiting:
            self._say_elapsed()
        elif report is None:
            self.nothing.say("No test run yet", "The numbers that a test run reads appear here.")
        elif report.outcome != "ok":
            again = "That was before the last change: run it again." if trial.stale else "The run failed."
            self.nothing.say("No outputs were read", again)
        elif problem.outputs:
            self.nothing.say("The texts of this run do not hold the outputs", "Run it again to see them here.")
        else:
            self.nothing.say("No outputs were read", "Mark numbers in the text on the tab Outputs of the page.")
        self.files.set_rows(report.files if report else ())
        if self.files.rows and not self.files_table.currentIndex().isValid():
            produced = (i for i, f in enumerate(self.files.rows) if f.role == "produced")
            self.files_table.setCurrentIndex(self.files.index(next(produced, 0), 0))
        if report is None:
            words_of_nothing = "No test run yet."
            self.stdout.set_text(words_of_nothing)
            self.stderr.set_text(words_of_nothing)
            self.command.set_text(words_of_nothing)
            self.file_text.set_text("")
            return
        self.stdout.set_text(
            report.stdout + ("\n… (cut)" if report.stdout_cut else "") or "The program printed nothing."
        )
        self.stderr.set_text(
            report.stderr + ("\n… (cut)" if report.stderr_cut else "") or "The program wrote no errors."
        )
        self.command.set_text(command_words(report))
        self._show_file(self.files_table.currentIndex().row())

    def _say(self) -> None:
        trial, report = self.trial, self.trial.report
        self.message.refresh()
        if trial.waiting:
            self._say_elapsed()
        elif report is not None and not trial.words:
            follows = (MOVES if trial.moving else FOLLOWS) if trial.by_itself else ""
            declared = trial.problem.declared
            parts = (summary(report, bool(declared.outputs), random_outputs(declared, report)), self._forecast(), follows)
            self.summary.setText(" ".join(part for part in parts if part))
        elif report is None and not trial.words:
            ready = bool(trial.problem.declared.simulator.command)
            self.summary.setText("Run it once to see that everything works." if ready else "Choose the program first.")

    def _say_elapsed(self) -> None:
        """For how long the run under way has been; once a second until it ends."""
        if not self.trial.waiting:
            return
        since = f"For {duration(float(round(self.trial.elapsed)))} so far." if self.trial.elapsed >= 1.0 else ""
        self.summary.setText(since)
        self.nothing.say(UNDER_WAY, since)
        self._clock.start()

    def _forecast(self) -> str:
        """How long an analysis of such runs takes, before there is any."""
        trial, run = self.trial, self.trial.analysis
        if run.n_runs or trial.stale or trial.report is None or trial.report.outcome != "ok":
            return ""
        here = not trial.place
        ahead = brief_words(trial.problem.declared, run.budget, run.workers, trial.run_seconds, here, False, trial.by_first_run)
        at_once = f", {run.workers} at a time" if run.workers > 1 and trial.run_seconds else ""
        slow = f" {OFTEN_SLOWER}" if trial.by_first_run and trial.report.duration_s > SLOW_S else ""
        return f"An analysis: at most {ahead}{at_once}.{slow}" if ahead else ""

    def _share_values(self) -> None:
        """Names stand whole beside units that are not there."""
        self.values_table.share_room(*LONGEST_VALUE, spare=(1, 2))

    def _share_room(self) -> None:
        """The numbers stand whole, in a narrow window too."""
        self.outputs_table.share_room(*LONGEST_READ, spare=(1,))

    def _show_file(self, row: int) -> None:
        files = self.files.rows
        if not 0 <= row < len(files):
            self.file_text.set_text("Select a file to see its content." if files else "The run left no files.")
            return
        file = files[row]
        kind = "This file is not text." if file.binary is None else f"This is {file.binary.words}. {output_advice(file.binary)}"
        self.file_text.set_text(
            kind
            if file.text is None
            else file.text + ("\n… (cut)" if file.cut else "") or "This file is empty."
        )

    # -------------------------------------------------------------- acts

    def _show_told(self) -> None:
        """The file that tells why the run failed, at the line that does."""
        told = self.trial.report.told if self.trial.report is not None else None
        row = next((i for i, f in enumerate(self.files.rows) if told is not None and f.name == told.name), None)
        if told is not None and row is not None:
            self.tabs.setCurrentWidget(self.files_tab)
            self.files_table.setCurrentIndex(self.files.index(row, 0))
            self.file_text.go_to_line(told.line)
            QTimer.singleShot(0, self, lambda: bring_into_sight(self.file_text))

    def run(self) -> None:
        typing = QApplication.focusWidget()
        if typing is not None and typing is not self.run_button:  # what is typed counts, as if the field had been left
            typing.clearFocus()
            typing.setFocus()
        if not self.trial.waiting and self.run_button.isEnabled():
            self._pressed = True
            self.trial.run(2 if self.twice.isChecked() else 1)

    def _run_pressed(self) -> None:
        if self.trial.waiting:
            self.trial.cancel()
        else:
            self.run()

    def _values_typed(self, rows: tuple[NamedValue, ...], text: str) -> bool:
        now = self.trial.values()
        for name, _, value in rows:
            if now.get(name) != value:
                self.trial.set_value(name, value)
        return True

    def _open_folder(self) -> None:
        if self.trial.report is not None and self.trial.report.run_folder:
            QDesktopServices.openUrl(QUrl.fromLocalFile(self.trial.report.run_folder))
