"""``bayescope again``: a changed problem answered from the runs of a session, in a terminal; nothing is run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..again.variant import answer_from, fill, path_beside
from ..answer.best_fit import best_fit_of
from ..answer.predictions.tangent import apart_from_parameters
from ..problem import files
from ..problem.checks import validate
from ..problem.data.rows.discrepancies import with_discrepancy
from ..problem.definition import Predictions, Problem
from ..problem.relocate import relocate
from ..session.file import SUFFIX
from ..session.store import SessionStore
from ..session.trust.consent import UNSIGNED
from .compare_command import compare
from .exit_status import FAILED, Failure
from .headless import show_answer
from .terminal import say, warn

ALL = "all"  # data columns


def ask_again(
    path: Path, problem_file: Path | None, new: Path | None, discrepancy: Sequence[str] = (), apart: bool = False
) -> int:
    """Answer the problem in ``problem_file`` (None: the same) from the runs in ``path``, keep it in ``new`` and compare.

    ``discrepancy``: data columns that the program may be off in, ``ALL`` for all; ``apart``: from what its parameters can do.
    Raises Failure, SessionError or ProblemError in words; the exit status is 1 where the answer has no number.
    """
    if problem_file is None and not discrepancy:
        raise Failure("say what is changed: a problem file, or --discrepancy with the data column where the program may be off.")
    if apart and not discrepancy:
        raise Failure("--apart goes with --discrepancy.")
    if new is not None and new.suffix != SUFFIX:
        raise Failure(f"a session's name ends in {SUFFIX}; {new.name} does not.")
    with SessionStore.open(path, mode="read") as first:
        folder = first.path.parent
        problem = first.problem
        if problem_file is not None:
            problem = relocate(files.load(problem_file), problem_file.absolute().parent, folder)
        if discrepancy:
            problem = with_discrepancy(problem, _rows(problem, discrepancy))
        if apart:
            problem = _apart(problem, first)
        _check(problem, folder)
        answer = answer_from(first, problem, folder)
        target = (new or path_beside(first.path)).absolute()
        same = target.parent.resolve() == folder.resolve()
        moved = answer.problem if same else relocate(answer.problem, folder, target.parent)
        with SessionStore.create(target, moved, consent=first.signed if same else UNSIGNED) as variant:
            fill(variant, first, answer)
            say(f"No run was made: answered from {len(answer.records)} recorded runs. Kept in {target}.")
            if answer.outside:
                say(f"{answer.outside} more runs lie outside the new bounds and were left out.")
            useful = show_answer(variant)
    if not useful:
        return FAILED
    say("")
    return compare(path, [target], ())


def _rows(problem: Problem, columns: Sequence[str]) -> list[int]:
    """The comparisons with these data columns, from 0. Raises Failure."""
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    known = [m.column for m in matches]
    for name in columns:
        if name != ALL and name not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            raise Failure(f"no output is compared with a data column “{name}”; {there}.")
    return [i for i, name in enumerate(known) if ALL in columns or name in columns]


def _apart(problem: Problem, first: SessionStore) -> Problem:
    answer = first.last_iteration()
    if answer is None:
        raise Failure(f"{first.path.name} has no answer yet: run it first.")
    return apart_from_parameters(problem, first.problem, best_fit_of(first), answer.covariances, answer.slices)


def _check(problem: Problem, folder: Path) -> None:
    """What is contradictory or missing is said before anything is computed; that the program is gone does not matter."""
    found = [f for f in validate.check(problem, folder) if f.level == "error" and not f.where.startswith("simulator")]
    for finding in found:
        warn(f"error in {finding.where}: {finding.message} {finding.suggestion}".rstrip())
    if found:
        raise Failure("nothing was answered; correct the errors above first.")
