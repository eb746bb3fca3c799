"""The default loop end to end: answers, determinism, and what it says when there is nothing to answer."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from bayescope.engine.acquisition.mode_design import AxialDesign
from bayescope.engine.answer.fresh_runs import FreshRuns
from bayescope.engine.loop_interface import Cancelled, LoopSettings, LoopSnapshot, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop, EvaluationLog
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.default.memory import Memory


def settings(d: int, budget: int = 60, seed: int = 0, half: float = 3.0) -> LoopSettings:
    return LoopSettings(np.full(d, -half), np.full(d, half), seed=seed, max_evaluations=budget)


def gaussian(u: np.ndarray) -> float:
    return float(-0.5 * np.square(u - 0.5).sum() - 0.5 * len(u) * np.log(2 * np.pi))


def run(
    loop: AskTellLoop, target: Callable[[np.ndarray], float | None], steps: int = 1000, look: bool = False
) -> LoopSnapshot | None:
    """The answer at the end. ``look``: at every one on the way too."""
    newest = None
    for _ in range(steps):
        asks = loop.ask()
        if not asks:
            break
        loop.tell(Tell(asks[0].index, asks[0].u, target(asks[0].u)))
        if look:
            newest = loop.update() or newest
    return loop.update() or newest


def banana(u: np.ndarray) -> float:
    return float(-0.5 * u[0] ** 2 - 2.0 * (u[1] - 0.5 * u[0] ** 2) ** 2)


def test_a_gaussian_is_found_certified_and_its_evidence_is_right() -> None:
    loop = AskTellLoop(DefaultMethod(settings(2)))
    answer = run(loop, gaussian)
    assert answer is not None
    assert answer.converged
    assert loop.finished
    assert answer.n_evaluations < 36, "of which some look for a fifth of the answer where runs fail"
    assert abs(answer.log_evidence) < 3 * answer.log_evidence_sd
    assert "confirmed it" in answer.reasons[0]
    assert answer.draws is not None
    np.testing.assert_allclose(answer.draws.weights @ answer.draws.points, [0.5, 0.5], atol=0.03)
    assert answer.slices is not None
    assert answer.slices.u.shape == (2, 64)
    assert abs(answer.elbo) < 0.05


@pytest.mark.loops
def test_runs_that_checked_the_answer_are_kept_beside_what_was_predicted_of_them_before() -> None:
    loop, told = AskTellLoop(DefaultMethod(settings(2))), {}
    predicted = {}
    while asks := loop.ask():
        a = asks[0]
        if a.purpose == "certification":  # what a loop that knows no more than now believes there
            predicted[a.index] = float(loop.method.log_density()(a.u[None])[0])
        told[a.index] = banana(a.u)
        loop.tell(Tell(a.index, a.u, told[a.index]))
    answer = loop.update()
    assert answer is not None
    fresh = FreshRuns.of(answer.fresh)
    assert fresh is not None
    assert {int(i): v for i, v in zip(fresh.index, fresh.found, strict=True)} == {i: told[i] for i in predicted}
    assert np.allclose(fresh.predicted, [predicted[int(i)] for i in fresh.index], atol=1e-6)
    assert np.abs(fresh.last.draws.residual).max() < 0.3
    plain = np.log(np.mean(np.exp(fresh.last.draws.residual)))  # draws stand for nearly the same share of the posterior each
    assert answer.diagnostics["certified_correction"] == pytest.approx(plain, abs=1e-3)
    restored = AskTellLoop(DefaultMethod(settings(2)))
    restored.restore(loop.state())
    assert restored.method.memory.fresh == loop.method.memory.fresh


@pytest.mark.loops
def test_a_banana_is_found_and_its_evidence_is_right() -> None:
    answer = run(AskTellLoop(DefaultMethod(settings(2, 80))), banana)
    assert answer is not None
    assert answer.converged
    truth = np.log(2 * np.pi) + 0.5 * np.log(0.25)
    assert answer.log_evidence == pytest.approx(truth, abs=max(0.05, 3 * answer.log_evidence_sd))


@pytest.mark.loops
def test_convergence_is_only_declared_after_fresh_checks() -> None:
    loop = AskTellLoop(DefaultMethod(settings(2)))
    purposes = []
    while asks := loop.ask():
        purposes.append(asks[0].purpose)
        loop.tell(Tell(asks[0].index, asks[0].u, gaussian(asks[0].u)))
    assert loop.method.memory.converged
    assert purposes[-5:] == ["certification"] * 5
    assert purposes[:6] == ["design"] * 6


@pytest.mark.loops
def test_restoring_a_state_at_any_point_changes_nothing() -> None:
    straight = AskTellLoop(DefaultMethod(settings(2, 40, seed=3)))
    broken = AskTellLoop(DefaultMethod(settings(2, 40, seed=3)))
    while True:
        state = broken.state()
        broken = AskTellLoop(DefaultMethod(settings(2, 40, seed=3)))
        broken.restore(state)
        a, b = straight.ask(2), broken.ask(2)
        assert [x.index for x in a] == [x.index for x in b]
        if not a:
            break
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x.u, y.u)
            straight.tell(Tell(x.index, x.u, banana(x.u)))
            broken.tell(Tell(y.index, y.u, banana(y.u)))
        p, q = straight.update(), broken.update()
        assert (p is None) == (q is None)
        if p is not None and q is not None:
            assert p.log_evidence == q.log_evidence
            assert p.reasons == q.reasons
            np.testing.assert_array_equal(p.mixture.means, q.mixture.means)


@pytest.mark.loops
def test_the_answer_does_not_depend_on_how_often_it_is_looked_at() -> None:
    often, once = AskTellLoop(DefaultMethod(settings(2, 16))), AskTellLoop(DefaultMethod(settings(2, 16)))
    first = run(often, banana, look=True)
    while asks := once.ask():
        once.tell(Tell(asks[0].index, asks[0].u, banana(asks[0].u)))
    last = once.update()
    assert first is not None
    assert last is not None
    assert first.log_evidence == last.log_evidence
    assert first.elbo == last.elbo


@pytest.mark.loops
def test_the_surrogates_maximum_shown_is_at_most_a_tenth_of_the_runs_old_and_that_of_all_runs_at_the_end() -> None:
    loop, shown = AskTellLoop(DefaultMethod(settings(2, budget=30))), []
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, banana(asks[0].u)))
        if answer := loop.update():
            shown.append((answer.n_evaluations, answer.peak))
    fresh = AskTellLoop(DefaultMethod(settings(2, budget=30)))
    fresh.restore(loop.state())
    fresh.method.memory.announced = 0
    at_the_end = fresh.update()
    assert at_the_end is not None
    np.testing.assert_array_equal(shown[-1][1]["peak.place"], at_the_end.peak["peak.place"])
    changed = [n for (n, peak), (_, before) in zip(shown[1:], shown, strict=False) if peak is not before]
    assert 1 < max(np.diff(changed)) <= 7  # a check of five runs changes nothing


def test_points_under_way_are_not_asked_again() -> None:
    loop = AskTellLoop(DefaultMethod(settings(2, 60)))
    run(loop, banana, steps=10)
    asks = loop.ask(4)
    points = np.array([a.u for a in asks])
    distance = np.linalg.norm(points[:, None] - points, axis=-1) + 10 * np.eye(4)
    assert distance.min() > 0.05


@pytest.mark.loops
def test_outcomes_may_arrive_in_any_order() -> None:
    loop = AskTellLoop(DefaultMethod(settings(2, 30)))
    while asks := loop.ask(3):
        for a in reversed(asks):
            loop.tell(Tell(a.index, a.u, gaussian(a.u)))
    answer = loop.update()
    assert answer is not None
    assert abs(answer.log_evidence) < 0.1


@pytest.mark.parametrize(
    ("name", "target", "word"),
    [
        ("constant", lambda u: 1.0, "same in every run"),
        ("minus infinity", lambda u: -np.inf, "None of the"),
        ("not a number", lambda u: np.nan, "None of the"),
        ("plus infinity", lambda u: np.inf, "None of the"),
        ("failed", lambda u: None, "None of the"),
        ("plateau", lambda u: 0.0 if np.abs(u).max() < 0.5 else -8.0, "budget of 16 runs is spent"),
        ("enormous", lambda u: 1e12 + 1e6 * gaussian(u), "budget of 16 runs is spent"),
        ("coarse", lambda u: float(np.floor(gaussian(u))), "budget of 16 runs is spent"),
    ],
)
@pytest.mark.loops
def test_a_hopeless_target_ends_with_a_sentence(
    name: str, target: Callable[[np.ndarray], float | None], word: str
) -> None:
    answer = run(AskTellLoop(DefaultMethod(settings(2, 16))), target, look=True)
    assert answer is not None
    assert any(word in r for r in answer.reasons)
    if name in ("constant", "plateau"):
        assert not answer.converged


@pytest.mark.loops
def test_an_impossible_half_is_learnt_and_its_edge_counts_in_the_evidence_sd() -> None:
    answer = run(AskTellLoop(DefaultMethod(settings(2, 60))), lambda u: gaussian(u) if u[0] > 0.5 else -np.inf)
    assert answer is not None
    assert answer.log_evidence == pytest.approx(np.log(0.5), abs=3 * answer.log_evidence_sd)
    assert 0.01 < answer.log_evidence_sd < 0.4
    assert answer.draws is not None
    assert answer.draws.weights[answer.draws.points[:, 0] < 0.3].sum() < 0.1


@pytest.mark.loops
def test_failed_places_are_not_asked_again() -> None:
    failed: list[np.ndarray] = []

    def target(u: np.ndarray) -> float | None:
        if np.linalg.norm(u - 1.0) < 0.7:
            failed.append(u)
            return None
        return gaussian(u)

    answer = run(AskTellLoop(DefaultMethod(settings(2, 28))), target)
    assert answer is not None
    points = np.array(failed)
    if len(points) > 1:
        distance = np.linalg.norm(points[:, None] - points, axis=-1)[np.triu_indices(len(points), 1)]
        assert (distance < 0.02).sum() <= 1  # right beside one: does it fail for its place, or by chance?
    assert len(points) < 15


@pytest.mark.loops
def test_an_answer_that_lies_to_a_good_part_where_runs_fail_is_not_called_converged() -> None:
    """A quarter of the posterior: every run with both parameters above its mean crashes, with no word on the density there."""
    answer = run(AskTellLoop(DefaultMethod(settings(2, 60))), lambda u: None if np.all(u > 0.5) else gaussian(u))
    assert answer is not None
    assert not answer.converged
    assert "of the posterior, perhaps more, lies where most runs failed" in answer.reasons[0]
    assert answer.log_evidence_sd > answer.diagnostics["failing_mass"] > 0.1


@pytest.mark.loops
def test_runs_that_fail_by_chance_now_and_then_do_not_keep_an_answer_from_being_confirmed() -> None:
    crashes = np.random.default_rng(3)
    answer = run(AskTellLoop(DefaultMethod(settings(2, 80))), lambda u: None if crashes.random() < 0.1 else gaussian(u))
    assert answer is not None
    assert answer.converged
    assert any("runs failed" in r for r in answer.reasons)


@pytest.mark.loops
def test_a_posterior_far_outside_the_plausible_box_is_found_and_said() -> None:
    answer = run(AskTellLoop(DefaultMethod(settings(2, 60))), lambda u: gaussian(u - 40.0))
    assert answer is not None
    assert abs(answer.log_evidence) < 0.1
    assert any("outside the plausible range" in r for r in answer.reasons)


@pytest.mark.parametrize("d", [1, pytest.param(15, marks=pytest.mark.loops)])
def test_one_and_fifteen_parameters_work(d: int) -> None:
    answer = run(AskTellLoop(DefaultMethod(settings(d, 24 if d == 1 else 32))), gaussian)
    assert answer is not None
    assert np.isfinite(answer.log_evidence)
    assert answer.mixture.covariances.shape[1:] == (d, d)


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_a_budget_smaller_than_the_design_still_ends_with_an_answer(budget: int) -> None:
    loop = AskTellLoop(DefaultMethod(settings(3, budget)))
    answer = run(loop, gaussian)
    assert answer is not None
    assert loop.finished
    assert not answer.converged
    assert np.isfinite(answer.log_evidence) == (budget >= 2)


@pytest.mark.loops
def test_duplicate_points_do_no_harm() -> None:
    loop = AskTellLoop(DefaultMethod(settings(2, 30)))
    for _ in range(6):
        ask = loop.ask()[0]
        loop.tell(Tell(ask.index, np.zeros(2), gaussian(np.zeros(2))))
    answer = run(loop, gaussian)
    assert answer is not None
    assert abs(answer.log_evidence) < 0.1


@pytest.mark.loops
def test_a_spent_budget_can_be_extended() -> None:
    loop = AskTellLoop(DefaultMethod(settings(2, 9)))
    first = run(loop, banana)
    assert first is not None
    assert "budget of 9" in first.reasons[0]
    loop.extend(60)
    assert not loop.finished
    last = run(loop, banana)
    assert last is not None
    assert last.converged


def test_a_cancelled_computation_raises_and_can_go_on() -> None:
    loop = AskTellLoop(DefaultMethod(settings(2, 20)))
    loop.cancel = threading.Event()
    run(loop, gaussian, steps=8)
    ask = loop.ask()[0]
    loop.tell(Tell(ask.index, ask.u, gaussian(ask.u)))
    loop.cancel.set()
    with pytest.raises(Cancelled):
        loop.update()
    loop.cancel.clear()
    assert loop.update() is not None


def test_what_sessions_keep_of_ascents_is_under_the_names_they_were_written_with() -> None:
    ended = np.array([0.5, -0.5])
    memory = Memory(2, EvaluationLog(60), uninformative_looks=3, ascents=2, ascent_ends=[ended], designs=1)
    memory.design = AxialDesign(ended, 3)
    state = memory.to_state()
    assert (state["vain_looks"], state["trails"], state["charts"]) == (3, 2, 1)
    assert (state["trail"], state["trail_known"], state["chart"]["done"]) == (None, None, 3)
    np.testing.assert_array_equal(state["followed"], [ended])
    again = Memory.of_state(state)
    assert (again.uninformative_looks, again.ascents, again.designs) == (3, 2, 1)
    np.testing.assert_array_equal(again.ascent_ends, [ended])
