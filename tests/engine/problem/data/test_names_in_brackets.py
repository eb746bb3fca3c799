"""A name in the bracket behind a column's unit, the well or the sheet, tells of which output it is."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.names.column_names import has_unit, unit_in
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.units.unit_names import is_unit, name_and_unit


def test_the_well_in_brackets_tells_the_output() -> None:
    columns = ["depth to water [cm] (PB1)", "depth to water [cm] (PB2)", "depth_m"]
    assert names_told(["PB1", "PB2", "PB3"], columns) == {"PB1": columns[0], "PB2": columns[1]}
    assert names_told(["drawdown_PB1", "drawdown_PB2"], columns) == {"drawdown_PB1": columns[0], "drawdown_PB2": columns[1]}
    assert names_told(["PB1", "PB2"], ["depth (PB1)", "depth (PB2)"]) == {"PB1": "depth (PB1)", "PB2": "depth (PB2)"}


@pytest.mark.parametrize(
    ("outputs", "columns"),
    [
        (["PB1"], ["depth [cm] (PB1)", "temperature [°C] (PB1)"]),
        (["total_mass"], ["energy (total)"]),
        (["m", "s"], ["depth (m)", "time (s)"]),
    ],
)
def test_units_kinds_and_two_columns_of_one_well_tell_nothing(outputs: list[str], columns: list[str]) -> None:
    assert names_told(outputs, columns) == {}


def test_a_code_of_a_unit_letter_and_a_number_that_is_no_power_is_a_name() -> None:
    columns = ["L1 (J-05)", "L2 (J-12)", "Flow (m3/h)", "E (kJ mol-1 nm12)"]
    assert names_told(["J_05", "J_12"], columns) == {"J_05": "L1 (J-05)", "J_12": "L2 (J-12)"}
    assert [is_unit(word) for word in ("J-05", "kg-20", "m-2", "nm12", "m^-3")] == [False, False, True, True, True]


def test_conditions_in_brackets_are_no_unit() -> None:
    assert unit_in("OH_ppm (P1 1480 K 1.15 atm)") == "ppm"
    assert unit_in("OH (P1 1480 K 1.15 atm)") == ""
    assert unit_in("u (mg / 100 g)") == "mg / 100 g"
    assert not has_unit("OH (P1 1480 K 1.15 atm)")


@pytest.mark.parametrize(
    ("heading", "parts"),
    [
        ("Q l/s", ("Q", "l/s")),
        ("Q m3/s", ("Q", "m3/s")),
        ("inflow m^3/day", ("inflow", "m^3/day")),
        ("energy kJ/mol", ("energy", "kJ/mol")),
        ("wall T/K", ("wall T", "K")),
        ("time / min", ("time", "min")),
        ("wave l/m", ("wave l", "m")),
        ("km/h", None),
    ],
)
def test_a_quotient_of_units_behind_a_name_is_its_unit(heading: str, parts: tuple[str, str] | None) -> None:
    assert name_and_unit(heading) == parts


def test_a_unit_in_a_bracket_of_its_own_inside_another_behind_words_is_the_unit() -> None:
    assert unit_in("PB3 (diver, phreatic filter) (drawdown [mm])") == "mm"
    assert unit_in("PB1 (drawdown (cm))") == "cm"
    assert [unit_in(name) for name in ("C (mg [N])", "head (m (NAP))", "q (m3 (STP))")] == ["mg [N]", "m (NAP)", "m3 (STP)"]
