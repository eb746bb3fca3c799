"""On the Run page: parameters that change nothing in the outputs, by the test run or by the newest answer, and the way there."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.answer.no_effect import WHERE, question, told
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.models.simulator.trial import Trial
from bayescope.gui.pages.trial_panel import show_use
from bayescope.gui.widgets.notices import Notice


class EffectNotice(Notice):
    """Hidden where every parameter is known to change something, or nothing is known."""

    use_wanted = Signal(str)  # the first of them

    def __init__(self, run: AnalysisRun, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run, self.trial = run, trial
        self.names: tuple[str, ...] = ()
        self.pressed.connect(lambda: self.use_wanted.emit(self.names[0]))
        for signal in (run.state_changed, run.answer_changed, trial.problem.changed, trial.changed):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        answer = self.run.data.answer
        self.names = told(answer.diagnostics) if answer is not None else self.trial.idle
        self.say("warning", question(self.names), *((WHERE, show_use(self.names)) if self.names else ()))
