"""A long bent tail that no draw of a fitted proposal lies in. Against exact shares."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import gumbel_r, multivariate_normal, norm

from bayescope.engine.sampling.population_monte_carlo import PosteriorDraws, sample, search
from bayescope.engine.sampling.proposal import Proposal, base_points
from bayescope.engine.sampling.tails import UNREACHED_SHARE, into_the_tails, unreached
from bayescope.engine.sampling.walkers import search_and_walk

DRAWS = 8192
OUTERMOST = np.array([0.98, 0.995])  # quantiles
ROUND = Proposal(np.ones(1), np.zeros((1, 3)), np.eye(3)[None])


def long_tail(x, _=None):
    """Log density (n,): the first coordinate has an exponential tail, along which the second bends away; normalized."""
    return gumbel_r.logpdf(x[:, 0]) + norm.logpdf(x[:, 1], 0.3 * x[:, 0] ** 2, 0.1) + norm.logpdf(x[:, 2])


def draws_of(log_density, start, walked, seed):
    base, rng = base_points(3, DRAWS, 1), np.random.default_rng(seed)

    def draw(proposal):
        return sample(log_density, proposal, base, np.random.default_rng(seed + 1))

    walking = np.random.default_rng(seed + 2) if walked else None
    return search_and_walk(log_density, start, False, base, rng, walking, draw, np.zeros((1, 3)), True, tails=True)[0]


def beyond(draws: PosteriorDraws):
    """What share of the draws lies beyond the OUTERMOST quantiles, of the share that should."""
    return np.array([draws.weights @ (draws.points[:, 0] > gumbel_r.ppf(q)) / (1.0 - q) for q in OUTERMOST])


@pytest.mark.parametrize("seed", range(4))
def test_a_long_bent_tail_has_its_share_of_the_draws_of_an_answer(seed):
    assert beyond(draws_of(long_tail, ROUND, False, seed))[1] < 0.7  # it was not found by draws alone
    draws = draws_of(long_tail, ROUND, True, seed)
    np.testing.assert_allclose(beyond(draws), 1.0, atol=0.25)
    assert draws.log_z == pytest.approx(0.0, abs=0.02)
    assert draws.moments()[1][0, 0] == pytest.approx(gumbel_r.var(), rel=0.05)


def test_draws_that_reach_the_tails_stay_as_they_are():
    density = multivariate_normal(np.zeros(3), np.eye(3))

    def log_density(x, _=None):
        return density.logpdf(x)

    base, rng = base_points(3, DRAWS, 1), np.random.default_rng(1)
    draws = search(log_density, ROUND, base, rng, lambda p: sample(log_density, p, base, rng), np.zeros((1, 3)))
    assert unreached(log_density, draws, rng)[0] < UNREACHED_SHARE
    assert into_the_tails(log_density, draws, lambda p: sample(log_density, p, base, rng), rng) is draws
