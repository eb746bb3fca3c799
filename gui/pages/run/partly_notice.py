"""On the Run page, before the start: that not all outputs or columns are compared, or a question is open, and the way to the page
that settles it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.models.data.partly import Said, partly
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.notices import Notice

GO, ALL_THE_SAME = "Go to the &question", "Start a&ll the same"


class PartlyNotice(Notice):
    """Hidden where all outputs are compared and nothing is asked, and from the first run on. Dismissed: a start that was asked
    for is wanted all the same."""

    def __init__(self, run: AnalysisRun, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run, self.trial = run, trial
        for signal in (run.state_changed, run.evaluations_changed, trial.problem.changed, trial.changed):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        said = partly(self.trial) if self.run.state == "idle" and not self.run.n_runs else Said()
        waits = ALL_THE_SAME if said.asks and self.trial.start.standing == "open" else ""
        way = GO if said.asks else "To the D&ata page"
        self.say("warning" if said.step or said.asks else "info", said.words, said.more, way, waits)
