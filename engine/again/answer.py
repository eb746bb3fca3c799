"""The answer to a changed problem from the runs there are: a pure function of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ..likelihood.errors import LikelihoodError
from ..loop_interface import LoopSnapshot, State
from ..methods.default.earlier_runs import EarlierRuns
from ..methods.loops import loop_settings
from ..problem.comparison import ComparisonError
from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace
from ..run.one_evaluation import tell_of
from ..session.errors import SessionError
from ..session.records import EvaluationRecord
from .rescored import rescored

METHOD = "default"  # the only one that can learn outputs; it answers whatever method made the runs
NO_DATA = "Correct the data or the noise model."


@dataclass(frozen=True)
class AnswerAgain:
    """``problem``: as it is answered; ``records``: the runs under it. ``state``: of the loop, to go on from with new runs.
    ``outside``: runs whose values the new priors exclude. ``more_runs``: about how many would confirm it, 0 if it is confirmed."""

    problem: Problem
    records: tuple[EvaluationRecord, ...]
    snapshot: LoopSnapshot
    state: State
    outside: int
    more_runs: int


def answer_again(problem: Problem, records: Sequence[EvaluationRecord]) -> AnswerAgain:
    """``records``: runs of the same program, by order of arrival (see ``problem.without_runs``); no run is made.

    Raises SessionError if no likelihood can be made of the data, or no run is left.
    """
    problem = _by_default_method(problem)
    space = ParameterSpace(problem.parameters)
    try:
        known = rescored(problem, records)
    except (LikelihoodError, ComparisonError) as error:
        raise SessionError(f"The runs cannot be judged anew: {error}", "", NO_DATA) from error
    if not known.records:
        words = "None of the runs lies inside the new bounds" if records else "There are no runs to answer from"
        raise SessionError(words, "", "Make new runs.")
    settings = loop_settings(problem, space, len(known.records), problem.settings.workers)
    method = EarlierRuns(settings)
    tells = [tell_of(record, settings.cells) for record in known.records]
    explored = [record.index for record in known.records if record.purpose == "exploration"]
    snapshot = method.take_all(tells, explored)
    more = round(snapshot.diagnostics.get("more_runs", 0.0))
    return AnswerAgain(problem, known.records, snapshot, method.state(), known.outside, more)


def _by_default_method(problem: Problem) -> Problem:
    settings = problem.settings
    if settings.method == METHOD:
        return problem
    return msgspec.structs.replace(problem, settings=msgspec.structs.replace(settings, method=METHOD, options={}))
