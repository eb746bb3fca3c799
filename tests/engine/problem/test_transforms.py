"""Transforms: round trip, Jacobian against numerical differentiation, and safety far out."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.transforms import ParameterSpace

KINDS = ("automatic", "logit")
CUTS = {"none": (None, None), "below": (0.3, None), "above": (None, 0.8), "both": (0.3, 0.8)}


def spaces(prior: d.Prior, reference: Any) -> list[ParameterSpace]:
    """One space for every combination of hard bounds and transform."""
    found = []
    for (low, high), kind in itertools.product(CUTS.values(), KINDS):
        lower = None if low is None else float(reference.ppf(low))
        upper = None if high is None else float(reference.ppf(high))
        found.append(ParameterSpace([d.Parameter(name="a", prior=prior, lower=lower, upper=upper, transform=kind)]))
    return found


def test_log_jacobian_equals_numerical_differentiation(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    for space in spaces(*prior_and_scipy):
        low, high = (float(e[0]) for e in space.plausible_box())
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        u = np.linspace(middle - 2.0 * half, middle + 2.0 * half, 9)
        h = 1e-5 * half
        ahead, behind = space.to_user(u[:, None] + h), space.to_user(u[:, None] - h)
        slope = (ahead - behind)[:, 0] / (2.0 * h)
        np.testing.assert_allclose(space.log_jacobian(u[:, None]), np.log(slope), rtol=1e-6, atol=1e-6)


def test_there_and_back_is_the_same_point(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    for space in spaces(*prior_and_scipy):
        u = np.linspace(-4.0, 4.0, 17)[:, None]
        np.testing.assert_allclose(space.to_inference(space.to_user(u)), u, rtol=1e-9, atol=1e-9)
        theta = space.sample_prior(50, np.random.default_rng(0))
        np.testing.assert_allclose(space.to_user(space.to_inference(theta)), theta, rtol=1e-9, atol=1e-12)


def test_the_prior_in_inference_space_integrates_to_one(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    for space in spaces(*prior_and_scipy):
        name = space.transforms[0].name
        reach = 2000.0 if name == "identity" else 60.0
        middle = float(np.mean(space.plausible_box()))
        total = sum(
            integrate.quad(
                lambda u: float(np.exp(space.log_prior_in_inference(np.array([u])))), a, b, limit=400  # noqa: B023
            )[0]
            for a, b in ((middle - reach, middle), (middle, middle + reach))
        )
        assert total == pytest.approx(1.0, abs=2e-4)


def test_the_two_priors_differ_by_the_jacobian(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    for space in spaces(*prior_and_scipy):
        u = np.linspace(-2.0, 2.0, 7)[:, None]
        expected = space.log_prior(space.to_user(u)) + space.log_jacobian(u)
        np.testing.assert_allclose(space.log_prior_in_inference(u), expected, rtol=1e-12)


def test_far_out_everything_stays_finite_and_inside(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    u = np.array([-1e300, -1e6, -800.0, -38.0, -30.0, -8.3, 0.0, 8.3, 30.0, 38.0, 800.0, 1e6, 1e300])[:, None]
    near = np.abs(u[:, 0]) <= 30.0
    for space in spaces(*prior_and_scipy):
        with np.errstate(all="raise", under="ignore"):
            theta = space.to_user(u)
            jacobian = space.log_jacobian(u)
        with np.errstate(over="ignore"):
            log_prior = space.log_prior_in_inference(u)
        assert np.all(np.isfinite(theta))
        assert np.all((theta > space.lower) & (theta < space.upper))
        assert np.all(np.diff(theta[:, 0]) >= 0.0)
        assert np.all(np.isfinite(jacobian))
        assert not np.any(np.isnan(log_prior))
        assert np.all(np.isfinite(log_prior[near]))
        assert np.all(np.isfinite(space.to_inference(theta)))


def test_a_single_point_gives_what_a_batch_gives(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    other = d.Parameter(name="b", prior=d.Uniform(low=0, high=1))
    space = ParameterSpace([d.Parameter(name="a", prior=prior_and_scipy[0]), other])
    u = np.random.default_rng(1).normal(size=(4, 2))
    for method in (space.log_jacobian, space.log_prior_in_inference):
        np.testing.assert_allclose([float(method(x)) for x in u], method(u), rtol=1e-13)
    np.testing.assert_allclose([space.to_user(x) for x in u], space.to_user(u), rtol=1e-15)
    np.testing.assert_allclose([float(space.log_prior(space.to_user(x))) for x in u], space.log_prior(space.to_user(u)))


def test_a_uniform_prior_is_a_standard_normal_in_inference_space() -> None:
    for prior in (d.Uniform(low=-3.0, high=7.0), d.LogUniform(low=1e-6, high=1e3)):
        space = ParameterSpace([d.Parameter(name="a", prior=prior)])
        u = np.linspace(-6.0, 6.0, 13)
        np.testing.assert_allclose(space.log_prior_in_inference(u[:, None]), stats.norm.logpdf(u), atol=1e-10)


def test_logit_is_the_sigmoid_of_the_source() -> None:
    space = ParameterSpace([d.Parameter(name="ts", prior=d.Uniform(low=0.0, high=0.4), transform="logit")])
    u = np.linspace(-5.0, 5.0, 11)[:, None]
    np.testing.assert_allclose(space.to_user(u), 0.4 / (1.0 + np.exp(-u)), rtol=1e-13)


def test_the_default_box_holds_the_central_mass_of_the_prior(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    prior, reference = prior_and_scipy
    space = ParameterSpace([d.Parameter(name="a", prior=prior)])
    low, high = (space.to_user(corner)[0] for corner in space.plausible_box())
    assert (low, high) == pytest.approx((reference.ppf(0.1), reference.ppf(0.9)), rel=1e-6)


def test_the_users_plausible_range_overrides_the_default() -> None:
    space = ParameterSpace([d.Parameter(name="a", prior=d.HalfCauchy(scale=1.0), plausible=(0.2, 0.5))])
    low, high = space.plausible_box()
    assert (float(low[0]), float(high[0])) == pytest.approx((np.log(0.2), np.log(0.5)))


@pytest.mark.parametrize("prior", [d.Uniform(low=0.0, high=1.0), d.LogUniform(low=1e-3, high=1.0), d.Beta(a=0.5, b=0.5)])
def test_a_plausible_range_that_touches_the_bounds_is_moved_inside(prior: d.Prior) -> None:
    low_bound = 1e-3 if isinstance(prior, d.LogUniform) else 0.0
    for end in (1.0, low_bound + 1e-4):
        space = ParameterSpace([d.Parameter(name="a", prior=prior, plausible=(low_bound, end))])
        low, high = space.plausible_box()
        assert -6.0 < low[0] < high[0] < 6.0


def test_fixed_parameters_are_among_the_values_but_not_in_the_space() -> None:
    parameters = [
        d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),
        d.Parameter(name="b", prior=d.Uniform(low=0.0, high=1.0), fixed=0.25),
        d.Parameter(name="c", prior=d.Normal(mean=0.0, sd=1.0)),
    ]
    space = ParameterSpace(parameters)
    assert space.names == ("a", "c")
    assert space.dimension == 2
    values = space.values([0.0, 1.5])
    assert values == {"a": pytest.approx(0.5), "b": 0.25, "c": 1.5}
    assert list(values) == ["a", "b", "c"]
    assert space.point(values) == pytest.approx([0.5, 1.5])


def test_a_space_of_bounds_only_is_flat() -> None:
    inf = np.inf
    lower, upper = [-inf, 0, -1, -inf], [inf, inf, 1, 5]
    space = ParameterSpace.from_bounds(["a", "b", "c", "d"], lower, upper, [-1, 0, -1, 0], [1, 2, 0.5, 4])
    u = np.random.default_rng(0).normal(size=(5, 4))
    assert np.all(space.log_prior(space.to_user(u)) == 0.0)
    np.testing.assert_allclose(space.log_prior_in_inference(u), space.log_jacobian(u))
    low, high = space.plausible_box()
    assert np.all(np.isfinite(low))
    assert np.all(low < high)
    draws = space.sample_prior(100, np.random.default_rng(0))
    assert np.all((draws > space.lower) & (draws < space.upper))
    assert np.isneginf(float(space.log_prior([0.0, -1.0, 0.0, 0.0])))


@pytest.mark.parametrize(
    ("lower", "upper", "a", "b"),
    [(1, 0, 0.2, 0.5), (0, 1, 0.5, 0.5), (0, 1, 0.2, 1.5), (0, np.nan, 0.1, 0.2), (0, np.inf, 1, np.inf)],
)
def test_bounds_and_ranges_that_contradict_each_other_are_explained(lower: float, upper: float, a: float, b: float) -> None:
    with pytest.raises(ProblemError, match="parameter x"):
        ParameterSpace.from_bounds(["x"], lower, upper, a, b)


def test_a_value_outside_the_bounds_has_no_place_in_inference_space() -> None:
    space = ParameterSpace([d.Parameter(name="depth", prior=d.Uniform(low=0.0, high=1.0))])
    with pytest.raises(ProblemError, match="depth"):
        space.to_inference([1.5])
    assert np.all(np.isfinite(space.to_inference([[0.0], [1.0]])))
    assert np.isneginf(float(space.log_prior([1.5])))


def test_a_wrong_shape_is_refused() -> None:
    space = ParameterSpace([d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0))])
    with pytest.raises(ValueError, match="shape"):
        space.to_user(np.zeros((3, 2)))


def test_nothing_free_is_an_error() -> None:
    with pytest.raises(ProblemError, match="No parameter is free"):
        ParameterSpace([d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0), fixed=1.0)])


finite = st.floats(-1e12, 1e12)


@settings(max_examples=50, deadline=None)
@given(
    st.one_of(st.none(), finite), st.one_of(st.none(), finite), st.floats(-30.0, 30.0),
    st.floats(0.1, 0.9), st.floats(0.01, 100.0), st.sampled_from(["probit", "logit"]),
)  # fmt: skip
def test_any_bounds_are_kept(
    lower: float | None, upper: float | None, u: float, share: float, sd: float, kind: Any
) -> None:
    mean = share * (0.0 if lower is None else lower) + (1.0 - share) * (0.0 if upper is None else upper)
    parameter = d.Parameter(name="a", prior=d.Normal(mean=mean, sd=sd), lower=lower, upper=upper, transform=kind)
    try:
        space = ParameterSpace([parameter])
    except ProblemError:
        return
    theta = space.to_user([u])
    assert space.lower[0] < theta[0] < space.upper[0]
    assert np.isfinite(float(space.log_jacobian([u])))
    assert np.isfinite(float(space.log_prior_in_inference([u])))
    again = space.to_user(space.to_inference(theta))
    size = max(abs(theta[0]), abs(lower or 0.0), abs(upper or 0.0), 1e-300)
    assert abs(again[0] - theta[0]) <= 1e-9 * size
