"""A load test of a bridge as a newcomer kept it: dial gauges of two load cases, and below them the load cell of one pier."""

from __future__ import annotations

from bayescope.engine.problem import definition as d

TITLES = ("Dial gauges, accuracy ±0.02 mm; downwards is negative",
          "Reaction of the middle pier (load cell under node 4, accuracy ±0.4 kN)")  # fmt: skip
GAUGES = """2 1  -1.41|3 1  -2.45|4 1  -1.11|5 1  -0.78|6 1  -0.4|7 1 0.64 |9 1 0.49 -2.16
2 2  -2.05|3 2  -2.5|4 2  -1.83|5 2  -3.01|6 2  -2.27|7 2 1.53 |9 2 0.91 -2.28"""
FILE = "\n".join([
    "Load test of the two-span truss bridge, 14 May", TITLES[0], "", "node\tload case\tux (mm)\tuy (mm)",
    *(row.replace(" ", "\t") for row in GAUGES.replace("\n", "|").split("|")), "",
    TITLES[1], "load case\treaction (kN)", "1\t35.1", "2\t58.7", "",
])  # fmt: skip

_CASE = """========== LOAD CASE {case} ==========
output file Z88O2.TXT : displacements, computed by Z88F V13.0
                        *************

Knoten         U(1)              U(2)              U(3)              U(4)              U(5)              U(6)

{rows}
output file Z88O4.TXT : nodal forces, computed by Z88E V13.0
                        ************

now the nodal sums for each node
--------------------------------
  node       F(1)           F(2)           F(3)           F(4)           F(5)           F(6)

{forces}

"""


def printed(scale: float = 1.0) -> str:
    """What the finite elements print of both load cases: 13 nodes each."""
    found = []
    for case in (1, 2):
        rows = [f"{n:6d}    {0.1037 * n * case * scale:+.7E}    {-0.2113 * n * case * scale:+.7E}" for n in range(1, 14)]
        forces = [
            f"{n:5d}    {0.0:+.5E}   {3.5e4 * case if n == 13 else 2.0 * n * case:+.5E}" + "   +0.00000E+00" * 4
            for n in range(1, 14)
        ]
        found.append(_CASE.format(case=case, rows="\n".join(rows), forces="\n".join(forces)))
    return "".join(found)


def output(name: str, column: int, anchor: str = "Knoten U(1) U(2)", **more: object) -> d.Output:
    return d.Output(name=name, source="res.txt", extractor=d.Region(anchor=anchor, columns=(column,), occurrence="all", **more))  # type: ignore[arg-type]
