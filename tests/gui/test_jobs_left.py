"""An analysis that is opened again says which of its jobs still wait or run elsewhere, and where its runs were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.attempts import AttemptRecord
from bayescope.engine.session.ledger import Ledger
from bayescope.engine.session.store import SessionStore
from clusters import make, told_problem


def _left(path: Path, problem: Problem, *states: str) -> Path:
    make(path, problem)
    with SessionStore.open(path) as store:
        ledger = Ledger(store)
        ledger.where = "box"
        for k, state in enumerate(states):
            again = k == len(states) - 1
            work = "again:7" if again else f"0000{k}:1"
            token = f"bs{k:012d}"
            ledger.save(AttemptRecord(token, 0 if again else k, work, 0, "{}", token, state, job=str(k + 1), node="n1"))  # type: ignore[arg-type]
    return path


def test_jobs_that_still_wait_are_said_when_the_analysis_is_opened_again(open_window: Callable, tmp_path: Path) -> None:
    _, controller, _ = open_window()
    problem = told_problem(tmp_path / "starts")
    assert controller.file.open(_left(tmp_path / "a.bayescope", problem, "queued", "queued", "intent", "cleared"))
    assert controller.run.words == (
        "3 jobs are at “box”: waiting, running, or over and not collected yet; Start goes on and collects"
    )
    assert controller.file.open(_left(tmp_path / "b.bayescope", problem, "cleared", "done", "cleared"))
    assert "jobs" not in controller.run.words
    assert [controller.run.data.ran[k].job for k in (0, 1)] == ["1", "2"]
    assert controller.run.data.ran[0].again == "3"
