from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.variational.elbo import elbo_estimate
from bayescope.engine.variational.expectation import GaussianSum
from bayescope.engine.variational.families import DIAGONAL, FULL, SHARED_SCALE
from bayescope.engine.variational.growth import grow, split
from bayescope.engine.variational.joint import fit_mixture, quick_elbo
from bayescope.engine.variational.natural import log_density_moments
from bayescope.engine.variational.weighted_em import fit_to_draws


@pytest.fixture
def gaussian_target():
    """log N(x; mu, Sigma) + 3, correlated."""
    mu, a = np.array([1.0, -2.0, 0.5]), np.array([[1.0, 0.0, 0.0], [0.9, 0.3, 0.0], [-0.4, 0.2, 0.5]])
    sigma = a @ a.T
    precision = np.linalg.inv(sigma)
    constant = 3.0 - 0.5 * mu @ precision @ mu - 0.5 * np.linalg.slogdet(2 * np.pi * sigma)[1]
    return mu, sigma, GaussianSum(float(constant), precision @ mu, -precision, np.zeros(0), np.zeros((0, 3)), np.eye(3))


def two_bumps() -> GaussianSum:
    """-x^2/2 wells with two peaks: a mixture of two is clearly better than one."""
    centers = np.array([[-2.0, 0.0], [2.0, 0.0]])
    return GaussianSum(-2.0, np.zeros(2), -0.15 * np.eye(2), np.array([6.0, 6.0]), centers, 0.8 * np.eye(2))


@pytest.mark.parametrize("method", ["natural", "lbfgs"])
def test_a_gaussian_target_is_found_exactly_and_the_elbo_is_its_evidence(method, gaussian_target):
    mu, sigma, f = gaussian_target
    start = GaussianMixture.single(np.zeros(3), np.eye(3))
    q = fit_mixture(f, start, np.random.default_rng(0), method=method, steps=60)
    np.testing.assert_allclose(q.means[0], mu, atol=1e-2)
    np.testing.assert_allclose(q.covariances[0], sigma, atol=1e-2)
    assert abs(quick_elbo(f, q, np.random.default_rng(1)) - 3.0) < 1e-3


@pytest.mark.parametrize(
    ("family", "method"), [(FULL, "natural"), (DIAGONAL, "natural"), (SHARED_SCALE, "lbfgs"), (FULL, "lbfgs")]
)
def test_two_components_find_two_peaks(family, method):
    f = two_bumps()
    start = GaussianMixture(np.ones(2) / 2, np.array([[-1.0, 0.2], [1.0, 0.1]]), np.repeat(np.eye(2)[None], 2, 0))
    q = fit_mixture(f, start, np.random.default_rng(0), family=family, method=method, steps=60)
    np.testing.assert_allclose(np.sort(q.means[:, 0]), [-2.0, 2.0], atol=0.15)
    one = fit_mixture(f, GaussianMixture.single(np.zeros(2), np.eye(2)), np.random.default_rng(0))
    rng = np.random.default_rng(2)
    assert quick_elbo(f, q, rng) > quick_elbo(f, one, rng) + 0.1


def test_an_elbo_on_fresh_draws_stays_below_the_evidence_with_many_components():
    f = two_bumps()
    g = np.linspace(-8, 8, 401)
    x = np.stack(np.meshgrid(g, g, indexing="ij"), -1).reshape(-1, 2)
    values = f.constant + 0.5 * np.einsum("na,ab,nb->n", x, f.quadratic, x)
    for amplitude, center in zip(f.amplitudes, f.centers, strict=True):
        values += amplitude * np.exp(-0.5 * ((x - center) ** 2).sum(1) / 0.8)
    log_z = np.log(np.exp(values).sum() * (g[1] - g[0]) ** 2)
    means = np.random.default_rng(0).standard_normal((12, 2))
    start = GaussianMixture(np.ones(12) / 12, means, np.repeat(np.eye(2)[None], 12, 0))
    q = fit_mixture(f, start, np.random.default_rng(1), steps=60)
    elbo = quick_elbo(f, q, np.random.default_rng(2), 20_000)
    assert log_z - 0.06 < elbo < log_z + 0.02


def test_natural_gradients_use_unbiased_moments_of_log_q(random_mixture):
    q = random_mixture(3, 2)
    state = FULL.unpack(FULL.pack(q), 3, 2)
    base = np.random.default_rng(0).standard_normal((3, 100_000, 2))
    moments = log_density_moments(state, base)
    shift = 1e-4
    for k in range(3):
        x = q.means[k] + base[k] @ np.linalg.cholesky(q.covariances[k]).T
        np.testing.assert_allclose(moments.value[k], q.log_density(x).mean(), atol=1e-6)
        for i in range(2):
            e = shift * np.eye(2)[i]
            slope = (q.log_density(x + e) - q.log_density(x - e)) / (2 * shift)
            np.testing.assert_allclose(moments.gradient[k, i], slope.mean(), atol=0.02)
            curve = (q.log_density(x + e) - 2 * q.log_density(x) + q.log_density(x - e)) / shift**2
            np.testing.assert_allclose(moments.hessian[k, i, i], curve.mean(), atol=0.03)


def test_a_cancelled_update_stops(gaussian_target):
    class Stop(Exception):
        pass

    def cancel() -> None:
        raise Stop

    start = GaussianMixture.single(np.zeros(3), np.eye(3))
    with pytest.raises(Stop):
        fit_mixture(gaussian_target[2], start, np.random.default_rng(0), cancel=cancel)


def test_splitting_keeps_mean_and_covariance(random_mixture):
    q = random_mixture(2, 3)
    larger = split(q, np.random.default_rng(0))
    assert larger.components == 3
    np.testing.assert_allclose(larger.mean(), q.mean())
    np.testing.assert_allclose(larger.covariance(), q.covariance())


def test_a_mixture_grows_where_it_helps_and_not_where_it_does_not(gaussian_target):
    wells = GaussianMixture.single(np.array([-2.0, 0.0]), np.eye(2))
    q, grown = wells, False
    for i in range(4):
        q, grew = grow(two_bumps(), q, np.random.default_rng(i), steps=30)
        grown = grown or grew
    assert grown
    assert q.components >= 2
    q, grew = grow(gaussian_target[2], GaussianMixture.single(np.zeros(3), np.eye(3)), np.random.default_rng(0), steps=40)
    assert not grew
    assert q.components == 1


def test_elbo_sd_counts_the_surrogates_uncertainty(quadratic_surrogate, random_mixture):
    near, far = random_mixture(2, 3), GaussianMixture.single(np.full(3, 6.0), 4.0 * np.eye(3))
    rng = np.random.default_rng(0)
    estimate, unsure = elbo_estimate(quadratic_surrogate, near, rng), elbo_estimate(quadratic_surrogate, far, rng)
    assert estimate.sd >= estimate.expected_log_joint_sd > 0
    assert unsure.expected_log_joint_sd > 10 * estimate.expected_log_joint_sd
    np.testing.assert_allclose(estimate.value, estimate.expected_log_joint + estimate.entropy)


def test_weighted_draws_give_a_mixture_with_their_moments(random_mixture):
    truth = random_mixture(2, 2, seed=4)
    x = 2.0 * np.random.default_rng(0).standard_normal((20_000, 2))
    log_w = truth.log_density(x) - GaussianMixture.single(np.zeros(2), 4 * np.eye(2)).log_density(x)
    w = np.exp(log_w - log_w.max())
    q = fit_to_draws(x, w, 5, np.random.default_rng(1), iterations=30)
    w = w / w.sum()
    np.testing.assert_allclose(q.mean(), w @ x, atol=1e-6)
    np.testing.assert_allclose(q.covariance(), np.cov(x.T, aweights=w, ddof=0), rtol=0.05, atol=0.02)
