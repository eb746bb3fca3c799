"""What a run that lacks some of its outputs gave."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.compared import compare
from bayescope.engine.problem.data.rows.given_cells import given_cells

NAN = float("nan")


def problem(*matches: d.Match, **columns: tuple[float | None, ...]) -> d.Problem:
    return d.Problem(
        name="gaps",
        parameters=(d.Parameter(name="a", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("x", "@a@")),
        outputs=(),
        meaning=d.Predictions(matches=matches, noise=d.GaussianKnown(sd=0.1)),
        data=d.DataTable(columns=columns),
    )


MATCH = d.Match(output="y", column="y", key_output="t", key_column="t")
BY_TIME = problem(MATCH, y=(1.0, None, 3.0, 4.0), t=(0.0, 1.0, 2.0, 3.0))
SINGLE = problem(d.Match(output="p", column="p"), d.Match(output="q", column="q", factor=10.0), p=(1.0, None), q=(2.0, 5.0))


def test_of_a_whole_run_they_are_its_predictions() -> None:
    outputs = {"t": np.arange(4.0), "y": np.array([1.5, 2.5, 3.5, 4.5])}
    whole = np.concatenate([c.prediction[c.present] for c in compare(BY_TIME, outputs)])
    np.testing.assert_array_equal(given_cells(BY_TIME, outputs), whole)


def test_rows_that_a_table_lacks_are_none_whatever_stands_around_them() -> None:
    found = given_cells(BY_TIME, {"t": np.array([3.0, 0.0]), "y": np.array([4.5, 1.5])})
    np.testing.assert_array_equal(found, [1.5, NAN, 4.5])


def test_what_is_not_finite_is_none() -> None:
    found = given_cells(BY_TIME, {"t": np.arange(4.0), "y": np.array([np.inf, 2.5, NAN, 4.5])})
    np.testing.assert_array_equal(found, [NAN, NAN, 4.5])


def test_an_output_that_was_not_read_leaves_the_others() -> None:
    np.testing.assert_array_equal(given_cells(SINGLE, {"q": np.array([0.2, 0.5])}), [NAN, 2.0, 5.0])
    np.testing.assert_array_equal(given_cells(SINGLE, {"p": np.array([0.2]), "q": np.array([NAN, 0.5])}), [0.2, NAN, 5.0])


@pytest.mark.parametrize(
    "outputs",
    [
        {"y": np.array([1.0, 2.0, 3.0, 4.0])},
        {"t": np.array([0.0, 2.0, 2.0]), "y": np.array([1.0, 3.0, 3.1])},
        {"t": np.array([0.0, 2.0]), "y": np.array([1.0, 3.0, 4.0])},
        {"t": np.zeros(0), "y": np.zeros(0)},
    ],
    ids=["no key", "a key twice", "fewer keys than values", "nothing in it"],
)
def test_an_output_that_cannot_be_paired_gives_none(outputs: dict[str, np.ndarray]) -> None:
    assert np.isnan(given_cells(BY_TIME, outputs)).all()


def test_in_order_an_output_of_another_length_gives_none_since_nobody_knows_which() -> None:
    assert np.isnan(given_cells(SINGLE, {"p": np.array([1.0]), "q": np.array([1.0, 2.0, 3.0])})[1:]).all()


def test_between_rows_what_lies_outside_of_them_is_none() -> None:
    line = problem(msgspec.structs.replace(MATCH, interpolate=True), y=(1.0, 3.0, 4.0), t=(0.5, 1.5, 3.0))
    np.testing.assert_allclose(given_cells(line, {"t": np.arange(3.0), "y": np.array([1.0, 2.0, 4.0])}), [1.5, 3.0, NAN])


def test_values_chosen_by_their_numbers_are_given_as_far_as_a_shorter_output_goes() -> None:
    modes = problem(d.Match(output="f", column="f", rows=(1, 2, 5)), f=(2.4, 6.7, 11.0))
    np.testing.assert_array_equal(given_cells(modes, {"f": np.array([2.5, 6.6, 9.0, 9.5, 11.2, 70.0])}), [2.5, 6.6, 11.2])
    np.testing.assert_array_equal(given_cells(modes, {"f": np.array([2.5, 6.6, 9.0])}), [2.5, 6.6, NAN])
    np.testing.assert_array_equal(given_cells(modes, {"f": np.array([2.5])}), [2.5, NAN, NAN])
    assert np.isnan(given_cells(modes, {"f": np.zeros(0)})).all()
