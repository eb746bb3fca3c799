"""Normal priors that end on one side, as people say it, and units behind every number of a prior."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.prior_families import parse_prior
from bayescope.gui.models.priors_in_units import parse_in_unit


@pytest.mark.parametrize(("text", "low", "high"), [
    ("1.0 ± 0.2, at least 0.5", 0.5, None), ("1 ± 0.2 above 0.5", 0.5, None), ("normal 1 ± 0.2, but not below 0.5", 0.5, None),
    ("1 ± 0.2, > 0", 0.0, None), ("1 ± 0.2, ≥ 0.1", 0.1, None), ("1 ± 0.2 positive", 0.0, None),
    ("1 ± 20 %, non-negative", 0.0, None),
    ("1 ± 0.2, at most 1.3", None, 1.3), ("1 +/- 0.2 up to 1.3", None, 1.3), ("1 ± 0.2; less than 1.3", None, 1.3),
])  # fmt: skip
def test_a_normal_prior_may_end_on_one_side(text: str, low: float | None, high: float | None) -> None:
    assert parse_prior(text) == d.TruncatedNormal(mean=1.0, sd=0.2, low=low, high=high)


@pytest.mark.parametrize("text", ["at least 0.5", "1 ± 0.2, at least some", "1 ± 0.2, at least", "0.5 to 2, at least 0.1"])
def test_what_is_no_normal_prior_with_an_end_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a prior|number"):
        parse_prior(text)


@pytest.mark.parametrize(("text", "unit", "expected"), [
    ("210 ± 8 GPa, at least 190", "Pa", d.TruncatedNormal(mean=2.1e11, sd=8e9, low=1.9e11)),
    ("210 ± 8 GPa, at least 190 GPa", "Pa", d.TruncatedNormal(mean=2.1e11, sd=8e9, low=1.9e11)),
    ("210 GPa ± 8 GPa", "Pa", d.Normal(mean=2.1e11, sd=8e9)),
    ("log-uniform 1 MN/m to 50 MN/m", "N/m", d.LogUniform(low=1e6, high=5e7)),
    ("30 ± 4 GPa in 20 to 40", "kN/m2", d.TruncatedNormal(mean=3e7, sd=4e6, low=2e7, high=4e7)),
])  # fmt: skip
def test_a_unit_may_stand_behind_one_of_the_numbers_or_each(text: str, unit: str, expected: d.Prior) -> None:
    assert parse_in_unit(text, d.Parameter(name="x", prior=d.Uniform(low=0.0, high=1.0), unit=unit)) == expected


@pytest.mark.parametrize("text", ["1 kN/m to 5 MN/m", "5 GPa ± 20 MPa", "3 apples, at least 1"])
def test_two_units_and_words_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a prior"):
        parse_in_unit(text, d.Parameter(name="x", prior=d.Uniform(low=0.0, high=1.0), unit="N/m"))
