"""Where the time goes, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bayescope.engine.answer.failures.slow_runs import slow_runs
from bayescope.engine.session.records import EvaluationRecord
from bayescope.engine.simulator import limits


def runs(slow: float, quick: float, n: int = 40) -> list[EvaluationRecord]:
    rng = np.random.default_rng(0)
    found = []
    for k in range(n):
        a, b = rng.uniform(0.5, 1.5), rng.uniform(-2.0, 2.0)
        seconds = (slow if a > 1.1 else quick) * float(np.exp(0.1 * rng.standard_normal()))
        found.append(EvaluationRecord(k, k, np.array([a, b]), {"a": a, "b": b}, "ok", -1.0, -1.0, -2.0, duration_s=seconds))
    return found


def test_what_slow_runs_share_is_told_with_both_times(problem) -> None:
    found = slow_runs(problem, runs(40.0, 4.0))
    assert found is not None
    assert found.words.startswith("Runs with a > 1.1")
    assert "times longer: 4" in found.words
    assert " s against 4" in found.words
    assert 8.0 < found.slow / found.quick < 12.5


def test_runs_that_were_stopped_take_at_least_so_long(problem) -> None:
    stopped = [
        replace(e, outcome="failed", log_likelihood=None, log_target=None, reason=limits.time_words(60.0), duration_s=60.0)
        if e.duration_s > 20.0 else e
        for e in runs(400.0, 4.0)
    ]  # fmt: skip
    found = slow_runs(problem, stopped)
    assert found is not None
    assert found.stopped
    assert "at least" in found.words


def test_nothing_is_told_where_runs_take_as_long_or_are_quick_or_differ_without_a_pattern(problem) -> None:
    assert slow_runs(problem, runs(4.0, 4.0)) is None
    assert slow_runs(problem, runs(0.1, 0.01)) is None
    assert slow_runs(problem, runs(40.0, 4.0)[:8]) is None
    rng = np.random.default_rng(1)
    shuffled = [replace(e, duration_s=float(rng.choice([4.0, 40.0]))) for e in runs(4.0, 4.0)]
    assert slow_runs(problem, shuffled) is None
