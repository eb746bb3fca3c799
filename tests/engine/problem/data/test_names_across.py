"""Dates and labels below an axis, in place of row numbers and seconds."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.across import names_across

WEEKS, AGES = ("8.10.2023", "15.10.2023", "22.10.2023"), ("0-9", "10-19")


def problem(**texts: tuple[str | None, ...]) -> d.Problem:
    """Two tables joined: cases of three weeks, then a survey of two ages."""
    columns = {"cases": (3.0, 5.0, 9.0, None, None), "sero": (None, None, None, 50.0, 60.0)}
    matches = (d.Match(output="c", column="cases"), d.Match(output="s", column="sero"))
    meaning, program = d.Predictions(matches=matches, noise=d.GaussianKnown(sd=1.0)), d.Simulator(command=("run",))
    data = d.DataTable(columns=columns, texts=texts)
    return d.Problem(name="", parameters=(), simulator=program, outputs=(), data=data, meaning=meaning)


def names(found: d.Problem) -> list[tuple[str, tuple[str, ...]]]:
    assert isinstance(found.meaning, d.Predictions)
    return [names_across(found, match) for match in found.meaning.matches]


def test_each_part_of_joined_tables_has_its_own_dates_or_labels() -> None:
    found = names(problem(week=(*WEEKS, None, None), age=(None, None, None, *AGES)))
    assert found == [("week", (*WEEKS, "", "")), ("age", ("", "", "", *AGES))]


def test_labels_that_repeat_say_no_place() -> None:
    assert names(problem(age=("x", "x", "x", "a", "a"))) == [("", ()), ("", ())]


def test_without_labels_rows_keep_their_numbers() -> None:
    assert names(problem()) == [("", ()), ("", ())]
