"""By how much a value of one run scatters, as stored with an answer and as it is said."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.surrogate_peak import PeakFound
from bayescope.engine.answer.usual_scatter import UsualScatter, scatter_words
from bayescope.engine.problem import definition as d

BOTH = UsualScatter.over(np.array([0.3, 0.4, 2.0]), np.array([0.5, 0.5, 1.0]), (slice(0, 2), slice(2, 3)))


def test_it_is_the_root_mean_square_over_the_values_of_each_comparison() -> None:
    np.testing.assert_allclose(BOTH.size, [np.sqrt(0.125), 2.0])
    np.testing.assert_allclose(BOTH.error, [0.5, 1.0])
    assert BOTH.relative(1) == pytest.approx(2.0)


def test_it_is_read_as_it_was_stored_and_nonsense_is_nothing() -> None:
    stored = BOTH.arrays()
    found = UsualScatter.of(stored)
    assert found is not None
    np.testing.assert_array_equal(found.size, BOTH.size)
    assert UsualScatter.of({}) is None
    for wrong in (np.array([1.0]), np.array([np.nan, 1.0]), np.array([-1.0, 1.0]), np.ones((1, 2))):
        assert UsualScatter.of({**stored, "scatter.size": wrong}) is None


def test_what_runs_leave_unknown_widens_the_answer_and_is_said_with_what_narrows_it() -> None:
    wide = UsualScatter(np.array([3.0, 4.0]), np.array([1.0, 2.0]), np.array([0.75, 0.2]))
    assert UsualScatter.of(wide.arrays()).left.tolist() == [0.75, 0.2]  # type: ignore[union-attr]
    said = wide.widening(["wait", "use"], 140)
    assert "from 140 runs its averages of “wait” are known to ±0.75 only, beside an error of 1 of" in said
    assert "25 % wider" in said
    assert UsualScatter(np.array([3.0]), np.array([1.0]), np.array([0.2])).widening(["wait"], 9) == ""
    assert UsualScatter(np.array([3.0]), np.array([1.0])).widening(["wait"], 9) == "", "a file of an earlier version"
    assert UsualScatter.of({**BOTH.arrays(), "scatter.left": np.array([np.nan, 1.0])}).left is None  # type: ignore[union-attr]


def test_it_is_said_with_the_error_of_the_measurement_beside_it() -> None:
    one = UsualScatter(np.array([0.021]), np.array([0.05]))
    assert one.words(["y"]) == "By all runs a value scatters by 0.021, the measurement's error is 0.05."
    two = BOTH.words(["p", "q"])
    assert two.startswith("By all runs a value of “p” scatters by 0.35, the measurement's error is 0.5; a value of “q”")
    assert "of “comparison 2”" in BOTH.words([])


def test_a_best_run_above_the_maximum_is_called_lucky_where_log_densities_are_random() -> None:
    found = PeakFound({"a": 1.0}, -4.0, 0.1, -1.7, None, None)
    assert found.words("run")[-1].endswith("the best run came out 2.3 higher, so none better is expected there.")
    (said,) = found.words("run", random=True)
    assert said.endswith("noise averaged out; the best run came out 2.3 higher.")


def test_nothing_is_said_where_outputs_are_not_compared_or_do_not_scatter(problem: d.Problem) -> None:
    assert scatter_words(problem, BOTH.arrays()) == ""
    meaning = d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.05))
    predicting = d.Problem(
        name="p", parameters=problem.parameters, simulator=problem.simulator, outputs=problem.outputs, meaning=meaning
    )
    assert scatter_words(predicting, {}) == ""
    assert "0.021" in scatter_words(predicting, UsualScatter(np.array([0.021]), np.array([0.05])).arrays())
