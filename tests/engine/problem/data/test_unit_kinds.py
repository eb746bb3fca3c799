"""Which units forbid that an output predicts a column, and by what numbers in units of the SI become those of a column."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem.data.rows.whole_pairing import Side, whole_pairing
from bayescope.engine.problem.data.units.unit_kinds import contradict, from_si


@pytest.mark.parametrize(
    ("unit", "other"), [("mm", "kN"), ("N", "MPa"), ("mm", "MPa"), ("K", "mm"), ("kg", "W"), ("W/m2", "degC"), ("Nm", "N")]
)
def test_units_of_kinds_between_which_nothing_leads_contradict(unit: str, other: str) -> None:
    assert contradict(unit, other)
    assert contradict(other, unit)


@pytest.mark.parametrize(
    ("unit", "other"),
    [("N", "kN"), ("mol/kg", "umol/L"), ("mol/L", "mg/L"), ("Hz", "1/s"), ("Hz", "rad/s"), ("ohm", "V/A"), ("K", "deg"),
     ("K", "°C"), ("m", "bar"), ("-", "mm"), ("", "kN"), ("furlongs", "kN"), ("J", "N m"), ("m2/s", "m3/s"),
     ("ohm.cm2", "mOhm"), ("W", "V A")],
)  # fmt: skip
def test_units_that_something_leads_between_or_that_are_not_known_do_not(unit: str, other: str) -> None:
    assert not contradict(unit, other)
    assert not contradict(other, unit)


@pytest.mark.parametrize(
    ("unit", "factor"), [("mm", 1e3), ("MPa", 1e-6), ("g", 1e3), ("kg/m3", 1.0), ("L/s", 1e3), ("blobs", None)]
)
def test_numbers_of_the_si_become_those_of_another_unit(unit: str, factor: float | None) -> None:
    assert from_si(unit) == (factor if factor is None else pytest.approx(factor))


def test_outputs_that_say_no_unit_may_count_in_those_of_the_si() -> None:
    outputs = [Side(n, np.array([v])) for n, v in {"disp": 0.0032, "sigma": 1.2e8, "reac": 41400.0}.items()]
    measured = (("a", 41.0, "kN"), ("b", 118.0, "MPa"), ("c", 3.1, "mm"))
    columns = [Side(name, np.array([value]), unit=unit) for name, value, unit in measured]
    found = whole_pairing(outputs, columns)
    assert {p.output: (p.column, p.sure) for p in found} == {"disp": ("c", True), "sigma": ("b", True), "reac": ("a", True)}


def test_what_units_contradict_is_no_guess_though_nothing_else_is_left() -> None:
    outputs = [Side("a", np.array([41400.0]), unit="N"), Side("b", np.array([120.0]), unit="mm")]
    assert whole_pairing(outputs, [Side(c, np.array([118.0]), unit="MPa") for c in "XY"]) == []
