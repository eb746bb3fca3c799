"""Population Monte Carlo on shapes that few Gaussians fit badly: modes far apart, a thin ring. Against exact evidences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import multivariate_normal

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.sampling.population_monte_carlo import posterior_of, weighed
from bayescope.engine.sampling.proposal import Proposal, base_points, em_step, overlapping

DRAWS = 4096


def test_modes_many_widths_apart_are_drawn_from_as_evenly_as_one():
    modes = [multivariate_normal(np.full(5, at), 0.05**2 * np.diag(np.arange(1.0, 6.0))) for at in (-0.5, 0.5)]

    def log_density(x, _=None):
        return np.logaddexp(*(np.log(0.5) + m.logpdf(x) for m in modes))

    rng = np.random.default_rng(2)
    evaluated = np.concatenate([m.rvs(10, rng) for m in modes])
    found = posterior_of(log_density, evaluated, log_density(evaluated), base_points(5, DRAWS, 1), rng)
    assert found.ess > 0.7
    assert found.log_z == pytest.approx(0.0, abs=0.03)
    assert found.weights @ (found.points[:, 0] > 0.0) == pytest.approx(0.5, abs=0.02)


def test_a_thin_ring_is_drawn_from_with_its_evidence():
    def log_density(x, _=None):
        return -0.5 * np.square((np.square(3.0 * x[:, :2]).sum(1) - 4.0) / 0.1) - 0.5 * np.square(x[:, 2:] / 0.05).sum(1)

    radial, _ = integrate.quad(lambda s: np.exp(-0.5 * ((s - 4.0) / 0.1) ** 2) / 18.0, 3.0, 5.0, points=[4.0])
    exact = np.log(2.0 * np.pi * radial * 2.0 * np.pi * 0.05**2)
    rng = np.random.default_rng(3)
    angle = rng.uniform(0.0, 2.0 * np.pi, 40)
    evaluated = np.column_stack([np.cos(angle) * 2 / 3, np.sin(angle) * 2 / 3, rng.normal(0.0, 0.05, (40, 2))])
    found = posterior_of(log_density, evaluated, log_density(evaluated), base_points(4, DRAWS, 1), rng)
    assert found.ess > 0.2
    assert found.log_z == pytest.approx(exact, abs=0.05)


def test_em_on_modes_far_apart_leaves_each_as_narrow_as_its_draws():
    mixture = GaussianMixture(np.array([0.5, 0.5]), np.array([[0.0, 0.0], [100.0, 0.0]]), np.repeat(np.eye(2)[None], 2, 0))
    x = mixture.from_uniforms(base_points(2, 200, 1))
    moved = em_step(mixture, x, np.full(len(x), 1 / len(x)))
    np.testing.assert_allclose(moved.covariances, mixture.covariances, atol=0.3)


def test_gaussians_that_overlap_in_a_chain_are_one_cluster():
    means = np.array([[0.0], [2.0], [50.0], [4.0]])
    found = overlapping(means, np.ones((4, 1, 1)))
    assert found[0] == found[1] == found[3] != found[2]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_no_draw_of_a_bent_posterior_stands_for_much_of_it(seed):
    """Else a tail is one draw in 4,000 with several per cent of the mass: a hump of a marginal that is none."""
    width, bend, sd = 0.8, 1.1, 0.06
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((4, 4)))[0]

    def log_density(x, _=None):
        z = x @ turn
        bent = np.column_stack([z[:, 0] / width, (z[:, 1] - bend * np.square(z[:, 0])) / sd, z[:, 2:] / 0.3])
        return -0.5 * np.square(bent).sum(1) - np.log(width * sd * 0.3**2) - 2.0 * np.log(2.0 * np.pi)

    rng = np.random.default_rng(seed)
    evaluated = rng.uniform(-2.0, 2.0, (60, 4))
    found = posterior_of(log_density, evaluated, log_density(evaluated), base_points(4, DRAWS, seed), rng)
    assert found.weights.max() < 0.03
    assert found.ess > 0.25
    assert found.log_z == pytest.approx(0.0, abs=0.06)


def test_draws_are_heavy_where_one_of_them_stands_for_twelve():
    proposal, places = Proposal(np.ones(1), np.zeros((1, 2)), np.eye(2)[None]), np.zeros((1000, 2))

    def heavy(times: float) -> bool:
        return weighed(places, np.zeros(1000), np.where(np.arange(1000) == 7, np.log(times), 0.0), proposal).heavy

    assert [heavy(times) for times in (1.0, 10.0, 15.0)] == [False, False, True]
