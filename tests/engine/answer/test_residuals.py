"""What is said of residuals, of what a program misses, and of the evidence with and without it."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.likelihood_words import likelihood_words
from bayescope.engine.answer.predictions.emulated import OutputBands
from bayescope.engine.answer.predictions.missed import Missed
from bayescope.engine.answer.predictions.predictive import Predicted, agreement, predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.answer.with_and_without import (
    Evidence,
    differ_in_it_alone,
    less_sure,
    side_by_side,
    taken_for_right,
)
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.without_runs import needs_runs
from bayescope.engine.problem.data.rows.discrepancies import key_of, proposed, with_discrepancy
from bayescope.engine.problem.files import dumps, loads
from bayescope.engine.session.stored_arrays import NotEmulated

Z = np.array([0.3, -0.4, 1.2, -3.3, 0.1, 0.6, -0.2, 0.9])


def residuals(p_runs: float, p_shape: float) -> Residuals:
    return Residuals(
        Z, Z - 1.0, Z + 1.0, np.array([[2.0, 4.6]]), np.array([[p_runs, p_shape]]), np.array([2000.0])
    )


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.004, 0.5), "long runs of one sign, 2 where about 5 are expected (so few, with neighbours so alike: p = 0.0040; up to "
         "0.016 for any of 4 tests): the program may miss something, or errors hang together."),
        ((1.0 / 2001.0, 0.5), "p < 0.001; up to 0.0040 for any of 4 tests"),
        ((0.5, 0.01), "the farthest is -3.3 standard deviations off"),
    ],
)
def test_a_surprise_is_said_with_its_p_value(shares: tuple[float, float], words: str) -> None:
    assert words in " ".join(residuals(*shares).surprises())


def test_no_surprise_is_not_mentioned_and_too_few_values_are_not_judged() -> None:
    assert residuals(0.3, 0.6).surprises() == []
    assert "as chance gives" in residuals(0.3, 0.6).sentences[0]
    few = replace(residuals(0.5, 0.5), shares=np.full((1, 2), np.nan))
    assert few.surprises() == []
    few_words = "Too few values to test the order and the shape of their residuals; how much they scatter is tested."
    assert few.sentences == (few_words,)


def test_residuals_far_smaller_than_the_errors_ask_whether_these_are_too_large() -> None:
    small = replace(residuals(0.5, 0.001), z=np.array([0.0, 0.01, -1.2, 0.0, 0.02, 0.3, -0.6, 0.0]))
    said = " ".join(small.surprises())
    assert "smaller than the errors you gave" in said
    assert "are the errors too large, or a percentage?" in said
    assert "Student" not in said


def test_where_the_program_may_be_off_already_it_is_not_advised_again() -> None:
    assert "may change faster than the discrepancy can" in residuals(0.001, 0.5).surprises(off=True)[0]


def test_what_is_the_same_for_several_columns_is_said_once() -> None:
    one, row = np.ones(1), np.ones((1, 1))
    fine = OutputBands(one, one, one, one, one, one, np.array([[0.5, 0.5]]), np.array([200.0]))
    found = [Predicted(one, one, row, one, "t", name, bands=fine) for name in "ab"]
    assert agreement(found) == ("a, b: The data are as expected.",)
    assert agreement(found[:1]) == ("The data are as expected.",)
    (said,) = agreement([Predicted(one, one, row, one, "t", f"c{k}", bands=fine) for k in range(9)])
    assert said == "c0, c1, c2, c3, c4, c5 and 3 more: The data are as expected."


def test_runs_are_said_instead_of_the_older_check_of_neighbours() -> None:
    line = np.zeros(8)
    bands = OutputBands(line, line, line, line, line, line, np.array([[0.5, 0.001]]), np.array([1600.0]))
    one = Predicted(line, line, np.empty((0, 8)), np.empty(0), "t", "a", bands=bands)
    assert "Neighbouring points" in one.words
    assert "Neighbouring points" not in replace(one, residuals=residuals(0.001, 0.5)).words
    assert replace(one, residuals=residuals(0.3, 0.5)).words == "The data are as expected."


def test_what_is_stored_is_read_again_and_what_is_damaged_is_refused() -> None:
    size = np.array([[0.1, 0.2, 0.4], [np.nan, np.nan, np.nan]])
    missed = Missed(Z - 0.5, Z, Z + 0.5, Z + 1.0, Z + 2.0, Z + 3.0, size)
    again = Missed.of(missed.arrays(), 8, 2)
    np.testing.assert_array_equal(again.whole_middle, Z + 2.0)
    one = again.part(slice(0, 5), 0)
    assert one is not None
    assert one.words.startswith("The program is off by about 0.2 (90 %: 0.1 to 0.4); at 2 of 5 points")
    assert again.part(slice(5, 8), 1) is None
    with pytest.raises(NotEmulated):
        Missed.of(missed.arrays(), 7, 2)
    with pytest.raises(NotEmulated):
        Residuals.of(replace(residuals(0.3, 0.5), shares=np.array([[1.5, 0.5]])).arrays(), 8, 1)


def problem() -> d.Problem:
    return d.Problem(
        name="p",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0)),),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("u", "t")),
        meaning=d.Predictions(
            matches=(d.Match(output="u", column="u", key_output="t", key_column="t"),), noise=d.GaussianKnown(sd=0.1)
        ),
        data=d.DataTable(columns={"t": (1.0, 10.0, 100.0, 1000.0, 1e4, 1e5), "u": (0.0, 2.0, 0.0, 2.0, 0.0, 2.0)}),
    )


def test_a_proposed_discrepancy_is_half_the_spread_along_decades_and_needs_no_runs() -> None:
    p = problem()
    off = with_discrepancy(p, [0])
    assert isinstance(off.meaning, d.Predictions)
    assert off.meaning.matches[0].discrepancy == d.Discrepancy(size=0.5)
    assert proposed(p, off.meaning.matches[0]).size == 0.5
    key = key_of(p, off.meaning.matches[0])
    assert key is not None
    assert key[0].tolist() == pytest.approx([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    assert "decades" in key[1]
    assert needs_runs(p, off) == ()
    assert with_discrepancy(off, [0], on=False) == p
    assert taken_for_right(off) == p


def test_it_travels_through_problem_files_and_is_told_in_sentences() -> None:
    off = with_discrepancy(problem(), [0])
    assert isinstance(off.meaning, d.Predictions)
    whole = d.Discrepancy(size=0.5, length=2.0, apart_from=((1.0,) * 6,))
    apart = msgspec.structs.replace(off.meaning.matches[0], discrepancy=whole)
    for one in (off, msgspec.structs.replace(off, meaning=msgspec.structs.replace(off.meaning, matches=(apart,)))):
        assert loads(dumps(one)) == one
    assert "the program may be off by a smooth curve" in likelihood_words(off.meaning)[0]
    assert b"discrepancy" not in dumps(problem())


def test_evidences_are_set_side_by_side_only_where_nothing_else_differs() -> None:
    p, off = problem(), with_discrepancy(problem(), [0])
    assert differ_in_it_alone(p, off)
    assert differ_in_it_alone(off, msgspec.structs.replace(p, name="another"))
    assert not differ_in_it_alone(off, off)
    other = msgspec.structs.replace(p, parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=9.0)),))
    assert not differ_in_it_alone(off, other)


def test_the_evidences_are_said_in_words() -> None:
    gained = side_by_side(Evidence(-10.0, 0.03, True), Evidence(-47.0, 0.02, True))
    assert gained.startswith("Log evidence −10.000 ± 0.030 if the program may be off, −47.000 ± 0.020 if it is taken for right.")
    assert "10¹⁶ times as probable if the program may be off: that speaks for something it misses." in gained
    lost = side_by_side(Evidence(-12.0, 0.03, False), Evidence(-10.0, 0.02, True))
    assert "7.4 times as probable if the program is right: nothing speaks for an error of it." in lost
    assert lost.endswith("The first has not converged.")
    assert "do not tell which" in side_by_side(Evidence(-10.0, 3.0, True), Evidence(-12.0, 0.1, True))
    assert side_by_side(Evidence(float("nan"), 0.1, True), Evidence(-12.0, 0.1, True)) == ""


def test_what_a_program_that_may_be_off_leaves_less_known_is_told_with_what_helps() -> None:
    k, m, n = (d.Parameter(name=name, label=label, prior=d.Uniform(low=0.0, high=3.0)) for name, label in
               (("k", "Rate"), ("m", ""), ("n", "")))  # fmt: skip
    p = msgspec.structs.replace(problem(), parameters=(k, m, n))
    off, right = Evidence(1.0, 0.1, True, {"k": 0.4, "m": 0.3, "n": 0.11}), Evidence(0.0, 0.1, True, dict.fromkeys("kmn", 0.1))
    said = less_sure(off, right, p)
    assert "(standard deviations: Rate (k) 4 times, m 3 times as large)" in said
    assert len(said) < 300, "four hundred characters are shown"
    assert "from elsewhere" in said
    assert less_sure(right, right, p) == less_sure(Evidence(1.0, 0.1, True), right, p) == ""


def test_what_is_left_out_is_still_known_with_its_place() -> None:
    p = problem()
    match = msgspec.structs.replace(p.meaning.matches[0], left_out=(2, 6))
    outputs = {"t": np.array(p.data.columns["t"]), "u": np.ones(6)}
    found = predicted(p, match, [0], {0: outputs}, np.ones(1))
    assert found is not None
    np.testing.assert_array_equal(found.left_out, [[10.0, 1e5], [2.0, 2.0]])
    np.testing.assert_array_equal(found.rows, [0, 2, 3, 4])
