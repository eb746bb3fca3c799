"""A real program that fails in a part of the ranges, and the problem about it."""

from __future__ import annotations

import sys
from pathlib import Path

from bayescope.engine.problem import definition as d

PROGRAM = """import sys, time
k, load = float(sys.argv[1]), float(sys.argv[2])
if k > 0.6:
    {beyond}
print("chi2 = %r" % (((k - 0.55) / 0.1) ** 2 + ((load - 50) / 10) ** 2))
"""


def problem(program: Path) -> d.Problem:
    return d.Problem(
        name="Fails above 0.6",
        parameters=(
            d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),
            d.Parameter(name="load", prior=d.Uniform(low=0.0, high=100.0)),
        ),
        simulator=d.Simulator(
            command=(sys.executable, "-I", "-S", str(program), "@k@", "@load@"), limits=d.Limits(time_s=20.0)
        ),
        outputs=(d.Output(name="chi2", source="stdout", extractor=d.LabelledNumber(label="chi2")),),
        meaning=d.MinusTwoLogLikelihood(output="chi2"),
        settings=d.Settings(max_evaluations=24, workers=2, seed=1),
    )
