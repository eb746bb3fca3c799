"""When a run is given up: sooner where every point would fail for the same reason, and each takes many runs of the program."""

from __future__ import annotations

import numpy as np

from bayescope.engine.run.outcomes import HOPELESS_SAME, MADE_OF_OTHERS, Outcomes
from bayescope.engine.session.records import EvaluationRecord

MADE = "The covariance of the summaries over 50 runs is singular: 'a' is made of 'b' and 'c'. Leave one of them out."
FLAT = "The 'a' is the same in all 50 runs, so its spread is unknown and the covariance is singular."


def failed(n: int, reason: str) -> EvaluationRecord:
    return EvaluationRecord(
        index=n, order=n, u=np.zeros(1), values={}, outcome="failed", log_likelihood=None, log_prior=0.0, log_target=None,
        noise_sd=0.0, duration_s=1.0, started_at=0.0, reason=reason, run_folder="", outputs={}, purpose="design",
    )  # fmt: skip


def points_until_given_up(reason: str) -> int:
    outcomes = Outcomes()
    for n in range(1, 100):
        record = failed(n, reason)
        outcomes.count(record)
        if outcomes.hopeless(record, "ok"):
            return n
    return 100


def test_summaries_made_of_each_other_end_it_early_and_one_that_does_not_change_somewhere_does_not() -> None:
    assert points_until_given_up(MADE) == MADE_OF_OTHERS == 3
    assert points_until_given_up(FLAT) == HOPELESS_SAME


def test_what_gave_nothing_is_called_points_where_each_takes_several_runs() -> None:
    outcomes = Outcomes("point")
    record = failed(1, FLAT)
    for _ in range(HOPELESS_SAME):
        outcomes.count(record)
    assert outcomes.hopeless(record, "ok").startswith(f"None of the first {HOPELESS_SAME} points gave a usable result.")
    assert "in all 50 runs" in outcomes.hopeless(record, "ok"), "the reason is told of runs of the program"
