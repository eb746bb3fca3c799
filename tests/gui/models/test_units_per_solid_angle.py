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


@pytest.mark.parametrize(("units", "both"), [(("us", "us"), True), (("us", "µs"), True), (("us", "K"), False)])
def test_two_outputs_of_one_need_are_multiplied_together_however_the_unit_is_written(units: tuple[str, str], both: bool) -> None:
    names = [f"{name} ({unit})" for name, unit in zip("ab", units, strict=True)]
    outputs = tuple(msgspec.structs.replace(column(name, k + 1), unit="ms") for k, name in enumerate("ab"))
    table = d.DataTable(columns=dict.fromkeys(names, (813.9, 503.9, 281.6)))
    matches = tuple(d.Match(output=name, column=c) for name, c in zip("ab", names, strict=True))
    meaning = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0))
    found = first_by_headings(msgspec.structs.replace(PROBLEM, outputs=outputs, data=table, meaning=meaning), None)
    assert found is not None
    mended = (found[1].same or found[1].problem).meaning
    assert isinstance(mended, d.Predictions)
    assert [m.factor for m in mended.matches] == [1000.0, 1000.0 if both else 1.0]
    assert ("both" in (found[1].same_button or found[1].button)) == both
