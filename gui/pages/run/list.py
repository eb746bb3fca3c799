"""The view of all runs: their table, why some failed, and whether the program repeats itself."""

from __future__ import annotations

from typing import Any

from bayescope.engine import protocol
from bayescope.engine.answer.failures.slow_runs import slow_runs
from bayescope.engine.problem.definition import evaluation_noun
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.pages.failures_part import FailuresPart
from bayescope.gui.pages.far_off_part import FarOffPart
from bayescope.gui.pages.run.table import RunTable
from bayescope.gui.pages.run.view import RunView
from bayescope.gui.plots.curves import PosteriorCurves
from bayescope.gui.plots.reader import CurveReader
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.run_again import RunAgainPart


class Runs(RunView):
    title = "Runs"
    purpose = "Every simulator run: values, outcome, what it printed"

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, reader: CurveReader) -> None:
        super().__init__(problem, file, run, reader)
        self.table = RunTable()
        self.table.run_again.connect(self._again)
        self.repeats = RunAgainPart(file, run)
        self.repeats.run_chosen.connect(self.select_run)
        self.failures = FailuresPart(problem, file, run)
        self.far_off = FarOffPart(problem, file, run)
        self.far_off.listed.connect(self.table.list_far_off)
        self.slow = label(role="hint", wrap=True)
        self.slow.hide()
        self._timed: tuple[RunData | None, int] = (None, 0)  # runs that its words are of
        for part in (self.failures, self.far_off, self.slow):
            self.table.add_below(part)
        self.table.add_below(self.repeats)
        self.table.run_shown.connect(self._fetch)
        reader.loaded.connect(self._on_loaded)
        self.add(self.table)
        self._waiting = False

    def start_over(self) -> None:
        self._timed, self._waiting = (None, 0), False
        self.table.details.again.setEnabled(True)

    def update_view(self, data: RunData, answer: Answer | None, curves: PosteriorCurves | None) -> None:
        self.table.noun = evaluation_noun(self.problem.declared.meaning)
        self.table.refresh(data, self.file.runs_folder)
        self.failures.refresh(data)
        self.far_off.refresh(data)
        self._show_slow(data)
        self.repeats.refresh()

    def _show_slow(self, data: RunData) -> None:
        """Where the time goes, once there are more runs."""
        if (data, len(data.evaluations)) == self._timed:
            return
        self._timed = data, len(data.evaluations)
        found = slow_runs(self.problem.declared, data.evaluations)
        self.slow.setText("" if found is None else found.words)
        self.slow.setVisible(found is not None)

    def select_run(self, index: int) -> None:
        self.table.select(index)

    def _fetch(self, index: int) -> None:
        """Outputs are in the session file only: an evaluation may have a million."""
        run = self.run
        self.reader.load(lambda: ("outputs", index, run.stored.outputs_of(index)))

    def _on_loaded(self, what: Any) -> None:
        if isinstance(what, tuple) and what and what[0] == "outputs":
            self.table.details.show_outputs(what[1], what[2])

    def _again(self, values: dict[str, float]) -> None:
        if self.run.active:
            self.run.reports.report(
                "warning", "The analysis is running.", suggestion="Pause or stop it, then run this one again."
            )
            return
        self._waiting = True
        self.table.details.again.setEnabled(False)
        self.run.unrecorded.trial_run(values)

    def show_trial(self, report: protocol.TrialRunReport) -> None:
        if self._waiting:
            self._waiting = False
            self.table.details.again.setEnabled(True)
            self.table.details.show_repeat(report)
