"""An answer about a mistake says so first: where the best run is nowhere near the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.doubt import BEST_MISFIT
from bayescope.engine.answer.reach import judged, reach_of
from bayescope.engine.answer.usual_scatter import UsualScatter
from bayescope.engine.answer.words import about_ranges, actions, chip, headline
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.fixed_seed import fixed_seed
from bayescope.engine.run.outcomes import Outcomes
from bayescope.engine.session.records import EvaluationRecord, IterationRecord

BUDGET = 140


@pytest.fixture
def predicting(problem: d.Problem) -> d.Problem:
    output = msgspec.structs.replace(problem.outputs[0], name="y", length=None)
    meaning = d.Predictions(matches=(d.Match(output="y", column="y"),), noise=d.GaussianKnown(sd=0.1))
    data = d.DataTable(columns={"y": (1.0, 2.0, 3.0, 4.0)})
    return msgspec.structs.replace(problem, outputs=(output,), data=data, meaning=meaning)


@pytest.fixture
def run(make_evaluation: Callable[..., EvaluationRecord]) -> Callable[[float], EvaluationRecord]:
    """A run that predicts every value too high by so much."""
    return lambda off: replace(make_evaluation(7), outputs={"y": np.array([1.0, 2.0, 3.0, 4.0]) + off})


def answer(n: int, converged: bool) -> IterationRecord:
    none = np.zeros((0, 2))
    said = (f"The budget of {BUDGET} runs is spent. More runs would help.",)
    return IterationRecord(0, n, 0.0, 0.1, -3e6, 4e6, converged, False, said, np.zeros(0), none, np.zeros((0, 2, 2)))


def test_an_answer_far_from_the_data_says_what_to_check_before_more_runs(
    predicting: d.Problem, run: Callable[[float], EvaluationRecord]
) -> None:
    found = judged(answer(BUDGET, False), predicting, run(5.0), BUDGET)
    assert found.reasons[0].startswith(
        "The model never comes within reach of the data: its best run, 7, misses them by 50 standard errors. Check the units,"
    )
    assert "more runs would help" not in " ".join(found.reasons).lower()
    assert found.diagnostics[BEST_MISFIT] == pytest.approx(50.0)
    assert headline(True, False, 41, found.diagnostics)[0] == "warning"
    assert chip(True, False, found.diagnostics) == ("warning", "Far from the data")
    assert actions(False, BUDGET, BUDGET, found.diagnostics, ranges=True) == ()


def test_a_mistake_is_named_long_before_the_end_where_the_best_run_shows_it(
    predicting: d.Problem, run: Callable[[float], EvaluationRecord]
) -> None:
    turned = replace(run(0.0), outputs={"y": -np.array([1.0, 2.0, 3.0, 4.0])})
    found = judged(answer(24, False), predicting, turned, BUDGET)
    assert "“y” has the opposite sign to what was measured: a sign to be turned?" in found.reasons[0]
    assert found.reasons[0].startswith("No run comes within reach of the data so far: the best one, 7, misses them by")
    assert chip(False, False, found.diagnostics) == ("warning", "Far from the data")
    assert judged(answer(12, False), predicting, turned, BUDGET).diagnostics == {}, "too few runs"
    assert judged(replace(answer(24, False), warm_up=True), predicting, turned, BUDGET).diagnostics == {}, "the climb goes on"


def test_without_a_sign_of_a_mistake_the_climb_may_go_on_while_it_gets_better(
    predicting: d.Problem, run: Callable[[float], EvaluationRecord]
) -> None:
    assert judged(answer(24, False), predicting, run(5.0), BUDGET).diagnostics == {}
    assert judged(answer(28, False), predicting, run(5.0), BUDGET).diagnostics[BEST_MISFIT] == pytest.approx(50.0)
    assert judged(answer(28, False), predicting, run(2.5), BUDGET).diagnostics == {}, "25 standard errors may be mended"


def test_a_converged_answer_that_misses_the_data_by_more_than_chance_is_not_to_be_relied_on_yet(
    predicting: d.Problem, run: Callable[[float], EvaluationRecord]
) -> None:
    found = judged(answer(41, True), predicting, run(0.57), BUDGET)
    assert found.reasons[0].startswith("The best run, 7, misses the data by 5.7 standard errors, where about 1 is expected.")
    assert "another seed" in found.reasons[0]
    assert headline(True, False, 41, found.diagnostics) == (
        "warning", "Converged after 41 runs, far from the data: do not rely on it yet."
    )  # fmt: skip
    assert chip(True, False, found.diagnostics) == ("warning", "Far from the data")
    assert actions(True, 41, BUDGET, found.diagnostics, ranges=True) == ("more_runs",)
    assert actions(False, BUDGET, BUDGET, found.diagnostics, ranges=True) == ("more_runs",)


def test_ranges_are_not_to_be_narrowed_around_a_place_that_misses_the_data_by_more_than_chance(
    predicting: d.Problem, run: Callable[[float], EvaluationRecord]
) -> None:
    data = d.DataTable(columns={"y": (1.0, 2.0, 3.0, 4.0) * 5})
    many = msgspec.structs.replace(predicting, data=data)
    twenty = replace(run(0.246), outputs={"y": np.tile([1.0, 2.0, 3.0, 4.0], 5) + 0.246})  # chi^2 121 for 20 values
    narrow = about_ranges([], ["a"])[0]
    for n, budget in ((BUDGET, BUDGET), (15, 15)):  # also where the budget was too small to judge the place
        found = judged(replace(answer(n, False), reasons=("Not converged.", narrow)), many, twenty, budget)
        assert BEST_MISFIT not in found.diagnostics, "larger errors may explain it"
        assert "use_ranges" not in actions(False, n, budget, found.diagnostics, ranges=True)
        assert "more_runs" in actions(False, n, budget, found.diagnostics, ranges=True)
        assert narrow not in found.reasons
        assert "misses the data by 2.5 standard errors" in found.reasons[-1]
    near = judged(replace(answer(15, False), reasons=(narrow,)), predicting, run(0.1), 15)
    assert "use_ranges" in actions(False, 15, 15, near.diagnostics, ranges=True)


@pytest.mark.parametrize(
    ("off", "n", "converged"), [(0.1, BUDGET, True), (0.28, BUDGET, True), (0.8, 12, False), (5.0, 12, False)]
)
def test_nothing_is_said_of_fits_within_reach_nor_before_there_are_runs_enough(
    predicting: d.Problem, run: Callable[[float], EvaluationRecord], off: float, n: int, converged: bool
) -> None:
    before = answer(n, converged)
    assert judged(before, predicting, run(off), BUDGET) is before
    assert judged(before, predicting, None, BUDGET) is before


def test_there_is_no_reach_without_a_chi_squared(problem: d.Problem, make_evaluation: Callable[..., EvaluationRecord]) -> None:
    assert reach_of(problem, make_evaluation(1)) is None


def test_the_best_run_is_that_of_the_highest_log_density(make_evaluation: Callable[..., EvaluationRecord]) -> None:
    outcomes = Outcomes()
    runs = [replace(make_evaluation(i), log_likelihood=y, log_prior=0.0) for i, y in ((1, -5.0), (2, -2.0), (3, -2.0), (4, -9.0))]
    for one in [*runs, make_evaluation(5, outcome="failed")]:
        outcomes.count(one)
    assert outcomes.best is not None
    assert outcomes.best.index == 2


def test_a_run_that_scatters_may_miss_the_data_by_its_own_scatter_too(
    predicting: d.Problem, run: Callable[[float], EvaluationRecord]
) -> None:
    random = msgspec.structs.replace(predicting, meaning=msgspec.structs.replace(predicting.meaning, random=True))
    assert reach_of(random, run(0.57)) is None, "by how much is not known"
    learnt = replace(answer(41, True), slices=UsualScatter(np.array([0.4]), np.array([0.1])).arrays())
    found = reach_of(random, run(0.57), UsualScatter.of(learnt.slices))
    assert found is not None
    assert (found.misfit, found.scatters) == pytest.approx((5.7, 4.0))
    assert found.doubt == "none"
    assert judged(learnt, random, run(0.57), BUDGET) is learnt
    far = judged(learnt, random, run(5.0), BUDGET)
    assert far.reasons[0].startswith("The model never comes within reach of the data: its best run, 7, misses them by 50")
    assert far.diagnostics[BEST_MISFIT] == pytest.approx(50.0 / np.sqrt(17.0))


def test_outputs_that_scatter_though_they_count_as_exact_are_not_cured_by_more_runs(predicting: d.Problem) -> None:
    deck = d.TemplateFile(target="deck.in", text="# model\nSEED 20261\na @a@\n")
    simulator = msgspec.structs.replace(predicting.simulator, templates=(deck,))
    problem = msgspec.structs.replace(predicting, simulator=simulator)
    scattering = UsualScatter(np.array([0.083]), np.array([0.1])).arrays()
    found = judged(replace(answer(BUDGET, False), slices=scattering), problem, None, BUDGET)
    assert found.reasons[0].startswith(
        "Outputs scatter from place to place although they count as exact: “y” by 0.83 of the measurement's error (0.083; the "
        "error is 0.1). Its random seed is fixed (deck.in, line 2: “SEED 20261”), which may be why. More runs cannot cure that."
    )
    assert "More runs would help" not in " ".join(found.reasons)
    assert actions(False, BUDGET, BUDGET, found.diagnostics, ranges=False) == ("own_error",)
    said = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, random=True))
    assert judged(replace(answer(BUDGET, False), slices=scattering), said, None, BUDGET).reasons == answer(BUDGET, False).reasons
    little = UsualScatter(np.array([0.001]), np.array([0.1])).arrays()
    assert judged(replace(answer(BUDGET, False), slices=little), problem, None, BUDGET).reasons == answer(BUDGET, False).reasons
    assert judged(replace(answer(BUDGET, True), slices=scattering), problem, None, BUDGET).diagnostics == {}


def test_of_a_program_without_a_seed_nothing_is_said_of_a_fixed_one(predicting: d.Problem) -> None:
    scattering = UsualScatter(np.array([0.22]), np.array([0.1])).arrays()
    said = judged(replace(answer(BUDGET, False), slices=scattering), predicting, None, BUDGET).reasons[0]
    assert "“y” by 2.2 of the measurement's error (0.22; the error is 0.1)" in said
    assert "No random seed is seen in the command, the input files or what is sent to the program" in said
    assert "seed is fixed" not in said
    assert "@seed@" not in said


def test_outputs_that_scatter_are_named_the_largest_first() -> None:
    found = UsualScatter(np.array([0.1, 0.001, 0.5]), np.array([0.1, 0.1, 0.1]))
    assert found.largest(["a", "b", "c"], 0.1) == "“c” by 5 and “a” by 1 of the measurement's error"
    many = UsualScatter(np.arange(1.0, 6.0), np.ones(5))
    assert many.largest(list("abcde"), 0.1) == "“e” by 5, “d” by 4 and “c” by 3 of the measurement's error, 2 more by less"


@pytest.mark.parametrize(
    ("text", "line"),
    [("a 1\nSEED 20261\n", "SEED 20261"), ("iseed=7", "iseed=7"), ('"random_seed": 3,', '"random_seed": 3,')],
)
def test_a_line_that_fixes_the_seed_is_found(predicting: d.Problem, text: str, line: str) -> None:
    deck = d.TemplateFile(target="deck", text=text)
    simulator = msgspec.structs.replace(predicting.simulator, templates=(deck,))
    found = fixed_seed(msgspec.structs.replace(predicting, simulator=simulator))
    assert found is not None
    assert found.words.endswith(f": “{line}”")
    assert text[found.start : found.end].isdigit()


@pytest.mark.parametrize("text", ["seed @seed@", "seedling 3", "yield of seeds 3.1", "proceed 5", "seed 3.1"])
def test_what_fixes_no_seed_is_passed_over(predicting: d.Problem, text: str) -> None:
    simulator = msgspec.structs.replace(predicting.simulator, templates=(d.TemplateFile(target="deck", text=text),))
    assert fixed_seed(msgspec.structs.replace(predicting, simulator=simulator)) is None


def test_a_factor_that_nearly_all_values_have_in_common_is_named(
    predicting: d.Problem, make_evaluation: Callable[..., EvaluationRecord]
) -> None:
    small = replace(make_evaluation(7), outputs={"y": np.array([1.0, 2.0, 3.0, 4.0]) * np.array([0.012, 0.011, 0.009, 0.01])})
    found = judged(answer(BUDGET, False), predicting, small, BUDGET)
    assert "“y” is about 100 times smaller than measured (“y”): another unit?" in found.reasons[0]
    unlike = replace(make_evaluation(7), outputs={"y": np.array([400.0, 4.0, 0.04, 0.01])})
    assert "another unit?" not in judged(answer(BUDGET, False), predicting, unlike, BUDGET).reasons[0]
    near = replace(make_evaluation(7), outputs={"y": np.array([3.0, 6.0, 9.0, 12.0])})
    assert "another unit?" not in judged(answer(BUDGET, False), predicting, near, BUDGET).reasons[0]
