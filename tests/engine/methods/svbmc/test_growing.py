"""An archive that grows while it is used: arriving evaluations move the posterior as importing them all at once would."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.library.infer import Inference
from bayescope.engine.loop_interface import Archive, LoopSettings, Tell
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.methods.svbmc import buildup, draws
from bayescope.engine.surrogate import sparse

PRECISION = np.array([[1.5, 0.6], [0.6, 1.0]])
LOG_Z = np.log(2 * np.pi) - 0.5 * np.log(np.linalg.det(PRECISION))
BOX = [(-3.0, 3.0)] * 2
OPTIONS = {"surrogate": "sparse", "inducing": 60, "kernel": "se", "max_components": 3}


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(draws, "DRAWS_UP_TO_3_D", 2048)
    monkeypatch.setattr(buildup, "STEPS", 30)


def density(x):
    z = np.asarray(x) - np.array([0.5, -1.0])
    return -0.5 * np.einsum("...i,ij,...j->...", z, PRECISION, z)


def points(n, seed=0):
    return np.random.default_rng(seed).normal(0, 2.0, (n, 2))


def started(x, density=density, budget=0):
    one = Inference(BOX, None, budget, 0, "svbmc", options={**OPTIONS, "stop": False}, archive=(x, density(x)))
    return one, one.update()


def bumpy(x):
    """Something that nobody guesses from the other side."""
    return density(x) + 1.5 * np.exp(-2.0 * np.sum(np.square(np.asarray(x) - np.array([1.6, -1.6])), axis=-1))


@pytest.mark.long
def test_batches_end_where_importing_everything_at_once_ends(monkeypatch):
    monkeypatch.setattr(sparse, "NEIGHBOURS", 100)
    x = points(500)
    hole = x[:, 0] < 0.9  # the archive starts with part of the posterior unseen
    x = x[np.concatenate([np.flatnonzero(hole), np.flatnonzero(~hole)])]
    begun = int(hole.sum())
    one, first = started(x[:begun], bumpy)
    theta = one.loop.method.memory.theta.copy()
    for part in np.array_split(np.arange(begun, 500), 3):
        one.add(x[part], bumpy(x[part]))
        answer = one.update()
    _, whole = started(x, bumpy)
    assert np.array_equal(one.loop.method.memory.theta, theta)  # nothing was fitted anew
    assert abs(first.log_evidence - whole.log_evidence) > 0.1
    assert answer.log_evidence == pytest.approx(whole.log_evidence, abs=0.05)
    assert answer.log_evidence_sd < first.log_evidence_sd
    assert np.allclose(answer.sample(4000, seed=0).mean(0), whole.sample(4000, seed=0).mean(0), atol=0.1)
    assert any("taken in as they arrived" in reason for reason in answer.reasons)


@pytest.mark.loops
def test_values_that_were_taken_as_given_are_judged_anew_once_half_as_many_have_arrived():
    x = points(260)
    one, _ = started(x[:150])
    method = one.loop.method
    assert method.memory.count("unshaped") == 1
    theta = method.memory.theta.copy()
    one.add(x[150:200], density(x[150:200]))
    assert np.array_equal(method.memory.theta, theta)
    one.add(x[200:], density(x[200:]))
    assert not np.array_equal(method.memory.theta, theta)
    assert method.memory.count("arrived") == 0
    assert one.update().log_evidence == pytest.approx(LOG_Z, abs=0.03)


def test_the_same_evaluations_twice_change_nothing_and_bad_ones_are_left_out():
    x = points(200)
    one, first = started(x)
    surrogate = one.loop.method.surrogate
    one.add(x[:50], density(x[:50]))
    one.add(np.array([[0.0, 0.0], [40.0, 40.0]]), np.array([np.nan, -1e7]))
    assert one.loop.method.surrogate is surrogate
    assert one.update().log_evidence == pytest.approx(first.log_evidence, abs=1e-9)


def test_an_arrival_far_above_the_best_value_starts_anew():
    x = points(200)
    far = x[:, 0] > 2.0  # nothing but a tail is known
    one, first = started(x[far])
    one.add(x, density(x))
    answer = one.update()
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.03)
    assert abs(first.log_evidence - LOG_Z) > 0.05


@pytest.mark.loops
def test_arrivals_between_two_runs_leave_asking_and_telling_as_they_are():
    x = points(150)
    one, _ = started(x, budget=4)
    for batch in range(2):
        for p in one.ask(2):
            one.tell(p.index, float(density(p.theta)))
        more = points(30, seed=batch + 5)
        one.add(more, density(more))
    answer = one.update()
    assert answer.n_evaluations == 4
    assert answer.log_evidence == pytest.approx(LOG_Z, abs=0.1)
    assert one.finished


def test_a_method_without_an_archive_says_that_it_takes_none():
    with pytest.raises(ValueError, match="SVBMC"):
        Inference(BOX, None, 20, 0, "bvbmc").add(points(3), density(points(3)))
    bare = make_loop("svbmc", LoopSettings(np.full(2, -3.0), np.full(2, 3.0), max_evaluations=0, options=OPTIONS))
    assert "no archive" in " ".join(bare.update().reasons)
    x = points(200)
    bare.take_archive(Archive(x, density(x), np.zeros(200)))
    assert isinstance(Tell(0, x[0], 0.0), Tell)
    assert bare.update().log_evidence == pytest.approx(LOG_Z, abs=0.1)
