"""Measured columns that bear the code of a place, and codes in the lines above a table, find the program's columns."""

from __future__ import annotations

import pytest

from bayescope.engine.problem.marks.coded_headings import coded_headings
from bayescope.engine.problem.marks.find_quantities import find_quantities
from bayescope.engine.problem.marks.quantity import Quantity

PRESSURE = "# pressure in m\nclock,J-01,J-05,J-12\n" + "".join(f"{h:02}:00,1.{h},2.{h},3.{h}\n" for h in range(6))
FLOW = "# flow in L/s\nclock,FM-IN,P-01\n" + "".join(f"{h:02}:00,4.{h},5.{h}\n" for h in range(6))
TEXTS = {"p.csv": PRESSURE, "q.csv": FLOW}
L1 = Quantity("L1 (J-05)", "bar", None, 4, "L1 (J-05) [bar]")
FLOWS = Quantity("Flow", "m³/h", None, 4, "Flow (m³/h)")


@pytest.mark.parametrize(
    ("wanted", "lines", "found"),
    [
        ([L1], [], [("p.csv", "J_05", "m")]),
        ([FLOWS], ["Mag meter FM-IN, DN300"], [("q.csv", "FM_IN", "L/s")]),
        ([FLOWS], ["Mag meter J-05"], []),  # of another kind
        ([FLOWS], ["FM-IN, beside P-01"], []),  # which?
        ([FLOWS], ["flow meter"], []),
        ([Quantity("L1 (J-99)", "bar", None, 4, "L1 (J-99) [bar]")], [], []),
        ([Quantity("L1 (J-05)", "°C", None, 4, "L1 (J-05) [°C]")], [], []),  # no temperature in m
        ([Quantity("L1 (J-05)", "bar", None, 40, "L1 (J-05) [bar]")], [], []),  # more rows than are printed
        ([L1, FLOWS], ["FM-IN"], [("p.csv", "J_05", "m"), ("q.csv", "FM_IN", "L/s")]),
    ],
)
def test_columns_headed_by_codes_are_found(
    wanted: list[Quantity], lines: list[str], found: list[tuple[str, str, str]]
) -> None:
    got = coded_headings(wanted, TEXTS, {}, lines)
    assert [(f.source, f.name, f.unit) for f in got.values()] == found


def test_what_a_code_tells_goes_before_a_name() -> None:
    report = {"r.rpt": "Link Flow Head\n" + "P-01 1.0 2.0\n" * 6}
    found, missing = find_quantities([L1, FLOWS], {**TEXTS, **report}, {}, (), ["FM-IN"])
    assert ([f.name for f in found], missing) == (["J_05", "FM_IN"], [])
