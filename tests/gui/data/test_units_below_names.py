"""Units on a line of their own below the names, one column of labels without: every known pair of units is asked about."""

from __future__ import annotations

import msgspec
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks import Mark
from bayescope.gui.models.data.units.unit_doubts import first_unit_doubt
from bayescope.gui.models.simulator.outputs.picked_headings import picked_each

REPORT = """ STATE POINTS
 state       T      density     pressure      U_conf
            [K]    [kg/m3]        [MPa]    [kJ/mol]
 ---------------------------------------------------
 A1      150.00    1250.00      36.6343    -4.80961
 A2      200.00    1150.00      61.7189    -4.22278
 A3      275.00     950.00      82.0648    -3.26603
"""
COLUMNS = {"p / bar": (257.0, 574.0, 754.0), "U_res / J/mol": (-4881.0, -4310.0, -3290.0)}


def compared() -> d.Problem:
    spans = [(at := REPORT.index(name), at + len(name)) for name in ("pressure", "U_conf")]
    picked = picked_each(lambda a, b: Mark(REPORT, a, b, "md.rpt"), REPORT, "md.rpt", spans, ()).found
    outputs = tuple(
        d.Output(name=one.name, source="md.rpt", extractor=one.proposal.extractor, unit=one.unit) for one in picked
    )
    pairs = tuple(d.Match(output=o.name, column=c) for o, c in zip(outputs, COLUMNS, strict=True))
    data = d.DataTable(columns=dict(COLUMNS))
    meaning = d.Predictions(matches=pairs, noise=d.GaussianKnown(sd=1.0))
    return msgspec.structs.replace(PROBLEM, outputs=outputs, data=data, meaning=meaning)


def test_a_factor_of_ten_between_megapascals_and_bars_is_asked_about_with_the_factor_of_a_thousand_beside_it() -> None:
    found = first_unit_doubt(compared(), None)
    assert found is not None
    row, doubt = found
    assert row == 0
    assert "“pressure” is in MPa, as it says, and “p / bar” was measured in bar" in doubt.words
    assert doubt.same is not None
    assert isinstance(doubt.same.meaning, d.Predictions)
    assert [m.factor for m in doubt.same.meaning.matches] == [10.0, 1000.0]


def test_a_no_to_one_doubt_about_units_hides_no_other() -> None:
    problem = compared()
    first = first_unit_doubt(problem, None)
    assert first is not None
    then = first_unit_doubt(problem, None, (first[1].words,))
    assert then is not None
    assert then[0] == 1
    assert "“U_conf” is in kJ/mol" in then[1].words
    assert first_unit_doubt(problem, None, (first[1].words, then[1].words)) is None
