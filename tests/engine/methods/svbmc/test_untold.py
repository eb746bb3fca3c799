"""Parts of an answer of which no evaluation tells: known as such, doubted, and looked at first."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.loop_interface import Archive, LoopSettings, Tell
from bayescope.engine.methods.loops import make_loop
from bayescope.engine.methods.svbmc import buildup, draws
from bayescope.engine.methods.svbmc.data import prepare, together
from bayescope.engine.methods.svbmc.untold import MOST, telling_place, untold, untold_error
from bayescope.engine.sampling.mixture import GaussianMixture

CORNERS = 6.0 * np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0]])


def corners(weights=(0.3, 0.3, 0.4)):
    return GaussianMixture(np.array(weights), CORNERS, np.repeat(np.eye(3)[None], 3, axis=0))


def test_draws_of_a_component_without_evaluations_are_untold_and_thin_tails_are_not():
    rng = np.random.default_rng(0)
    x = corners().sample(400, rng)
    invented = np.linalg.norm(x - CORNERS[2], axis=1) < 3.0
    evaluations = np.concatenate([rng.normal(c, 0.7, (60, 3)) for c in CORNERS[:2]])
    found = untold(corners(), x, evaluations)
    assert found[invented].mean() > 0.8
    assert found[~invented].mean() < 0.05
    assert not untold(corners(), x, np.concatenate([evaluations, CORNERS[2:]]))[invented].any()
    assert np.linalg.norm(telling_place(corners(), x[found]) - CORNERS[2]) < 1.5


def test_the_error_is_what_would_be_missing_without_that_share_and_is_bounded():
    assert untold_error(0.0) == 0.0
    assert untold_error(0.5) == pytest.approx(np.log(2.0))
    assert untold_error(1.0) == MOST


def test_a_run_far_below_the_best_is_no_noisy_one():
    archive = prepare(Archive(np.zeros((1, 2)), np.zeros(1), np.zeros(1)), 2, 20.0)
    told = [Tell(0, np.array([0.1, 0.0]), -1.0), Tell(1, np.array([5.0, 5.0]), -300.0)]
    values = together(archive, told, 2)
    assert values.levels is None
    assert values.noise.max() < 1e-4


def density(x):
    """Two normals of like weight that lie apart in both coordinates."""
    one, other = (-0.5 * np.sum(np.square(np.asarray(x) - c), axis=-1) for c in (np.full(2, 1.5), np.full(2, -4.5)))
    return np.logaddexp(one, other)


@pytest.mark.loops
def test_modes_where_the_coordinates_of_two_others_meet_are_doubted_and_gone_after_a_few_runs(monkeypatch):
    monkeypatch.setattr(draws, "DRAWS_UP_TO_3_D", 4096)
    monkeypatch.setattr(buildup, "STEPS", 60)
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(1.5, 0.7, (600, 2)), rng.normal(-4.5, 0.7, (12, 2))])
    archive = Archive(x, density(x), np.zeros(len(x)))
    box = np.full(2, -6.0), np.full(2, 4.0)
    settings = LoopSettings(*box, max_evaluations=10, archive=archive, options={"stop": False})
    loop = make_loop("svbmc", settings)
    first = loop.update()
    truth = np.log(4.0 * np.pi)
    assert abs(first.log_evidence - truth) < 3.0 * first.log_evidence_sd
    while not loop.finished:
        for ask in loop.ask(1):
            loop.tell(Tell(ask.index, ask.u, float(density(ask.u))))
    last = loop.update()
    assert last.log_evidence == pytest.approx(truth, abs=0.05)
