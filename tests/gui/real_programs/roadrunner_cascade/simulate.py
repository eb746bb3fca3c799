#!/usr/bin/env python3
"""Progress curves of the cascade: one file per experiment.

usage: simulate.py cascade.ant

Writes progress_exp1.csv (S0 = 200 uM) and progress_exp2.csv (S0 = 20 uM) to the current folder.
"""
import sys
from pathlib import Path

import antimony
import roadrunner

EXPERIMENTS = {"exp1": (2.0e-4, 3600.0, 361), "exp2": (2.0e-5, 1200.0, 241)}

text = Path(sys.argv[1]).read_text(encoding="utf-8")
if antimony.loadAntimonyString(text) < 0:
    sys.exit("ERROR: " + antimony.getLastError())
model = roadrunner.RoadRunner(antimony.getSBMLString("cascade"))
model.integrator.absolute_tolerance = 1e-14
model.integrator.relative_tolerance = 1e-8
for name, (s0, end, points) in EXPERIMENTS.items():
    model.resetAll()
    model["init([S])"] = s0
    result = model.simulate(0, end, points, ["time", "[S]", "[I]", "[P]"])
    with open(f"progress_{name}.csv", "w", encoding="utf-8") as out:
        out.write("time [s],[S] [M],[I] [M],[P] [M]\n")
        for row in result:
            out.write(",".join(f"{value:.6e}" for value in row) + "\n")
    print(f"{name}: S0 = {s0:.3e} M, {points} points, final P = {result[-1][3]:.4e} M")
