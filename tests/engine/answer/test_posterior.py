"""Curves and numbers of the stored posterior against independent computations (scipy, plain Monte Carlo)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import integrate, stats

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem.definition import HalfCauchy, LogNormal, Normal, Parameter, Uniform
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.protocol import Blob, SnapshotReady

SPACE = ParameterSpace(
    [
        Parameter(name="plain", prior=Normal(mean=0.0, sd=10.0)),
        Parameter(name="positive", prior=LogNormal(log_mean=0.0, log_sd=1.0)),
        Parameter(name="bounded", prior=Uniform(low=-1.0, high=3.0), lower=-1.0, upper=3.0),
        Parameter(name="constant", prior=Normal(mean=0.0, sd=1.0), fixed=2.0),
    ]
)


def mixture(preferred="mixture", n=6000, seed=1):
    rng = np.random.default_rng(seed)
    weights = np.array([0.3, 0.7])
    means = np.array([[-2.0, 0.2, -0.5], [2.0, 0.5, 0.4]])
    roots = rng.normal(size=(2, 3, 3)) * 0.25 + 0.5 * np.eye(3)
    covariances = roots @ roots.transpose(0, 2, 1)
    draws = None
    if preferred == "draws":
        which = rng.choice(2, size=n, p=weights)
        draws = means[which] + np.einsum("nij,nj->ni", roots[which], rng.normal(size=(n, 3)))
    return StoredPosterior(SPACE, weights, means, covariances, draws, None, preferred)


@pytest.mark.parametrize("preferred", ["mixture", "draws"])
@pytest.mark.parametrize("i", [0, 1, 2])
def test_a_marginal_integrates_to_one_and_matches_a_fine_histogram(preferred, i):
    posterior = mixture(preferred)
    x, density = posterior.marginal(i)
    assert x.shape == density.shape == (256,)
    assert (np.diff(x) > 0).all()
    assert np.isfinite(density).all()
    assert np.trapezoid(density, x) == pytest.approx(1.0, abs=0.02)
    big = mixture().sample(400_000, seed=3)[:, i]
    edges = np.quantile(big, np.linspace(0.02, 0.98, 30))
    truth = np.histogram(big, edges)[0] / len(big)
    mass = [
        integrate.quad(lambda t: posterior.density(i, t)[0], a, b, limit=80)[0] for a, b in itertools.pairwise(edges)
    ]
    total_variation = 0.5 * np.abs(np.array(mass) - truth).sum()
    assert total_variation < (0.004 if preferred == "mixture" else 0.03)


@pytest.mark.parametrize("preferred", ["mixture", "draws"])
@pytest.mark.parametrize(("i", "name", "value"), [(0, "plain", 0.0), (1, "positive", 1.2), (2, "bounded", 0.9)])
def test_the_probability_below_a_value_is_the_share_of_draws_below_it(preferred, i, name, value):
    posterior = mixture(preferred)
    big = mixture().sample(400_000, seed=3)[:, i]
    near = 0.002 if preferred == "mixture" else 0.02
    assert posterior.below(name, value) == pytest.approx(float((big < value).mean()), abs=near)


def test_nothing_lies_below_a_lower_bound_and_all_below_an_upper_one():
    posterior = mixture()
    bounds = {"positive": (-1.0, 0.0), "bounded": (-1.0, -7.0)}
    assert [posterior.below(name, v) for name, values in bounds.items() for v in values] == [0.0] * 4
    assert [posterior.below("bounded", v) for v in (3.0, 9.0)] == [1.0, 1.0]


def test_a_marginal_of_a_single_gaussian_is_the_textbook_density():
    posterior = StoredPosterior(SPACE, [1.0], [[1.0, 0.3, 0.0]], [np.diag([4.0, 0.25, 1.0])])
    x, density = posterior.marginal(0)
    np.testing.assert_allclose(density, stats.norm(1.0, 2.0).pdf(x), rtol=1e-12)
    x, density = posterior.marginal(1)
    np.testing.assert_allclose(density, stats.lognorm(0.5, scale=np.exp(0.3)).pdf(x), rtol=1e-9)
    x, density = posterior.marginal(2)  # probit of a standard normal is uniform
    np.testing.assert_allclose(density, 0.25, rtol=1e-6)


def test_a_heavy_tail_does_not_press_the_curve_together():
    space = ParameterSpace([Parameter(name="size", prior=HalfCauchy(scale=1.0))])
    posterior = StoredPosterior(space, [1.0], [[0.0]], [[[9.0]]])
    x, density = posterior.marginal(0)
    assert x[-1] < posterior.quantile(0.999)[0]
    assert np.trapezoid(density, x) > 0.95
    assert (density > 0.02 * density.max()).sum() > 20


def test_quantiles_invert_the_distribution_function():
    posterior = mixture()
    for p in (0.01, 0.25, 0.5, 0.9, 0.999):
        for i in range(3):
            q = posterior.quantile(p)[i]
            below, _ = integrate.quad(lambda t, i=i: posterior.density(i, t)[0], _low(posterior, i), q, limit=400)
            assert below + 1e-6 == pytest.approx(p, abs=2e-5)
    several = posterior.quantile([0.1, 0.5])
    np.testing.assert_allclose(several[1], posterior.median())
    assert several.shape == (2, 3)


def _low(posterior, i):
    return posterior.quantile(1e-6)[i]


@pytest.mark.parametrize("preferred", ["mixture", "draws"])
def test_moments_match_a_large_sample(preferred):
    posterior, big = mixture(preferred), mixture().sample(400_000, seed=5)
    rtol = 0.02 if preferred == "mixture" else 0.06
    np.testing.assert_allclose(posterior.mean(), big.mean(0), rtol=rtol, atol=0.05)
    np.testing.assert_allclose(posterior.sd(), big.std(0), rtol=rtol)
    np.testing.assert_allclose(posterior.correlation(), np.corrcoef(big.T), atol=rtol)


@pytest.mark.parametrize("preferred", ["mixture", "draws"])
@pytest.mark.parametrize(("i", "j"), [(0, 1), (2, 0)])
def test_a_pair_has_the_marginals_of_its_parameters(preferred, i, j):
    posterior = mixture(preferred)
    x, y, density = posterior.pair(i, j, points=80)
    assert density.shape == (80, 80)
    along_x = np.trapezoid(density, y, axis=1)
    gap = np.trapezoid(np.abs(along_x - posterior.density(i, x)), x)
    assert gap < (0.05 if preferred == "mixture" else 0.15)


def test_a_pair_puts_mass_where_the_samples_are():
    posterior = mixture("draws")
    x, y, density = posterior.pair(0, 2, points=40)
    sample = mixture().sample(100_000, seed=8)
    histogram, _, _ = np.histogram2d(sample[:, 0], sample[:, 2], bins=[_edges(x), _edges(y)], density=True)
    assert np.corrcoef(histogram.ravel(), density.ravel())[0, 1] > 0.95


def _edges(x):
    step = x[1] - x[0]
    return np.concatenate([x - step / 2, [x[-1] + step / 2]])


def test_the_highest_density_region_of_two_modes_is_two_intervals_that_hold_the_level():
    posterior = StoredPosterior(SPACE, [0.5, 0.5], [[-4.0, 0, 0], [4.0, 0, 0]], [np.eye(3), np.eye(3)])
    regions = posterior.intervals(0.9, "shortest")
    assert len(regions[0]) == 2
    assert len(regions[1]) == 1
    sample = posterior.sample(200_000, seed=2)
    for i in range(3):
        inside = sum(((sample[:, i] >= a) & (sample[:, i] <= b)).mean() for a, b in regions[i])
        assert inside == pytest.approx(0.9, abs=0.006)
    z = stats.norm.ppf(0.95)
    np.testing.assert_allclose(regions[0], [(-4 - z, -4 + z), (4 - z, 4 + z)], atol=0.03)


def test_the_region_in_the_users_units_is_shorter_than_the_central_interval_of_a_skewed_density():
    posterior = StoredPosterior(SPACE, [1.0], [[0.0, 0.0, 0.0]], [np.eye(3)])
    ((low, high),) = posterior.intervals(0.8, "shortest")[1]
    central = posterior.quantile([0.1, 0.9])[:, 1]
    assert high - low < 0.9 * (central[1] - central[0])
    assert low < central[0]


def test_samples_depend_on_the_seed_alone():
    for posterior in (mixture(), mixture("draws")):
        np.testing.assert_array_equal(posterior.sample(50, seed=4), posterior.sample(50, seed=4))
        assert not np.array_equal(posterior.sample(50, seed=4), posterior.sample(50, seed=5))
        assert posterior.sample(0, seed=1).shape == (0, 3)


def test_smoothed_draws_keep_the_spread_and_the_two_modes():
    rng = np.random.default_rng(0)
    draws = np.column_stack(
        [np.concatenate([rng.normal(-3, 0.3, 1000), rng.normal(3, 0.3, 1000)]), rng.normal(size=(2000, 2))]
    )
    posterior = StoredPosterior(SPACE, [1.0], np.zeros((1, 3)), [np.eye(3)], draws, None, "draws")
    x, density = posterior.marginal(0)
    truth = 0.5 * stats.norm(-3, 0.3).pdf(x) + 0.5 * stats.norm(3, 0.3).pdf(x)
    assert np.trapezoid(np.abs(density - truth), x) < 0.1
    x, density = posterior.marginal(2)
    spread = np.sqrt(np.trapezoid(density * (SPACE.transforms[2].to_inference(x)) ** 2, x))
    assert spread == pytest.approx(draws[:, 2].std(), rel=0.03)


def test_weighted_draws_count_with_their_weights():
    rng = np.random.default_rng(1)
    draws = rng.normal(size=(20_000, 3)) * 2.0
    weights = np.exp(-0.5 * ((draws - 1.0) ** 2 - draws**2 / 4.0).sum(1))
    posterior = StoredPosterior(SPACE, [1.0], np.zeros((1, 3)), [np.eye(3)], draws, weights, "draws")
    assert posterior.mean()[0] == pytest.approx(1.0, abs=0.05)
    assert posterior.sample(4000, 1)[:, 0].std() == pytest.approx(1.0, abs=0.06)
    x, density = posterior.marginal(0)
    assert np.trapezoid(np.abs(density - stats.norm(1, 1).pdf(x)), x) < 0.08


def test_a_snapshot_from_the_wire_and_a_stored_iteration_give_the_same_posterior():
    stored = mixture()
    snapshot = SnapshotReady(
        iteration=1, n_evaluations=5, elbo=0.0, elbo_sd=0.1, log_evidence=0.0, log_evidence_sd=0.1, converged=False,
        warm_up=False, reasons=(), weights=Blob.of(stored.weights), means=Blob.of(stored.means),
        covariances=Blob.of(stored.covariances),
    )  # fmt: skip
    other = StoredPosterior.of_iteration(SPACE, snapshot)
    np.testing.assert_array_equal(other.marginal(1)[1], stored.marginal(1)[1])


@pytest.mark.parametrize(
    ("weights", "means", "covariances"),
    [
        ([], np.zeros((0, 3)), np.zeros((0, 3, 3))),
        ([1.0], np.zeros((1, 2)), np.eye(3)[None]),
        ([1.0], np.full((1, 3), np.nan), np.eye(3)[None]),
        ([-1.0], np.zeros((1, 3)), np.eye(3)[None]),
        ([1.0], np.zeros((1, 3)), -np.eye(3)[None]),
    ],
)
def test_impossible_posteriors_are_refused(weights, means, covariances):
    with pytest.raises(ValueError):
        StoredPosterior(SPACE, weights, means, covariances)


def test_a_degenerate_posterior_still_draws():
    posterior = StoredPosterior(SPACE, [1.0], np.zeros((1, 3)), [np.diag([1e-20, 1e-18, 1e-16])])
    for i in range(3):
        x, density = posterior.marginal(i)
        assert np.isfinite(density).all()
        assert (np.diff(x) >= 0).all()
    same = np.ones((100, 3))
    posterior = StoredPosterior(SPACE, [1.0], np.zeros((1, 3)), [np.eye(3)], same, None, "draws")
    x, density = posterior.marginal(0)
    assert np.isfinite(density).all()
    assert np.isfinite(posterior.pair(0, 1)[2]).all()
