"""Of several temperatures in kelvins beside degrees Celsius every one is mended alike, and no flux beside them is."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.data.units.changes import changes_of
from bayescope.gui.models.data.units.other_units import OtherUnit, other_unit

T = np.linspace(0.0, 5.0, 6)
MEASURED = (-5.0 - T, -12.0 - 2.0 * T, 4.0 + T, -3.0 - T)
PRINTED: dict[str, ArrayLike] = {"Ta": 268.3 - T, "Tb": 255.0 - 0.2 * T, "Tc": 290.0 + 3.0 * T, "flux": 4.0 + T}


def compared(measured: dict[str, ArrayLike], printed: dict[str, ArrayLike]) -> tuple[d.Problem, TrialRunReport]:
    values = {name: tuple(np.asarray(v, dtype=float).tolist()) for name, v in (measured | printed).items()}
    outputs = tuple(d.Output(name=n, source="o.csv", extractor=d.CsvColumn(column=n)) for n in printed)
    matches = tuple(d.Match(output=o, column=c) for o, c in zip(printed, measured, strict=True))
    problem = d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")), outputs=outputs,
        data=d.DataTable(columns={name: values[name] for name in measured}),
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.5)),
    )  # fmt: skip
    read = tuple(TrialOutput(name=n, source="o.csv", values=values[n]) for n in printed)
    return problem, TrialRunReport(outcome="ok", outputs=read)


def doubts(columns: tuple[str, ...], printed: dict[str, ArrayLike] = PRINTED) -> dict[str, OtherUnit]:
    problem, report = compared(dict(zip(columns, MEASURED, strict=True)), printed)
    found = {name: other_unit(problem, i, report) for i, name in enumerate(printed)}
    return {name: doubt for name, doubt in found.items() if doubt is not None}


def after(doubt: OtherUnit) -> list[tuple[float, float]]:
    mended = doubt.same or doubt.every or doubt.problem
    assert isinstance(mended.meaning, d.Predictions)
    return [(m.factor, m.offset) for m in mended.meaning.matches]


@pytest.mark.parametrize(
    "columns",
    [("A", "B", "C", "q"), ("A [C]", "B [C]", "C [C]", "q (W/m2)"), ("A (deg)", "B (deg)", "C (deg)", "q (W/m2)"),
     ("A_C", "B_C", "C_C", "q")],
)  # fmt: skip
def test_siblings_of_a_temperature_in_kelvins_are_given_the_same_offset_by_one_button(columns: tuple[str, ...]) -> None:
    found = doubts(columns)
    for name in ("Ta", "Tb", "Tc"):
        assert "as kelvins are against degrees Celsius" in found[name].words
        assert after(found[name]) == [(1.0, -273.15)] * 3 + [(1.0, 0.0)]
    assert after(found["flux"]) == [(1.0, 0.0)] * 3 + [(-1.0, 0.0)]


def test_a_sibling_of_a_heading_in_kelvins_is_mended_with_it() -> None:
    printed: dict[str, ArrayLike] = {"Ta [K]": PRINTED["Ta"], "Tb": PRINTED["Tb"], "Tc": PRINTED["Tc"], "flux": PRINTED["flux"]}
    found = doubts(("A [C]", "B [C]", "C [C]", "q (W/m2)"), printed)
    assert "is in K, as it says" in found["Ta [K]"].words
    assert after(found["Ta [K]"]) == [(1.0, -273.15)] * 3 + [(1.0, 0.0)]


def test_below_zero_a_single_temperature_in_kelvins_is_no_matter_of_signs() -> None:
    problem, report = compared({"A": [-5.0]}, {"Ta": [255.0]})
    change = changes_of(problem, report)[0]
    assert (change.times, change.offset) == (1.0, -273.15)


def test_no_hundredth_of_a_sibling_is_offered_though_it_comes_near() -> None:
    problem, report = compared({"A": [-2.6, -2.5], "B": [2.6, 2.7]}, {"Ta": [263.0, 262.0], "Tb": [263.0, 268.0]})
    changes = changes_of(problem, report)
    assert [(changes[i].times, changes[i].offset) for i in (0, 1)] == [(1.0, -273.15)] * 2


def test_an_opposite_sign_of_the_right_size_stays_one_though_273_fits_too() -> None:
    problem, report = compared({"A": [-130.0, -140.0]}, {"u": [140.0, 131.0]})
    change = changes_of(problem, report)[0]
    assert (change.times, change.offset) == (-1.0, 0.0)


@pytest.mark.parametrize(
    ("columns", "joined"),
    [(("T", "q"), False), (("F1", "F2"), True), (("T (-)", "q (-)"), False), (("T (mm)", "q (mm)"), True),
     (("T (mm)", "q (N)"), False), (("T (mm)", "q"), False)],
)  # fmt: skip
def test_a_turned_sign_is_only_offered_together_for_one_quantity(columns: tuple[str, str], joined: bool) -> None:
    outputs = ("T1", "T2") if columns == ("F1", "F2") else ("Ta", "flux")
    printed: dict[str, ArrayLike] = dict(zip(outputs, (-4.0 - T, 3.0 + T), strict=True))
    problem, report = compared(dict(zip(columns, MEASURED[2:], strict=True)), printed)
    found = other_unit(problem, 0, report)
    assert found is not None
    assert found.turns
    assert (found.same is not None or found.every is not None) == joined
