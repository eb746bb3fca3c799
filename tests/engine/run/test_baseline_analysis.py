"""Laplace and slice sampling as analyses of a real program: recorded, stopped, resumed to the same points."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine import protocol
from bayescope.engine.answer.latest import posterior_of
from bayescope.engine.run.analysis import Analysis
from bayescope.engine.run.control import Control
from bayescope.engine.session.store import SessionStore


def run(path, problem=None, control=None, observer=lambda _: None):
    store = SessionStore.create(path, problem, own=True) if problem is not None else SessionStore.open(path, role="engine")
    with store:
        return Analysis(store, control=control or Control(), observer=observer).run()


def stop_after(control, count):
    def observe(event):
        if isinstance(event, protocol.EvaluationDone) and event.index >= count:
            control.stop()

    return observe


def points(path):
    with SessionStore.open(path, mode="read") as store:
        return np.array([a.u for a in store.asks()]), store.evaluation_count


@pytest.mark.parametrize("method", ["laplace", pytest.param("slice", marks=pytest.mark.long)])
def test_a_baseline_that_was_stopped_goes_on_with_the_same_points(method, make_problem, changed, tmp_path):
    problem = changed(make_problem(evaluations=24), method=method)
    whole, broken = tmp_path / "whole.bayescope", tmp_path / "broken.bayescope"
    run(whole, problem)
    control = Control()
    run(broken, problem, control, stop_after(control, 9))
    assert points(broken)[1] < 24
    run(broken)
    assert np.array_equal(points(whole)[0], points(broken)[0])
    assert points(whole)[1] == points(broken)[1]


def test_laplace_gives_a_session_its_posterior(make_problem, changed, tmp_path):
    path = tmp_path / "laplace.bayescope"
    problem = changed(make_problem(evaluations=200, workers=2), method="laplace")
    ended = run(path, problem)
    assert ended.outcome in ("converged", "failed"), ended.words
    with SessionStore.open(path, mode="read") as store:
        posterior, record = posterior_of(store)
        certified = [e.purpose for e in store.evaluations()].count("certification")
    assert certified >= 20
    assert posterior.names == ("a", "b")
    assert np.allclose(posterior.mean(), [1.2, 1.2], atol=0.25)
    assert any("one Gaussian" in reason for reason in record.reasons)
