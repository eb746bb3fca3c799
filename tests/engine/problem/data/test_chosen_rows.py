"""Some values of an output are taken by their number; which ones, labels and remarks of the laboratory may say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.rows.given_cells import given_cells
from bayescope.engine.problem.data.rows.row_remarks import label_numbers, said_places, said_ranges

TABLE = d.DataTable(columns={"UX": (None, -38.4, None, 219.9)}, texts={"Channel": ("W1", "U3", "W2", "U5")})
MATCH = d.Match(output="UX", column="UX", rows=(3, 5))
FIVE = {"UX": np.arange(1.0, 6.0)}


def problem(match: d.Match) -> d.Problem:
    return d.Problem(
        name="bracket",
        parameters=(d.Parameter(name="E", prior=d.Uniform(low=1.0, high=9.0)),),
        simulator=d.Simulator(command=("sh", "@E@")),
        outputs=(d.Output(name="UX", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=1.0)),
        data=TABLE,
    )


def test_values_of_an_output_are_taken_by_their_number_in_the_order_of_the_measured_rows() -> None:
    found = compare_match(MATCH, TABLE, FIVE)
    assert found.prediction[found.present].tolist() == [3.0, 5.0]
    other = compare_match(d.Match(output="UX", column="UX", rows=(5, 1)), TABLE, FIVE)
    assert other.prediction[other.present].tolist() == [5.0, 1.0]


def test_a_row_left_out_may_have_its_number_or_none() -> None:
    for rows in ((3, 5), (5,)):
        found = compare_match(d.Match(output="UX", column="UX", rows=rows, left_out=(2,)), TABLE, FIVE)
        assert found.prediction[found.present].tolist() == [5.0]


def test_a_run_that_prints_fewer_rows_is_said_and_gives_those_it_has() -> None:
    with pytest.raises(ComparisonError, match="has 4 values, but number 5 of them is compared with “UX”"):
        compare_match(MATCH, TABLE, {"UX": np.arange(4.0)})
    assert np.array_equal(given_cells(problem(MATCH), {"UX": np.arange(4.0)}), (2.0, np.nan), equal_nan=True)
    assert given_cells(problem(MATCH), {"UX": np.array([1.0, 2.0, math.nan, 4.0, 5.0])})[1] == 5.0


@pytest.mark.parametrize(
    ("match", "words"),
    [
        (d.Match(output="UX", column="UX", rows=(3, 3)), "taken twice"),
        (d.Match(output="UX", column="UX", rows=(0, 3)), "no value number 0"),
        (d.Match(output="UX", column="UX", rows=(1, 3), key_output="UX", key_column="Channel"), "by their number too"),
    ],
)
def test_numbers_that_cannot_be_are_said_in_words(match: d.Match, words: str) -> None:
    assert any(words in finding.message for finding in check(problem(match)))


def test_the_report_says_which_values_are_taken() -> None:
    said = likelihood_words(problem(MATCH).meaning)
    assert "rows paired in order: numbers 3, 5 of the output's values" in " ".join((said[0], *said[1]))


def test_numbers_at_the_ends_of_labels_are_places() -> None:
    assert label_numbers(("U3", "U5")) == (3, 5)
    assert label_numbers(("gauge 12", "gauge 4")) == (12, 4)
    assert label_numbers(("U3", "ACC")) == ()
    assert label_numbers(("U3", "W3")) == ()
    assert label_numbers(("0.5", "1.5")) == ()


@pytest.mark.parametrize(
    "remark",
    [
        "UX measured at nodes 103 and 105 only",
        "Remarks UX: Knoten 103 und 105; UY: alle fünf",
        "UY at 101, 102, 103, 104, 105; UX only at 103, 105.",
    ],
)
def test_a_clause_that_lists_places_behind_a_quantity_says_where_it_was_measured(remark: str) -> None:
    assert said_places([remark], ["UX"], 2)[0] == (103, 105)


@pytest.mark.parametrize("remark", ["UX measured at 2 of 5 nodes", "UXX at 103 and 105", "UX at 103 and 103", "UX 1.03, 1.05"])
def test_other_clauses_say_nothing(remark: str) -> None:
    assert said_places([remark], ["UX"], 2) == ((), "")


def test_a_range_that_equals_another_numbers_the_places() -> None:
    found, said = said_ranges(["Specimen 17-B", "number = gauge position (1..5 = node 101..105)"])
    assert found == {1: 101, 2: 102, 3: 103, 4: 104, 5: 105}
    assert "gauge position" in said
    assert said_ranges(["1-4 = Knoten 11-14"])[0] == {1: 11, 2: 12, 3: 13, 4: 14}
    assert said_ranges(["2026-11-12", "1..5 = node 101..109"]) == ({}, "")
