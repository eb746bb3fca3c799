"""``bayescope again``: a changed problem answered from the runs of a session, in a terminal; nothing is run."""

from __future__ import annotations

from pathlib import Path

from ..again.variant import answer_from, fill, path_beside
from ..problem import files, validate
from ..problem.definition import Problem
from ..problem.relocate import relocate
from ..session.file import SUFFIX
from ..session.store import SessionStore
from ..session.trust.consent import UNSIGNED
from .compare_command import compare
from .exit_status import FAILED, Failure
from .headless import show_answer
from .terminal import say, warn


def ask_again(path: Path, problem_file: Path, new: Path | None) -> int:
    """Answer the problem in ``problem_file`` from the runs in ``path``, keep it in ``new`` and compare. Raises Failure,
    SessionError or ProblemError in words; the exit status is 1 where the answer has no number."""
    if new is not None and new.suffix != SUFFIX:
        raise Failure(f"a session's name ends in {SUFFIX}; {new.name} does not.")
    with SessionStore.open(path, mode="read") as first:
        folder = first.path.parent
        problem = relocate(files.load(problem_file), problem_file.absolute().parent, folder)
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


def _check(problem: Problem, folder: Path) -> None:
    """What is contradictory or missing is said before anything is computed; that the program is gone does not matter."""
    found = [f for f in validate.check(problem, folder) if f.level == "error" and not f.where.startswith("simulator")]
    for finding in found:
        warn(f"error in {finding.where}: {finding.message} {finding.suggestion}".rstrip())
    if found:
        raise Failure("nothing was answered; correct the errors above first.")
