"""Why runs failed: the reasons, what those runs share, what may mend it, and "Try these again"."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.failures.failures import Group, Mend, groups_of, in_short
from bayescope.engine.answer.failures.set_aside import PLANNED
from bayescope.engine.answer.failures.success_map import beyond_border
from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.counting import noun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.dialogs.run_controls import ask_again, use_ranges
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.notices import Notice, label

MOST = 3  # groups on show: the smaller ones are in the table
AGAIN = "Try these again"
MENDED = "Program mended: try these again"  # it would give the same again
AGAIN_TIP = "The program was mended? Makes these runs anew, with the same values, and no others; then the analysis goes on"


class FailuresPart(QWidget):
    """Below the list of runs, where some failed: a line, opened by its button."""

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run = problem, file, run
        self.groups: list[Group] = []
        self._known: tuple[RunData | None, int, Problem | None] = (None, 0, None)
        self.open_button = QPushButton("Why some &failed…")
        self.open_button.setCheckable(True)
        self.open_button.setProperty("kind", "switch")
        self.open_button.setToolTip("The reasons, what the failed runs share, and what may mend it")
        self.open_button.toggled.connect(lambda _: self._show())
        self.summary = label(role="hint", wrap=True)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self.summary, 1, Qt.AlignmentFlag.AlignVCenter)
        self.waste = label(role="hint", wrap=True)
        self.message = Notice()
        self.rows = QWidget()
        self._rows = QVBoxLayout(self.rows)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(4)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        for part in (self.rows, self.waste, self.message):  # above the button, which stays under the pointer
            box.addWidget(part)
        box.addLayout(line)
        run.state_changed.connect(lambda *_: self._enable())
        self.hide()

    def refresh(self, data: RunData) -> None:
        """Anew where runs have ended since, or the problem is another one."""
        state = (data, len(data.evaluations), self.problem.declared)
        if (state[0] is self._known[0], state[1:]) == (True, self._known[1:]):
            return
        self._known = state
        found = groups_of(self.problem.declared, data.evaluations)
        if found != self.groups:
            self.groups = found
            self._build()
        self.waste.setText(self._beyond(data))
        self._show()

    def _beyond(self, data: RunData) -> str:
        """How many taught nothing, where there is a map of failure."""
        space, failed = self.problem.space, [e.outcome == "failed" for e in data.evaluations]
        if data.answer is None or space is None or not any(failed):
            return ""
        count = beyond_border(data.answer.slices, space, data.theta.view()[failed])
        verb = "lie" if count > 1 else "lies"
        who = f"{count} of the {sum(failed)} failed {noun(self.problem.declared)}"
        return f"{who} {verb} deeper than the border needs: wasted." if count else ""

    # ---------------------------------------------------------------- rows

    def _build(self) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for group in self.groups[:MOST]:
            self._rows.addWidget(FoldingRow(label(group.words, wrap=True), self._buttons(group)))
        self._enable()

    def _buttons(self, group: Group) -> QWidget:
        made = QWidget()
        line = QHBoxLayout(made)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        for mend in group.mends:
            button = QPushButton(mend.words)
            button.setToolTip(mend.why)
            button.clicked.connect(partial(self._mend, mend))
            line.addWidget(button)
        if group.kind != "impossible":
            again = QPushButton(MENDED if group.same_again else AGAIN)
            again.setToolTip(AGAIN_TIP)
            again.setAccessibleName(f"{again.text()}: {group.name}")
            again.clicked.connect(partial(self._again, group))
            line.addWidget(again)
        line.addStretch(1)
        return made

    def _show(self) -> None:
        opened = self.open_button.isChecked()
        self.setVisible(bool(self.groups))
        self.rows.setVisible(opened)
        self.waste.setVisible(opened and bool(self.waste.text()))
        self.summary.setText("" if opened else in_short(self.groups))
        if not opened:
            self.message.clear()

    def _enable(self) -> None:
        """Nothing is mended under a run's feet."""
        free = not self.run.active and not self.file.read_only
        planned = self.problem.declared.settings.method in PLANNED
        for button in self.rows.findChildren(QPushButton):
            button.setEnabled(free and not (planned and button.text() in (AGAIN, MENDED)))

    # ---------------------------------------------------------------- what the buttons do

    def _mend(self, mend: Mend) -> None:
        if mend.problem is not None:
            if ask_again(self, self.file, self.run) and self.problem.edit(mend.words, meaning=mend.problem.meaning):
                self.run.start()
        elif mend.simulator is None:
            use_ranges(self, self.file, self.run, {name: (low, high) for name, low, high in mend.ranges})
        elif self.problem.edit("Change limits of a run", simulator=mend.simulator):
            self.message.say("ok", mend.why, f"It holds from the next run on; “{AGAIN}” makes the failed ones anew with it.")

    def _again(self, group: Group) -> None:
        if self.run.start(again=group.indices):
            self.message.clear()
