"""Failed runs by reason, what they share in words, what may mend them."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from bayescope.engine.answer.failures.failures import _own_words, group_words, groups_of, groups_of_store, in_short
from bayescope.engine.answer.failures.kinds import KINDS, NAMES, kind_of
from bayescope.engine.answer.failures.rule import rule_of, short_between
from bayescope.engine.answer.failures.set_aside import Remade, left_of, set_aside, set_aside_of
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.definition import FailureRules, Limits
from bayescope.engine.session.records import EvaluationRecord
from bayescope.engine.session.store import SessionStore
from bayescope.engine.simulator import failure_rules, limits


def run(index, a, b, outcome="ok", reason=""):
    good = outcome == "ok"
    return EvaluationRecord(index, index, np.array([a, b]), {"a": a, "b": b}, outcome, -1.0 if good else None, -1.0,
                            -2.0 if good else None, duration_s=2.0, reason=reason)  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        (limits.time_words(3.0), "time"),
        ("It failed 3 times; the last time: " + limits.time_words(3.0) + " It said last: “exit status”.", "time"),
        (limits.memory_words(300.0, 200.0), "memory"),
        (limits.printed_words(3.0, "output"), "size"),
        (limits.files_words(3.0, "big"), "size"),
        (failure_rules.exit_reason(FailureRules(), 3), "crash"),
        (failure_rules.exit_reason(FailureRules(), -11) + " It said last: “stopped at its time limit”.", "crash"),
        (failure_rules.exit_reason(FailureRules(), -9), "memory"),
        (failure_rules.exit_reason(FailureRules(), 0xC0000005), "crash"),
        (failure_rules.values_reason(FailureRules(), {"y": np.array([np.nan])}), "number"),
        (failure_rules.text_reason(FailureRules(stderr=True), lambda s: "cannot be read"), "crash"),
        ("The program ended without writing the file “out”. Check the name.", "missing"),
        ("The file “out” is an old one: it was there before this run and the program did not write it. ", "missing"),
        ("The output “y” could not be read from out: there is no number in it.", "unreadable"),
        ("The log-likelihood is not a number (nan, standard error 0).", "number"),
        ("The working folder “x” is not there.", "other"),
    ],
)
def test_every_reason_the_engine_gives_has_its_kind(reason, kind):
    assert kind_of("failed", reason) == kind


def test_every_kind_has_a_name_and_impossible_is_one_whatever_is_said():
    assert set(NAMES) == set(KINDS)
    assert kind_of("impossible", "The program ended with exit status 1") == "impossible"


def test_two_bounds_that_a_region_has_are_found_with_short_numbers():
    theta = np.random.default_rng(2).random((150, 4)) * [3.0, 100.0, 1.0, 1.0]
    failed = (theta[:, 0] < 1.2) & (theta[:, 1] > 40.0)
    rule = rule_of(theta, failed)
    assert rule is not None
    assert [(b.parameter, b.below) for b in rule.bounds] == [(0, True), (1, False)]
    assert rule.bounds[0].value == pytest.approx(1.2, abs=0.15)
    assert rule.bounds[1].value == pytest.approx(40.0, abs=4.0)
    assert (rule.caught, rule.good_inside) == (failed.sum(), 0)
    assert max(len(f"{b.value:g}") for b in rule.bounds) <= 5
    assert np.array_equal(rule.holds(theta), failed)


def test_failures_by_chance_share_nothing():
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        told += rule_of(rng.random((60, 4)), rng.random(60) < 0.2) is not None
    assert told <= 2


def test_a_rule_survives_failures_by_chance_beside_it():
    rng = np.random.default_rng(4)
    theta = rng.random((150, 3))
    failed = (theta[:, 2] > 0.7) ^ (rng.random(150) < 0.05)
    rule = rule_of(theta, failed)
    assert rule is not None
    assert [b.parameter for b in rule.bounds] == [2]
    assert 0 < rule.good_inside + rule.failed - rule.caught < 15


@pytest.mark.parametrize(("low", "high", "found"), [(1.13, 1.26, 1.2), (-0.3, 0.4, 0.0), (99.0, 101.0, 100.0)])
def test_a_bound_has_the_fewest_digits_that_fit(low, high, found):
    assert short_between(low, high) == pytest.approx(found, rel=1e-12)


def test_groups_say_what_is_shared_and_offer_what_mends(problem):
    rng = np.random.default_rng(0)
    problem = msgspec.structs.replace(
        problem, simulator=msgspec.structs.replace(problem.simulator, limits=Limits(time_s=10.0))
    )
    runs = []
    for k in range(60):
        a, b = rng.uniform(0, 2), rng.normal()
        slow, crash = a > 1.5, k % 11 == 3
        reason = limits.time_words(10.0) if slow else failure_rules.exit_reason(FailureRules(), 1)
        runs.append(run(k, a, b, "failed", reason) if slow or crash else run(k, a, b))
    slow, crash = groups_of(problem, runs)
    assert (slow.kind, crash.kind) == ("time", "crash")
    assert slow.words.startswith(f"{len(slow.indices)} runs: ran out of time. All {len(slow.indices)} share a > 1.")
    assert "no good run does" in slow.words
    assert [m.kind for m in slow.mends] == ["limit", "ranges"]
    assert slow.mends[0].simulator.limits.time_s == 30.0
    relative = Limits(time_s=10.0, relative_time=4.0)
    usual = msgspec.structs.replace(problem, simulator=msgspec.structs.replace(problem.simulator, limits=relative))
    mend = groups_of(usual, runs)[0].mends[0]
    assert mend.words == "Allow 3 times as long"
    assert (mend.simulator.limits.time_s, mend.simulator.limits.relative_time) == (30.0, 12.0)
    (name, low, high), = slow.mends[1].ranges
    assert name == "a" and low < 1.0 and 1.4 < high < 1.6  # noqa: PT018
    assert crash.rule is None
    assert crash.words == f"{len(crash.indices)} runs: crashed."
    assert [m.kind for m in crash.mends] == ["retries"]
    assert crash.mends[0].simulator.failures.retries == 1
    assert in_short([slow, crash]) == f"Ran out of time: {len(slow.indices)}, {slow.where}. Crashed: {len(crash.indices)}."
    assert in_short([slow]) == f"Ran out of time: {len(slow.indices)}, {slow.where}."
    assert groups_of(problem, [r for r in runs if r.outcome == "ok"]) == []
    assert in_short([]) == ""


def test_runs_set_aside_leave_the_journal_and_the_answers_as_if_they_had_not_ended(tmp_path, problem, add_run, make_iteration):
    with SessionStore.create(tmp_path / "s.bayescope", problem, own=True) as store:
        for k in range(6):
            add_run(store, k, failed=k in (1, 4))
        for k, n in enumerate((2, 3, 6)):
            store.add_iteration(replace(make_iteration(k), n_evaluations=n, converged=True))
        assert [len(g.indices) for g in groups_of_store(store)] == [2]
        assert set_aside(store, range(6)) == 2
        assert [(e.index, e.order) for e in store.evaluations()] == [(0, 0), (2, 1), (3, 2), (5, 3)]
        assert [a.told_before for a in store.asks()] == [0, 1, 1, 2, 3, 3]
        assert [(s.index, s.outcome) for s in set_aside_of(store)] == [(1, "failed"), (4, "failed")]
        assert store.checkpoint() is None
        answers = [(r.iteration, r.n_evaluations, r.converged) for r in store.iterations()]
        assert answers == [(0, 1, True), (1, 2, True), (2, 4, False)]
        assert [r.slices != {} for r in store.iterations(bulky=True)] == [True, True, True], "nothing of an answer is lost"
        assert store.last_iteration().reasons == ("2 runs are made again: the next answer is made with them.",)
        assert set_aside(store, range(6)) == 0


def test_a_run_made_again_counts_once_and_its_attempts_keep_their_folders(tmp_path, problem, add_run):
    with SessionStore.create(tmp_path / "s.bayescope", problem, own=True) as store:
        for k in range(3):
            add_run(store, k, failed=k == 1)
        for attempt in (1, 2):
            (folder := store.runs_folder / "00001").mkdir(parents=True)
            (folder / "said").write_text(f"attempt {attempt}")
            assert set_aside(store, (1,)) == 1
            remade = Remade.of(set_aside_of(store), {e.index for e in store.evaluations()})
            assert (remade.done, remade.waiting, remade.words) == (0, 1, "1 to be made again")
            again = run(1, 0.1, 0.0, "failed", "The program ended with exit status 1.")
            store.add_evaluation(replace(again, order=2, run_folder="00001"))
        remade = Remade.of(set_aside_of(store), {e.index for e in store.evaluations()})
        assert (remade.done, remade.waiting, remade.words) == (1, 0, "1 made again")
        assert remade.sentence.startswith("1 run was made again")
        kept = [(store.runs_folder / s.run_folder / "said").read_text() for s in remade.earlier[1]]
        assert kept == ["attempt 1", "attempt 2"]
        assert all("failed: The program ended with exit status 1." in s.words for s in remade.earlier[1])


@pytest.mark.parametrize("n", range(8))
def test_of_the_first_runs_those_are_left_that_were_not_set_aside(n):
    places = [1, 2, 5]
    assert left_of(n, places) == sum(k not in places for k in range(n))


@pytest.fixture
def add_run():
    from bayescope.engine.session.records import AskRecord

    def add(store, k, failed):
        store.add_cycle(asks=[AskRecord(k, np.array([0.1 * k, 0.0]), k)], checkpoint={"n": k})
        made = run(k, 0.1 * k, 0.0, *(("failed", "The program ended with exit status 1.") if failed else ()))
        store.add_evaluation(replace(made, run_folder=f"{k:05d}" if failed else ""))

    return add


def test_outputs_without_a_likelihood_are_a_reason_of_their_own_that_the_row_tells() -> None:
    told = "The covariance of the summaries over 50 runs is singular: 'a' is made of 'b' and 'c'. Leave one of them out."
    assert kind_of("failed", told) == "likelihood"
    assert group_words("likelihood", 2, None, []) == "2 runs: no likelihood from the outputs."
    assert _own_words("likelihood", [told, told]) == f" {told}"
    assert _own_words("other", ["x", told, told]) == f" {told} So 2 of them; 1 for another reason."
    assert _own_words("crash", [told]) == ""


def test_reasons_that_differ_by_the_number_of_their_job_are_one() -> None:
    reasons = [f"The job ended before it started: FAILED BadConstraints (job {job})." for job in (99, 104, 1207)]
    assert _own_words("other", ["The node is gone (job 7).", *reasons]) == f" {reasons[0]} So 3 of them; 1 for another reason."


def test_what_failed_at_every_repeat_is_told_with_the_programs_words_and_not_advised_to_be_tried_again(problem) -> None:
    last = 'The program ended with exit status 1. It said last: “OverflowError: the population explodes”.'
    every = f"31 of 31 repeats failed (16 good ones are needed); the last one: {last}"
    (group,) = groups_of(problem, [run(0, 1.0, 1.0, "failed", every), run(1, 2.0, 1.0)])
    said = "The program said last: “OverflowError: the population explodes”."
    assert group.words == f"1 run: crashed. Every repeat did. {said}"
    assert group.mends == ()
    some = f"20 of 31 repeats failed (16 good ones are needed); the last one: {last}"
    (group,) = groups_of(problem, [run(0, 1.0, 1.0, "failed", some), run(1, 2.0, 1.0)])
    assert group.words == f"1 run: crashed. {said}"
    assert [m.kind for m in group.mends] == ["retries"]


def test_runs_that_lack_measured_rows_say_which_and_are_not_advised_to_be_tried_again(problem) -> None:
    def lost(row: int, more: int = 0) -> str:
        data = d.DataTable(columns={"alpha": tuple(map(float, range(-4, 5))), "CL": (0.1,) * 9})
        match = d.Match(output="CL", column="CL", key_output="alpha", key_column="alpha")
        kept = [k for k in range(9) if not row - 1 <= k <= row - 1 + more]
        with pytest.raises(ComparisonError) as error:
            compare_match(match, data, {"CL": [0.1] * len(kept), "alpha": [k - 4.0 for k in kept]})
        return str(error.value)

    assert "2 more rows have none either" in lost(3, 2)
    assert "1 more row has none either" in lost(3, 1)
    assert "interpolate" in lost(3)
    assert "interpolate" not in lost(1), "an end row does not lie between two"
    runs = [run(k, 1.0, float(k), "failed", lost(2 if k else 1)) for k in range(4)]
    (group,) = groups_of(problem, [*runs, run(9, 1.0, 9.0)])
    assert group.kind == "rows"
    said = "row 2 in 3 runs, row 1 in 1 run"
    assert group.words.endswith(f"The first measured row without one is {said}. Let the program print every measured row.")
    assert group.words.startswith("4 runs: measured rows without a prediction.")
    assert [m.kind for m in group.mends if m.kind == "retries"] == []
    assert group.same_again
    assert [m.kind for m in group.mends if m.kind == "between"] == [], "nothing is paired by a key in this problem"
    data = d.DataTable(columns={"alpha": (-4.0, 0.0, 4.0), "CL": (0.1, 0.2, 0.3)})
    match = d.Match(output="CL", column="CL", key_output="alpha", key_column="alpha")
    keyed = msgspec.structs.replace(problem, data=data, meaning=d.Predictions(matches=(match,), noise=d.GaussianKnown(sd=0.1)))
    (group,) = groups_of(keyed, [*runs, run(9, 1.0, 9.0)])
    said = "Let the program print every measured row. Or interpolate between those it prints: that needs no new run."
    assert group.words.endswith(said)
    (mend,) = [m for m in group.mends if m.kind == "between"]
    assert [m.interpolate for m in mend.problem.meaning.matches] == [True]
    ends = [run(k, 1.0, float(k), "failed", lost(1)) for k in range(3)]
    (group,) = groups_of(keyed, [*ends, run(9, 1.0, 9.0)])
    assert [m.kind for m in group.mends if m.kind == "between"] == [], "no line goes beyond the ends"
