"""Priors as people say them, functions in place of numbers, and a log-normal prior around the number that there was."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.parameters import ParametersModel
from bayescope.gui.models.plain import number_of
from bayescope.gui.models.prior_families import FAMILIES, converted, parse_prior
from bayescope.gui.models.spoken_priors import median_of, with_median

LN2 = math.log(2.0)


@pytest.mark.parametrize(("text", "log_mean", "log_sd"), [
    ("160 */ 2", math.log(160), LN2), ("160 ×/÷ 2", math.log(160), LN2),
    ("lognormal 160, factor 2 (95 %)", math.log(160), LN2 / 1.959964),
    ("log-normal 160 within a factor of 2, 95 %", math.log(160), LN2 / 1.959964),
    ("160, factor 2 (95 %)", math.log(160), LN2 / 1.959964), ("0.5 to 3, 90 %", math.log(1.5) / 2, math.log(6) / 2 / 1.644854),
    ("log-normal 0.5 to 3 (90 %)", math.log(1.5) / 2, math.log(6) / 2 / 1.644854),
    ("log-normal(ln(160), ln(2)/1.96)", math.log(160), LN2 / 1.96), ("log-normal(ln(160), 0.5)", math.log(160), 0.5),
])  # fmt: skip
def test_typical_values_factors_and_intervals_are_log_normal_priors(text: str, log_mean: float, log_sd: float) -> None:
    found = parse_prior(text)
    assert isinstance(found, d.LogNormal)
    assert (found.log_mean, found.log_sd) == pytest.approx((log_mean, log_sd), rel=1e-5)


@pytest.mark.parametrize(("text", "median", "log_sd"), [
    ("lognormal, median 3, factor 2", 3.0, LN2), ("log-normal around 3 within a factor 2", 3.0, LN2),
    ("median 3, gsd 1.5", 3.0, math.log(1.5)), ("lognormal(median 3, factor 2)", 3.0, LN2),
    ("log normal median = 3; GSD = 1.5", 3.0, math.log(1.5)), ("lognormal with median 3 and gsd of 1.5", 3.0, math.log(1.5)),
    ("about 3 within a factor of 2", 3.0, LN2), ("around 3, factor 2, 95 %", 3.0, LN2 / 1.959964),
    ("median 3e-4, within a factor 2 (95 %)", 3e-4, LN2 / 1.959964), ("factor 2 around 3", 3.0, LN2),
    ("geometric mean 3, geometric sd 1.5", 3.0, math.log(1.5)), ("GM 3 GSD 1.5", 3.0, math.log(1.5)),
    ("lognormal median 3, sd of ln 0.4", 3.0, 0.4), ("median 3, standard deviation of ln k = 0.4", 3.0, 0.4),
    ("log-normal median 3, sd of log 0.4", 3.0, 0.4), ("log-normal median 3, σ_ln 0.4", 3.0, 0.4),
    ("log-normal: median 3; log-sd = 0.4", 3.0, 0.4), ("median 3, ln-sd 0.4", 3.0, 0.4),
    ("lognormal median 3, log sd 0.4", 3.0, 0.4), ("lognormal median 3, cv 30 %", 3.0, math.sqrt(math.log(1.09))),
    ("lognormal, mean 3, sd 1", 3.0 / math.sqrt(10.0 / 9.0), math.sqrt(math.log(10.0 / 9.0))),
    ("lognormal, mean 3, cv 1/3", 3.0 / math.sqrt(10.0 / 9.0), math.sqrt(math.log(10.0 / 9.0))),
    ("lognormal 3, gsd 1.5", 3.0, math.log(1.5)), ("log-normal distribution with a median of 3 and a factor of 2", 3.0, LN2),
])  # fmt: skip
@pytest.mark.parametrize("present", [None, d.Normal(mean=1.0, sd=1.0), d.Uniform(low=0.0, high=1.0)])
def test_log_normal_priors_are_understood_in_words(text: str, median: float, log_sd: float, present: d.Prior | None) -> None:
    found = parse_prior(text, present)
    assert isinstance(found, d.LogNormal)
    assert (math.exp(found.log_mean), found.log_sd) == pytest.approx((median, log_sd), rel=1e-5)


def test_words_that_say_too_little_are_answered_and_labels_of_numbers_are_passed_over() -> None:
    for text, why in {"median 3, factor 1": "factor above 1", "lognormal median -3, factor 2": "above 0"}.items():
        with pytest.raises(ValueError, match=why):
            parse_prior(text)
    for text in ("about 5", "lognormal median 3, sd 1", "median 3"):
        with pytest.raises(ValueError, match=r"prior|numbers"):
            parse_prior(text)
    assert parse_prior("normal, mean 3, sd 1") == d.Normal(mean=3.0, sd=1.0)
    assert parse_prior("normal(mean = 3, sd = 1)") == d.Normal(mean=3.0, sd=1.0)
    assert parse_prior("normal(sd=1, mean=3)") == d.Normal(mean=3.0, sd=1.0)
    assert parse_prior("uniform min 2 and max 5") == d.Uniform(low=2.0, high=5.0)


def test_an_interval_is_normal_where_that_is_said_or_its_ends_are_near_each_other() -> None:
    z = NormalDist().inv_cdf(0.95)
    for text, present in (("40 to 50, 90 %", None), ("normal 40 to 50, 90 %", None), ("-1 to 9, 90 %", None)):
        found = parse_prior(text, present)
        assert isinstance(found, d.Normal)
        assert found.sd == pytest.approx(5.0 / z, rel=1e-5)
    assert isinstance(parse_prior("1 to 9, 90 %", d.Normal(mean=0.0, sd=1.0)), d.Normal)
    assert parse_prior("5 ± 20 %") == d.Normal(mean=5.0, sd=1.0)
    assert parse_prior("0.5 to 3") == d.Uniform(low=0.5, high=3.0)
    with pytest.raises(ValueError, match="both ends must be above 0"):
        parse_prior("log-normal -1 to 3, 90 %")


def test_functions_are_numbers_wherever_one_is_typed_and_log_alone_is_asked_about() -> None:
    assert number_of("ln(160)") == pytest.approx(math.log(160))
    assert number_of("ln(2)/1.96") == pytest.approx(LN2 / 1.96)
    assert number_of("2*sqrt(3)") == pytest.approx(2 * math.sqrt(3))
    refused = {"log(160)": r"log\(…\) may mean two functions", "ln(-1)": r"ln\(-1\) is no number", "1/0": "is no number"}
    for text, why in refused.items():
        with pytest.raises(ValueError, match=why):
            number_of(text)


def test_a_log_normal_prior_chosen_for_a_number_lies_about_it() -> None:
    family = next(f for f in FAMILIES if f.kind is d.LogNormal)
    around = converted(d.Uniform(low=80.0, high=320.0), family)
    assert isinstance(around, d.LogNormal)
    assert math.exp(around.log_mean) == pytest.approx(160.0, rel=1e-4)
    from_zero = converted(d.Uniform(low=0.0, high=320.0), family)
    assert isinstance(from_zero, d.LogNormal)
    assert math.exp(from_zero.log_mean) == pytest.approx(160.0, rel=1e-4)


@pytest.mark.parametrize("text", [
    "5 ± 1 in 2 to 8", "5 +- 1 within 2 and 8", "5 ± 20 %, between 2 and 8", "normal 5 ± 1 from 2 to 8", "5 +/- 1 in 2..8",
    "5 +- 1, 2 to 8", "5 ± 20 %; 2 to 8", "5 ± 1 (2 to 8)",
])  # fmt: skip
def test_a_normal_prior_between_limits_is_typed_at_once(text: str) -> None:
    assert parse_prior(text) == d.TruncatedNormal(mean=5.0, sd=1.0, low=2.0, high=8.0)


@pytest.mark.parametrize(("text", "median", "log_sd"), [
    ("log-normal 0.0125 ± 15 %", 0.0125, 0.15), ("lognormal(0.0125 ± 15%)", 0.0125, 0.15),
    ("log-normal 0.0125 +- 15 %", 0.0125, 0.15), ("log normal 0.0125 +/- 15 %", 0.0125, 0.15),
    ("log-normal, median 0.0125 ± 15 %", 0.0125, 0.15),
    ("log-normal 0.0125 ± 30 % (95 %)", 0.0125, 0.3 / 1.959964), ("log-normal 5 ± 100 %", 5.0, 1.0),
    ("lognormal mean 3 ± 30 %", 3.0 / math.sqrt(1.09), math.sqrt(math.log(1.09))),
])  # fmt: skip
@pytest.mark.parametrize("present", [None, d.LogNormal(log_mean=0.0, log_sd=1.0), d.Uniform(low=0.0, high=1.0)])
def test_a_log_normal_prior_of_a_value_and_percent_has_that_median(
    text: str, median: float, log_sd: float, present: d.Prior | None
) -> None:
    found = parse_prior(text, present)
    assert isinstance(found, d.LogNormal)
    assert (math.exp(found.log_mean), found.log_sd) == pytest.approx((median, log_sd), rel=1e-5)


def test_percent_without_the_kind_stay_normal_and_a_value_below_zero_is_refused() -> None:
    assert isinstance(parse_prior("5 ± 20 %"), d.Normal)
    with pytest.raises(ValueError, match="above 0"):
        parse_prior("log-normal -1 ± 15 %")
    with pytest.raises(ValueError, match="above 0"):
        with_median(d.LogNormal(log_mean=0.0, log_sd=1.0), "0")
    assert with_median(d.LogNormal(log_mean=0.0, log_sd=0.3), "25") == d.LogNormal(log_mean=3.21888, log_sd=0.3)
    assert median_of(d.LogNormal(log_mean=3.21888, log_sd=0.3)) == pytest.approx(25.0, rel=1e-5)
    assert median_of(d.LogNormal(log_mean=1e4, log_sd=0.3)) == math.inf


def test_a_prior_typed_in_another_unit_is_shown_as_it_was_typed_as_long_as_it_is_the_prior() -> None:
    typed: dict[str, str] = {}

    def commit(rows: tuple[d.Parameter, ...], _text: str) -> bool:
        model.set_rows(rows)
        return True

    model = ParametersModel(commit)
    model.said = lambda: typed
    model.prior_typed.connect(typed.__setitem__)
    model.set_rows([d.Parameter(name="depth", unit="m", prior=d.Uniform(low=0.0, high=1.0))])
    cell = model.index(0, model.column_of("prior"))
    assert model.setData(cell, "12 ± 3 km")
    assert model.rows[0].prior == d.Normal(mean=12_000.0, sd=3_000.0)
    assert model.data(cell) == "12 ± 3 km"
    assert model.setData(cell, "uniform 0 to 10")
    assert model.data(cell) == "uniform(0, 10)"
