"""A key of one file of the program does not pair what it prints in another one, whose rows are those of other days."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import msgspec
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks import Mark
from bayescope.engine.protocol import TrialFile, TrialRunReport
from bayescope.gui.models.data.comparison_rows import match_columns
from bayescope.gui.models.data.keys.copied_pairing import paired_like
from bayescope.gui.models.data.keys.other_file import first_of_other_file
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


def match_of(problem: d.Problem, index: int = 0) -> d.Match:
    assert isinstance(problem.meaning, d.Predictions)
    return problem.meaning.matches[index]


def source_of(problem: d.Problem, name: str | None) -> str:
    return next(o.source for o in problem.outputs if o.name == name)


def hours(name: str, first: int) -> str:
    return f"hour line {name}\n" + "".join(f"{first + k} {'ab'[k % 2]} {k * k + first}.5\n" for k in range(8))


HOURS = {"flow.txt": hours("Unterthal", 24), "snow.txt": hours("mean", 0)}


def read_hours(name: str, source: str, column: int, text: bool = False) -> d.Output:
    return d.Output(name=name, source=source, extractor=d.CsvColumn(column=column, delimiter=" ", header=True), text=text)


def by_hours(**key: object) -> tuple[d.Problem, TrialRunReport]:
    """The flow, paired by the hour of the snow, with another comparison of the snow."""
    outputs = (
        read_hours("Q", "flow.txt", 2), read_hours("S", "snow.txt", 2), read_hours("hour", "snow.txt", 0),
        read_hours("line", "snow.txt", 1, text=True),
    )  # fmt: skip
    data = d.DataTable(
        columns={"day": (1.0, 1.0 + 3 / 24, 1.25), "h": (24.0, 27.0, 30.0), "q": (1.0, 2.0, 3.0), "s": (1.0, 2.0, 3.0)},
        texts={"side": ("a", "b", "a")},
    )
    flow = d.Match(output="Q", column="q", **key)  # type: ignore[arg-type]
    made = d.Problem(
        name="x", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@")), outputs=outputs, data=data,
        meaning=d.Predictions(matches=(flow,), noise=d.GaussianKnown(sd=0.1)),
    )  # fmt: skip
    files = tuple(TrialFile(name=n, role="produced", text=t) for n, t in HOURS.items())
    return made, TrialRunReport(outcome="ok", stdout="", values={"k": 0.5}, exit_code=0, files=files)


SCALED = {"key_output": "hour", "key_column": "day", "key_factor": 1 / 24}
TWO = {"key_output": "hour", "key_column": "h", "second_key_output": "line", "second_key_column": "side"}


@pytest.mark.parametrize(
    "key", [SCALED, TWO, {**SCALED, "interpolate": True}, {"key_output": "hour", "key_column": "h", "interpolate": True}]
)
def test_keys_with_a_factor_two_keys_and_interpolated_ones_give_way_too(key: dict[str, object]) -> None:
    declared, report = by_hours(**key)
    before = match_of(declared)
    found = own_key(declared, 0, report)
    assert found is not None
    after = match_of(found[0])
    assert {source_of(found[0], output) for output, _ in after.keys} == {"flow.txt"}
    assert [column for _, column in after.keys] == [column for _, column in before.keys]
    assert (after.key_factor, after.interpolate) == (before.key_factor, before.interpolate)


def test_a_pairing_copied_to_a_sibling_in_another_file_takes_the_key_of_that_file() -> None:
    declared = problem("snow.txt")
    first = d.Match(output="mean", column="S", key_output="date", key_column="Datum")
    other = d.Match(output="Unterthal", column="Q")
    assert declared.data is not None
    data = msgspec.structs.replace(declared.data, columns={**declared.data.columns, "S": (1.0, 2.0, 3.0)})
    meaning = d.Predictions(matches=(first, other), noise=d.GaussianKnown(sd=0.1))
    both = msgspec.structs.replace(declared, data=data, meaning=meaning)
    made = paired_like(both, 1, REPORT, first)
    assert made is not None
    assert source_of(made, match_of(made, 1).key_output) == "flow.txt"


def test_a_key_of_another_file_that_was_chosen_by_hand_is_named_and_asked_about() -> None:
    declared = problem("snow.txt")
    shown = {column.key: column for column in match_columns(declared)}["key"].text
    assert shown(match_of(declared)) == "by Datum, from snow.txt"
    found = first_of_other_file(declared, REPORT)
    assert found is not None
    assert found.words == (
        "“Unterthal” is read from flow.txt, but the key “date” of its rows from snow.txt: flow.txt prints other entries of that "
        "key beside its values."
    )
    assert found.button == "&Pair by that of flow.txt"
    assert found.problem is not None
    assert source_of(found.problem, match_of(found.problem).key_output) == "flow.txt"
    assert first_of_other_file(found.problem, REPORT) is None
    assert first_of_other_file(declared, REPORT, kept={found.words}) is None
    own = {column.key: column for column in match_columns(found.problem)}["key"].text
    assert own(match_of(found.problem)) == "by Datum"
