"""Units per solid angle, in capitals as listings print them, tell the factor of an output before any test run."""

from __future__ import annotations

import msgspec
import pytest
from data_pages import PROBLEM, column

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.units.other_units import first_by_headings


@pytest.mark.parametrize("unit", ["1/(m sr)", "1/(M SR)", "m^-1 sr^-1"])
def test_a_power_of_ten_between_units_is_asked_about(unit: str) -> None:
    name = "Rayleigh ratio (10^-3 cm^-1 sr^-1)"
    output = msgspec.structs.replace(column("R", 1), unit=unit)
    table = d.DataTable(columns={name: (813.9, 503.9, 281.6)})
    meaning = d.Predictions(matches=(d.Match(output="R", column=name),), noise=d.GaussianKnown(sd=1.0))
    problem = msgspec.structs.replace(PROBLEM, outputs=(output,), data=table, meaning=meaning)
    found = first_by_headings(problem, None)
    assert found is not None
    mended = found[1].problem.meaning
    assert isinstance(mended, d.Predictions)
    assert mended.matches[0].factor == pytest.approx(10.0)
    assert first_by_headings(found[1].problem, None) is None
