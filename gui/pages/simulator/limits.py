"""Limits tab: how long a run may take, what counts as failure, and what is kept."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import FailurePattern
from bayescope.engine.session.trust import confinement
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.fields import Field
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.widgets.forms import beside, card, say_first, scrolled
from bayescope.gui.widgets.notices import FieldNotice, label
from bayescope.gui.widgets.struct_form import StructForm
from bayescope.gui.widgets.tables import TableView

LIMIT_FIELDS = (
    Field(
        "time_s",
        "Longest time",
        "A run that takes longer is ended and counts as failed. Empty: no limit.",
        "optional_number",
        "seconds",
        "no limit",
    ),
    Field(
        "relative_time",
        "Or beyond the usual",
        "Also ended if it takes so many times the median of the good runs.",
        "optional_number",
        "times",
        "no limit",
    ),
    Field(
        "memory_mb",
        "Most memory",
        "A run that needs more is ended. Empty: no limit.",
        "optional_number",
        "MB",
        "no limit",
    ),
    Field("output_mb", "Most printed text", "Of stdout and stderr each.", "number", "MB"),
    Field("files_mb", "Most on disk", "What a run may write into its folder.", "number", "MB"),
)
MEANINGS = (
    ("unknown", "Unknown: nothing is learned there (recommended)"),
    ("impossible", "Impossible: such parameter values are ruled out (likelihood 0)"),
)
FAILURE_FIELDS = (
    Field("exit_code", "The program ends with an exit code other than 0", "The usual sign of failure.", "flag"),
    Field("signal", "It crashes (is ended by a signal)", "For example a segmentation fault.", "flag"),
    Field("non_finite", "An output is not a number (NaN) or infinite", "Such a value can never be used.", "flag"),
    Field(
        "stderr",
        "It writes anything to its error output",
        "Strict: many programs write harmless warnings there.",
        "flag",
    ),
    Field(
        "meaning", "A failed run means", "What a failure says about the parameter values.", "choice", choices=MEANINGS
    ),
    Field("retries", "Try again", "How often a failed run is tried again before it counts.", "count", "times"),
)
KEEP_FIELDS = (
    Field(
        "keep_runs",
        "Keep run folders of",
        "Each run has its own folder with its inputs and outputs.",
        "choice",
        choices=(("failures", "Failed runs only"), ("all", "All runs"), ("none", "No run")),
    ),
)

FOUND, MISSING = "is found", "is missing"
PLAIN, REGEX = "text", "regular expression"
PATTERN_COLUMNS: tuple[Column[FailurePattern], ...] = (
    Column(
        "source",
        "In",
        "stdout, stderr or a file of the run's folder.",
        lambda p: p.source,
        lambda p, t: _with(p, source=t.strip()),
    ),
    Column("pattern", "This text", "What to look for.", lambda p: p.pattern, lambda p, t: _with(p, pattern=t)),
    Column(
        "regex",
        "As",
        "Plain text or a regular expression.",
        lambda p: REGEX if p.regex else PLAIN,
        lambda p, t: _with(p, regex=t == REGEX),
        choices=(PLAIN, REGEX),
    ),
    Column(
        "when",
        "The run failed if it",
        "Found: such as “did not converge”. Missing: such as “finished”.",
        lambda p: FOUND if p.when == "found" else MISSING,
        lambda p, t: _with(p, when="found" if t == FOUND else "missing"),
        choices=(FOUND, MISSING),
    ),
)


def _with(row: FailurePattern, **changes: object) -> FailurePattern:
    return msgspec.structs.replace(row, **changes)


class LimitsTab(QWidget):
    """Edits ``Simulator.limits``, ``failures`` and ``keep_runs``."""

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run = problem, file, run
        self.limits, self.failures, self.keep = StructForm(), StructForm(), StructForm()
        self.limits.changed.connect(lambda limits: self._edit("Change limits", limits=limits))
        self.failures.changed.connect(lambda failures: self._edit("Change what counts as failure", failures=failures))
        self.keep.changed.connect(
            lambda simulator: self.problem.edit("Change which runs are kept", simulator=simulator)
        )
        self.patterns = RecordsModel[FailurePattern](PATTERN_COLUMNS, self._patterns_changed, self)
        self.patterns_table = TableView("Texts that mean failure", self.patterns)
        self.patterns_table.set_widths(14, 28, 18, 16)
        self.patterns_table.horizontalHeader().setStretchLastSection(True)
        self.patterns_table.setMinimumHeight(110)
        self.patterns_table.delete_pressed.connect(lambda rows: self.patterns.remove(rows, "Remove text"))
        self.add_pattern = QPushButton("&Add text")
        self.add_pattern.clicked.connect(self._add_pattern)
        self.remove_pattern = QPushButton("Remove text")
        self.remove_pattern.clicked.connect(
            lambda: self.patterns.remove(self.patterns_table.selected_rows(), "Remove text")
        )
        self.confined = QCheckBox("Runs are confined")
        self.confined.toggled.connect(self._confine)
        self.notice = FieldNotice()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 12, 0, 0)
        outer.addWidget(
            scrolled(
                card(
                    self.limits,
                    title="Limits of one run",
                    hint="A run beyond a limit is ended with everything it started.",
                ),
                card(
                    self.failures,
                    title="A run has failed if …",
                    hint="Failed runs are kept and shown; how well they fit is never guessed.",
                ),
                card(
                    self.patterns_table,
                    self.notice,
                    beside(self.add_pattern, self.remove_pattern, 1),
                    title="Texts that mean failure",
                    hint="For programs that end well even when they did not converge.",
                ),
                card(self.keep, title="What is kept"),
                card(self.confined, label(confinement.words(), "hint", wrap=True), title="Safety"),
            )
        )

    def refresh(self) -> None:
        simulator, locked = self.problem.declared.simulator, self.problem.locked
        self.limits.show_record(simulator.limits, LIMIT_FIELDS, locked)
        self.failures.show_record(simulator.failures, FAILURE_FIELDS, locked)
        self.keep.show_record(simulator, KEEP_FIELDS, locked)
        with QSignalBlocker(self.confined):
            self.confined.setChecked(self.file.confined)
        may = bool(confinement.kind()) and not self.run.active and not self.file.read_only
        self.confined.setEnabled(may or self.file.confined)
        self.patterns.read_only = locked
        self.patterns.set_rows(simulator.failures.patterns)
        self.patterns_table.setVisible(bool(simulator.failures.patterns))
        self.add_pattern.setEnabled(not locked)
        self.remove_pattern.setEnabled(not locked and bool(simulator.failures.patterns))
        findings = self.problem.findings("simulator")
        self.limits.show_findings(findings, "simulator.limits")
        self.failures.show_findings(findings, "simulator.failures")
        say_first(self.notice, [f for f in findings if f.where.startswith("simulator.failures.patterns")])

    def _confine(self, on: bool) -> None:
        self.file.confine(on)
        self.refresh()

    def _edit(self, text: str, **changes: object) -> bool:
        return self.problem.edit(
            text, simulator=msgspec.structs.replace(self.problem.declared.simulator, **changes)
        )

    def _patterns_changed(self, rows: tuple[FailurePattern, ...], text: str) -> bool:
        failures = msgspec.structs.replace(self.problem.declared.simulator.failures, patterns=rows)
        return self._edit(text, failures=failures)

    def _add_pattern(self) -> None:
        if self.patterns.append(FailurePattern(source="stdout", pattern="ERROR"), "Add text"):
            self.patterns_table.setCurrentIndex(self.patterns.index(len(self.patterns.rows) - 1, 1))
            self.patterns_table.setFocus()
