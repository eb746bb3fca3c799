"""Priors in everyday words, how they were read, and the other way in which they may be meant."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.priors import describe
from bayescope.gui.models.parameters import ParametersModel
from bayescope.gui.models.prior_families import parse_prior, prior_text, prior_words
from bayescope.gui.models.prior_readings import reading_of
from bayescope.gui.models.priors_in_units import parse_in_unit

Z = NormalDist().inv_cdf(0.975)
BEFORE = [None, d.Uniform(low=0.0, high=2.0), d.Normal(mean=5.0, sd=2.0), d.LogNormal(log_mean=0.0, log_sd=1.0)]
CUT = d.TruncatedNormal(mean=22.0, sd=6.0, low=5.0, high=45.0)
PERT = d.Beta(a=3.0, b=3.0, low=3.0, high=7.0)


@pytest.mark.parametrize(("text", "prior"), [
    ("22 +- 6; not under 5 nor over 45", CUT), ("22 ± 6, at least 5 and at most 45", CUT), ("22 ± 6, > 5, < 45", CUT),
    ("22, give or take 6, between 5 and 45", CUT), ("4 to 20, evenly", d.Uniform(low=4.0, high=20.0)),
    ("evenly between 4 and 20", d.Uniform(low=4.0, high=20.0)),
    ("4 to 20, all equally likely", d.Uniform(low=4.0, high=20.0)),
    ("at least 4, at most 20", d.Uniform(low=4.0, high=20.0)), ("4 < x < 20", d.Uniform(low=4.0, high=20.0)),
    ("somewhere between 4 and 20", d.Uniform(low=4.0, high=20.0)), ("[4, 20]", d.Uniform(low=4.0, high=20.0)),
    ("0.01 to 10, log scale", d.LogUniform(low=0.01, high=10.0)), ("between 3 and 7, most likely 5", PERT),
    ("5, range 3 to 7", PERT), ("best guess 5, range 3 to 7", PERT), ("mode 5, min 3, max 7", PERT),
    ("triangular(3, 5, 7)", PERT),
    ("3 to 8, most likely 4", d.Beta(a=1.8, b=4.2, low=3.0, high=8.0)),
    ("about 10, give or take 30 %", d.Normal(mean=10.0, sd=3.0)),
    ("10 plus or minus 3", d.Normal(mean=10.0, sd=3.0)), ("around 10 +- 3", d.Normal(mean=10.0, sd=3.0)),
    ("mean 5, sd 1", d.Normal(mean=5.0, sd=1.0)), ("5 (sd 1)", d.Normal(mean=5.0, sd=1.0)),
    ("5 within 20 %", d.Normal(mean=5.0, sd=1.0)),
    ("5 ± 1 (2 sd)", d.Normal(mean=5.0, sd=0.5)), ("5 ± 1 (k=2)", d.Normal(mean=5.0, sd=0.5)),
    ("5 ± 1 (95 %)", d.Normal(mean=5.0, sd=0.510204)), ("positive, 5 ± 1", d.TruncatedNormal(mean=5.0, sd=1.0, low=0.0)),
    ("within a factor 2 of 10", d.LogNormal(log_mean=2.30259, log_sd=0.693147)),
    ("0.2 (0.1-0.4)", d.LogNormal(log_mean=-1.60944, log_sd=0.353653)), ("10 (8 to 12)", d.Normal(mean=10.0, sd=1.02043)),
    ("0 to 10", d.Uniform(low=0.0, high=10.0)), ("between 0 and 10", d.Uniform(low=0.0, high=10.0)),
])  # fmt: skip
@pytest.mark.parametrize("present", BEFORE)
def test_priors_are_understood_in_everyday_words_whatever_stood_there(text: str, prior: d.Prior, present: d.Prior | None) -> None:
    assert parse_prior(text, present) == prior


@pytest.mark.parametrize(("text", "asked"), [
    ("positive, about 3", "3 ± 0.75, positive"), ("about 5", "5 */ 2"), ("5 or so", "2.5 to 7.5"),
    ("less than 10", "0 to 10"),
    ("> 0", "0 to 10"), ("positive", "above 0"), ("at most 10, positive", "0 to 10"), ("no idea", "log scale"),
    ("3 to 7, most likely 9", "does not lie between"), ("0.2 (0.3 to 0.4)", "does not lie between"),
])  # fmt: skip
def test_words_that_say_too_little_are_asked_about(text: str, asked: str) -> None:
    with pytest.raises(ValueError, match=r"prior|lie") as told:
        parse_prior(text)
    assert asked in str(told.value)


def test_ends_with_a_log_uniform_prior_stay_its_own_where_it_can_have_them() -> None:
    present = d.LogUniform(low=1.0, high=2.0)
    assert parse_prior("3 to 30", present) == d.LogUniform(low=3.0, high=30.0)
    assert parse_prior("0 to 30", present) == d.Uniform(low=0.0, high=30.0)


@pytest.mark.parametrize(("text", "present", "other"), [
    ("5, within a factor 1.3", BEFORE[1], d.LogNormal(log_mean=1.60944, log_sd=float(f"{math.log(1.3) / Z:.6g}"))),
    ("10, give or take 3", BEFORE[1], d.Normal(mean=10.0, sd=float(f"{3.0 / Z:.6g}"))),
    ("0.2 (0.1-0.4) m", BEFORE[1], d.Beta(a=2.33333, b=3.66667, low=0.1, high=0.4)),
    ("0 to 10", BEFORE[2], d.Normal(mean=5.0, sd=float(f"{5.0 / Z:.6g}"))),
    ("0, 10", BEFORE[2], d.Uniform(low=0.0, high=10.0)),
    ("3 to 7, most likely 5", BEFORE[1], d.Uniform(low=3.0, high=7.0)),
])  # fmt: skip
def test_what_can_be_read_in_two_ways_is_said_with_the_other_one(text: str, present: d.Prior, other: d.Prior) -> None:
    reading = reading_of(text, d.Parameter(name="a", prior=present, unit="m"))
    assert reading is not None
    assert (reading.other, "is read as" in reading.words, bool(reading.button)) == (other, True, True)


@pytest.mark.parametrize("text", ["5 ± 1", "0.5 to 2", "160, factor 2 (95 %)", "normal(3, 1)", "beta(2, 2, 0, 1)", "abc"])
def test_what_is_plain_is_taken_without_a_word(text: str) -> None:
    assert reading_of(text, d.Parameter(name="a", prior=BEFORE[1])) is None


@pytest.mark.parametrize("prior", [
    d.LogNormal(log_mean=-2.2, log_sd=0.34), d.LogNormal(log_mean=math.log(160), log_sd=0.5),
    d.LogNormal(log_mean=-20.0, log_sd=3.0),
    d.LogNormal(log_mean=500.0, log_sd=1.0), d.LogNormal(log_mean=700.0, log_sd=1.0), d.LogNormal(log_mean=0.1, log_sd=1e-9),
])  # fmt: skip
def test_a_log_normal_prior_is_shown_by_its_median_and_a_factor_and_read_back_as_it_is(prior: d.LogNormal) -> None:
    assert parse_prior(prior_text(prior)) == prior


def test_a_table_shows_a_log_normal_prior_in_three_digits_and_opens_it_with_all() -> None:
    prior = d.LogNormal(log_mean=-2.2, log_sd=0.34)
    assert prior_words(prior) == "log-normal, median 0.111, factor 1.4"
    assert prior_text(d.LogNormal(log_mean=-2.20727, log_sd=0.336472)) == "log-normal, median 0.11, factor 1.4"
    assert "median 0.1108 and a factor of 1.405" in describe(prior)
    column = next(c for c in ParametersModel(lambda *_: True).columns if c.key == "prior")
    parameter = d.Parameter(name="a", prior=prior)
    assert column.edited is not None
    assert (column.text(parameter), column.edited(parameter)) == (prior_words(prior), prior_text(prior))


def test_a_peak_between_limits_is_in_the_unit_of_the_parameter() -> None:
    found = parse_in_unit("30 to 70 %, most likely 50 %", d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)))
    assert found == d.Beta(a=3.0, b=3.0, low=0.3, high=0.7)


@pytest.mark.parametrize(("text", "sd"), [
    ("42 +- 3 (1 sigma), between 30 and 55", 3.0), ("42 ± 3 (1 sd); 30 to 55", 3.0), ("42 +- 3 (2 sd) between 30 and 55", 1.5),
    ("42 ± 3, k = 2, not under 30 nor over 55", 1.5), ("42 ± 3 (95 % confidence interval), 30 to 55", 3.0 / 1.96),
])  # fmt: skip
def test_limits_behind_a_level_cut_the_prior(text: str, sd: float) -> None:
    found = parse_prior(text)
    assert isinstance(found, d.TruncatedNormal)
    assert (found.mean, found.low, found.high) == (42.0, 30.0, 55.0)
    assert found.sd == pytest.approx(sd, rel=1e-4)


@pytest.mark.parametrize(
    "behind", [", rarely above 50", "; between 30 and 55 for certain", " (1 sigma), rarely above 50", " 2s", " (95 %) 7"]
)
def test_what_is_not_understood_behind_a_size_is_never_passed_over(behind: str) -> None:
    with pytest.raises(ValueError, match="is not a prior"):
        parse_prior(f"42 +- 3{behind}")
