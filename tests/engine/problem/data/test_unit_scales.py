"""Units and how many of one another is."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.units.unit_scales import one_spelling, times, with_unit


@pytest.mark.parametrize(
    ("unit", "other", "factor"),
    [
        ("m", "cm", 100.0), ("cm", "m", 0.01), ("mm", "km", 1e-6), ("h", "s", 3600.0), ("min", "h", 1 / 60), ("kPa", "bar", 0.01),
        ("g", "kg", 1e-3), ("m²/day", "m2/d", 1.0), ("m^3/s", "m3/h", 3600.0), ("L/min", "m3/day", 1.44),
        ("kg m-3", "g/cm3", 1e-3), ("m yr-1", "mm/kyr", 1e6), ("d", "years", 1 / 365.25),
        ("mW", "MW", 1e-9), ("%", "1", 0.01), ("m per s", "km/h", 3.6), ("μm", "µm", 1.0), ("KPA", "Pa", 1000.0),
    ],
)  # fmt: skip
def test_what_a_number_is_multiplied_by_to_have_another_unit(unit: str, other: str, factor: float) -> None:
    assert times(unit, other) == pytest.approx(factor, rel=1e-9)


OTHER_KINDS = [("K", "°C"), ("m", "s"), ("m", "m2"), ("", "m"), ("widgets", "m"), ("m/", "m"), ("C", "K")]


@pytest.mark.parametrize(("unit", "other"), OTHER_KINDS)
def test_units_of_different_kinds_degrees_and_unknown_words_have_no_factor(unit: str, other: str) -> None:
    assert times(unit, other) is None


@pytest.mark.parametrize("unit", ["m2/day", "m²/day", "m^2/day", " m**2/day "])
def test_powers_have_one_spelling(unit: str) -> None:
    assert one_spelling(unit) == "m2/day"


@pytest.mark.parametrize(
    ("name", "unit", "shown"),
    [
        ("width", "mm", "width [mm]"), ("area", "m2", "area [m²]"), ("[B]", "mol/L", "[B] (mol/L)"),
        ("Keq", "[B]/[A]", "Keq ([B]/[A])"),
        ("k", "", "k"), ("width [mm]", "mm", "width [mm]"), ("width (mm)", "mm", "width (mm)"), ("h", "W/(m K)", "h [W/(m K)]"),
    ],
)  # fmt: skip
def test_a_unit_stands_in_one_pair_of_brackets_behind_its_name(name: str, unit: str, shown: str) -> None:
    assert with_unit(name, unit) == shown


def test_a_long_unit_is_cut_inside_its_brackets() -> None:
    assert with_unit("k", "kilograms per second", 8) == "k [kilogra…]"
