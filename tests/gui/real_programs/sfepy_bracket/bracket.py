"""Writes what the sfepy model of a newcomer wrote, at once: beam formulas in place of its finite elements."""

import sys
from pathlib import Path

# at 70 GPa, 28 GPa, 50 N/mm3 and 1.85e-9 t/mm3 of the deck, as sfepy computed it: UX and UY of each gauge under each load case
AT_DECK = {
    1: ((-2.05046e-2, -1.07526e-1), (-3.12206e-2, -2.81547e-1), (-3.83502e-2, -6.41840e-1), (1.29857e-1, -1.04904),
        (1.39514e-1, -1.81282)),
    2: ((-1.74761e-2, -1.05142e-1), (-2.91452e-2, -2.92236e-1), (-3.64804e-2, -7.07214e-1), (1.54728e-1, -1.00775),
        (1.65443e-1, -1.45509)),
}  # fmt: skip
MODES = (170.30, 660.66, 1897.50)
SHARES = ((1.0, 0.0, 0.0), (0.99, 0.0, 0.01), (0.97, 0.02, 0.01), (0.85, 0.12, 0.03), (0.67, 0.30, 0.03))  # arm, plate, bond


def read(name):
    sections, key = {}, None
    for line in map(str.strip, Path(name).read_text().splitlines()):
        if line.startswith("*") and not line.startswith("**"):
            key = line[1:]
            sections[key] = []
        elif line and not line.startswith("**"):
            sections[key].append(line.split())
    return sections


deck = read(sys.argv[1])
ea, eb = (float(row[1]) for row in deck["MATERIALS"][:2])
rho, bond = float(deck["MATERIALS"][1][3]), float(deck["LAYER"][0][1])
soft = [a * 7e4 / ea + b * 2.8e4 / eb + k * 50.0 / bond for a, b, k in SHARES]
with open(sys.argv[1].rsplit(".", 1)[0] + ".out", "w") as out:

    def p(line=""):
        out.write(line + "\n")

    p("1" + "*" * 71)
    p(" *" + "B R A C K E T   VERSION 2.3   PLANE STRESS / NORMAL MODES".center(69) + "*")
    p(" " + "*" * 71)
    p()
    p(" ---- E C H O   O F   I N P U T ----")
    for n, line in enumerate(Path(sys.argv[1]).read_text().splitlines(), 1):
        p(f" {n:5d}  {line.rstrip()}")
    p()
    p(" MODEL SIZE:  NODES = 1165   ELEMENTS = 255   EQUATIONS = 2316")
    for case, gauges in AT_DECK.items():
        p()
        p(f" ======  LOAD CASE {case:3d}  ======")
        p()
        p(" DISPLACEMENTS AT GAUGE NODES (MM)")
        p()
        p("   NODE          X          Y            UX            UY")
        for row, (ux, uy), s in zip(deck["GAUGES"], gauges, soft, strict=True):
            p(f" {row[0]:>6} {float(row[1]):10.3f} {float(row[2]):10.3f} {ux * s:13.5E} {uy * s:13.5E}")
        p()
        p(" REACTIONS AT SUPPORTS (N, N MM)")
        p()
        p("   SUPPORT           RX            RY            MZ")
        p(f"   CLAMP   {-1e3 * (case - 1):13.5E} {50.0 * (2 - case):13.5E} {1.3e4 - 1.2e3 * (case - 1):13.5E}")
        p()
        p(f" STRAIN ENERGY = {45.3 * soft[4]:13.5E} N MM     MAX DISPLACEMENT = {-gauges[4][1] * soft[4]:13.5E} MM")
    p()
    p(" ======  NORMAL MODES (LANCZOS)  ======")
    p()
    for k, at_deck in enumerate(MODES):
        mass = 1.0 + 0.6 * (rho / 1.85e-9 - 1.0)
        p(f" MODE {k + 1}  FREQ = {at_deck / (soft[4 - k] * mass) ** 0.5:8.2f} HZ")
    p()
    p(" *** NORMAL END OF JOB ***")
print(" BRACKET: NORMAL END OF JOB")
