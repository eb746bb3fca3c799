"""A key of one file of the program does not pair what it prints in another one, whose rows are those of other days."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks import Mark
from bayescope.engine.protocol import TrialFile, TrialRunReport
from bayescope.gui.models.data.keys.own_keys import own_key


def printed(name: str, first: int) -> str:
    days = (dt.date(2021, 10, 1) + dt.timedelta(days=first + k) for k in range(8))
    return f"day date {name}\n" + "".join(f"{k} {day} {k * k + first}.5\n" for k, day in enumerate(days))


FLOW, SNOW = printed("Unterthal", 1), printed("mean", 0)
REPORT = TrialRunReport(
    outcome="ok", stdout="", values={"k": 0.5}, exit_code=0,
    files=(TrialFile(name="flow.txt", role="produced", text=FLOW), TrialFile(name="snow.txt", role="produced", text=SNOW)),
)  # fmt: skip


def read(name: str, cell: str, source: str, scope: Literal["labels", "column"] = "column") -> d.Output:
    text = FLOW if source == "flow.txt" else SNOW
    at = text.index(cell)
    proposal = Mark(text, at, at, source).offers(scope)[0].proposals[0]
    return d.Output(name=name, source=source, extractor=proposal.extractor, text=scope == "labels")


def problem(source: str) -> d.Problem:
    """Its dates are those of ``source``; the other file's values are compared."""
    outputs = (
        read("Unterthal", "1.5", "flow.txt"), read("mean", "0.5", "snow.txt"), read("date", "2021-10-03", source, "labels"),
    )  # fmt: skip
    data = d.DataTable(columns={"Q": (1.0, 2.0, 3.0)}, texts={"Datum": ("03.10.2021", "05.10.2021", "06.10.2021")})
    compared = "mean" if source == "flow.txt" else "Unterthal"
    match = d.Match(output=compared, column="Q", key_output="date", key_column="Datum")
    return d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")), outputs=outputs, data=data,
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip


@pytest.mark.parametrize(("source", "own"), [("snow.txt", "flow.txt"), ("flow.txt", "snow.txt")])
def test_dates_of_another_file_give_way_to_those_beside_the_values(source: str, own: str) -> None:
    declared = problem(source)
    found = own_key(declared, 0, REPORT)
    assert found is not None
    meaning = found[0].meaning
    assert isinstance(meaning, d.Predictions)
    key = next(o for o in found[0].outputs if o.name == meaning.matches[0].key_output)
    assert (key.source, meaning.matches[0].key_column) == (own, "Datum")
    bare = msgspec.structs.replace(declared.meaning.matches[0], key_output=None, key_column=None)  # type: ignore[union-attr]
    unpaired = msgspec.structs.replace(declared, meaning=d.Predictions(matches=(bare,), noise=d.GaussianKnown(sd=0.1)))
    found = own_key(unpaired, 0, REPORT)
    assert found is not None
    meaning = found[0].meaning
    assert isinstance(meaning, d.Predictions)
    assert next(o.source for o in found[0].outputs if o.name == meaning.matches[0].key_output) == own
    assert own_key(found[0], 0, REPORT) is None, "it is of its own file now"
