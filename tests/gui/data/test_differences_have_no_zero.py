"""Anomalies and differences of temperatures: nothing is added to them for another scale. Pure."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM, column

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.difference_words import says_difference
from bayescope.gui.models.data.list_edits import with_scaling
from bayescope.gui.models.data.units.heading_units import implied


@pytest.mark.parametrize(
    "name", ["Anomaly (deg C)", "T_anom", "temperature change (K)", "ΔT (°C)", "dT [K]", "T difference", "Delta T"]
)
def test_names_of_differences(name: str) -> None:
    assert says_difference(name)


@pytest.mark.parametrize("name", ["T (deg C)", "temperature", "different", "DT1", "water level", "exchange", "anomalous"])
def test_names_of_quantities_themselves(name: str) -> None:
    assert not says_difference(name)


def compared(column_name: str, output: str = "tas") -> d.Problem:
    read = msgspec.structs.replace(column(output, 1), unit="K")
    data = d.DataTable(columns={column_name: (0.1, 0.2)})
    meaning = d.Predictions(matches=(d.Match(output=output, column=column_name),), noise=d.GaussianKnown(sd=0.1))
    return msgspec.structs.replace(PROBLEM, outputs=(read,), data=data, meaning=meaning)


@pytest.mark.parametrize(
    ("problem", "offset"),
    [(compared("T (deg C)"), -273.15), (compared("Anomaly (deg C)"), 0.0), (compared("T (deg C)", "tas_anomaly"), 0.0)],
)
def test_kelvins_of_a_difference_are_degrees_celsius(problem: d.Problem, offset: float) -> None:
    found = implied(problem, 0)
    assert found is not None
    assert (found.factor, found.offset) == (1.0, offset)


@pytest.mark.parametrize(("name", "offset"), [("T (deg C)", -273.15), ("Anomaly (deg C)", 0.0)])
def test_a_unit_that_is_typed_for_a_difference_adds_nothing(name: str, offset: float) -> None:
    made = with_scaling(compared(name), 0, "K")
    assert isinstance(made.meaning, d.Predictions)
    assert (made.meaning.matches[0].factor, made.meaning.matches[0].offset) == (1.0, offset)
