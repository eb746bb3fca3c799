"""The tour of the first start: five bubbles on a bundled example that is small enough to converge while one watches. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.session_files import load_example

EXAMPLE = "contamination"
KNOWN = {"ts": 0.3, "rho": 0.05}  # taken as known in the tour: its two unknowns are learnt in a third of the runs
BUDGET = 60  # runs; it converges after about 40


@dataclass(frozen=True)
class Step:
    """``page``: the step of the window that the bubble points at."""

    page: str
    heading: str
    words: str


STEPS = (
    Step(
        "simulator",
        "This is the program",
        "The example computes how a pollutant spreads in a channel. It reads its numbers from one file and writes what two "
        "sensors read to another. Yours can be any program that runs from a command line.",
    ),
    Step(
        "parameters",
        "These numbers are unknown",
        "Where was the pollutant released, and how strong was the source? A prior says what is known before; what is known "
        "for sure is fixed.",
    ),
    Step(
        "data",
        "This was measured",
        "Ten sensor readings, and how far measurements scatter. Bayescope looks for the unknown numbers that explain them.",
    ),
    Step(
        "run",
        "Now it learns",
        "Press “Start the runs”. Each run is chosen where it teaches most; the curves show what is known so far. This takes "
        "less than a minute.",
    ),
    Step(
        "results",
        "This is the answer",
        "A distribution for every unknown, not only a best value, and in words whether you can rely on it. Samples, tables, "
        "figures and a report are written from here. Now try it with your own program: File > New analysis.",
    ),
)

UNDER_WAY = "Each run is chosen where it teaches most; the curves show what is known so far. This takes less than a minute."
CONVERGED = "The runs are done: the answer has converged, and more runs would hardly change it. Press “Next” to read it."
ENDED = "The runs have ended. The line above says how far the answer can be relied on; press “Next” to read it."


def tour_problem() -> Problem:
    """The example with two unknowns. Raises ProblemError, or FileNotFoundError if it is missing."""
    problem = load_example(EXAMPLE)
    parameters = tuple(
        msgspec.structs.replace(p, fixed=KNOWN[p.name]) if p.name in KNOWN else p for p in problem.parameters
    )
    settings = msgspec.structs.replace(problem.settings, max_evaluations=BUDGET)
    return msgspec.structs.replace(problem, name="Tour: contamination source", parameters=parameters, settings=settings)
