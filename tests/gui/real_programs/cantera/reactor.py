"""Shock-tube run: constant-volume adiabatic reactor, mole fractions over time (A. Lindqvist 2019, rev. 4).

usage: reactor.py case.yaml
"""

import csv
import sys

import cantera as ct
from ruamel.yaml import YAML

with open(sys.argv[1]) as deck:
    case = YAML(typ="safe").load(deck)
gas = ct.Solution(case["mechanism"])
shock = case["shock"]
gas.TPX = shock["temperature"], shock["pressure"] * ct.one_atm, case["mixture"]
equations = gas.reaction_equations()
for equation, factor in case["rates"].items():
    hits = [i for i, e in enumerate(equations) if e == equation]
    if not hits:
        sys.exit(f"reactor.py: no reaction {equation!r} in {case['mechanism']}")
    for i in hits:
        gas.set_multiplier(factor, i)
reactor = ct.IdealGasReactor(gas, clone=False)
net = ct.ReactorNet([reactor])
net.rtol, net.atol = 1e-9, 1e-15
out = case["output"]
n = round(out["end"] / out["step"])
species = out["species"]
with open(out["file"], "w", newline="") as f:
    table = csv.writer(f)
    table.writerow(["time_us", "T_K", "p_atm", *species])
    for k in range(n + 1):
        t = k * out["step"]
        if t > 0:
            net.advance(t * 1e-6)
        x = [1e6 * reactor.phase[s].X[0] for s in species]
        table.writerow(
            [f"{t:.1f}", f"{reactor.T:.3f}", f"{reactor.phase.P / ct.one_atm:.5f}", *(f"{v:.4f}" for v in x)]
        )
print(
    f"{case['title']}: T = {reactor.T:.2f} K after {out['end']} us, {len(equations)} reactions, {n + 1} lines in {out['file']}"
)
