"""A prior is typed with the unit behind its numbers, as it stands in a letter or a table."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.priors_in_units import parse_in_unit, unit_said


@pytest.mark.parametrize(
    ("text", "unit", "prior"),
    [
        ("2450 to 2850 kg/m3", "kg/m3", d.Uniform(low=2450.0, high=2850.0)),
        ("2.45 to 2.85 g/cm3", "kg/m3", d.Uniform(low=2450.0, high=2850.0)),
        ("2450 to 2850 kg m-3", "kg/m3", d.Uniform(low=2450.0, high=2850.0)),
        ("1 kg/m3 to 2 kg/m3", "g/cm3", d.Uniform(low=0.001, high=0.002)),
        ("1 to 2 W/(m K)", "W/(m K)", d.Uniform(low=1.0, high=2.0)),
        ("1e-5 to 1e-3 m^2/s", "m2/s", d.Uniform(low=1e-5, high=1e-3)),
        ("1 ± 0.1 m²/day", "m2/d", d.Normal(mean=1.0, sd=0.1)),
        ("1 to 2 1/s", "1/s", d.Uniform(low=1.0, high=2.0)),
        ("0.5 to 1.5 foo/m2", "foo/m2", d.Uniform(low=0.5, high=1.5)),  # unknown, but it is that of the row
        ("10 to 20 mGal", "µGal", d.Uniform(low=1e4, high=2e4)),
    ],
)
def test_units_with_powers_and_slashes_are_read_and_converted(text: str, unit: str, prior: d.Prior) -> None:
    assert parse_in_unit(text, d.Parameter(name="x", prior=d.Uniform(low=0.0, high=1.0), unit=unit)) == prior


@pytest.mark.parametrize(("text", "unit"), [("5 to 8 kg", "m"), ("20 to 30 °C", "K")])
def test_numbers_in_a_unit_of_another_kind_are_not_taken_as_they_are(text: str, unit: str) -> None:
    with pytest.raises(ValueError, match=f"The parameter is in {unit}, not in "):
        parse_in_unit(text, d.Parameter(name="x", prior=d.Uniform(low=0.0, high=1.0), unit=unit))


def test_the_unit_of_a_prior_is_told_where_the_file_says_none() -> None:
    assert unit_said("between 0.0005 and 0.0060 m") == "m"
    assert unit_said("2450 to 2850 kg/m3") == "kg/m3"
    assert unit_said("5 to 8") == ""
