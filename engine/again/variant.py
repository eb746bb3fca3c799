"""A variant: a session beside the first that holds the changed problem, the runs judged under it, and its answer."""

from __future__ import annotations

import time
from pathlib import Path

from ..answer import no_effect
from ..answer.asked_again import AskedAgain, changes, note
from ..answer.known_runs import counted_runs
from ..problem.checks.without_runs import needs_runs, same_question
from ..problem.definition import Problem
from ..run.messages import iteration_of
from ..session.errors import NothingChanged, SessionError
from ..session.file import SUFFIX
from ..session.imported import PURPOSE
from ..session.records import AskRecord
from ..session.store import SessionStore
from .answer import AnswerAgain, answer_again

COPY = "Make a copy without runs (File menu, or bayescope export --problem and bayescope new) and run that."


def answer_from(first: SessionStore, problem: Problem, folder: Path) -> AnswerAgain:
    """The answer to ``problem``, whose relative paths are from ``folder``, from the runs in ``first``; nothing is written.

    Raises SessionError, with all that stands in the way.
    """
    against = needs_runs(first.problem, problem, first.path.parent, folder)
    if not against and same_question(first.problem, problem):
        raise NothingChanged("Nothing was changed that the answer depends on", str(first.path), "Change noise, data or priors.")
    if against:
        raise SessionError(f"This cannot be answered from the runs there are. {' '.join(against)}", str(first.path), COPY)
    last = first.last_iteration()
    return answer_again(problem, counted_runs(first), first.problem, last is not None and last.converged)


def fill(variant: SessionStore, first: SessionStore, answer: AnswerAgain) -> None:
    """Put the answer and its runs into ``variant``, which has no runs yet; one commit. Raises SessionError."""
    if variant.has_started:
        raise SessionError("This analysis has runs of its own already", str(variant.path), "Ask again from a copy of it.")
    variant.save_problem(answer.problem)
    n, last = len(answer.records), first.last_iteration()
    free = no_effect.read_alone(answer.problem)
    idle = [name for name in no_effect.told({} if last is None else last.diagnostics) if name in free]  # the program is the same
    variant.add_cycle(
        asks=[AskRecord(record.index, record.u, 0, PURPOSE) for record in answer.records],
        evaluations=answer.records,
        iteration=no_effect.saying_idle(iteration_of(answer.snapshot, 0, 0.0, time.time()), idle),
        checkpoint={"loop": answer.state, "told": n, "asked": n, "iteration": 1, "method": answer.problem.settings.method},
        told=n,
    )
    variant.note_unchecked(first.unchecked)
    left = f" {answer.outside} more lie outside the new bounds and were left out." if answer.outside else ""
    variant.runs_of = first.path
    told = AskedAgain(first=first.path.name, runs=n, outside=answer.outside, changes=changes(first.problem, answer.problem))
    note(variant, told)
    variant.log("info", f"{n} runs of “{first.path.name}” were judged anew.{left}")


def path_beside(first: Path) -> Path:
    """A name for a variant of ``first`` that is not taken: “model again.bayescope”, “model again 2.bayescope”..."""
    stem = first.name.removesuffix(SUFFIX)
    path, k = first.with_name(f"{stem} again{SUFFIX}"), 1
    while path.exists():
        k += 1
        path = first.with_name(f"{stem} again {k}{SUFFIX}")
    return path
