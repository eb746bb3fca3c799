"""The Python door: bounds and Jacobians, history, ask / tell, failures."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from bayescope.engine import Inference, infer
from bayescope.engine.machine import nvidia_driver


def test_importing_the_engine_stays_light() -> None:
    code = "import sys, bayescope.engine; assert not {'torch', 'scipy', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.skipif(nvidia_driver.is_seen(), reason="there is a card that PyTorch may compute on")
@pytest.mark.loops
def test_an_analysis_that_learns_no_outputs_does_not_wait_for_pytorch() -> None:
    run = "from bayescope.engine import infer; infer(lambda x: -x[0] ** 2, plausible=[(-1, 1)], max_evaluations=12)"
    code = f"import sys; {run}; assert not {{'torch', 'gpytorch'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.loops
def test_one_sided_bounds_and_the_jacobian_give_the_evidence_in_the_users_units() -> None:
    r = infer(lambda x: float(-x[0] / 2.0), plausible=[(0.5, 5.0)], bounds=[(0.0, None)], max_evaluations=40)
    assert r.log_evidence == pytest.approx(np.log(2.0), abs=max(0.03, 3 * r.log_evidence_sd))
    x = r.sample(4000, seed=1)
    assert x.shape == (4000, 1)
    assert x.min() > 0
    assert x.mean() == pytest.approx(2.0, rel=0.1)


def test_two_sided_bounds_hold_a_density_that_piles_up_at_a_bound() -> None:
    r = infer(lambda x: float(3 * np.log1p(-x[0])), plausible=[(0.05, 0.6)], bounds=[(0.0, 1.0)], max_evaluations=40)
    assert r.log_evidence == pytest.approx(-np.log(4.0), abs=max(0.03, 3 * r.log_evidence_sd))
    x = r.sample(8000)
    assert (x >= 0).all()
    assert (x <= 1).all()
    assert x.mean() == pytest.approx(0.2, abs=0.02)


@pytest.mark.loops
def test_the_history_holds_every_iteration_and_its_sample() -> None:
    r = infer(lambda x: float(-0.5 * x @ x), plausible=[(-3, 3)] * 2, max_evaluations=40, seed=2)
    counts = [h.n_evaluations for h in r.history]
    assert counts == list(range(6, r.n_evaluations + 1))
    assert r.history[-1].log_evidence == r.log_evidence
    assert r.history[0].sample(50, 0).shape == (50, 2)
    assert [h.converged for h in r.history][-2:] == [False, True]
    assert all(a.cpu_seconds <= b.cpu_seconds for a, b in zip(r.history, r.history[1:], strict=False))
    np.testing.assert_array_equal(r.sample(100, 7), r.sample(100, 7))


def test_ask_and_tell_is_the_same_as_the_call() -> None:
    def density(x: np.ndarray) -> float:
        return float(-0.5 * x @ x - x[0] ** 4 / 8)

    called = infer(density, plausible=[(-2, 2)] * 2, max_evaluations=12, seed=5)
    run = Inference([(-2, 2)] * 2, max_evaluations=12, seed=5)
    while points := run.ask():
        for p in points:
            run.tell(p.index, density(p.theta))
    assert run.result().log_evidence == called.log_evidence


@pytest.mark.loops
def test_what_the_density_raises_is_kept_and_the_run_goes_on() -> None:
    def density(x: np.ndarray) -> float:
        if x[0] > 1.0:
            raise RuntimeError("diverged")
        return float(-0.5 * x @ x)

    r = infer(density, plausible=[(-3, 3)] * 2, max_evaluations=30)
    assert "RuntimeError: diverged" in r.failures
    assert np.isfinite(r.log_evidence)
    assert any("failed" in reason for reason in r.reasons)


def test_the_density_may_change_the_array_it_is_given() -> None:
    def density(x: np.ndarray) -> float:
        value = float(-0.5 * x @ x)
        x[:] = np.nan
        return value

    assert np.isfinite(infer(density, plausible=[(-3, 3)], max_evaluations=12).log_evidence)


def test_wrong_arguments_are_refused_in_words() -> None:
    with pytest.raises(ValueError, match="one pair per parameter"):
        infer(lambda x: 0.0, plausible=[(0, 1)], bounds=[(0, 1), (0, 1)])
    with pytest.raises(ValueError, match="method"):
        infer(lambda x: 0.0, plausible=[(0, 1)], method="magic")


def test_an_answer_before_any_evaluation_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="No answer yet"):
        Inference([(0, 1)]).result()
