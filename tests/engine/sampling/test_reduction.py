"""Mixtures with fewer components, and that no way to join proposals lets them grow without limit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import multivariate_normal

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.sampling.population_monte_carlo import (
    sample,
    start_of,
    with_components_at_heaviest,
    with_mode_at,
)
from bayescope.engine.sampling.proposal import MOST_COMPONENTS, Proposal, base_points, joined
from bayescope.engine.sampling.reduction import reduced

Array = NDArray[np.float64]


def some(count: int, seed: int = 0, d: int = 3) -> Proposal:
    rng = np.random.default_rng(seed)
    roots = 0.3 * rng.standard_normal((count, d, d)) + 0.5 * np.eye(d)
    return Proposal(rng.dirichlet(np.ones(count)), rng.standard_normal((count, d)), roots @ roots.transpose(0, 2, 1))


def test_fewer_components_have_the_mean_and_covariance_of_all() -> None:
    whole = some(20)
    less = reduced(whole, 4)
    assert len(less.weights) == 4
    assert isinstance(less, Proposal)
    assert less.weights.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(less.mean(), whole.mean())
    np.testing.assert_allclose(less.covariance(), whole.covariance())


def test_two_components_become_the_gaussian_of_their_draws() -> None:
    two = GaussianMixture(np.array([0.3, 0.7]), np.array([[0.0, 0.0], [1.0, -1.0]]), np.stack([np.eye(2), 0.2 * np.eye(2)]))
    one = reduced(two, 1)
    draws = two.sample(200_000, np.random.default_rng(0))
    np.testing.assert_allclose(one.means[0], draws.mean(0), atol=0.01)
    np.testing.assert_allclose(one.covariances[0], np.cov(draws.T), atol=0.02)


def test_a_light_mode_far_away_keeps_its_own_component() -> None:
    near = some(30)
    far = np.full(3, 40.0)
    less = reduced(joined(near, far[None], 0.01 * np.eye(3)[None], 1e-4), 5)
    assert less.weights[np.linalg.norm(less.means - far, axis=1) < 0.1] == pytest.approx([1e-4])
    np.testing.assert_allclose(less.covariances[less.means[:, 0].argmax()], 0.01 * np.eye(3))


def test_a_mixture_small_enough_stays_as_it_is() -> None:
    few = some(5)
    assert reduced(few, 5) is few


@pytest.mark.parametrize(("before", "added"), [(48, 3), (48, 48), (6, 48), (90, 8), (1, 1)])
def test_joined_proposals_have_no_more_components_than_the_limit_and_keep_the_shares(before: int, added: int) -> None:
    first, second = some(before, 1), some(added, 2)
    whole = joined(first, second.means, second.covariances, 0.2, second.weights)
    assert len(whole.weights) == min(before + added, MOST_COMPONENTS)
    np.testing.assert_allclose(whole.weights.sum(), 1.0)
    np.testing.assert_allclose(whole.mean(), 0.8 * first.mean() + 0.2 * second.mean())


def test_what_is_added_to_a_full_proposal_is_not_merged_into_what_was_there() -> None:
    first = some(MOST_COMPONENTS, 1)
    whole = joined(first, first.means[:3] + 1e-3, first.covariances[:3], 0.2)
    assert len(whole.weights) == MOST_COMPONENTS
    np.testing.assert_array_equal(whole.means[-3:], first.means[:3] + 1e-3)


def test_a_proposal_does_not_grow_beyond_the_limit_however_often_it_is_refined() -> None:
    base = base_points(3, 512, 1)
    heavy = multivariate_normal(np.zeros(3), np.diag([4.0, 1.0, 0.1]))

    def density(x: Array, _: Array) -> Array:
        return np.asarray(heavy.logpdf(x))

    def drawn(proposal: Proposal):
        return sample(density, proposal, base, np.random.default_rng(0))

    now = drawn(Proposal(np.ones(1), np.full((1, 3), 1.5), 0.2 * np.eye(3)[None]))
    for _ in range(12):
        spread = Proposal(now.proposal.weights, now.proposal.means, 0.5 * now.proposal.covariances)
        now = drawn(joined(spread, now.points[:8], np.repeat(0.1 * np.eye(3)[None], 8, axis=0), 0.3))
        if len(now.points) * now.weights.max() > 12.0:
            now = drawn(with_components_at_heaviest(now))
    assert len(now.proposal.weights) == MOST_COMPONENTS
    beside = with_mode_at(density, now, np.zeros(3), base, np.random.default_rng(0))
    assert len(beside.weights) == MOST_COMPONENTS


def test_a_proposal_taken_up_from_an_earlier_analysis_is_brought_within_the_limit() -> None:
    b = np.zeros((2, 3))
    assert len(start_of(some(70), 1.0, b, np.zeros(2)).weights) == MOST_COMPONENTS
