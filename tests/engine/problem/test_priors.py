"""Every prior against scipy.stats, whole and cut at hard bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from bayescope.engine.problem import definition as d
from bayescope.engine.problem import priors
from bayescope.engine.problem.errors import ProblemError

Q = np.array([1e-9, 1e-4, 0.1, 0.25, 0.5, 0.7, 0.9, 0.9999, 1 - 1e-9])


def test_log_density_and_quantile_equal_scipy(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    prior, reference = prior_and_scipy
    x = reference.ppf(Q)
    np.testing.assert_allclose(priors.of_prior(prior).log_density(x), reference.logpdf(x), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(priors.of_prior(prior).quantile(Q), x, rtol=1e-6, atol=1e-9)


def test_distribution_functions_equal_scipy(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    prior, reference = prior_and_scipy
    distribution = priors.of_prior(prior)
    x = reference.ppf(Q)
    np.testing.assert_allclose(distribution.cdf(x), reference.cdf(x), rtol=1e-7, atol=1e-14)  # x itself is rounded
    np.testing.assert_allclose(distribution.sf(x), reference.sf(x), rtol=1e-6, atol=1e-14)
    np.testing.assert_allclose(distribution.isf(Q), reference.isf(Q), rtol=1e-6, atol=1e-9)


def test_the_density_is_zero_outside_the_support(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    prior, reference = prior_and_scipy
    low, high = priors.support(prior)
    assert (low, high) == pytest.approx(reference.support())
    outside = np.array([low - 1.0 if np.isfinite(low) else np.nan, high + 1.0 if np.isfinite(high) else np.nan])
    density = priors.of_prior(prior).log_density(outside)
    assert np.all(np.isneginf(density) == np.isfinite(outside))
    assert np.all(np.isnan(density) == np.isnan(outside))


def test_draws_follow_the_prior(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    prior, reference = prior_and_scipy
    draws = priors.of_prior(prior).sample(2000, np.random.default_rng(3))
    assert stats.kstest(draws, reference.cdf).pvalue > 1e-4


def test_a_prior_is_described_in_words(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    words = priors.describe(prior_and_scipy[0])
    assert len(words) > 10
    assert "Uniform(" not in words


def test_a_prior_cut_by_hard_bounds_is_renormalized(prior_and_scipy: tuple[d.Prior, Any]) -> None:
    prior, reference = prior_and_scipy
    low, high = (float(reference.ppf(p)) for p in (0.2, 0.75))
    for bounds in ((low, None), (None, high), (low, high)):
        parameter = d.Parameter(name="a", prior=prior, lower=bounds[0], upper=bounds[1])
        cut = priors.of_parameter(parameter)
        mass = (0.75 if bounds[1] else 1.0) - (0.2 if bounds[0] else 0.0)
        x = reference.ppf(np.array([0.21, 0.5, 0.74]))
        np.testing.assert_allclose(cut.log_density(x), reference.logpdf(x) - np.log(mass), rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(cut.cdf(cut.quantile(Q)), Q, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(cut.sf(cut.isf(Q)), Q, rtol=1e-6, atol=1e-12)
    assert np.isneginf(cut.log_density(high + 1.0))
    assert integrate.quad(lambda t: float(np.exp(cut.log_density(t))), low, high)[0] == pytest.approx(1.0, abs=1e-8)


def test_a_cut_far_in_the_tail_keeps_its_digits() -> None:
    cut = priors.of_parameter(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0), lower=20.0))
    reference = stats.truncnorm(20.0, np.inf)
    x = np.array([20.0, 20.01, 20.2])
    np.testing.assert_allclose(cut.log_density(x), reference.logpdf(x), rtol=1e-8)
    np.testing.assert_allclose(cut.quantile(Q), reference.ppf(Q), rtol=1e-8)


def test_a_very_narrow_cut_keeps_its_digits() -> None:
    cut = priors.of_parameter(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0), lower=1.0, upper=1.0 + 1e-11))
    assert float(cut.log_density(1.0 + 5e-12)) == pytest.approx(-np.log((1.0 + 1e-11) - 1.0), abs=1e-9)
    assert 1.0 <= float(cut.quantile(0.1)) <= float(cut.quantile(0.9)) <= 1.0 + 1e-11


def test_a_student_t_with_endless_degrees_of_freedom_is_normal() -> None:
    x = np.linspace(-5.0, 5.0, 11)
    prior = d.StudentT(location=0.0, scale=1.0, dof=1e12)
    np.testing.assert_allclose(priors.of_prior(prior).log_density(x), stats.norm.logpdf(x), atol=1e-7)


@pytest.mark.parametrize(
    ("prior", "word"),
    [
        (d.Uniform(low=2.0, high=1.0), "reversed"),
        (d.Uniform(low=1.0, high=1.0), "zero width"),
        (d.Uniform(low=1.0, high=1.0 + 2.3e-16), "no number lies between"),
        (d.Uniform(low=float("nan"), high=1.0), "ordinary number"),
        (d.Normal(mean=0.0, sd=0.0), "greater than zero"),
        (d.Normal(mean=0.0, sd=-1.0), "standard deviation"),
        (d.Normal(mean=float("inf"), sd=1.0), "ordinary number"),
        (d.LogUniform(low=0.0, high=1.0), "greater than zero"),
        (d.LogUniform(low=-1.0, high=1.0), "greater than zero"),
        (d.LogNormal(log_mean=1e6, log_sd=1.0), "natural logarithms"),
        (d.TruncatedNormal(mean=0.0, sd=1.0, low=1.0, high=0.0), "reversed"),
        (d.TruncatedNormal(mean=0.0, sd=1.0, low=100.0, high=101.0), "no mass"),
        (d.Gamma(shape=0.0, scale=1.0), "shape"),
        (d.Exponential(mean=-1.0), "greater than zero"),
        (d.StudentT(location=0.0, scale=1.0, dof=0.0), "degrees of freedom"),
        (d.Beta(a=1.0, b=-1.0), "second shape"),
        (d.HalfCauchy(scale=1e-320), "too small"),
        (d.Uniform(low=-1e308, high=1e308), "too large"),
    ],
)
def test_a_prior_that_is_no_density_is_explained(prior: d.Prior, word: str) -> None:
    assert any(word in sentence for _, sentence in priors.complaints(prior))
    with pytest.raises(ProblemError, match=word):
        priors.of_prior(prior)


def test_bounds_that_leave_nothing_of_the_prior_name_the_parameter() -> None:
    with pytest.raises(ProblemError, match="parameter depth"):
        priors.of_parameter(d.Parameter(name="depth", prior=d.Uniform(low=0.0, high=1.0), lower=2.0))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([d.Uniform, d.LogUniform, d.Normal, d.LogNormal, d.Beta, d.Gamma, d.InverseGamma, d.StudentT, d.HalfCauchy]),
    st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=4, max_size=4),
)
def test_any_numbers_give_a_density_or_a_sentence(kind: Any, numbers: list[float]) -> None:
    fields = kind.__struct_fields__
    prior = kind(**dict(zip(fields, numbers, strict=False)))
    assert priors.describe(prior)
    if priors.complaints(prior):
        with pytest.raises(ProblemError):
            priors.of_prior(prior)
    else:
        low, high = priors.support(prior)
        assert low < high
        with np.errstate(all="ignore"):
            assert not np.any(np.isnan(priors.of_prior(prior).log_density(np.array([-1e300, -1.0, 0.0, 1.0, 1e300]))))


@pytest.mark.parametrize(
    ("prior", "lower", "upper", "words"),
    [
        (d.Normal(mean=50.0, sd=20.0), 0.0, None, "normal with mean 50 and sd 20, cut off below 0"),
        (d.Normal(mean=0.0, sd=1.0), -1.0, 2.0, "normal with mean 0 and sd 1, cut off below -1 and above 2"),
        (d.Uniform(low=0.0, high=1.0), 0.0, 1.0, "uniform between 0 and 1"),
        (d.Uniform(low=0.0, high=1.0), -5.0, 0.5, "uniform between 0 and 1, cut off above 0.5"),
        (d.TruncatedNormal(mean=0.0, sd=1.0, low=-1.0, high=3.0), 0.0, 9.0,
         "normal with mean 0 and sd 1, cut off below 0 and above 3"),
        (d.HalfNormal(scale=2.0), 0.0, None, "half-normal with scale 2"),
        (d.Normal(mean=0.0, sd=-1.0), 0.0, None, "normal with mean 0 and sd -1, cut off below 0"),
    ],
)  # fmt: skip
def test_the_words_of_a_prior_name_the_limits_that_cut_it_off(
    prior: d.Prior, lower: float | None, upper: float | None, words: str
) -> None:
    parameter = d.Parameter(name="x", prior=prior, lower=lower, upper=upper)
    assert priors.describe_within_limits(parameter) == words
