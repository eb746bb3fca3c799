"""A table of the program with a row for each depth of each date, first paired by the depth alone."""

from __future__ import annotations

import msgspec
from data_pages import PROBLEM

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.extract import read_output
from bayescope.engine.protocol import TrialFile, TrialOutput, TrialRunReport
from bayescope.gui.models.data.keys.keyed_instead import keyed_instead
from bayescope.gui.models.data.rows.unfit import first_unfit
from bayescope.gui.models.data.tables.repeated_places import first_repeated

DATES, DEPTHS = ("2021-03-04", "2021-04-04", "2021-05-04"), (0.5, 1.5, 2.5, 3.5)
ROWS = [(date, depth, 4.0 + depth + i) for i, date in enumerate(DATES) for depth in DEPTHS]
PRINTED = "\n".join(["date,lev,value", *(f"{date},{depth},{value}" for date, depth, value in ROWS), ""])
TABLE = d.DataTable(
    columns={"depth (m)": tuple(r[1] for r in ROWS[::2]), "T (C)": tuple(r[2] for r in ROWS[::2])},
    texts={"date": tuple(r[0] for r in ROWS[::2])},
)


def compared_by_depth() -> tuple[d.Problem, TrialRunReport]:
    names = {"depth": "lev", "T": "value"}
    outputs = tuple(d.Output(name=n, source="t.csv", extractor=d.CsvColumn(column=c)) for n, c in names.items())
    match = d.Match(output="T", column="T (C)", key_output="depth", key_column="depth (m)")
    meaning = d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1))
    problem = msgspec.structs.replace(PROBLEM, outputs=outputs, data=TABLE, meaning=meaning)
    read = tuple(
        TrialOutput(name=o.name, source=o.source, values=read_output(o, PRINTED).values, texts=()) for o in outputs
    )
    file = TrialFile(name="t.csv", role="produced", text=PRINTED)
    return problem, TrialRunReport(outcome="ok", outputs=read, files=(file,))


def test_rows_that_one_key_cannot_tell_apart_are_paired_by_the_label_beside_it_too() -> None:
    problem, report = compared_by_depth()
    assert first_repeated(problem) is not None, "as if they were measured under other conditions"
    found = keyed_instead(problem, 0, report)
    assert found is not None
    assert found.adds
    assert found.button == "Pair &by depth (m) and date"
    assert isinstance(found.problem.meaning, d.Predictions)
    assert {column for _, column in found.problem.meaning.matches[0].keys} == {"depth (m)", "date"}
    assert first_unfit(found.problem, report) is None
