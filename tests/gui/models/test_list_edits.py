"""What is typed into the list of comparisons: factors, units of the program, sizes and columns of errors; the same for others."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.comparison_rows import errors_words, model_words, scaling_typed
from bayescope.gui.models.data.list_edits import matches_of, offer_alike, with_errors, with_scaling

COLUMNS = ("Mid [mm]", "End [mm]", "Temp [°C]", "Load [kN]", "ratio")


def problem(noise: d.NoiseModel | None = None, **first: Any) -> d.Problem:
    outputs = tuple(d.Output(name=f"y{k}", source="out.txt", extractor=d.LastNumber()) for k in range(len(COLUMNS)))
    matches = [d.Match(output=f"y{k}", column=c) for k, c in enumerate(COLUMNS)]
    matches[0] = msgspec.structs.replace(matches[0], **first)
    data = d.DataTable(columns={**dict.fromkeys(COLUMNS, (1.0, 2.0)), "spread": (0.1, 0.2)})
    meaning = d.Predictions(matches=tuple(matches), noise=noise or d.GaussianKnown())
    return d.Problem(name="x", parameters=(), simulator=d.Simulator(command=("x",)), outputs=outputs, data=data, meaning=meaning)


@pytest.mark.parametrize(
    ("row", "text", "factor", "offset"),
    [
        (0, "1000", 1000.0, 0.0), (0, "× 1000", 1000.0, 0.0), (0, "x1e3", 1000.0, 0.0), (0, "1/4", 0.25, 0.0),
        (0, "-1", -1.0, 0.0), (0, "m", 1000.0, 0.0), (0, "[m]", 1000.0, 0.0), (0, "m → mm", 1000.0, 0.0),
        (0, "cm to mm", 10.0, 0.0), (2, "K", 1.0, -273.15), (2, "- 273.15", 1.0, -273.15),
        (2, "+5", 1.0, 5.0), (2, "−2", -2.0, 0.0), (2, "× 1 − 273.15", 1.0, -273.15),
        (2, "1.8 + 32", 1.8, 32.0), (3, "N", 0.001, 0.0), (0, "", 1.0, 0.0), (0, "as it is", 1.0, 0.0), (0, "1e-3", 1e-3, 0.0),
    ],
)  # fmt: skip
def test_a_factor_a_constant_or_a_unit_is_typed(row: int, text: str, factor: float, offset: float) -> None:
    made = matches_of(with_scaling(problem(factor=7.0), row, text))[row]
    assert (made.factor, made.offset) == pytest.approx((factor, offset))


@pytest.mark.parametrize(("column", "text", "sd"), [
    ("FAA/mGal", "2.5 mGal", 2.5), ("FAA [µGal]", "2.5 mGal", 2500.0), ("rho [kg/m3]", "0.1 g/cm3", 100.0),
    ("q (m/d)", "1 mm/d", 0.001),
])  # fmt: skip
def test_a_size_of_errors_is_typed_in_the_unit_of_its_column_or_one_like_it(column: str, text: str, sd: float) -> None:
    named = msgspec.structs.replace(problem(), data=d.DataTable(columns={column: (1.0, 2.0)}))
    pair = d.Match(output="y0", column=column)
    made = with_errors(msgspec.structs.replace(named, meaning=d.Predictions(matches=(pair,), noise=d.GaussianKnown())), 0, text)
    assert isinstance(made.meaning, d.Predictions)
    assert made.meaning.noise == d.GaussianKnown(sd=pytest.approx(sd))


@pytest.mark.parametrize(("row", "text", "words"), [
    (0, "kg", "is in mm, a unit of another kind, so kg cannot be counted in it"), (4, "m", "does not say its unit"),
    (0, "often", "unit of the program"), (0, "1 2 3", "must be a number"),
])  # fmt: skip
def test_what_is_no_factor_is_refused_with_words(row: int, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        with_scaling(problem(), row, text)


@given(st.floats(min_value=1e-12, max_value=1e12), st.floats(min_value=-1e6, max_value=1e6))
def test_what_the_list_shows_of_a_factor_can_be_typed(factor: float, offset: float) -> None:
    match = msgspec.structs.replace(matches_of(problem())[0], factor=float(f"{factor:.6g}"), offset=float(f"{offset:.12g}"))
    made = matches_of(with_scaling(problem(factor=7.0), 0, scaling_typed(match)))[0]
    assert (made.factor, made.offset) == pytest.approx((match.factor, match.offset), rel=1e-9)


@pytest.mark.parametrize(("text", "noise", "sds"), [
    ("0.5", d.GaussianKnown(sd=0.5), None), ("3 %", d.GaussianKnown(percent=3.0), None),
    ("1 cm", d.GaussianKnown(sd=10.0), None), ("spread", None, "spread"), ("", None, None),
])  # fmt: skip
def test_the_size_of_errors_or_their_column_is_typed(text: str, noise: d.NoiseModel | None, sds: str | None) -> None:
    made = matches_of(with_errors(problem(noise=d.GaussianKnown(sd=9.0)), 0, text))[0]
    assert (made.noise, made.sd_column) == (noise, sds)


def test_a_word_that_is_no_column_is_refused_as_one() -> None:
    with pytest.raises(ValueError, match="No column is called “spred”"):
        with_errors(problem(), 0, "spred")


def test_of_one_comparison_alone_the_size_is_that_of_all() -> None:
    whole = problem()
    alone = msgspec.structs.replace(whole, meaning=msgspec.structs.replace(whole.meaning, matches=matches_of(whole)[:1]))
    made = with_errors(alone, 0, "0.5").meaning
    assert isinstance(made, d.Predictions)
    assert (made.noise, made.matches[0].noise) == (d.GaussianKnown(sd=0.5), None)


def test_errors_are_offered_for_those_in_the_same_unit_and_for_all() -> None:
    before = problem()
    after = with_errors(before, 0, "0.5")
    offer = offer_alike(before, after, 0)
    assert offer is not None
    assert (offer.button, offer.every_button) == ("So for both in mm", "So for all 5 alike")
    assert [m.noise for m in matches_of(offer.problem)] == [d.GaussianKnown(sd=0.5)] * 2 + [None] * 3
    assert offer.every is not None
    assert isinstance(offer.every.meaning, d.Predictions)
    assert offer.every.meaning.noise == d.GaussianKnown(sd=0.5)
    assert {m.noise for m in matches_of(offer.every)} == {None}


def test_a_factor_is_offered_for_those_that_had_the_same_one() -> None:
    before = problem(factor=2.0)
    assert offer_alike(before, with_scaling(before, 0, "1000"), 0) is None, "no other had the factor 2"
    offer = offer_alike(before, with_scaling(before, 1, "1000"), 1)
    assert offer is not None
    assert [m.factor for m in matches_of(offer.problem)] == [2.0, 1000.0, 1000.0, 1000.0, 1000.0]


def test_a_unit_is_offered_for_what_can_be_counted_in_it_each_with_its_own_factor() -> None:
    before = problem()
    after = with_scaling(before, 0, "m")
    offer = offer_alike(before, after, 0, "m")
    assert offer is not None
    assert offer.button == "So for all 2 that may be in m"
    assert [m.factor for m in matches_of(offer.problem)] == [1000.0, 1000.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize(("noise", "words"), [
    (d.GaussianKnown(), "not said yet"), (d.GaussianKnown(sd=0.5, percent=3.0), "0.5 + 3 %"),
    (d.GaussianInferred(parameter="s"), "learned: s"), (d.GaussianIntegrated(shape=3.0, scale=3.0), "averaged over"),
    (d.StudentTNoise(dof=4.0, scale=1.0), "Student t, 1"), (d.LogNormalNoise(log_sd=0.1), "10 % of the prediction"),
    (d.PoissonNoise(), "counts (Poisson)"), (d.NegativeBinomialNoise(size=10.0), "counts (negative binomial), 10"),
    (d.Ar1Noise(sd=1.0, rho=0.5), "AR(1), 1"), (d.CovarianceNoise(matrix=()), "covariance matrix"),
    (d.GaussianKnown(sd_column="spread"), "spread"),
])  # fmt: skip
def test_every_model_of_errors_is_said_in_a_word_or_two(noise: d.NoiseModel, words: str) -> None:
    assert model_words(noise) == words
    assert errors_words(d.Match(output="y", column="x", noise=noise)) == words
