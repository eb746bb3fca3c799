"""The answer to a changed problem from the runs there are: a pure function of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ..answer.words import WANTED_RUNS
from ..likelihood.errors import LikelihoodError
from ..loop_interface import LoopSnapshot, State
from ..machine.threads import one_thread
from ..methods.default.certification import fewest_wanted
from ..methods.default.earlier_runs import EarlierRuns
from ..methods.loops import loop_settings
from ..problem.checks.without_runs import noise_alone, same_posterior
from ..problem.data.rows.comparison import ComparisonError
from ..problem.definition import Problem, free_parameters
from ..problem.placeholders import normal
from ..problem.transforms import ParameterSpace
from ..run.one_evaluation import tell_of
from ..run.rescored import rescored
from ..session.errors import SessionError
from ..session.records import EvaluationRecord

METHOD = "default"  # the only one that can learn outputs; it answers whatever method made the runs
FEWEST = 2  # runs with a value
SLACK = 0.1  # of its width: by which a plausible range may go beyond the one that was explored
NO_DATA = "Correct the data or the noise model."


@dataclass(frozen=True)
class AnswerAgain:
    """``problem``: as it is answered; ``records``: the runs under it. ``state``: of the loop, to go on from with new runs.
    ``outside``: runs whose values the new priors exclude. ``more_runs``: about how many would confirm it."""

    problem: Problem
    records: tuple[EvaluationRecord, ...]
    snapshot: LoopSnapshot
    state: State
    outside: int
    more_runs: int


def answer_again(
    problem: Problem,
    records: Sequence[EvaluationRecord],
    first: Problem | None = None,
    converged: bool = False,
    budget: int | None = None,
) -> AnswerAgain:
    """``records``: runs of the same program, by order of arrival (see ``problem.without_runs``); no run is made. ``first``: the
    problem that they were made for, ``converged``: its answer was. ``budget``: runs in all that the answer may go on with if it
    is not confirmed; None: any more are asked for by somebody who knows it, and look elsewhere if it is.

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
    _require_values(known.records)
    settings = loop_settings(problem, space, len(known.records), problem.settings.workers)
    method = EarlierRuns(settings)
    tells = [tell_of(record, settings.cells) for record in known.records]
    inside = first is None or _inside(space, first)
    explored = [record.index for record in known.records if record.purpose == "exploration" and inside]
    around = first is not None and inside and converged
    with one_thread():
        snapshot = method.take_all(tells, explored, around, around and _was_checked(known.records, problem, first), budget)
    more = round(snapshot.diagnostics.get(WANTED_RUNS, 0.0))
    return AnswerAgain(problem, known.records, snapshot, method.state(), known.outside, more)


def _require_values(records: Sequence[EvaluationRecord]) -> None:
    """Raises SessionError, with a reason that a run has, if hardly any of them has a value."""
    good = sum(record.outcome == "ok" for record in records)
    if good < FEWEST:
        reason = next((record.reason for record in records if record.outcome != "ok"), "")
        words = f"Only {good} of the {len(records)} runs have a likelihood under the changed problem"
        raise SessionError(words, "", reason or "Make new runs.")


def _was_checked(records: Sequence[EvaluationRecord], problem: Problem, first: Problem | None) -> bool:
    """Whether fresh runs among ``records`` have checked an answer to the same question, of ``first``."""
    checks = sum(record.purpose == "certification" for record in records)
    return first is not None and same_posterior(first, problem) and checks >= fewest_wanted(len(free_parameters(problem)))


def _inside(space: ParameterSpace, first: Problem) -> bool:
    """Whether the plausible box is part of that of ``first``, as far as the program sees it."""
    old, alone = ParameterSpace(first.parameters), noise_alone(first)
    boxes = {normal(name): ends for name, *ends in zip(old.names, *(old.to_user(u) for u in old.plausible_box()), strict=True)}
    for name, low, high in zip(space.names, *(space.to_user(u) for u in space.plausible_box()), strict=True):
        if normal(name) in boxes and normal(name) not in alone:
            lower, upper = boxes[normal(name)]
            room = SLACK * (upper - lower)
            if low < lower - room or high > upper + room:
                return False
    return True


def _by_default_method(problem: Problem) -> Problem:
    settings = problem.settings
    if settings.method == METHOD:
        return problem
    return msgspec.structs.replace(problem, settings=msgspec.structs.replace(settings, method=METHOD, options={}))
