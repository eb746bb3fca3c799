"""On the Run page: parameters that change nothing in the outputs, by the test run or by the newest answer, and the way there."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.answer.no_effect import question, told
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.models.simulator.numbers.elsewhere import advice
from bayescope.gui.models.simulator.trials.moved_alone import show_use
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.notices import Notice


class EffectNotice(Notice):
    """Hidden where every parameter is known to change something, or nothing is known."""

    use_wanted = Signal(str)  # the first of them

    def __init__(self, run: AnalysisRun, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run, self.trial = run, trial
        self.names: tuple[str, ...] = ()
        self.pressed.connect(self._lead)
        for signal in (run.state_changed, run.answer_changed, trial.problem.changed, trial.changed):
            signal.connect(self.refresh)
        self.refresh()

    def _lead(self) -> None:
        for name in self.names[:1]:
            self.use_wanted.emit(name)

    def refresh(self) -> None:
        answer = self.run.data.answer
        self.names = told(answer.diagnostics) if answer is not None else self.trial.idle
        if not self.names:
            self.clear()
            return
        where = advice(self.trial.problem.declared, self.names[0], self.trial.values())
        self.say("warning", question(self.names), where, show_use(self.names))
