"""What test runs tell of how rows are paired, looked for once for each problem and test run."""

from __future__ import annotations

from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.left_out import matches_of
from bayescope.gui.models.data.new_comparison import compared_by_name
from bayescope.gui.models.data.part_keys import first_contradiction, key_columns
from bayescope.gui.models.data.split_table import Split, split_by_names
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.models.simulator.trial import Trial
from bayescope.gui.pages.data.steps import Pairing

Contradicted = tuple[int, Problem, str, str]


class PairingTold:
    """Of the present problem; long tables take time."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self._of: tuple[Problem, TrialRunReport | None] | None = None
        self._contradicted: Contradicted | None = None
        self._by_name: Problem | None = None
        self._split: Split | None = None

    def told(self, locked: bool) -> Pairing:
        """``locked``: nothing is to be changed any more."""
        if locked:
            return Pairing()
        problem, report = self.trial.problem.declared, self.trial.report
        if self._of is None or self._of[0] is not problem or self._of[1] is not report:
            self._of = problem, report
            self._contradicted = first_contradiction(problem, report)
            self._by_name, self._split = None, split_by_names(problem, self.trial)
            open_ = isinstance(problem.meaning, Predictions) and problem.data is not None and problem.outputs
            if open_ and not matches_of(problem):
                named = compared_by_name(problem, self.trial)
                self._by_name = named if matches_of(named) else None
        found = self._contradicted
        kept = found is not None and found[3] in self.trial.answers.settled.kept
        return Pairing(self.trial.tried, bool(self.trial.lacking()), None if kept else found, self._by_name, self._split)


def without_keys(problem: Problem, report: TrialRunReport | None, left: Idle) -> Idle:
    """``left`` without the columns that an output holds as a key: no output predicts them."""
    keys = key_columns(problem, report, left.columns) if left.may_match else {}
    outputs = {key.output for key in keys.values()}
    return Idle(tuple(o for o in left.outputs if o not in outputs), tuple(c for c in left.columns if c not in keys))
