"""Data page: a list printed beside the one that is compared says where its numbers are, as a column beside it does."""

from __future__ import annotations

import msgspec
from awkward_lists import NCDUMP, TIMES

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.marks import Mark
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.list_keys import lists_beside
from bayescope.gui.models.data.keys.own_keys import own_key
from bayescope.gui.models.data.keys.unread_keys import unread_key

FLUX = d.Output(name="flux", source="stdout", extractor=d.NumberList(name="flux_r =", end=";"))
PROBLEM = d.Problem(
    name="transit",
    parameters=(d.Parameter(name="depth", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("sh", "@depth@")),
    outputs=(FLUX,),
    data=d.DataTable(columns={"hour": (1.0, 4.0, 7.0, 10.0), "flux": (1.0, 0.998, 0.992, 0.982)}),
    meaning=d.Predictions(matches=(d.Match(output="flux", column="flux"),), noise=d.GaussianKnown(sd=0.1)),
)


def test_other_lists_with_as_many_numbers_are_looked_at_as_keys() -> None:
    ((other, values),) = lists_beside(FLUX, NCDUMP)
    assert other.extractor == d.NumberList(name="time =", occurrence=-1, end=";")
    assert tuple(values) == TIMES


def test_rows_are_paired_by_a_list_that_no_output_reads_yet() -> None:
    report = TrialRunReport(outcome="ok", stdout=NCDUMP, values={"depth": 0.5}, exit_code=0)
    found = own_key(PROBLEM, 0, report)
    assert found is not None
    problem, column = found
    assert column == "hour"
    assert [o.name for o in problem.outputs] == ["flux", "hour"]
    meaning = problem.meaning
    assert isinstance(meaning, d.Predictions)
    assert meaning.matches[0].keys == (("hour", "hour"),)


def test_a_list_that_says_when_is_offered_to_be_read_where_dates_were_measured() -> None:
    dates = tuple(f"2019-09-{day:02d}" for day in (2, 5, 8, 9))
    data = d.DataTable(columns={"flux": (1.0, 0.998, 0.992, 0.982)}, texts={"date": dates})
    report = TrialRunReport(outcome="ok", stdout=NCDUMP, values={"depth": 0.5}, exit_code=0)
    problem = msgspec.structs.replace(PROBLEM, data=data)
    found = unread_key(problem, 0, report)
    assert found is not None
    assert found.button == "Read “time” too"
    assert [o.name for o in found.problem.outputs] == ["flux", "time"]
    assert unread_key(found.problem, 0, report) is None, "it is read now"


def test_dates_beside_the_values_are_called_by_their_own_heading_above_a_line_of_units() -> None:
    printed = "date            P         Q\nyyyy-mm-dd   mm/d      mm/d\n" + "".join(
        f"2022-10-{day:02d}    0.{day}   0.{480 + day}\n" for day in range(1, 5)
    )
    at = printed.index("0.481")
    read = Mark(printed, at, at, "stdout").offers("column")[0].proposals[0].extractor
    flow = d.Output(name="Q", source="stdout", extractor=read)
    days = tuple(f"{day:02d}.10.2022" for day in range(2, 8))  # some beyond the run
    data = d.DataTable(columns={"Abfluss": tuple(map(float, range(6)))}, texts={"Datum": days})
    meaning = d.Predictions(matches=(d.Match(output="Q", column="Abfluss"),), noise=d.GaussianKnown(sd=0.1))
    problem = msgspec.structs.replace(PROBLEM, outputs=(flow,), data=data, meaning=meaning)
    found = unread_key(problem, 0, TrialRunReport(outcome="ok", stdout=printed, values={"depth": 0.5}, exit_code=0))
    assert found is not None
    assert found.button == "Read “date” too"
    assert "prints “date” beside “Q”" in found.words
    assert "pairs the rows by “Datum”" in found.words
    assert [o.name for o in found.problem.outputs] == ["Q", "date"]
