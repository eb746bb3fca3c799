"""Walkers find what a proposal misses: the arm of a bent ridge that none of its draws lies in. Against exact evidences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from bayescope.engine.sampling.population_monte_carlo import sample, search
from bayescope.engine.sampling.proposal import Proposal, base_points
from bayescope.engine.sampling.walk import walk
from bayescope.engine.sampling.walkers import MISSED_SHARE, MOST_MISSED, search_and_walk

DRAWS = 2048
RIDGE = np.array([[1.0, 0.97, 0.0], [0.97, 1.0, 0.0], [0.0, 0.0, 0.3]])
ARM = np.diag([1.0, 0.01, 0.3])  # from the ridge's lower end along the first axis


def bent(x, _=None):
    """Log density (n,) of a ridge with an arm that holds a tenth, normalized."""
    parts = multivariate_normal(np.zeros(3), RIDGE), multivariate_normal([-3.0, -1.8, 0.0], ARM)
    return np.logaddexp(np.log(0.9) + parts[0].logpdf(x), np.log(0.1) + parts[1].logpdf(x))


def found_from(log_density, start, mended, seed=1):
    base, rng = base_points(3, DRAWS, 1), np.random.default_rng(seed)

    def draw(proposal):
        return sample(log_density, proposal, base, np.random.default_rng(seed + 1))

    evaluated = np.zeros((1, 3))
    plain = search(log_density, start, base, np.random.default_rng(seed), draw, evaluated)
    return plain, search_and_walk(log_density, start, mended, base, rng, np.random.default_rng(seed + 2), draw, evaluated)


def test_the_arm_of_a_ridge_that_no_draw_shows_is_found_and_drawn_from():
    ridge = Proposal(np.ones(1), np.zeros((1, 3)), RIDGE[None])
    missing = sample(bent, ridge, base_points(3, DRAWS, 1), np.random.default_rng(0))
    assert missing.ess > 0.25
    assert missing.log_z < -0.04
    _, (draws, mended, missed) = found_from(bent, ridge, mended=True)
    assert mended
    assert missed < MISSED_SHARE
    assert draws.ess > 0.5
    assert draws.log_z == pytest.approx(0.0, abs=0.03)
    assert draws.weights @ (draws.points[:, 0] < -3.0) == pytest.approx(0.05, abs=0.015)


def test_draws_that_miss_nothing_stay_as_they_are_to_the_last_digit():
    ridge = multivariate_normal(np.zeros(3), RIDGE)
    start = Proposal(np.ones(1), np.zeros((1, 3)), np.eye(3)[None])
    plain, (draws, mended, missed) = found_from(lambda x, _=None: ridge.logpdf(x), start, False)
    assert not mended
    assert missed < MISSED_SHARE
    np.testing.assert_array_equal(draws.points, plain.points)
    np.testing.assert_array_equal(draws.log_weights, plain.log_weights)


def test_walkers_stay_in_the_density_they_walk_along():
    ridge = multivariate_normal(np.zeros(3), RIDGE)
    rng = np.random.default_rng(4)
    places, values = walk(lambda x, _: ridge.logpdf(x), ridge.rvs(400, rng), 20, rng)
    np.testing.assert_allclose(values, ridge.logpdf(places))
    np.testing.assert_allclose(np.cov(places.T), RIDGE, atol=0.12)


def test_what_no_proposal_reaches_is_said_to_be_missed():
    """Draws that cannot be mended: they come from the ridge alone, whatever they are asked of."""
    ridge, base = Proposal(np.ones(1), np.zeros((1, 3)), RIDGE[None]), base_points(3, DRAWS, 1)

    def draw(_):
        return sample(bent, ridge, base, np.random.default_rng(0))

    draws, mended, missed = search_and_walk(
        bent, ridge, True, base, np.random.default_rng(1), np.random.default_rng(2), draw, np.zeros((1, 3))
    )
    assert not mended
    assert missed > MOST_MISSED
    assert draws.log_z < -missed
