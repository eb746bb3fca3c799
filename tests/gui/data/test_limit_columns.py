"""Limits of confidence in a table are the errors of their values by one button, and no standard deviations as they stand."""

from __future__ import annotations

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.gui.models.data.errors.limit_columns import limit_columns
from bayescope.gui.models.data.errors.noise import NOISES, given_words
from bayescope.gui.models.priors_in_units import parse_in_unit
from bayescope.gui.models.simulator.numbers.marked_number import marked_at
from bayescope.gui.models.simulator.numbers.remarks import unit_behind

LOW, HIGH = "95 % CI lower", "95 % CI upper"
DATA = d.DataTable(columns={"rate": (5.0, 8.0), LOW: (4.0, 6.0), HIGH: (6.0, 10.0)})
SETTINGS = "beta = 2.5 per day  # rate\nlatent period = 8.0 days\ninfectious period = 5.5 days  # mean\nreporting = 40 %  # all\n"


def problem(match: d.Match, noise: d.NoiseModel) -> d.Problem:
    outputs = (d.Output(name="r", source="stdout", extractor=d.LastNumber(), length=2),)
    parameters = (d.Parameter(name="beta", prior=d.Uniform(low=0.1, high=0.5)),)
    return d.Problem(
        name="x", parameters=parameters, simulator=d.Simulator(command=("sh", "@beta@")), data=DATA, outputs=outputs,
        meaning=d.Predictions(matches=(match,), noise=noise),
    )  # fmt: skip


def test_limits_of_compared_values_are_their_errors_by_one_button() -> None:
    found = limit_columns(problem(d.Match(output="r", column="rate"), d.GaussianKnown()))
    assert found is not None
    assert not found.taken
    assert found.mended.data is not None
    assert found.mended.data.columns["± rate"] == pytest.approx((2 / 3.92, 4 / 3.92), rel=1e-4)
    assert list(found.mended.data.columns) == ["rate", "± rate"]
    assert isinstance(found.mended.meaning, d.Predictions)
    assert found.mended.meaning.matches[0].noise == d.GaussianKnown(sd_column="± rate")
    assert limit_columns(found.mended) is None


def test_limits_taken_for_standard_deviations_are_a_fault_that_one_button_mends() -> None:
    wrong = problem(d.Match(output="r", column="rate"), d.GaussianKnown(sd_column=LOW))
    assert any(f.message == f"“{LOW}” holds limits of an interval, not standard deviations." for f in check(wrong))
    found = limit_columns(wrong)
    assert found is not None
    assert found.taken
    assert not any("limits of an interval" in f.message for f in check(found.mended))


def test_limits_that_do_not_count_are_not_asked_about() -> None:
    one = problem(d.Match(output="r", column="rate"), d.GaussianKnown())
    meaning = d.Predictions(matches=one.meaning.matches, noise=d.GaussianKnown(), aside=(LOW, HIGH))  # type: ignore[union-attr]
    assert limit_columns(msgspec.structs.replace(one, meaning=meaning)) is None


def test_a_number_that_the_form_was_filled_with_is_a_guess_and_no_given_size() -> None:
    first = next(k.first for k in NOISES if k.kind is d.NegativeBinomialNoise)
    assert given_words(first) == ("Size 10 is a guess: type what you know or let it be learned.", True)
    assert given_words(d.NegativeBinomialNoise(size=None, parameter="k")) == ("The size of the errors is learned: k.", False)
    assert given_words(d.NegativeBinomialNoise(size=15.0)) == ("The size of the errors is given.", False)


@pytest.mark.parametrize(
    ("number", "name", "unit"),
    [
        ("2.5", "beta", "per day"), ("8.0", "latent_period", "days"), ("5.5", "infectious_period", "days"),
        ("40", "reporting", "%"),
    ],
)
def test_a_unit_behind_a_number_is_its_unit_and_keys_that_end_alike_are_taken_whole(number: str, name: str, unit: str) -> None:
    at = SETTINGS.index(number)
    found = marked_at(SETTINGS, at, at)
    assert found is not None
    assert found.name == name
    assert unit_behind(SETTINGS, at, found.end)[0] == unit


def test_no_remark_is_a_unit() -> None:
    assert unit_behind("T = 300  % transmissivity", 4, 7)[0] == ""
    assert unit_behind("peak = 20 Feb  # day", 7, 9)[0] == ""


def test_priors_are_typed_with_their_units() -> None:
    share = d.Parameter(name="p", prior=d.Uniform(low=0.0, high=0.8))
    percent = d.Parameter(name="p", unit="%", prior=d.Uniform(low=0.0, high=0.8))
    rate = d.Parameter(name="b", prior=d.Uniform(low=0.0, high=5.0))
    assert parse_in_unit("20 to 70 %", share) == d.Uniform(low=0.2, high=0.7)
    assert parse_in_unit("20 to 70 %", percent) == d.Uniform(low=20.0, high=70.0)
    assert parse_in_unit("1.5 to 3.5 per day", rate) == d.Uniform(low=1.5, high=3.5)
    assert parse_in_unit("8 ± 1.5 days", rate) == d.Normal(mean=8.0, sd=1.5)
    length = d.Parameter(name="x", unit="km", prior=d.Uniform(low=0.0, high=5.0))
    assert parse_in_unit("1000 to 2500 m", length) == d.Uniform(low=1.0, high=2.5)
    stiff = d.Parameter(name="E", unit="kN/m²", prior=d.Uniform(low=0.0, high=6e7))
    assert parse_in_unit("30 ± 4 GPa", stiff) == d.Normal(mean=3e7, sd=4e6)
    assert parse_in_unit("log-uniform 0.5 to 50 MNm/rad", msgspec.structs.replace(stiff, unit="kNm/rad")) == d.LogUniform(
        low=500.0, high=50000.0
    )
    with pytest.raises(ValueError, match="not in m: write its numbers"):
        parse_in_unit("lognormal(0, 1) m", length)
