"""Archives as optimizers, samplers and accidents leave them: the right answer, or one that does not claim to know."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.library.infer import Inference
from bayescope.engine.methods.svbmc import buildup, draws
from bayescope.engine.methods.svbmc.data import covering
from bayescope.engine.methods.svbmc.surrogate import likely_drop

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


@pytest.mark.loops
def test_a_basin_of_fourteen_evaluations_in_four_dimensions_is_kept_beside_one_of_twenty_thousand():
    rng, centre = np.random.default_rng(0), np.full(4, 2.5)
    x = np.concatenate([1.5 * rng.standard_normal((20_000, 4)) - centre, 1.5 * rng.standard_normal((14, 4)) + centre])
    y = np.logaddexp(*(-0.5 * np.sum(np.square(x - c), axis=1) for c in (-centre, centre)))
    found = Inference([(-10.0, 10.0)] * 4, None, 0, 0, "svbmc", options={"max_components": 6}, archive=(x, y)).update()
    truth = 2.0 * np.log(2.0 * np.pi) + np.log(2.0)
    assert abs(found.log_evidence - truth) < 3.0 * found.log_evidence_sd
    assert found.log_evidence_sd < 0.5
    assert (found.sample(4000, seed=0).mean(axis=1) > 0).mean() == pytest.approx(0.5, abs=0.1)


def test_a_selection_of_rows_has_each_place_where_the_posterior_may_be_and_the_best_of_it():
    x = np.concatenate([around(-3.0, 20_000, 0), around(3.0, 14, 1)])
    y = two_modes(x)
    rows = covering(x, y, 2_000, likely_drop(2))
    assert len(np.unique(rows)) == len(rows) == 2_000
    small = np.arange(20_000, 20_014)
    assert np.isin(small, rows).sum() >= 10
    best = np.argsort(-y)[:1_000]
    assert np.isin(best, rows).mean() > 0.7
    assert covering(x[:50], y[:50], 2_000, 10.0).tolist() == list(range(50))


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
