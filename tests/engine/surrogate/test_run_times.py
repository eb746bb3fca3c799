"""Run times by place: known functions found again, time-outs as "at least", and no time at all where runs are quick."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate

from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.loop_interface import Tell
from bayescope.engine.surrogate import run_times
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.run_times import RunTimes, _conditioned, _mills


def log_seconds(b: np.ndarray) -> np.ndarray:
    """From two seconds to two minutes."""
    return np.log(2.0) + 2.0 / (1.0 + np.exp(-3.0 * b[:, 0])) + 1.5 / (1.0 + np.exp(-2.0 * (b[:, 1] - 0.5)))


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    b = rng.uniform(-2.0, 2.0, (n, 2))
    return b, np.exp(log_seconds(b) + 0.1 * rng.standard_normal(n))


def test_seconds_are_predicted_where_no_run_was() -> None:
    found = RunTimes.of(*sample(60), np.zeros(60, dtype=bool))
    assert found is not None
    at, _ = sample(500, seed=1)
    error = found.log_seconds(at) - log_seconds(at)
    assert np.sqrt(np.mean(error**2)) < 0.1
    assert found.scatter == 0.1
    assert np.allclose(np.log(found.seconds(at)), found.log_seconds(at) + 0.005)


def test_runs_that_were_stopped_took_at_least_so_long() -> None:
    b, seconds = sample(80)
    limit = 20.0
    stopped = seconds > limit
    assert 10 < stopped.sum() < 40
    told = np.minimum(seconds, limit)
    known, believed = RunTimes.of(b, told, stopped), RunTimes.of(b, told, np.zeros(80, dtype=bool))
    assert known is not None
    assert believed is not None
    far = b[seconds > 1.5 * limit]
    assert (known.seconds(far) > limit).mean() > 0.9
    assert known.log_seconds(far).mean() > believed.log_seconds(far).mean() + 0.1
    near = b[~stopped]
    assert np.abs(known.log_seconds(near) - log_seconds(near)).mean() < 0.1


def test_the_expected_value_beyond_a_cut_is_the_integral() -> None:
    for cut in (-3.0, 0.0, 2.5, 30.0):
        first, mass = (
            integrate.quad(lambda x, k=k, cut=cut: x**k * np.exp(0.5 * (cut**2 - x**2)), cut, cut + 12.0)[0] for k in (1, 0)
        )
        expected = first / mass
        assert _mills(np.array([cut]))[0] == pytest.approx(expected, rel=1e-6)


def test_mean_field_updates_end_where_each_cut_value_is_its_expectation() -> None:
    b, seconds = sample(40)
    stopped = seconds > 20.0
    kernel = RunTimes.of(b, seconds, np.zeros(40, dtype=bool)).process.kernel
    y = np.log(np.minimum(seconds, 20.0)) - 2.0
    found = _conditioned(kernel, b, y, stopped, 0.1)
    mean = found.mean(b) + 0.5 * np.square(b).sum(1)
    value = found.y + 0.5 * np.square(b).sum(1)
    np.testing.assert_allclose(value[~stopped], y[~stopped], rtol=1e-12)
    expected = mean[stopped] + 0.1 * _mills((y[stopped] - mean[stopped]) / 0.1)
    np.testing.assert_allclose(value[stopped], expected, atol=0.02)


def test_quick_runs_or_runs_that_take_as_long_everywhere_are_not_learnt() -> None:
    b, seconds = sample(60)
    none = np.zeros(60, dtype=bool)
    assert RunTimes.of(b, seconds / 100.0, none) is None
    assert RunTimes.of(b, 10.0 + 0.1 * seconds, none) is None
    assert RunTimes.of(b[:11], seconds[:11], none[:11]) is None


def test_what_is_learnt_is_made_anew_only_when_there_are_more_runs() -> None:
    b, seconds = sample(62)
    run_times._learnt.cache_clear()
    for n in range(50, 62):
        assert RunTimes.of(b[:n], seconds[:n], np.zeros(n, dtype=bool)) is not None
    assert run_times._learnt.cache_info().misses <= 3


def test_slow_places_are_worth_less_a_second_and_runs_without_times_cost_alike() -> None:
    b, seconds = sample(40)
    tells = [Tell(i, u, -float(u @ u), seconds=float(s)) for i, (u, s) in enumerate(zip(b, seconds, strict=True))]
    known = Feasibility.of(Evaluations.of(tells, 2, lambda u: u))
    quick, slow = known.log_cost(np.array([[-1.5, -1.5], [1.5, 1.5]]))
    assert slow - quick == pytest.approx(float(np.diff(log_seconds(np.array([[-1.5, -1.5], [1.5, 1.5]])))[0]), abs=0.3)
    untimed = Feasibility.of(Evaluations.of([Tell(t.index, t.u, t.y) for t in tells], 2, lambda u: u))
    assert untimed.times is None
    assert not untimed.log_cost(b).any()
