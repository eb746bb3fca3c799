#!/usr/bin/env python3
"""rsv_season.py - one RSV season in four age classes, with summer2 (AuTuMN, Monash University).

usage:  python rsv_season.py CONTROL_FILE

reads the control file (sections begin with $, ! starts a comment) and writes season.out into the current folder
"""

import datetime as dt
import re
import sys
import warnings
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore")
from summer2 import CompartmentalModel, Multiply, Stratification  # noqa: E402


def read(path):
    section, scalars, classes, matrix = "", {}, [], []
    for line in Path(path).read_text().splitlines():
        line = line.split("!")[0].strip()
        if not line:
            continue
        if line.startswith("$"):
            section = line[1:].split()[0]
        elif section == "CLASSES":
            classes.append(line.split())
        elif section == "MIXING":
            matrix.append([float(w) for w in line.split()])
        else:
            key, value = (s.strip() for s in line.split("=", 1))
            scalars[key] = value.split()[0]
    return scalars, classes, np.array(matrix)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    s, classes, mixing = read(sys.argv[1])
    names = [c[0] for c in classes]
    tags = [re.sub(r"\W", "_", n) for n in names]
    people = np.array([float(c[1]) for c in classes])
    reported = np.array([float(c[2]) for c in classes]) / 100
    year, week = (int(w) for w in re.match(r"(\d+)-W(\d+)$", s["first week"]).groups())
    monday = dt.date.fromisocalendar(year, week, 1)
    weeks = int(s["weeks"])
    r0, latent, infectious = (float(s[k]) for k in ("R0", "latent period", "infectious period"))
    seed, susceptibility = float(s["infected at start"]), float(s["relative susceptibility"])
    if min(r0, latent, infectious, seed) <= 0 or (reported > 1).any():
        sys.exit("season: R0, periods and the infected at the start must be above zero, reported at most 100 %")

    share = people / people.sum()
    # contacts made reciprocal, then scaled so that the next generation matrix of a naive population has radius R0
    contacts = mixing * people[:, None]
    contacts = (contacts + contacts.T) / 2 / people[:, None]
    older = np.array([1.0] + [susceptibility] * (len(names) - 1))
    radius = np.abs(np.linalg.eigvals(older[:, None] * contacts * (people[:, None] / people[None, :]))).max()
    total = people.sum()
    immune = total * float(s["immune"]) / 100
    compartments = ["S", "E", "I", "R"]
    m = CompartmentalModel((0, 7 * weeks), compartments, ["I"], timestep=1.0)
    m.set_initial_population({"S": float(total - immune - seed), "I": seed, "R": float(immune)})
    m.add_infection_frequency_flow("infection", float(r0 / infectious / radius), "S", "E")
    m.add_transition_flow("onset", 1 / latent, "E", "I")
    m.add_transition_flow("recovery", 1 / infectious, "I", "R")
    age = Stratification("age", tags, compartments)
    age.set_population_split(dict(zip(tags, map(float, share), strict=True)))
    age.set_mixing_matrix(contacts)
    age.set_flow_adjustments("infection", {t: Multiply(float(f)) for t, f in zip(tags, older, strict=True)})
    m.stratify_with(age)
    for t in tags:
        m.request_output_for_flow(f"onset_{t}", "onset", source_strata={"age": t})
        m.request_output_for_flow(f"infection_{t}", "infection", source_strata={"age": t})
    for c in compartments:
        m.request_output_for_compartments(c, [c])
    m.run(jit=False)
    out = m.get_derived_outputs_df()

    onset = np.array([out[f"onset_{t}"].to_numpy()[1:].reshape(weeks, 7).sum(1) for t in tags]).T
    notified = onset * reported
    attack = np.array([out[f"infection_{t}"].to_numpy()[1:].sum() for t in tags]) / people
    mondays = [monday + dt.timedelta(7 * k) for k in range(weeks)]
    with open("season.out", "w") as f:
        p = lambda *a: print(*a, file=f)  # noqa: E731
        p("SEASON  RSV in age classes  (summer2)")
        p(f"control file: {sys.argv[1]}    R0 {r0:.4f}    infected at start {seed:.2f}")
        p()
        p("1  POPULATION BY STATE, end of week")
        p("   Week of            S          E          I          R")
        for k, d in enumerate(mondays):
            row = [out[c].to_numpy()[7 * (k + 1)] for c in compartments]
            p(f"   {d}" + "".join(f"{v:11.1f}" for v in row))
        p()
        p("2  NOTIFIED CASES BY WEEK OF ONSET AND AGE CLASS")
        p("   Week of   " + "".join(f"{n:>11}" for n in names) + "        all")
        for d, row in zip(mondays, notified, strict=True):
            p(f"   {d}" + "".join(f"{v:11.3f}" for v in row) + f"{row.sum():11.3f}")
        p()
        p("3  SEASON AS A WHOLE")
        p("   Age class   Population   Infected %   Notified   Peak week")
        for i, n in enumerate(names):
            peak = mondays[int(notified[:, i].argmax())]
            p(f"   {n:9}{people[i]:13.0f}{100 * attack[i]:13.4f}{notified[:, i].sum():11.2f}   {peak}")
        p()
        p("normal end")


main()
