"""The picture beside the tabs: the data, the newest test run over them, and what that line is."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.simulator.outputs.output_views import reread
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.data.line_words import draws_line, line_words
from bayescope.gui.plots.data_plot import DataPlot, shown_columns
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import label


class PicturePart(QWidget):
    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trial = trial
        self.plot = DataPlot()
        self.plot.column_chosen.connect(lambda *_: self._say_line())
        self.words = label("", "hint", wrap=True)
        self.words.setProperty("grow", True)
        self.words.setMinimumHeight(2 * self.fontMetrics().lineSpacing() + 2)  # longer words move nothing
        self.button = QPushButton("Test r&un")
        self.button.setToolTip("Run the simulator once at the values on the Simulator page, to see its predictions here.")
        self.button.clicked.connect(lambda: trial.run())
        self.line = beside(self.words, self.button)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self.plot, 1)
        box.addWidget(self.line)

    def show_problem(self, problem: Problem) -> None:
        report = reread(problem, self.trial.report)
        good = report if report is not None and report.outcome == "ok" and report.outputs else None
        self.button.setEnabled(not self.trial.waiting and bool(problem.simulator.command))
        self.line.setVisible(problem.data is not None and draws_line(problem))
        self.plot.show_columns(shown_columns(problem, good))
        self._say_line()

    def _say_line(self) -> None:
        """What the line in the picture is; where there is none, why."""
        self.words.setText(line_words(self.trial.problem.declared, self.trial, self.plot.no_line, self.plot.dashes))
