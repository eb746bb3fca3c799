"""Intervals, modes and densities beside bounds, against scipy's distributions and a dense grid."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from bayescope.engine.answer.intervals import Curve, modes, region
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem.transforms import ParameterSpace

OPEN = ParameterSpace.from_bounds(["a"], [-np.inf], [np.inf], [-1.0], [1.0])


def in_bounds(low: float, high: float) -> ParameterSpace:
    return ParameterSpace.from_bounds(["a"], [low], [high], [low + 0.2], [low + 0.8])


def of_draws(space: ParameterSpace, theta: np.ndarray, weights: np.ndarray | None = None) -> StoredPosterior:
    u = space.to_inference(theta[:, None])
    return StoredPosterior(space, [1.0], [u.mean(0)], [np.cov(u.T).reshape(1, 1) + 1e-9], u, weights, "draws")


def of_mixture(weights, means, sds) -> StoredPosterior:
    return StoredPosterior(OPEN, weights, np.reshape(means, (-1, 1)), np.square(np.reshape(sds, (-1, 1, 1))))


def shortest_of(dist, level: float) -> tuple[float, float]:
    """By minimizing the width over the left tail's mass, with scipy's quantiles."""
    found = optimize.minimize_scalar(
        lambda p: dist.ppf(p + level) - dist.ppf(p), bounds=(0.0, 1.0 - level), method="bounded", options={"xatol": 1e-9}
    )
    return float(dist.ppf(found.x)), float(dist.ppf(found.x + level))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_an_equal_tailed_interval_lies_between_the_quantiles(level: float) -> None:
    space = ParameterSpace.from_bounds(["a"], [0.0], [np.inf], [0.5], [2.0])
    ((found,),) = StoredPosterior(space, [1.0], [[0.3]], [[[0.25]]]).intervals(level)
    assert found == pytest.approx(stats.lognorm(0.5, scale=np.exp(0.3)).interval(level), rel=1e-8)
    draws = stats.norm(3, 2).rvs(20_000, random_state=1)
    ((found,),) = of_draws(OPEN, draws).intervals(level)
    assert found == pytest.approx(np.quantile(draws, [0.5 - level / 2, 0.5 + level / 2]), abs=0.06)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_the_shortest_interval_of_a_skewed_density_is_that_found_by_minimizing_its_width(level: float) -> None:
    space = ParameterSpace.from_bounds(["a"], [0.0], [np.inf], [0.5], [2.0])
    truth = stats.lognorm(0.5, scale=np.exp(0.3))
    ((found,),) = StoredPosterior(space, [1.0], [[0.3]], [[[0.25]]]).intervals(level, "shortest")
    a, b = shortest_of(truth, level)
    assert found[1] - found[0] == pytest.approx(b - a, rel=1e-4)
    assert truth.cdf(found[1]) - truth.cdf(found[0]) == pytest.approx(level, abs=1e-6)


def test_the_shortest_interval_of_a_density_that_is_highest_on_a_bound_begins_there() -> None:
    truth = stats.truncexpon(10.0)
    draws = truth.rvs(8000, random_state=2)
    ((low, high),) = of_draws(in_bounds(0.0, 10.0), draws).intervals(0.9, "shortest")[0]
    assert low == pytest.approx(0.0, abs=1e-3)
    assert high == pytest.approx(truth.ppf(0.9), abs=0.1)


def test_of_a_flat_density_the_shortest_is_in_the_middle_or_as_short_as_any() -> None:
    space = in_bounds(0.0, 1.0)
    posterior = StoredPosterior(space, [1.0], [[0.0]], [[[1.0]]])  # the probit of a standard normal
    ((low, high),) = posterior.intervals(0.5, "shortest")[0]
    assert high - low == pytest.approx(0.5, abs=2e-3)
    assert (low, high) == pytest.approx((0.25, 0.75), abs=0.02)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n", [60, 400, 8000])
@pytest.mark.parametrize("dist", [stats.norm(), stats.t(3), stats.gamma(1.5), stats.uniform()], ids=["n", "t", "gamma", "u"])
def test_draws_of_one_mode_never_give_an_interval_in_pieces(dist, n: int, seed: int) -> None:
    low, high = dist.support()
    space = ParameterSpace.from_bounds(["a"], [low], [high], [max(low, -1) + 0.1], [min(high, 3) - 0.1])
    posterior = of_draws(space, dist.rvs(n, random_state=seed))
    assert posterior.modes() == [1]
    for level in (0.5, 0.7, 0.9, 0.95):
        assert len(posterior.intervals(level, "shortest")[0]) == 1


def test_one_heavy_draw_is_no_mode() -> None:
    rng = np.random.default_rng(0)
    draws, weights = rng.normal(size=4000), np.ones(4000)
    draws[0], weights[0] = 6.0, 200.0  # 5 % of the mass, six sds away
    assert of_draws(OPEN, draws, weights).modes() == [1]


@pytest.mark.parametrize("seed", range(5))
def test_draws_that_a_chain_repeats_are_no_modes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kept = rng.normal(size=60)
    draws = np.repeat(kept, rng.integers(1, 120, 60))  # thousands, of which 60 are different
    posterior = of_draws(OPEN, draws)
    assert posterior.modes() == [1]
    assert all(len(posterior.intervals(level, "shortest")[0]) == 1 for level in (0.5, 0.7, 0.9, 0.95))
    assert posterior.relative_error > 0.1


def test_two_separate_modes_give_two_pieces_that_hold_the_level() -> None:
    rng = np.random.default_rng(1)
    draws = np.concatenate([rng.normal(-3, 0.5, 3000), rng.normal(3, 1.0, 5000)])
    truth = lambda x: 0.375 * stats.norm(-3, 0.5).cdf(x) + 0.625 * stats.norm(3, 1.0).cdf(x)  # noqa: E731
    for posterior in (of_draws(OPEN, draws), of_mixture([0.375, 0.625], [-3, 3], [0.5, 1.0])):
        assert posterior.modes() == [2]
        parts = posterior.intervals(0.9, "shortest")[0]
        assert len(parts) == 2
        assert sum(truth(b) - truth(a) for a, b in parts) == pytest.approx(0.9, abs=0.015)
        assert len(posterior.intervals(0.9)[0]) == 1


def test_the_pieces_of_two_modes_are_those_of_a_dense_grid() -> None:
    x = np.linspace(-8, 12, 200_001)
    f = 0.4 * stats.norm(-3, 0.7).pdf(x) + 0.6 * stats.norm(4, 1.5).pdf(x)
    ordered = np.sort(f)[::-1]
    height = ordered[np.searchsorted(np.cumsum(ordered), 0.9 * ordered.sum())]
    inside = np.flatnonzero(np.diff((f >= height).astype(int)))
    parts = of_mixture([0.4, 0.6], [-3, 4], [0.7, 1.5]).intervals(0.9, "shortest")[0]
    assert np.ravel(parts) == pytest.approx(x[inside], abs=0.02)


def test_a_dip_that_the_eye_does_not_see_as_a_gap_is_filled() -> None:
    shoulder = of_mixture([0.5, 0.5], [-1.2, 1.2], [1.0, 1.0])  # its valley is at 88 % of its peaks
    assert shoulder.modes() == [1]
    assert len(shoulder.intervals(0.3, "shortest")[0]) == 1


def test_a_mode_of_less_than_a_hundredth_is_not_listed() -> None:
    assert of_mixture([0.994, 0.006], [0, 9], [1.0, 0.3]).modes() == [1]
    assert of_mixture([0.97, 0.03], [0, 9], [1.0, 0.3]).modes() == [2]


def test_where_a_shallow_peak_lies_between_two_modes_the_deeper_valley_parts_them() -> None:
    height = np.array([1, 5, 9, 5, 0.5, 1.5, 1.2, 1.4, 5, 8, 5, 1.0])
    curve = Curve(np.arange(13.0), height / height.sum(), height, np.zeros(12))
    found = modes(curve)
    assert found == [slice(0, 4), slice(4, 12)]
    pieces = region(curve, found, 0.6)
    assert len(pieces) == 2
    cdf = np.concatenate([[0.0], np.cumsum(curve.mass)])
    assert sum(np.diff(np.interp(p, curve.ends, cdf))[0] for p in pieces) == pytest.approx(0.6, abs=1e-9)


def test_pieces_whose_gap_has_closed_are_one() -> None:
    apart = of_mixture([0.5, 0.5], [-2.2, 2.2], [1.0, 1.0])
    assert apart.modes() == [2]
    assert [len(apart.intervals(level, "shortest")[0]) for level in (0.5, 0.8, 0.99)] == [2, 2, 1]


@example([(1.0, 2.0, 1.0), (1.0, -5.0, 1.5)], 0.98828125)  # with the gap filled in it would be longer than the central one
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.05, 1), st.floats(-5, 5), st.floats(0.1, 2)), min_size=1, max_size=6),
    st.floats(0.1, 0.99),
)
def test_intervals_of_any_mixture_hold_their_level_and_are_nested_in_order(parts, level: float) -> None:
    w, m, s = (np.array(v) for v in zip(*parts, strict=True))
    posterior = of_mixture(w, m, s)
    cdf = lambda x: float(w / w.sum() @ stats.norm(m, s).cdf(x))  # noqa: E731
    ((low, high),) = posterior.intervals(level)[0]
    assert (cdf(low), cdf(high)) == pytest.approx((0.5 - level / 2, 0.5 + level / 2), abs=1e-6)
    pieces = posterior.intervals(level, "shortest")[0]
    assert 1 <= len(pieces) <= posterior.modes()[0] <= len(w)
    assert all(a < b for a, b in pieces)
    assert all(x[1] < y[0] for x, y in pairwise(pieces))
    left_out = 0.01 * (posterior.modes()[0] - len(pieces))
    joined = 0.005 * (posterior.modes()[0] - len(pieces))
    assert level - left_out - 0.003 <= sum(cdf(b) - cdf(a) for a, b in pieces) <= level + joined + 0.003
    assert sum(b - a for a, b in pieces) <= (high - low) * 1.02


BOUNDED = {
    "exponential": (stats.truncexpon(10.0), 0.0, 10.0),
    "half normal": (stats.truncnorm(0.0, 5.0), 0.0, 5.0),
    "peak beside the bound": (stats.truncnorm(-0.5, 9.5, 0.5), 0.0, 10.0),
    "uniform": (stats.uniform(), 0.0, 1.0),
    "rising": (stats.triang(1.0), 0.0, 1.0),
    "half open": (stats.halfnorm(), 0.0, np.inf),
}


@pytest.mark.parametrize("name", BOUNDED)
def test_a_density_beside_a_hard_bound_is_that_of_the_truncated_distribution(name: str) -> None:
    truth, low, high = BOUNDED[name]
    space = ParameterSpace.from_bounds(["a"], [low], [high], [0.2], [0.8])
    posterior = of_draws(space, truth.rvs(8000, random_state=1))
    top = truth.pdf(truth.ppf(np.linspace(0.001, 0.999, 999))).max()
    at = np.concatenate([truth.ppf([1e-6, 1e-4, 1e-3, 0.01]), truth.ppf([0.99, 0.999, 0.9999])])
    assert posterior.density(0, at) / top == pytest.approx(truth.pdf(at) / top, abs=0.09)
    x, density = posterior.marginal(0)
    assert np.abs(density - truth.pdf(x)).max() < 0.09 * top
    assert x[0] == pytest.approx(low, abs=1e-3), "the curve goes up to the bound"
    assert np.trapezoid(density, x) == pytest.approx(1.0, abs=0.01)


def test_a_gaussian_component_that_falls_off_on_a_full_bound_is_drawn_without_the_dip() -> None:
    """Uniform on [0, 1], its probit fitted by narrower normals: the mixture itself goes to zero at both bounds."""
    space = in_bounds(0.0, 1.0)
    posterior = StoredPosterior(space, [0.5, 0.5], [[-0.55], [0.55]], [[[0.6]], [[0.6]]])
    z = space.to_inference(np.array([[1e-7]]))[0, 0]
    mixture = 0.5 * (stats.norm(-0.55, 0.6**0.5).pdf(z) + stats.norm(0.55, 0.6**0.5).pdf(z)) / stats.norm().pdf(z)
    assert mixture < 0.1
    found = posterior.density(0, np.array([1e-7, 1e-4, 1e-3, 0.5, 1 - 1e-3]))
    assert (found > 0.7).all()
    nodes, weights = np.polynomial.legendre.leggauss(100)  # in each piece
    edges = np.array([0.0, 1e-4, 0.01, 0.08, 0.3, 0.7, 0.92, 0.99, 1.0 - 1e-4, 1.0])
    half = 0.5 * np.diff(edges)[:, None]
    at = edges[:-1, None] + half * (1.0 + nodes)
    total = float((half * weights * posterior.density(0, at.ravel()).reshape(at.shape)).sum())
    assert total == pytest.approx(1.0, abs=0.003)


def test_a_pair_on_its_bounds_is_as_high_there_as_in_the_middle() -> None:
    space = ParameterSpace.from_bounds(["a", "b"], [0.0, 0.0], [1.0, 1.0], [0.2, 0.2], [0.8, 0.8])
    draws = space.to_inference(np.random.default_rng(3).random((20_000, 2)))
    posterior = StoredPosterior(space, [1.0], np.zeros((1, 2)), [np.eye(2)], draws, None, "draws")
    x, y, density = posterior.pair(0, 1, 32)
    assert (x[0], x[-1], y[0]) == pytest.approx((1 / 64, 63 / 64, 1 / 64), abs=2e-3), "middles of cells that fill the square"
    assert density.sum() / 32**2 == pytest.approx(1.0, abs=0.02)
    edges = np.concatenate([density[0], density[-1], density[:, 0], density[:, -1]])
    assert edges.mean() == pytest.approx(1.0, abs=0.08)
    assert edges.min() > 0.5
