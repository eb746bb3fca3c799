"""Failing runs in the loops: few are wasted, the answer is that of the truncated density, and a restored loop goes on alike."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine import infer
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop, Method
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.noisy.loop import NoisyMethod


def normal(u: np.ndarray) -> float:
    return float(-0.5 * u @ u - 0.5 * len(u) * np.log(2 * np.pi))


def settings(budget: int, noisy: bool) -> LoopSettings:
    return LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=2, max_evaluations=budget, noisy=noisy)


@pytest.mark.loops
@pytest.mark.parametrize("method", [DefaultMethod, NoisyMethod])
def test_a_restored_loop_goes_on_alike_where_runs_fail(method: type[DefaultMethod] | type[NoisyMethod]) -> None:
    def outcome(index: int, u: np.ndarray) -> Tell:
        if u[0] > 0.8:
            return Tell(index, u, None)
        if u[1] > 1.0:
            return Tell(index, u, None, impossible=True)
        return Tell(index, u, normal(u), sd=0.5 * (method is NoisyMethod))

    def fresh() -> AskTellLoop:
        made: Method = method(settings(24, method is NoisyMethod))
        return AskTellLoop(made)

    straight, broken = fresh(), fresh()
    while asks := straight.ask(2):
        state, broken = broken.state(), fresh()
        broken.restore(state)
        for a, b in zip(asks, broken.ask(2), strict=True):
            np.testing.assert_array_equal(a.u, b.u)
            straight.tell(outcome(a.index, a.u))
            broken.tell(outcome(b.index, b.u))
        p, q = straight.update(), broken.update()
        assert (p is None) == (q is None)
        assert p is None or q is None or p.log_evidence == q.log_evidence or np.isnan(p.log_evidence)


@pytest.mark.loops
def test_few_runs_fail_once_it_is_known_where_they_do() -> None:
    failed: list[bool] = []

    def target(x: np.ndarray) -> float:
        failed.append(bool(x[0] - x[1] > 1.1))
        return np.nan if failed[-1] else normal(x)

    answer = infer(target, plausible=[(-4, 4)] * 2, max_evaluations=60, seed=1)
    assert sum(failed) <= 9
    found = answer.snapshot.diagnostics
    assert found["failing_low"] < 0.218 < found["failing_high"]
    assert found["evidence_if_impossible"] == pytest.approx(np.log1p(-0.218), abs=0.12)
    assert len(failed) < 60, "what runs can tell is confirmed, and more tell nothing"
    assert found["confirmed_in_part"] == 1.0
    assert not answer.converged


@pytest.mark.loops
def test_a_noisy_answer_is_confirmed_where_runs_succeed() -> None:
    rng, failed = np.random.default_rng(1), []

    def target(x: np.ndarray) -> tuple[float, float]:
        failed.append(bool(x[0] - x[1] > 1.1))
        return (np.nan if failed[-1] else normal(x) + 0.5 * rng.standard_normal()), 0.5

    answer = infer(target, plausible=[(-4, 4)] * 2, max_evaluations=120, seed=1, noisy=True)
    found = answer.snapshot.diagnostics
    assert len(failed) < 120, "what runs can tell is confirmed, and more tell nothing"
    assert found["confirmed_in_part"] == 1.0
    assert not answer.converged
    assert found["failing_low"] < 0.218 < found["failing_high"]


@pytest.mark.loops
def test_an_impossible_part_is_cut_off_where_it_begins() -> None:
    answer = infer(lambda x: -np.inf if x[0] + x[1] > 1.0 else normal(x), plausible=[(-4, 4)] * 2, max_evaluations=60, seed=1)
    draws = answer.sample(4000)
    assert (draws.sum(1) > 1.0).mean() < 0.06
    assert answer.log_evidence == pytest.approx(np.log(0.760), abs=3 * answer.log_evidence_sd)
