"""A column of numbers that says under which condition rows were measured is told by names of outputs, I_1000 and I_600."""

from __future__ import annotations

import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.tables.conditions import condition_column, measured_under
from bayescope.engine.problem.data.tables.naming_column import split_with_units

PLACES = (0.0, 0.1, 0.2)
TABLE = d.DataTable(
    columns={
        "G (W/m2)": (1000.0,) * 3 + (600.0,) * 3, "V (V)": PLACES * 2, "I (A)": (3.2, 3.1, 3.0, 1.9, 1.8, 1.7),
        "u(I) (A)": (0.02,) * 6, "T (C)": (40.0, 40.5, 41.0, 37.0, 37.5, 38.0),
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("outputs", "column"),
    [
        (["V_1000", "I_1000", "V_600", "I_600"], "G (W/m2)"), (["I_1000", "T_600"], ""), (["I_1000"], ""),
        (["I", "T"], ""), (["x1000", "x600"], ""),
    ],
)  # fmt: skip
def test_every_number_of_the_column_ends_an_output_of_one_stem(outputs: list[str], column: str) -> None:
    assert condition_column(TABLE, outputs) == column


def test_what_was_measured_is_split_with_its_errors_and_places_are_not() -> None:
    assert measured_under(TABLE, "G (W/m2)") == ["I (A)", "u(I) (A)", "T (C)"]
    split = split_with_units(TABLE, "G (W/m2)", measured_under(TABLE, "G (W/m2)"))
    assert list(split.columns) == ["V (V)", "I 1000 (A)", "I 1000 sd (A)", "T 1000 (C)", "I 600 (A)", "I 600 sd (A)", "T 600 (C)"]
    assert split.columns["T 600 (C)"] == (None, None, None, 37.0, 37.5, 38.0)


def test_running_numbers_are_those_of_components_as_well() -> None:
    cases = {**TABLE.columns, "G (W/m2)": (1.0,) * 3 + (2.0,) * 3}
    assert condition_column(d.DataTable(columns=cases), ["I_1", "I_2"]) == ""
