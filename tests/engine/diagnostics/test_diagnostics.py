"""Metrics, Pareto k-hat, leave-one-out, each against an independent computation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from bayescope.engine.diagnostics import metrics
from bayescope.engine.diagnostics.surrogate_checks import LeaveOneOut, calibration
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.sampling.pareto import generalized_pareto, pareto_k, smoothed


def test_gskl_of_the_papers_rule_of_thumb() -> None:
    """Unit Gaussians whose means differ by sqrt 2 have a gsKL of 1 (seed 001 E.1)."""
    eye = np.eye(1)
    assert metrics.gskl(np.zeros(1), eye, np.array([np.sqrt(2.0)]), eye) == pytest.approx(1.0)


def test_gaussian_kl_agrees_with_monte_carlo() -> None:
    rng = np.random.default_rng(0)
    m1, m2 = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    c1, c2 = np.array([[1.0, 0.4], [0.4, 2.0]]), np.array([[1.5, -0.2], [-0.2, 1.0]])
    p, q = stats.multivariate_normal(m1, c1), stats.multivariate_normal(m2, c2)
    x = p.rvs(200_000, random_state=rng)
    gap = p.logpdf(x) - q.logpdf(x)
    assert metrics.gaussian_kl(m1, c1, m2, c2) == pytest.approx(gap.mean(), abs=4 * gap.std() / np.sqrt(len(gap)))


def test_mmtv_of_shifted_normals_is_the_exact_total_variation() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((40_000, 2)), rng.standard_normal((40_000, 2)) + np.array([1.0, 0.0])
    exact = 2 * stats.norm.cdf(0.5) - 1  # of the first marginal; the second is equal
    assert metrics.mmtv(x, None, y, None) == pytest.approx(exact / 2, abs=0.015)


def test_weighted_draws_give_the_density_they_stand_for() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(-6, 6, 60_000)
    grid = np.linspace(-6, 6, 400)
    density = metrics.kernel_density(x, stats.norm.pdf(x), grid)
    assert np.abs(density - stats.norm.pdf(grid)).max() < 0.02


def test_the_improved_bandwidth_resolves_two_narrow_peaks_that_silverman_blurs() -> None:
    rng = np.random.default_rng(7)
    x = np.concatenate([rng.normal(-2, 0.02, 5000), rng.normal(2, 0.02, 5000)])
    grid = np.linspace(-2.5, 2.5, 2001)
    exact = 0.5 * stats.norm.pdf(grid, -2, 0.02) + 0.5 * stats.norm.pdf(grid, 2, 0.02)
    assert metrics.mmtv_to_densities(x[:, None], None, [(grid, exact)], "improved") < 0.03
    assert metrics.mmtv_to_densities(x[:, None], None, [(grid, exact)], "silverman") > 0.3


def test_a_generalized_pareto_shape_is_recovered() -> None:
    x = stats.genpareto(0.4, scale=2.0).rvs(20_000, random_state=3)
    shape, scale = generalized_pareto(x)
    assert shape == pytest.approx(0.4, abs=0.05)
    assert scale == pytest.approx(2.0, rel=0.1)


def test_k_hat_tells_a_proposal_that_covers_from_one_that_is_too_narrow() -> None:
    rng = np.random.default_rng(4)
    target = stats.norm(0, 1)
    for proposal, good in ((stats.norm(0, 1.5), True), (stats.norm(0, 0.25), False)):
        x = proposal.rvs(8000, random_state=rng)
        k = pareto_k(target.logpdf(x) - proposal.logpdf(x))
        assert (k < 0.7) == good


@pytest.mark.filterwarnings("error")
def test_k_hat_of_one_weight_that_outweighs_all_others_is_infinite() -> None:
    log_weights = np.linspace(-900.0, -700.0, 400)
    log_weights[7] = 0.0
    assert pareto_k(log_weights) == np.inf


def test_calibration_is_near_one_for_a_model_that_is_right() -> None:
    rng = np.random.default_rng(6)
    x = rng.uniform(-5, 5, 60)
    k = np.exp(-0.5 * (x[:, None] - x) ** 2) + 0.05 * np.eye(60)
    y = np.linalg.cholesky(k) @ rng.standard_normal(60)
    inverse = np.linalg.inv(k)  # Rasmussen and Williams eq 5.12
    found = LeaveOneOut(inverse @ y / np.diag(inverse), 1.0 / np.diag(inverse))
    assert 0.6 < calibration(found, y) < 1.6


def two_modes(gap: float, narrow: float) -> GaussianMixture:
    return GaussianMixture(np.array([0.4, 0.6]), np.array([[0.0, 0.0], [gap, 0.0]]), np.array([np.eye(2), narrow**2 * np.eye(2)]))


@pytest.mark.parametrize(("gap", "narrow"), [(0.0, 1.0), (20.0, 1.0), (20.0, 0.01), (500.0, 0.05)])
def test_draws_of_a_mixture_agree_with_it_however_far_apart_and_narrow_its_modes_are(gap: float, narrow: float) -> None:
    q = two_modes(gap, narrow)
    assert metrics.mmtv_to_mixture(q.sample(4000, np.random.default_rng(3)), None, q) < 0.03


def test_draws_that_miss_a_mode_differ_from_the_mixture_by_its_mass() -> None:
    q = two_modes(20.0, 0.1)
    one = GaussianMixture(np.ones(1), q.means[:1], q.covariances[:1])
    x = one.sample(4000, np.random.default_rng(4))
    grid = np.linspace(-6, 6, 20_001)
    exact_second = 0.5 * 0.6 * np.trapezoid(np.abs(stats.norm.pdf(grid) - stats.norm.pdf(grid, scale=0.1)), grid)
    assert metrics.mmtv_to_mixture(x, None, q) == pytest.approx((0.6 + exact_second) / 2, abs=0.05)


def test_mmtv_of_weighted_draws_to_a_mixture_is_the_exact_total_variation() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(40_000, 1)) * 1.5
    weights = np.exp(stats.norm.logpdf(x[:, 0], 1.0) - stats.norm.logpdf(x[:, 0], 0.0, 1.5))
    q = GaussianMixture(np.ones(1), np.zeros((1, 1)), np.ones((1, 1, 1)))
    assert metrics.mmtv_to_mixture(x, weights, q) == pytest.approx(2 * stats.norm.cdf(0.5) - 1, abs=0.02)


def test_the_density_of_a_flat_marginal_is_flat() -> None:
    grid = np.linspace(0.0, 1.0, 1024)
    found = metrics.kernel_density((np.arange(5000) + 0.5) / 5000, None, grid, "improved")
    np.testing.assert_allclose(found[300:-300], 1.0, rtol=1e-3)


@pytest.mark.long  # ArviZ takes seconds to import
@pytest.mark.parametrize("dof", [1.5, 3.0, 30.0])
def test_smoothed_weights_and_their_k_are_those_of_arviz(dof: float) -> None:
    import arviz

    target, proposal = stats.t(dof), stats.norm()
    x = proposal.rvs(4000, random_state=5)
    log_weights = target.logpdf(x) - proposal.logpdf(x)
    found, k = smoothed(log_weights)
    theirs, their_k = arviz.psislw(log_weights)
    assert k == pytest.approx(float(their_k), abs=0.02)
    np.testing.assert_allclose(found - special.logsumexp(found), np.asarray(theirs), atol=0.05)  # its tail begins one draw later


def test_weights_without_a_tail_stay_as_they_are() -> None:
    flat = np.zeros(500)
    found, k = smoothed(flat)
    assert k == 0.0
    assert (found == flat).all()
