"""A name in the bracket behind a column's unit, the well or the sheet, tells of which output it is."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.data.names.name_words import names_told


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
