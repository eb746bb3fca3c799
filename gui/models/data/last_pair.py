"""The one output and the one column that are in no comparison where all others are: the question whether they belong together.
Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bayescope.engine.problem.data.names.codes import codes_differ
from bayescope.engine.problem.data.names.column_names import says_where
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.gui.models.data.names_in_units import in_possible_units
from bayescope.gui.models.data.new_comparison import with_comparison
from bayescope.gui.models.data.taking_part import Idle
from bayescope.gui.models.plain import one_line, one_name
from bayescope.gui.models.simulator.trials.trial import Trial


@dataclass(frozen=True)
class LastPair:
    """``problem``: with ``output`` compared with ``column``, too."""

    output: str
    column: str
    problem: Problem

    @property
    def question(self) -> str:
        return f"Does {one_line(self.output, 24)} predict “{one_name(self.column, 30)}”?"

    @property
    def hint(self) -> str:
        return "No other output and no other column are in no comparison."


def last_pair(problem: Problem, left: Idle, trial: Trial) -> LastPair | None:
    """None: more are left, nothing is compared yet, or names or units speak against it."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or not meaning.matches or not all(m.column for m in meaning.matches):
        return None
    if len(left.outputs) != 1 or len(left.columns) != 1:
        return None
    (output,), (column,) = left.outputs, left.columns
    placed = says_where(output) != says_where(column)
    if codes_differ(output, column) or placed or not in_possible_units(problem, {output: column}):
        return None
    return LastPair(output, column, with_comparison(problem, trial, output, column))
