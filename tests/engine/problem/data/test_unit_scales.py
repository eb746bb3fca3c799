"""Units and how many of one another is."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.units.unit_scales import conversion, error_times, one_spelling, times, with_unit


@pytest.mark.parametrize(
    ("unit", "other", "factor"),
    [
        ("fN", "pN", 1e-3), ("nA", "A", 1e-9),
        ("m", "cm", 100.0), ("cm", "m", 0.01), ("mm", "km", 1e-6), ("h", "s", 3600.0), ("min", "h", 1 / 60), ("kPa", "bar", 0.01),
        ("g", "kg", 1e-3), ("m²/day", "m2/d", 1.0), ("m^3/s", "m3/h", 3600.0), ("L/min", "m3/day", 1.44),
        ("kg m-3", "g/cm3", 1e-3), ("m yr-1", "mm/kyr", 1e6), ("d", "years", 1 / 365.25),
        ("mW", "MW", 1e-9), ("%", "1", 0.01), ("m per s", "km/h", 3.6), ("μm", "µm", 1.0), ("KPA", "Pa", 1000.0),
        ("kJ/mol", "kcal mol⁻¹", 1 / 4.184), ("kJ mol-1", "kcal mol^-1", 1 / 4.184), ("kJ·mol⁻¹", "kcal/mole", 1 / 4.184),
        ("kcal mol^{-1}", "kJ mol**(-1)", 4.184), ("cal mol-1 K-1", "J/(mol K)", 4.184), ("kg.m-3", "g/cm3", 1e-3),
        ("µM", "nM", 1000.0), ("umol/l", "nM", 1000.0), ("mol/L", "mM", 1000.0), ("mM", "mol m-3", 1.0),
        ("eV", "kJ/mol", 96.48533212), ("hartree", "kcal/mol", 627.5094740631), ("kcal/mol", "eV", 1 / 23.060547830619),
        ("ohm.cm2", "mOhm cm^2", 1000.0), ("MOhm", "kΩ", 1000.0), ("\u2126 m2", "ohm.cm2", 1e4),
    ],
)  # fmt: skip
def test_what_a_number_is_multiplied_by_to_have_another_unit(unit: str, other: str, factor: float) -> None:
    assert times(unit, other) == pytest.approx(factor, rel=1e-9)


OTHER_KINDS = [("K", "°C"), ("m", "s"), ("m", "m2"), ("", "m"), ("widgets", "m"), ("m/", "m"), ("C", "K"),
               ("mM", "mm"), ("µM", "µm"), ("J", "kJ/mol"), ("Cal", "J"), ("JD", "d"),
               ("ohm.cm2", "mOhm"), ("s.d.", "s")]  # fmt: skip


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


@pytest.mark.parametrize(
    ("unit", "other", "scale"),
    [
        ("K", "°C", (1.0, -273.15)), ("JD", "BTJD", (1.0, -2457000.0)), ("BJD_TDB", "rjd", (1.0, -2400000.0)),
        ("MJD", "JD", (1.0, 2400000.5)), ("m", "mm", (1000.0, 0.0)), ("d", "JD", None),
    ],
)  # fmt: skip
def test_scales_with_another_zero_have_what_is_added(unit: str, other: str, scale: tuple[float, float] | None) -> None:
    assert conversion(unit, other) == scale


@pytest.mark.parametrize(
    ("unit", "other", "factor"),
    [
        ("min", "BTJD", 1 / 1440), ("K", "°C", 1.0), ("°F", "K", 5 / 9), ("m/s", "km/s", 1e-3), ("%", "1", 0.01),
        ("m", "s", None),
    ],
)  # fmt: skip
def test_errors_are_differences_without_a_zero(unit: str, other: str, factor: float | None) -> None:
    assert error_times(unit, other) == (None if factor is None else pytest.approx(factor, rel=1e-9))


@pytest.mark.parametrize(
    ("unit", "other", "factor"),
    [
        ("1/(m sr)", "10^-3 cm^-1 sr^-1", 10.0), ("1/(M SR)", "10^-3 cm^-1 sr^-1", 10.0), ("cm^-1 sr^-1", "1/(m sr)", 100.0),
        ("W/M2", "kW/m2", 1e-3), ("J/(KG K)", "kJ/(kg K)", 1e-3),
        ("W/(m2 sr)", "mW cm-2 sr-1", 0.1), ("M", "mm", None), ("1/(M S)", "1/(mol L)", None),
    ],
)  # fmt: skip
def test_units_per_solid_angle_and_those_of_listings_in_capitals(unit: str, other: str, factor: float | None) -> None:
    found = times(unit, other)
    assert found == (None if factor is None else pytest.approx(factor))
