"""What every view of the run page is, and how its points are followed to their runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.engine.problem.definition import Parameter
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.analysis.session_files import kept_run_folder
from bayescope.gui.dialogs.messages import reveal
from bayescope.gui.plots.curves import PosteriorCurves
from bayescope.gui.plots.panel import PlotPanel
from bayescope.gui.plots.reader import CurveReader


class RunView(QWidget):
    """Base: ``show_problem`` once per declaration, ``update_view`` from the redraw timer while visible."""

    title: ClassVar[str] = ""
    purpose: ClassVar[str] = ""
    needs_curves: ClassVar[bool] = False  # else none are computed while it is on show
    needs_pairs: ClassVar[bool] = False
    iteration_chosen = Signal(int)
    run_chosen = Signal(int)
    pair_chosen = Signal(int, int)

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, reader: CurveReader) -> None:
        super().__init__()
        self.problem, self.file, self.run, self.reader = problem, file, run, reader
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)

    def add(self, widget: QWidget) -> None:
        self._box.addWidget(widget)

    def adopt(self, *panels: PlotPanel) -> None:
        """Pass on what a panel's points and figures tell."""
        for panel in panels:
            panel.problem.connect(self.run.reports.reported)
            panel.point_clicked.connect(self._follow)

    def _follow(self, index: int) -> None:
        """A point was clicked: a good run is shown in the table; of a failed one its folder is opened, if it was kept."""
        e = next((e for e in self.run.data.evaluations if e.index == index), None)
        runs = self.file.runs_folder
        folder = None if e is None or e.outcome == "ok" or runs is None else kept_run_folder(runs, e.run_folder)
        if folder is not None:
            reveal(folder)
            return
        if e is not None and e.outcome != "ok":
            self.run.reports.report(
                "info", f"The folder of run {index} was not kept.", suggestion="The Simulator page says which are."
            )
        self.run_chosen.emit(index)

    def start_over(self) -> None:
        """Another analysis is shown, or runs are made again: nothing that was read or is on its way is of use."""

    def show_problem(self, parameters: Sequence[Parameter]) -> None: ...
    def update_view(self, data: RunData, answer: Answer | None, curves: PosteriorCurves | None) -> None: ...
    def mark_iteration(self, iteration: int | None) -> None: ...
    def select_run(self, index: int) -> None: ...
    def select_pair(self, x: int, y: int) -> None: ...
    def show_trial(self, report: protocol.TrialRunReport) -> None: ...
