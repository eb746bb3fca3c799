"""Archives as optimizers, samplers and accidents leave them: the right answer, or one that does not claim to know."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.library.infer import Inference
from bayescope.engine.methods.svbmc import buildup, draws

BOX = [(-6.0, 6.0)] * 2
LOG_Z = np.log(2 * np.pi) + np.log(2.0)


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(draws, "DRAWS_UP_TO_3_D", 2048)
    monkeypatch.setattr(buildup, "STEPS", 50)


def two_modes(x):
    left, right = (-0.5 * np.sum(np.square(x - np.array([c, 0.0])), axis=-1) for c in (-3.0, 3.0))
    return np.logaddexp(left, right)


def answer(x, y, sd=None):
    archive = (x, y) if sd is None else (x, y, sd)
    return Inference(BOX, None, 0, 0, "svbmc", options={"max_components": 6}, archive=archive).update()


def around(c, n, seed, scale=1.5):
    return np.random.default_rng(seed).normal(0, scale, (n, 2)) + np.array([c, 0.0])


@pytest.mark.long
def test_a_basin_that_was_sampled_a_thousand_times_as_often_weighs_what_it_weighs():
    x = np.concatenate([around(-3.0, 40_000, 0), around(3.0, 40, 1)])
    found = answer(x, two_modes(x))
    assert abs(found.log_evidence - LOG_Z) < max(0.1, 3.0 * found.log_evidence_sd)
    right = (found.sample(4000, seed=0)[:, 0] > 0).mean()
    assert right == pytest.approx(0.5, abs=0.1)


@pytest.mark.long
def test_values_a_million_nats_too_low_and_failures_do_not_move_the_answer():
    x = np.concatenate([around(-3.0, 200, 0, 2.0), around(3.0, 200, 1, 2.0)])
    y = two_modes(x)
    rng = np.random.default_rng(2)
    y[rng.choice(400, 120, replace=False)] = np.nan  # 30 % failed
    y[rng.choice(400, 20, replace=False)] = -1e6
    found = answer(x, y)
    assert found.log_evidence == pytest.approx(LOG_Z, abs=0.15)
    assert any("no finite value" in reason for reason in found.snapshot.reasons)


def test_points_on_a_line_give_an_answer_that_is_not_sure():
    t = np.linspace(-2.0, 2.0, 60)
    x = np.column_stack([t, 0.5 * t])
    found = answer(x, -0.5 * np.sum(np.square(x), axis=1))
    assert not found.converged
    assert np.isfinite(found.log_evidence)
    assert found.log_evidence_sd > 0.1
