"""Identical outputs at different values: what is an accusation, and what coincides by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bayescope.engine.answer.predictions.differences import largest_difference
from bayescope.engine.answer.same_outputs import SameOutputsWatch, same_outputs
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.session.records import EvaluationRecord

CURVE = np.array([0.13, 0.52, 0.87, 0.44])


@pytest.fixture
def good(problem: d.Problem, make_evaluation: Callable[..., EvaluationRecord]) -> Callable[..., EvaluationRecord]:
    """A good run at a point of its own, or at ``a`` and ``b``."""
    space = ParameterSpace(problem.parameters)

    def make(i: int, outputs: dict[str, np.ndarray], a: float | None = None, b: float | None = None) -> EvaluationRecord:
        values = {"a": 0.2 + 0.05 * i if a is None else a, "b": -1.0 + 0.1 * i if b is None else b}
        u = space.to_inference(np.array([values["a"], values["b"]]))
        return replace(make_evaluation(i), u=u, values=values, outputs=outputs)

    return make


def numbers(*rows: float) -> dict[str, np.ndarray]:
    return {"y": np.array(rows, dtype=float)}


def test_a_program_that_ignores_its_input_is_told_after_five_runs(problem, good):
    runs = [good(i, numbers(-3.25)) for i in range(5)]
    assert same_outputs(problem, runs[:4]) is None, "a search may begin on a floor"
    found = same_outputs(problem, runs)
    assert found is not None
    assert (found.kind, found.indices, found.runs) == ("all", (0, 1, 2, 3, 4), 5)
    assert "All 5 good runs gave identical outputs" in found.what
    assert "reads an old file" in found.meaning
    assert "test run" in found.suggestion


def test_two_whole_vectors_that_agree_to_the_last_digit_are_told(problem, good):
    runs = [good(i, {"y": CURVE + 0.01 * i}) for i in range(6)]
    assert same_outputs(problem, runs) is None
    found = same_outputs(problem, [*runs, good(9, {"y": CURVE + 0.02})])
    assert found is not None
    assert (found.kind, sorted(found.indices)) == ("some", [2, 9])
    assert "runs 2 and 9" in found.what


def test_one_number_that_coincides_now_and_then_is_no_accusation(problem, good):
    """A floor in a third of the runs, and pairs of equal values."""
    runs = [good(i, numbers(-1e10 if i % 3 == 0 else -0.5 * (i // 2))) for i in range(20)]
    assert same_outputs(problem, runs) is None


def test_most_runs_on_one_value_are_told_with_what_to_do_about_a_floor(problem, good):
    found = same_outputs(problem, [good(i, numbers(-1e10 if i % 4 else -0.7 * i)) for i in range(16)])
    assert found is not None
    assert found.kind == "most"
    assert "12 of 16 good runs" in found.what
    assert "end with an error there" in found.suggestion


@pytest.mark.parametrize("count", [0.0, 1.0, 7.0])
def test_small_counts_coincide_by_themselves_unless_all_do(problem, good, count):
    runs = [good(i, numbers(count, count)) for i in range(25)]
    assert same_outputs(problem, [*runs[:19]]) is None
    assert same_outputs(problem, [*runs, good(30, numbers(2.0, 3.0))]) is None
    found = same_outputs(problem, runs)
    assert found is not None
    assert found.kind == "all"


def test_repeats_at_the_same_point_are_never_told(problem, good):
    assert same_outputs(problem, [good(i, {"y": CURVE}, a=0.5, b=0.5) for i in range(30)]) is None


def test_points_that_look_the_same_to_the_program_are_the_same_point(problem, good):
    """Two digits are written: the program cannot tell 0.501 from 0.502."""
    rounding = msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(problem.simulator, formats={"a": d.NumberFormat(digits=2)})
    )
    runs = [good(i, {"y": CURVE}, a=0.501 + 0.0001 * i, b=0.5) for i in range(8)]
    assert same_outputs(rounding, runs) is None
    assert same_outputs(problem, runs) is not None


def test_a_parameter_of_the_errors_never_reaches_the_program(problem, good):
    only_a = msgspec.structs.replace(problem, simulator=d.Simulator(command=("true", "@a@")))
    assert same_outputs(only_a, [good(i, {"y": CURVE}, a=0.5) for i in range(8)]) is None


def test_neighbours_may_be_printed_with_the_same_digits(problem, good):
    others = [good(i, {"y": CURVE + 0.01 * i}) for i in range(4)]
    near = [good(20 + i, {"y": CURVE}, a=1.5 + 1e-4 * i, b=0.1) for i in range(2)]
    assert same_outputs(problem, [*others[1:], *near]) is None


def test_an_axis_that_is_the_same_in_every_run_does_not_make_a_vector_of_a_floor(problem, good):
    """Times are printed too; the log-likelihood is on a floor in two runs of five."""
    runs = [good(i, {"t": CURVE, "logl": np.array([-1e30 if i in (1, 3) else -0.3 * i])}) for i in range(5)]
    assert same_outputs(problem, runs) is None
    keyed = msgspec.structs.replace(
        problem,
        meaning=d.Predictions(
            matches=(d.Match(output="y", column="y", key_output="t", key_column="t"),), noise=d.GaussianKnown(sd=1.0)
        ),
    )
    runs = [good(i, {"t": CURVE, "y": np.zeros(4)}) for i in range(5)]
    assert same_outputs(keyed, runs) is None, "zeros may be right, and the times are no news"


def test_failed_runs_and_runs_without_outputs_say_nothing(problem, good):
    runs = [replace(good(i, {"y": CURVE}), outcome="failed", log_target=None) for i in range(9)]
    assert same_outputs(problem, runs) is None
    assert same_outputs(problem, [good(i, {}) for i in range(9)]) is None


def test_values_that_belong_to_no_parameter_do_no_harm(problem, good):
    """A salvaged or crafted file may hold anything."""
    odd = [replace(good(i, {"y": CURVE}), values={"x": 1.0 * i}, u=np.zeros(i % 3)) for i in range(9)]
    odd += [replace(good(i, {"y": CURVE}), values={"a": float("nan"), "b": float(i)}) for i in range(9)]
    assert same_outputs(problem, odd) is None
    odd = [replace(good(i, {"y": CURVE + i % 3}), u=np.full(i % 3, np.nan)) for i in range(9)]
    assert same_outputs(problem, odd) is None
    broken = msgspec.structs.replace(problem, parameters=())
    assert same_outputs(broken, [good(i, {"y": CURVE + i}) for i in range(9)]) is None


def test_one_after_another_says_the_same_as_all_at_once(problem, good):
    runs = [good(i, {"y": CURVE + 0.01 * (i % 7)}) for i in range(15)]
    watch = SameOutputsWatch(problem)
    first = None
    for k, run in enumerate(runs):
        watch.add(run)
        assert watch.finding() == same_outputs(problem, runs[: k + 1])
        first = k if first is None and watch.finding() is not None else first
    assert first == 7, "as soon as it is clear"


@settings(max_examples=60)
@given(
    arrays(np.float64, st.integers(1, 6)), arrays(np.float64, st.integers(1, 6)), st.booleans()
)
def test_the_largest_difference_is_none_exactly_for_equal_numbers(a, b, same):
    b = a.copy() if same else b
    found = largest_difference({"y": a}, {"y": b})
    assert (found is None) == (a.shape == b.shape and np.array_equal(a, b, equal_nan=True))
    if found is not None:
        assert found.relative > 0.0
        assert "“y”" in found.words


def test_the_largest_difference_names_output_place_and_both_values():
    before = {"y": np.array([1.0, 100.0, 50.0]), "z": np.array([4.0])}
    after = {"y": np.array([1.0, 100.0, 49.0]), "z": np.array([4.2])}
    found = largest_difference(before, after)
    assert found is not None
    assert (found.output, found.position, found.before, found.after) == ("z", 0, 4.0, 4.2)
    assert found.relative == pytest.approx(0.2 / 4.2)
    found = largest_difference({"y": before["y"]}, {"y": after["y"]})
    assert found is not None
    assert found.words == "output “y” differs by 1 % of its size in number 3 (50 before, 49 after)"
    found = largest_difference({"y": np.array([1.0])}, {"y": np.array([1.0 + 1e-15])})
    assert found is not None
    assert "1.000000000000001" in found.words, "two that differ do not look the same"
    for other in (np.array([1.0, 2.0]), None):
        found = largest_difference({"y": np.array([1.0])}, {} if other is None else {"y": other})
        assert found is not None
        assert found.relative == np.inf
