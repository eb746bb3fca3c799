"""Measured between the rows that a program prints: the prediction lies on the straight line between them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayescope.engine.answer.digits import rough_beside
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, unpaired

MATCH = d.Match(output="u", column="u", key_output="x", key_column="x", interpolate=True)


def table(x: list[float | None], u: list[float | None]) -> d.DataTable:
    return d.DataTable(columns={"x": tuple(x), "u": tuple(u)})


@given(st.floats(-5, 5), st.floats(-5, 5), st.lists(st.floats(0, 10), min_size=1, max_size=8), st.permutations(range(5)))
def test_a_straight_line_is_met_everywhere_between_its_ends_in_any_order(
    slope: float, offset: float, keys: list[float], order: list[int]
) -> None:
    x = np.array([0.0, 1.0, 2.5, 7.0, 10.0])[list(order)]
    found = compare_match(MATCH, table(list(keys), [0.0] * len(keys)), {"x": x, "u": slope * x + offset})
    np.testing.assert_allclose(found.prediction, slope * np.array(keys) + offset, atol=1e-9)


def test_with_two_keys_the_line_runs_among_the_rows_that_agree_in_the_second() -> None:
    match = msgspec.structs.replace(MATCH, second_key_output="day", second_key_column="day")
    data = d.DataTable(columns={"x": (0.5, 0.5, 2.5), "day": (1.0, 2.0, 1.0), "u": (1.0, 1.0, 1.0)})
    outputs = {
        "x": np.array([0.0, 1.0, 3.0, 0.0, 1.0]),
        "day": np.array([1.0, 1.0, 1.0, 2.0, 2.0]),
        "u": np.array([0.0, 10.0, 20.0, 100.0, 300.0]),
    }
    assert compare_match(match, data, outputs).prediction.tolist() == [5.0, 200.0, 17.5]
    beyond = msgspec.structs.replace(data, columns={**data.columns, "day": (1.0, 2.0, 2.0)})
    with pytest.raises(ComparisonError, match=r"Row 3 of the data, where “x, day” is 2.5, 2, does not lie between two values"):
        compare_match(match, beyond, outputs)
    assert [one.row for one in unpaired(match, beyond, outputs)] == [3]


def test_rows_outside_of_what_is_printed_are_named_and_not_guessed() -> None:
    data = table([0.5, None, 3.0], [1.0, 2.0, 3.0])
    outputs = {"x": np.array([0.0, 1.0, 2.0]), "u": np.array([0.0, 10.0, 20.0])}
    with pytest.raises(ComparisonError, match=r"Row 3 of the data, where “x” is 3, does not lie between two values"):
        compare_match(MATCH, data, outputs)
    assert [one.row for one in unpaired(MATCH, data, outputs)] == [2, 3]
    inside = compare_match(msgspec.structs.replace(MATCH, left_out=(3,)), data, outputs)
    assert inside.prediction[0] == 5.0


def test_a_key_that_stands_twice_with_different_values_is_refused() -> None:
    outputs = {"x": np.array([0.0, 1.0, 1.0]), "u": np.array([0.0, 10.0, 20.0])}
    with pytest.raises(ComparisonError, match="the same value in several rows"):
        compare_match(MATCH, table([0.5], [1.0]), outputs)


def test_a_value_just_above_its_limit_is_not_written_like_the_limit() -> None:
    assert rough_beside(0.302, 0.3) == "0.302"
    assert rough_beside(0.3004, 0.3) == "0.3004"
    assert rough_beside(1.31, 0.3) == "1.3"
