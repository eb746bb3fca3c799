"""What the data taught: contraction and information against closed forms, and the words about them."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from bayescope.engine.answer.at_bounds import at_bounds
from bayescope.engine.answer.modes import find_modes
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.taught import (
    PRELIMINARY,
    SO_FAR,
    Learnt,
    Taught,
    heavy,
    interval_words,
    leaning,
    scales_words,
    taught,
    variance,
)
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import priors
from bayescope.engine.problem.transforms import ParameterSpace


def learnt_of(parameters, means, sds, draws=None, weights=None) -> tuple[Learnt, ...]:
    """Of independent normals in inference space, or of draws there."""
    return told(parameters, [1.0], [means], [np.diag(np.square(sds))], draws, weights).learnt


def told(parameters, mass, means, covariances, draws=None, weights=None) -> Taught:
    space = ParameterSpace(parameters)
    preferred = "mixture" if draws is None else "draws"
    posterior = StoredPosterior(space, mass, np.array(means), np.array(covariances), draws, weights, preferred)
    found = taught(posterior, find_modes(posterior))
    assert found is not None
    return found


def normal(name: str = "x", mean: float = 0.0, sd: float = 1.0) -> d.Parameter:
    return d.Parameter(name=name, prior=d.Normal(mean=mean, sd=sd))


def of_normals(mean: float, sd: float) -> float:
    """KL(N(mean, sd) || N(0, 1)) in bits."""
    return (0.5 * (sd**2 + mean**2 - 1.0) - math.log(sd)) / math.log(2.0)


@pytest.mark.parametrize(("mean", "sd"), [(0.0, 1.0), (0.4, 0.1), (3.0, 0.02), (-1.0, 0.7), (0.0, 1e-6)])
def test_of_normals_contraction_and_bits_are_the_closed_forms(mean: float, sd: float) -> None:
    (row,) = learnt_of([normal()], [mean], [sd])
    assert row.contraction == pytest.approx(1.0 - sd**2, abs=1e-3 * sd**2)
    assert row.bits == pytest.approx(of_normals(mean, sd), rel=2e-3, abs=2e-3)
    assert row.prior == pytest.approx((-1.6449, 1.6449), abs=1e-3)
    assert row.posterior == pytest.approx((mean - 1.6449 * sd, mean + 1.6449 * sd), abs=1e-3)
    assert row.leans is None


@pytest.mark.parametrize(("a", "b"), [(2.0, 5.0), (30.0, 40.0), (1.0, 1.0), (1.0, 20.0), (1.5, 80.0)])
def test_of_a_beta_posterior_under_a_uniform_prior_the_information_of_draws_is_minus_its_entropy(a: float, b: float) -> None:
    parameter = d.Parameter(name="p", prior=d.Uniform(low=0.0, high=3.0))
    theta = 3.0 * stats.beta(a, b).ppf((np.arange(4000) + 0.5) / 4000)
    u = ParameterSpace([parameter]).to_inference(theta[:, None])
    (row,) = learnt_of([parameter], [0.0], [1.0], u)
    exact = stats.beta(a, b)
    assert row.contraction == pytest.approx(1.0 - 12.0 * exact.var(), abs=0.01)
    assert row.bits == pytest.approx(-exact.entropy() / math.log(2.0), abs=0.03)


def test_random_weighted_draws_tell_the_information_as_well() -> None:
    rng = np.random.default_rng(3)
    u = rng.standard_normal((6000, 1))
    weights = np.exp(-0.5 * ((u[:, 0] - 0.5) / 0.4) ** 2 + 0.5 * u[:, 0] ** 2)
    (row,) = learnt_of([normal()], [0.0], [1.0], u, weights / weights.sum())
    assert row.contraction == pytest.approx(1.0 - 0.16, abs=0.02)
    assert row.bits == pytest.approx(of_normals(0.5, 0.4), abs=0.05)


def test_information_does_not_depend_on_the_scale_and_logarithms_are_measured_as_such() -> None:
    plain = learnt_of([normal()], [0.5], [0.2])[0]
    log = learnt_of([d.Parameter(name="k", prior=d.LogNormal(log_mean=0.0, log_sd=1.0))], [0.5], [0.2])[0]
    assert log.scale == "logarithm"
    assert (log.contraction, log.bits) == pytest.approx((plain.contraction, plain.bits), abs=1e-3)
    cauchy = d.Parameter(name="t", label="Tail", prior=d.StudentT(location=0.0, scale=1.0, dof=1.0))
    row = learnt_of([cauchy], [0.0], [0.1])[0]
    scores = stats.norm.ppf(stats.cauchy.cdf(0.1 * stats.norm.ppf((np.arange(20000) + 0.5) / 20000)))
    assert row.contraction == pytest.approx(1.0 - scores.var(), abs=1e-4)
    assert scales_words([plain, row]) == "Contraction is that on the prior's own probability scale: Tail (t)."


@pytest.mark.parametrize(
    ("prior", "exact"),
    [
        (d.Uniform(low=1.0, high=3.0), stats.uniform(1, 2)), (d.Normal(mean=2.0, sd=3.0), stats.norm(2, 3)),
        (d.Gamma(shape=2.0, scale=0.5), stats.gamma(2, scale=0.5)), (d.HalfNormal(scale=2.0), stats.halfnorm(scale=2)),
        (d.Beta(a=0.5, b=3.0), stats.beta(0.5, 3)), (d.StudentT(location=1.0, scale=2.0, dof=6.0), stats.t(6, 1, 2)),
        (d.Exponential(mean=2.0), stats.expon(scale=2)),
    ],
)  # fmt: skip
def test_the_variance_of_a_prior_is_that_of_its_distribution(prior: d.Prior, exact) -> None:
    q = priors.of_parameter(d.Parameter(name="x", prior=prior))
    assert not heavy(q)
    assert variance(q) == pytest.approx(exact.var(), rel=2e-3)
    if q.lower >= 0.0:
        theta = exact.ppf((np.arange(400_000) + 0.5) / 400_000)
        assert variance(q, logarithmic=True) == pytest.approx(np.log(theta).var(), rel=5e-3)


@pytest.mark.parametrize(
    "prior", [d.HalfCauchy(scale=1.0), d.StudentT(location=0.0, scale=1.0, dof=2.0), d.InverseGamma(shape=1.5, scale=1.0)]
)
def test_a_prior_without_variance_is_known_as_one(prior: d.Prior) -> None:
    assert heavy(priors.of_parameter(d.Parameter(name="x", prior=prior)))
    assert not heavy(priors.of_parameter(d.Parameter(name="x", prior=prior, lower=0.5, upper=40.0)))


def test_a_posterior_that_a_bound_cuts_off_leans_on_it_and_one_that_falls_off_or_is_flat_does_not() -> None:
    p = (np.arange(2000) + 0.5) / 2000
    assert leaning(stats.expon(scale=0.05).ppf(p * stats.expon(scale=0.05).cdf(1.0))) == "lower"
    assert leaning(1.0 - stats.expon(scale=0.05).ppf(p * stats.expon(scale=0.05).cdf(1.0))[::-1]) == "upper"
    assert leaning(p) is None
    assert leaning(stats.beta(4, 40).ppf(p)) is None
    parameter = d.Parameter(name="w", prior=d.Uniform(low=2.0, high=4.0))
    u = ParameterSpace([parameter]).to_inference(2.0 + 0.1 * stats.expon().ppf(p[:, None] * 0.9999))
    (row,) = learnt_of([parameter], [0.0], [1.0], u)
    assert row.leans == ("lower", 2.0)
    assert row.words.endswith("leans on its lower bound 2")
    told = at_bounds([row])
    cut = "where the prior cuts the answer off: if values beyond it are possible, widen its range."
    assert told == f"w leans on its lower bound 2, {cut}"
    both = at_bounds([row, replace(row, parameter=d.Parameter(name="v", prior=parameter.prior), leans=("upper", 4.0))])
    assert both.startswith("w leans on its lower bound 2 and v on its upper bound 4, where")
    assert at_bounds([replace(row, leans=None)]) == ""


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((0.3049, 0.7049), "0.30 to 0.70"), ((0.0012, 340.0), "0.0012 to 340"), ((-340.0, -0.0012), "-340 to -0.0012"),
        ((-1.64, 1.64), "-1.6 to 1.6"), ((1000.0, 1000.6), "1000.00 to 1000.60"),
    ],
)  # fmt: skip
def test_both_ends_of_an_interval_are_seen_over_many_powers_of_ten_and_when_it_is_narrow(interval, words: str) -> None:
    assert interval_words(interval) == words


def test_a_marginal_of_several_modes_says_so() -> None:
    found = told([normal(), normal("y")], [0.5, 0.5], [[-1.0, 0.0], [1.0, 0.0]], [0.01 * np.eye(2)] * 2)
    assert found.learnt[0].words == "elsewhere than expected, but hardly known better than before, over all its 2 modes"
    assert found.learnt[1].words == "known 10 times better than before"
    assert found.learnt[0].bits == pytest.approx(of_normals(1.0, 0.1) - 1.0, abs=0.01), "one bit is left: which mode"


@settings(max_examples=60, deadline=None)
@given(st.floats(-4.0, 4.0), st.floats(-6.0, 0.5))
@example(0.0, -1.998046875)  # 99.55 times better
def test_words_never_contradict_the_figures(mean: float, log_sd: float) -> None:
    sd = 10.0**log_sd
    (row,) = learnt_of([normal()], [mean], [sd])
    said = re.search(r"known ([\d.]+) times better", row.words)
    if said is not None:
        assert float(said[1]) == pytest.approx(1.0 / sd, rel=0.06)
        assert row.contraction > 0.0
        assert row.bits > 0.0
    elif "less well" in row.words:
        assert row.contraction < 0.0
    elif row.unfelt:
        assert row.bits < 0.05
    elif "million" not in row.words:
        assert "hardly known better" in row.words
        assert 0.8 < sd < 1.25
    assert ("elsewhere" in row.words) == (row.bits >= 0.5 and row.times < 1.2)


def test_a_parameter_that_the_data_do_not_depend_on_is_named_and_one_known_only_beside_another_is_not() -> None:
    parameters = [normal(name) for name in ("k1", "k2", "k3")]
    rng = np.random.default_rng(4)
    alone, beside = rng.standard_normal((2, 6000, 3))
    alone[:, 0] *= 0.1
    weights = np.exp(-0.5 * np.square((beside[:, 0] * beside[:, 1] - 0.5) / 0.3))  # of k1 and k2 the product alone is measured
    found = told(parameters, [1.0], [np.zeros(3)], [np.eye(3)], alone, np.full(6000, 1 / 6000))
    assert [row.unfelt for row in found.learnt] == [False, True, True]
    assert found.said[0] == "The data do not depend on k2, k3."
    assert "depend" in found.learnt[1].words
    product = told(parameters, [1.0], [np.zeros(3)], [np.eye(3)], beside, weights / weights.sum())
    assert [row.unfelt for row in product.learnt] == [False, False, True]


def test_before_the_answer_is_confirmed_nothing_was_taught_and_every_sentence_says_so() -> None:
    space = ParameterSpace([normal("a"), normal("idle")])
    posterior = StoredPosterior(space, [1.0], np.array([[0.3, 0.0]]), np.diag([0.01, 1.0])[None])
    early, late = (taught(posterior, find_modes(posterior), settled=settled) for settled in (False, True))
    assert early is not None
    assert late is not None
    assert early.said[0] == PRELIMINARY
    assert all(r.words.startswith(SO_FAR) for r in early.learnt)
    assert not any(words.startswith("The data do not depend") for words in early.said)
    assert PRELIMINARY not in late.said
    assert not any(r.words.startswith(SO_FAR) for r in late.learnt)
    assert [r.posterior for r in early.learnt] == [r.posterior for r in late.learnt], "the figures are the same"
