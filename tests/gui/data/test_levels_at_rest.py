"""Depths in wells against drawdowns: one factor for both wells and the level at rest of each, not a factor for each well."""

from __future__ import annotations

import msgspec
import numpy as np
from data_pages import PROBLEM, column

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.engine.protocol import TrialFile, TrialOutput, TrialRunReport
from bayescope.gui.models.data.units.changes import changes_of
from bayescope.gui.models.data.units.other_units import first_far_off

DRAWN = {"PB1": np.linspace(0.05, 1.2, 12), "PB2": np.linspace(0.01, 0.3, 12)}  # m, by the test run
REST = {"PB1": 187.4, "PB2": 203.1}  # cm


def wells(rest: dict[str, float]) -> d.Problem:
    measured = {f"depth (cm) ({n})": tuple(map(float, rest[n] + 80.0 * DRAWN[n] ** 0.9)) for n in DRAWN}
    outputs = tuple(column(name, k) for k, name in enumerate(DRAWN))
    pairs = tuple(d.Match(output=n, column=c) for n, c in zip(DRAWN, measured, strict=True))
    meaning = d.Predictions(matches=pairs, noise=d.GaussianKnown())
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=d.DataTable(columns=measured), meaning=meaning)


def tried(problem: d.Problem) -> TrialRunReport:
    text = "".join(f"{a} {b}\n" for a, b in zip(*DRAWN.values(), strict=True))
    read = tuple(TrialOutput(name=o.name, source=o.source, values=read_output(o, text).values) for o in problem.outputs)
    return TrialRunReport(outcome="ok", outputs=read, files=(TrialFile(name="res.txt", role="produced", text=text),))


def test_one_factor_and_a_constant_for_each_well_are_offered_where_factors_would_differ() -> None:
    problem = wells(REST)
    found = changes_of(problem, tried(problem))
    assert {i: c.times for i, c in found.items()} == {0: 100.0, 1: 100.0}
    assert all(abs(c.offset - rest) < 2.0 for c, rest in zip(found.values(), REST.values(), strict=True))
    doubt = first_far_off(problem, tried(problem))
    assert doubt is not None
    assert "One factor does not explain all that is compared in cm." in doubt[1].words
    assert doubt[1].button.replace("&", "").startswith("Multiply PB1 by 100, add 18")
    assert "type the exact one as its factor, 100 + 18" in doubt[1].hint


def test_wells_that_one_factor_explains_are_multiplied() -> None:
    problem = wells({"PB1": 0.0, "PB2": 0.0})
    found = changes_of(problem, tried(problem))
    assert {(c.times, c.offset) for c in found.values()} == {(100.0, 0.0)}
