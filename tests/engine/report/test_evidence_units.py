"""The evidence is a density of the data in their units; what it is in those of the program is told."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from scipy.stats import norm

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.units.evidence_units import evidence_units
from bayescope.engine.report.report_methods import methods_paragraph

DATA = d.DataTable(
    columns={"Cl (mg/L)": (55.0, 50.0, None, 31.0), "K exch (meq/kg)": (0.2, 0.3, 0.1, None), "n": (1.0, 2.0, 3.0, 4.0)},
    limits={"Cl (mg/L)": (None, None, "<0.5", None)},
)


def of(*matches: d.Match) -> d.Problem:
    return d.Problem(
        name="column", parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@a@")), data=DATA,
        outputs=tuple(d.Output(name=m.output, source="o", extractor=d.CsvColumn(column=0)) for m in matches),
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.2)),
    )  # fmt: skip


CL = d.Match(output="Cl", column="Cl (mg/L)", factor=35.45, left_out=(4,))
K = d.Match(output="KX", column="K exch (meq/kg)", factor=1 / 4.4)


def test_densities_in_the_units_of_the_program_differ_by_the_logarithms_of_the_factors() -> None:
    found = evidence_units(of(CL, K))
    assert found is not None
    assert found.words == "It is of the data in mg/L, meq/kg."
    here = there = 0.0
    for match, values, predicted in ((CL, (55.0, 50.0), 1.5), (K, (0.2, 0.3, 0.1), 0.8)):
        y, f = np.array(values), match.factor
        here += float(norm.logpdf(y, f * predicted, 0.2).sum())
        there += float(norm.logpdf(y / f, predicted, 0.2 / f).sum())
    assert here + found.shift == pytest.approx(there), "the limit counts with a probability"


def test_columns_that_say_no_unit_are_told_beside_those_that_do() -> None:
    found = evidence_units(of(CL, d.Match(output="n", column="n")))
    assert found is not None
    assert found.words == "It is of the data in mg/L and in units that their columns do not say."


def test_without_factors_and_of_counts_nothing_is_said() -> None:
    assert evidence_units(of(msgspec.structs.replace(CL, factor=1.0))) is None
    counts = d.Match(output="n", column="n", factor=3.0, noise=d.PoissonNoise())
    found = evidence_units(of(CL, counts))
    assert found is not None
    assert found.shift == pytest.approx(2 * math.log(35.45))


def test_the_paragraph_on_methods_says_the_evidence_in_both_units(make_iteration) -> None:  # type: ignore[no-untyped-def]
    record = make_iteration(3)
    origin = {"evaluations": 40, "versions": {"bayescope": "1"}}
    text = str(methods_paragraph(of(CL), record, origin, False))
    assert "It is of the data in mg/L. For data in the units of the program it is" in text
