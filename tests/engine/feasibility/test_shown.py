"""The map of failure as it is stored with an answer, against the map itself."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.failures.success_map import LightMap, SuccessMaps, beyond_border
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.feasibility.shown import arrays_of
from bayescope.engine.problem.definition import Parameter, Uniform
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.surrogate.frames import BoxFrame, Whitening


def outcomes(rng, d, n=80):
    b = rng.uniform(-2, 2, (n, d))
    fails = b[:, 0] > 0.8
    return b[~fails], b[fails]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("d", [1, 3])
def test_what_is_stored_gives_the_probabilities_of_the_map_itself(rng, d):
    good, failed = outcomes(rng, d)
    box = BoxFrame.of(np.full(d, -1.0), np.full(d, 3.0))
    known = Feasibility(Whitening.none(d), good, np.empty((0, d)), failed)
    arrays = arrays_of(known, box)
    light = LightMap.of(arrays, "succeeds.", d)
    assert light is not None
    assert LightMap.of(arrays, "possible.", d) is None
    b = rng.uniform(-3, 3, (500, d))
    part = known.runs_map.place
    assert part is not None
    expected = np.exp(part.log_success(known.runs_map.frame.into(b)))
    assert light.probability(box.back(b)) == pytest.approx(expected, abs=1e-6)


def test_nothing_is_stored_where_nothing_failed(rng):
    good, _ = outcomes(rng, 2)
    box = BoxFrame.of(np.zeros(2), np.ones(2))
    assert arrays_of(Feasibility(Whitening.none(2), good, np.empty((0, 2)), np.empty((0, 2))), box) == {}


def test_arrays_of_another_problem_are_no_map(rng):
    good, failed = outcomes(rng, 2)
    arrays = arrays_of(Feasibility(Whitening.none(2), good, np.empty((0, 2)), failed), BoxFrame.of(np.zeros(2), np.ones(2)))
    assert LightMap.of(arrays, "succeeds.", 3) is None
    assert LightMap.of(arrays | {"succeeds.weights": np.array([np.nan])}, "succeeds.", 2) is None
    assert LightMap.of({}, "succeeds.", 2) is None


def test_a_pair_shows_the_region_in_the_users_units_and_marginals_the_share_in_it(rng):
    space = ParameterSpace([Parameter(name=n, prior=Uniform(low=0.0, high=10.0), lower=0.0, upper=10.0) for n in "abc"])
    theta = rng.uniform(0.3, 9.7, (120, 3))
    fails = theta[:, 1] > 6.0
    low, high = space.plausible_box()
    box = BoxFrame.of(low, high)
    b = box.into(np.array([space.to_inference(t) for t in theta]))
    known = Feasibility(Whitening.none(3), b[~fails], np.empty((0, 3)), b[fails])
    draws = np.array([space.to_inference(t) for t in rng.uniform(4.5, 7.5, (4000, 3))])
    posterior = StoredPosterior(
        space, np.ones(1), draws.mean(0)[None], np.cov(draws.T)[None], draws, np.full(4000, 1 / 4000), "draws"
    )
    maps = SuccessMaps.of(arrays_of(known, box), posterior)
    assert maps is not None
    x, y = np.linspace(1, 9, 9), np.linspace(1, 9, 17)
    found = maps.of_pair(0, 1, x, y)
    assert found.shape == (9, 17)
    assert found[4, y < 5].min() > 0.9
    assert found[4, y > 7].max() < 0.1
    in_a, in_b = maps.failing_shares([np.array([6.0]), np.array([4.7, 7.3])])[:2]
    arrays = arrays_of(known, box)
    assert beyond_border(arrays, space, np.array([[5.0, 9.5, 5.0], [5.0, 6.05, 5.0], [5.0, 2.0, 5.0]])) == 1
    assert beyond_border({}, space, theta) == 0
    assert in_a == pytest.approx([0.5], abs=0.12)
    assert in_b == pytest.approx([0.0, 1.0], abs=0.05)
