"""Which combinations of parameters the data know, against exact normals."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayescope.engine.answer.combinations import MUCH, Combination, find_combinations
from bayescope.engine.answer.modes import find_modes
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.taught import taught
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace

NAMES, N = ["a", "b", "c"], 4000
RNG = np.random.default_rng(8)


def after(prior: np.ndarray, known: list[tuple[np.ndarray, float]]) -> np.ndarray:
    """Covariance of a normal of independent ``prior`` variances after linear measurements (direction, sd)."""
    precision = np.diag(1.0 / prior)
    for direction, sd in known:
        precision = precision + np.outer(direction, direction) / sd**2
    return np.linalg.inv(precision)


def draws(covariance: np.ndarray) -> np.ndarray:
    """Whose sample covariance is exactly this one."""
    z = RNG.standard_normal((N, len(covariance)))
    z -= z.mean(axis=0)
    white = np.linalg.solve(np.linalg.cholesky(z.T @ z / N), z.T)
    return (np.linalg.cholesky(covariance) @ white).T


def found_of(theta: np.ndarray, prior=None, prior_of_logs=None) -> tuple[Combination, ...]:
    nothing = np.full(theta.shape[1], np.nan)
    return find_combinations(
        theta, np.full(len(theta), 1.0 / len(theta)), nothing if prior is None else prior,
        nothing if prior_of_logs is None else prior_of_logs,
    )  # fmt: skip


def test_only_a_product_is_known_and_the_ratio_is_left_open() -> None:
    prior = np.full(2, 0.16)
    (one,) = found_of(np.exp(draws(after(prior, [(np.array([1.0, 1.0]), 0.03)]))), prior_of_logs=prior)
    assert one.fixed.powers == (1.0, 1.0)
    assert one.fixed.sd == pytest.approx(0.03, rel=0.01)
    assert one.fixed.times == pytest.approx(math.sqrt(0.32) / one.fixed.sd, rel=1e-9)
    assert one.open is not None
    assert one.open.times == pytest.approx(1.0, abs=1e-6), "nothing was measured of it"
    assert one.words(["k1", "k2"], ["1/s", "1/s"]) == (
        "The product k1 × k2 is known best, to 3 %; each alone to 28 %. "
        "Left open is the ratio k1 / k2: hardly known better than before."
    )


@pytest.mark.parametrize(
    ("powers", "words"),
    [
        ((1, -1), "ratio a / b"), ((2, 1), "combination a² × b"), ((1, -3), "combination a / b³"),
        ((1, 0.7), "combination a × b^0.7"),
    ],
)  # fmt: skip
def test_of_logarithms_powers_are_told(powers: tuple[float, ...], words: str) -> None:
    prior = np.full(2, 1.0)
    (one,) = found_of(np.exp(draws(after(prior, [(np.array(powers), 0.02)]))), prior_of_logs=prior)
    assert f"the {words} is known" in one.words(NAMES, ["", ""]).lower()
    assert np.array(one.fixed.powers) == pytest.approx(powers)


@pytest.mark.parametrize(
    ("weights", "words"), [((1, 1), "sum a + b"), ((1, -1), "difference a − b"), ((1, 40), "combination a + 40 b")]
)
def test_of_values_sums_are_told_in_their_unit(weights: tuple[float, ...], words: str) -> None:
    prior = np.array([100.0, 100.0 / weights[1] ** 2])
    theta = draws(after(prior, [(np.array(weights, dtype=float), 0.5)]))
    (one,) = found_of(theta, prior=prior)
    said = one.words(NAMES, ["mm", "mm"])
    assert said.startswith(f"The {words} is known best, to ±0.5 mm; ")
    assert "mm" not in one.words(NAMES, ["mm", "s"]).split(";")[0], "of two units there is none"


def test_the_least_known_direction_is_not_one_parameter_under_the_name_of_a_difference() -> None:
    """Where one range is 30 times the other, a − b is −b: it is told with its factor, as what is known best is."""
    prior = np.square([0.09, 2.9])
    theta = draws(after(prior, [(np.array([1.0, 0.008]), 0.0014), (np.array([1.0, -0.03]), 0.04)]))
    (one,) = found_of(theta, prior=prior)
    said = one.words(NAMES, ["", ""])
    assert "the combination a + 0.008" in said.lower()
    assert "the difference a − b" not in said
    assert one.open is not None
    parts = np.abs(one.open.powers) * np.sqrt(prior)
    assert parts.min() > 0.2 * parts.max()


def test_parameters_of_different_units_are_added_in_standard_deviations_of_their_own() -> None:
    """Conductivity + 3.1 Film coefficient means nothing: their units differ."""
    prior = np.array([1e4, 1e4 / 40.0**2])
    theta = draws(after(prior, [(np.array([1.0, 40.0]), 5.0)]))
    (one,) = found_of(theta, prior=prior)
    ratio = 40.0 * one.alone[1] / one.alone[0]
    of_own = np.var(theta[:, 0] / one.alone[0] + ratio * theta[:, 1] / one.alone[1]) ** 0.5  # independent of the module
    said = one.words(NAMES, ["W/(m K)", "W/m2"])
    assert one.open is not None
    assert ",," not in said
    assert ",:" not in said
    assert said.startswith(f"The combination a + {'' if f'{ratio:.2g}' == '1' else f'{ratio:.2g} '}b, each in standard ")
    assert f"is known best, to ±{of_own:.2g} of them;" in said
    assert "b alone to ±1.8 W/m²" in said
    assert "each in standard deviations of its own" in one.name(NAMES, ["W/(m K)", "W/m2"])
    assert one.name(NAMES, ["W/m2", "W/m2"]) == "the combination a + 40 b"


def test_large_and_small_sizes_are_written_as_people_do() -> None:
    prior = np.full(2, 1.0)
    for scale, words in ((300.0, "±210 W/m²"), (3e-5, "±2.1 × 10⁻⁵ W/m²")):
        theta = scale * draws(after(prior, [(np.array([1.0, 1.0]), 0.001)]))
        (one,) = found_of(theta, prior=prior * scale**2)
        assert f"each alone to {words}" in one.words(NAMES, ["W/m2", "W/m2"])


def test_between_logarithms_and_values_the_scale_in_which_the_ridge_is_straight_is_taken() -> None:
    share = np.linspace(0.1, 0.9, N)
    noise = 0.002 * RNG.standard_normal(N)
    sums = np.stack([share, 1.0 + noise - share], axis=1)
    products = np.stack([share, 0.1 / share * np.exp(noise)], axis=1)
    priors = {"prior": np.full(2, 1 / 12), "prior_of_logs": np.full(2, 1.0)}
    assert found_of(sums, **priors)[0].fixed.words(NAMES) == "the sum a + b"
    assert found_of(products, **priors)[0].fixed.words(NAMES) == "the product a × b"


def test_a_product_of_three_shows_in_no_pair_and_is_told_of_all() -> None:
    prior = np.full(3, 0.25)
    (one,) = found_of(np.exp(draws(after(prior, [(np.array([1.0, 1.0, -1.0]), 0.01)]))), prior_of_logs=prior)
    assert one.fixed.members == (0, 1, 2)
    assert one.fixed.words(NAMES) == "the combination a × b / c"


def test_a_pair_among_others_is_told_once_and_what_is_known_alone_not_at_all() -> None:
    prior = np.full(3, 1.0)
    covariance = after(prior, [(np.array([1.0, 1.0, 0.0]), 0.02), (np.array([0.0, 0.0, 1.0]), 0.05)])
    found = found_of(np.exp(draws(covariance)), prior_of_logs=prior)
    assert [c.fixed.members for c in found] == [(0, 1)]
    assert found_of(np.exp(draws(np.diag([0.01, 1e-4, 0.5]))), prior_of_logs=prior) == ()


def test_where_each_is_known_well_too_the_combination_is_not_said_to_be_all_that_is_known() -> None:
    prior = np.full(2, 1.0)
    covariance = after(prior, [(np.array([1.0, 1.0]), 0.001), (np.array([1.0, 0.0]), 0.02)])
    (one,) = found_of(np.exp(draws(covariance)), prior_of_logs=prior)
    assert one.words(NAMES, ["", ""]).startswith("The product a × b is known best, to 0.1 %; each alone to 2 %. Even the ")
    assert one.words(NAMES, ["", ""], best=False).startswith("The product a × b is known well too, to 0.1 %; each alone")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4), st.floats(-3.0, 0.0))
def test_what_is_said_is_true_of_the_combination_that_is_named(seed: int, size: int, log_sd: float) -> None:
    rng = np.random.default_rng(seed)
    prior = np.exp(rng.uniform(-3.0, 1.0, size))
    covariance = after(prior, [(rng.standard_normal(size), 10.0**log_sd), (rng.standard_normal(size), 0.3)])
    titles = [f"p{i}" for i in range(size)]
    for c in found_of(np.exp(draws(covariance)), prior_of_logs=prior):
        members, powers = list(c.fixed.members), np.array(c.fixed.powers)
        part = covariance[np.ix_(members, members)]
        sd = math.sqrt(powers @ part @ powers)
        alone = np.abs(powers) * np.sqrt(np.diag(part))
        assert c.fixed.sd == pytest.approx(sd, rel=1e-6)
        assert alone.min() / sd >= MUCH * (1 - 1e-9), "each part is much less well known"
        assert c.fixed.times == pytest.approx(math.sqrt(powers**2 @ prior[members]) / sd, rel=1e-6)
        said = c.words(titles, [""] * size)
        told = re.search(r"\(to ([\d.]+) %\)", said)
        if told is not None:
            assert float(told[1]) == pytest.approx(100 * sd, rel=0.06)
        if said.startswith("Only"):
            assert (np.sqrt(prior[members] / np.diag(part)) < MUCH).all()


def test_combinations_of_an_answer_are_those_within_each_of_its_modes() -> None:
    parameters = [d.Parameter(name=n, prior=d.LogNormal(log_mean=0.0, log_sd=0.5)) for n in ("k1", "k2")]
    ridge = after(np.full(2, 0.25), [(np.array([1.0, 1.0]), 0.01)])
    for means, start in (([[0.0, 0.0]], "The product"), ([[6.0, 6.0], [-6.0, -6.0]], "Within mode 1: ")):
        covariances = np.array([ridge] * len(means))
        posterior = StoredPosterior(ParameterSpace(parameters), np.ones(len(means)), np.array(means), covariances)
        found = taught(posterior, find_modes(posterior))
        assert found is not None
        assert len(found.sentences) == len(means)
        assert found.sentences[0].startswith(start)
        assert "Left open is the ratio" in found.sentences[0]
        assert "product k1 × k2" in found.sentences[-1]


@pytest.mark.parametrize(
    ("r", "tied"),
    [(0.93, "(correlation +0.93): to know one would make the other 2.7 times"), (-0.93, "correlation −0.93"), (0.2, "")],
)
def test_where_no_combination_is_known_much_better_strong_correlations_are_said_all_the_same(r: float, tied: str) -> None:
    parameters = [d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in ("k1", "k2")]
    covariance = 0.01 * np.array([[[1.0, r], [r, 1.0]]])
    posterior = StoredPosterior(ParameterSpace(parameters), np.ones(1), np.zeros((1, 2)), covariance)
    found = taught(posterior, find_modes(posterior))
    assert found is not None
    (said,) = found.said
    assert said.startswith("No combination of parameters is known much better than its parts")
    assert tied in said
    assert ("tied" in said) == bool(tied)


def test_a_mode_without_a_combination_says_so_beside_one_that_has_some() -> None:
    parameters = [d.Parameter(name=n, prior=d.LogNormal(log_mean=0.0, log_sd=0.5)) for n in ("k1", "k2")]
    covariances = np.array([np.diag([0.01, 0.01]), after(np.full(2, 0.25), [(np.array([1.0, 1.0]), 0.01)])])
    means = np.array([[6.0, 6.0], [-6.0, -6.0]])
    posterior = StoredPosterior(ParameterSpace(parameters), np.array([0.97, 0.03]), means, covariances)
    found = taught(posterior, find_modes(posterior))
    assert found is not None
    assert len(found.said) == 2
    assert found.said[0] == "Within mode 1: no combination of parameters is known much better than its parts."
    assert found.said[1].startswith("Within mode 2: the product k1 × k2 is known best, to ")


def test_two_parameters_tied_by_no_simple_combination_are_not_said_to_be_known_no_better_together() -> None:
    """A saturation current over decades against an ideality factor: a straight line, but no product with small powers."""
    parameters = [
        d.Parameter(name="I0", prior=d.LogUniform(low=1e-12, high=1e-6)),
        d.Parameter(name="n", prior=d.Uniform(low=0.9, high=1.8)),
    ]
    covariance = 3e-4 * np.array([[[1.0, 0.998], [0.998, 1.0]]])
    posterior = StoredPosterior(ParameterSpace(parameters), np.ones(1), np.zeros((1, 2)), covariance)
    found = taught(posterior, find_modes(posterior))
    assert found is not None
    (said,) = found.said
    assert said.startswith("I0 and n are tied to each other (correlation +0.996): to know one would make the other 11 times")
    assert "No combination" not in said
