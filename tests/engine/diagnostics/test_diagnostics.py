"""Metrics, Pareto k-hat, leave-one-out, each against an independent computation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.diagnostics import metrics
from bayescope.engine.diagnostics.pareto import generalized_pareto, pareto_k
from bayescope.engine.diagnostics.surrogate_checks import LeaveOneOut, calibration


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
