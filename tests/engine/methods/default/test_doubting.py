"""Values that lie are found, run again beside their place, and not followed; what comes again is so."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from bayescope.engine.acquisition.ascents import Ascent
from bayescope.engine.acquisition.mode_design import AxialDesign
from bayescope.engine.answer.failures.far_off import FarOff
from bayescope.engine.loop_interface import Ask, LoopSettings, LoopSnapshot, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.best_fit import BestFitMethod
from bayescope.engine.methods.default.doubting import BESIDE, DoubtingMethod
from bayescope.engine.methods.default.doubts import Doubt, Doubts
from bayescope.engine.methods.default.framed import FramedMethod
from bayescope.engine.methods.default.loop import DefaultMethod

Lie = Callable[[Ask, float], float]


def log_density(u: np.ndarray) -> float:
    """Normal with a bend, evidence 1."""
    z = u[1] - 0.3 * (u[0] ** 2 - 1.0)
    return float(-0.5 * (u[0] ** 2 + z**2) - np.log(2.0 * np.pi))


def fresh(kind: type[DefaultMethod] = DoubtingMethod, budget: int = 70) -> AskTellLoop:
    return AskTellLoop(kind(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=3, max_evaluations=budget)))


def go(loop: AskTellLoop, lie: Lie, until: Callable[[], bool] | None = None) -> tuple[list[Ask], LoopSnapshot | None]:
    asks: list[Ask] = []
    answer: LoopSnapshot | None = None
    while not (until is not None and until()) and (new := loop.ask()):
        (ask,) = new
        asks.append(ask)
        loop.tell(Tell(ask.index, ask.u, lie(ask, log_density(ask.u))))
        if until is not None:
            answer = loop.update() or answer
    return asks, loop.update() or answer


@cache
def _known_after_20_runs(kind: type[DoubtingMethod]) -> dict[str, Any]:
    loop = fresh(kind)
    go(loop, lambda _, y: y, lambda: len(loop.method.log.told) >= 20)
    return loop.state()


def after_20_runs(kind: type[DoubtingMethod] = DoubtingMethod) -> AskTellLoop:
    """One that goes on from there, of its own."""
    loop = fresh(kind)
    loop.restore(deepcopy(_known_after_20_runs(kind)))
    return loop


@pytest.mark.loops
def test_lies_are_left_out_run_again_beside_their_place_and_the_answer_is_right() -> None:
    lies = {7: 30.0, 18: -200.0, 24: 4.0}
    loop = fresh()
    asks, answer = go(loop, lambda ask, y: y + lies.get(ask.index, 0.0))
    assert answer is not None
    assert answer.converged, answer.reasons
    assert abs(answer.log_evidence) < 0.1
    found = FarOff.of(answer.far_off)
    assert set(found.with_fate("left out")) == set(lies)
    assert not found.with_fate("open")
    assert set(answer.doubted) == set(lies)
    by_index = {a.index: a for a in asks}
    for k, beside in zip(found.index, found.beside, strict=True):
        gap = np.abs(by_index[int(k)].u - by_index[int(beside)].u)
        assert by_index[int(beside)].purpose == "repeat"
        assert gap == pytest.approx(np.full(2, 8.0 * BESIDE))
    assert any("3 of" in r and "or its outputs jump." in r for r in answer.reasons)


def test_a_run_believed_since_it_was_as_predicted_may_be_doubted_and_one_that_came_twice_may_not() -> None:
    as_predicted = Doubt(4, 30.0, -2.0, -9.0, "left out", [5], [30.0, -2.0], believed=5)
    twice = Doubt(8, 3.0, -2.0, -9.0, "left out", [9, 10], [3.0, -7.0, -7.0], believed=9)
    doubts = Doubts([as_predicted, twice])
    assert [i for i in range(12) if doubts.about(i)] == [4, 8, 9, 10]


def test_lies_that_were_found_leave_room_for_more_and_values_that_came_again_do_not() -> None:
    some = [Doubt(i, 0.0, 0.0, -9.0, "left out") for i in range(9)]
    assert Doubts(some).may_doubt(30)
    assert not Doubts([replace(doubt, fate="kept") for doubt in some]).may_doubt(30)


@pytest.mark.loops
def test_where_nothing_is_implausible_every_digit_is_that_of_the_loop_without_doubts() -> None:
    ends = [go(fresh(kind, 26), lambda _, y: y)[1] for kind in (DoubtingMethod, DefaultMethod)]
    assert ends[0] is not None
    assert ends[1] is not None
    assert not ends[0].far_off
    assert (ends[0].n_evaluations, ends[0].log_evidence) == (ends[1].n_evaluations, ends[1].log_evidence)


@pytest.mark.loops
def test_a_lie_among_the_runs_that_check_an_answer_does_not_refuse_it_and_a_restored_loop_goes_on_alike() -> None:
    loop = fresh()
    method = loop.method
    go(loop, lambda _, y: y, lambda: method.memory.certification is not None)
    told = len(method.log.told)
    (check,) = loop.ask()
    assert check.purpose == "certification"
    loop.tell(Tell(check.index, check.u, log_density(check.u) - 200.0))
    loop.update()
    again = fresh()
    again.restore(loop.state())
    (one,), (other,) = loop.ask(), again.ask()
    assert one.purpose == "repeat"
    assert np.array_equal(one.u, other.u)
    ends = []
    for each in (loop, again):
        each.tell(Tell(one.index, one.u, log_density(one.u)))
        ends.append(go(each, lambda _, y: y)[1])
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0].converged
    assert method.memory.refusals == 0
    assert FarOff.of(ends[0].far_off).with_fate("left out") == (check.index,)
    assert len(method.log.told) < told + 12
    assert (ends[0].n_evaluations, ends[0].log_evidence) == (ends[1].n_evaluations, ends[1].log_evidence)


@pytest.mark.loops
def test_a_narrow_peak_comes_again_and_is_kept() -> None:
    place = np.array([1.0, 1.5])

    def with_peak(u: np.ndarray) -> float:
        return float(np.logaddexp(log_density(u), 8.0 - 0.5 * np.square((u - place) / 0.05).sum()))

    loop = after_20_runs()
    (ask,) = loop.ask()
    loop.adopt(Ask(ask.index, place + 0.02, ask.purpose))
    loop.tell(Tell(ask.index, place + 0.02, with_peak(place + 0.02)))
    loop.update()
    (doubt,) = loop.method.memory.doubts.all
    assert (doubt.index, doubt.fate) == (ask.index, "open")
    assert loop.method.top < 0.0, "it does not count yet"
    (beside,) = loop.ask()
    assert beside.purpose == "repeat"
    loop.tell(Tell(beside.index, beside.u, with_peak(beside.u)))
    answer = loop.update()
    assert answer is not None
    assert doubt.fate == "kept"
    assert loop.method.top > 7.0
    assert FarOff.of(answer.far_off).with_fate("kept") == (ask.index,)
    assert any("It counts." in r for r in answer.reasons)


def on_a_flank(u: np.ndarray) -> float:
    """A millionth of the range aside it is .1 nats more or less: not the digits of a value that came again on level ground."""
    return log_density(u) - 30.0 * (1.0 + float(np.tanh((u[0] - 2.0) / 0.002)))


def with_a_value_on_the_flank(at: np.ndarray, kind: type[DoubtingMethod] = DoubtingMethod) -> AskTellLoop:
    loop = after_20_runs(kind)
    (ask,) = loop.ask()
    told_at(loop, ask, at)
    (doubt,) = loop.method.memory.doubts.all
    assert (doubt.index, doubt.fate) == (ask.index, "open")
    return loop


def told_at(loop: AskTellLoop, ask: Ask, at: np.ndarray) -> LoopSnapshot | None:
    loop.adopt(Ask(ask.index, at, ask.purpose))
    loop.tell(Tell(ask.index, at, on_a_flank(at)))
    return loop.update()


PLACE = np.array([2.0, 1.0])


@pytest.mark.loops
def test_on_a_steep_flank_one_run_beside_clears_a_value_and_no_other_is_asked_there() -> None:
    loop = with_a_value_on_the_flank(PLACE)
    (doubt,) = loop.method.memory.doubts.all
    (beside,) = loop.ask()
    assert beside.purpose == "repeat"
    assert 0.05 < abs(on_a_flank(beside.u) - on_a_flank(PLACE)) < 0.5
    loop.tell(Tell(beside.index, beside.u, on_a_flank(beside.u)))
    answer = loop.update()
    assert answer is not None
    assert FarOff.of(answer.far_off).with_fate("kept") == (doubt.index,)
    assert not answer.doubted
    (later,) = loop.ask()
    assert later.purpose != "repeat"
    answer = told_at(loop, later, PLACE + 8.0 * BESIDE)
    assert answer is not None
    assert not FarOff.of(answer.far_off).not_counted
    assert loop.ask()[0].purpose != "repeat"


def test_a_run_that_happens_to_lie_right_beside_and_gave_the_same_clears_a_value_at_once() -> None:
    """As where runs are made again and told in another order than at first."""
    loop = with_a_value_on_the_flank(PLACE)
    (doubt,) = loop.method.memory.doubts.all
    log = loop.method.log
    answer = told_at(loop, Ask(log.next_index, PLACE, "acquisition"), PLACE - 8.0 * BESIDE)
    assert answer is not None
    assert doubt.fate == "kept"
    assert not FarOff.of(answer.far_off).not_counted
    assert sum(not t.doubted for t in log.told if np.allclose(t.u, PLACE, atol=1e-4)) == 1, "they are one: one is learnt"
    assert loop.ask()[0].purpose != "repeat"


def test_a_value_made_again_where_its_neighbour_counts_needs_no_run_at_all() -> None:
    loop = with_a_value_on_the_flank(PLACE)
    (beside,) = loop.ask()
    loop.tell(Tell(beside.index, beside.u, on_a_flank(beside.u)))
    loop.update()
    method = loop.method
    assert isinstance(method, DoubtingMethod)
    method.memory.doubts.all.clear()
    known = replace(next(t for t in method.log.told if t.index == beside.index), doubted=False)
    error = method._error_of(known)
    assert error is not None
    assert method._vouched_for(known, error)
    assert [(d.index, d.fate) for d in method.memory.doubts.all] == [(beside.index, "kept")]


@pytest.mark.loops
def test_a_run_made_elsewhere_says_nothing_of_the_value_it_was_to_repeat() -> None:
    loop = with_a_value_on_the_flank(PLACE, FramedMethod)
    (doubt,) = loop.method.memory.doubts.all
    (beside,) = loop.ask()
    elsewhere = np.array([-1.0, 0.5])
    loop.adopt(Ask(beside.index, elsewhere, "acquisition"))
    loop.tell(Tell(beside.index, elsewhere, log_density(elsewhere)))
    loop.update()
    assert doubt.fate == "open"
    assert not doubt.runs
    assert loop.ask()[0].purpose == "repeat"


def test_a_third_run_decides_where_two_beside_each_other_differ() -> None:
    loop = with_a_value_on_the_flank(PLACE)
    (doubt,) = loop.method.memory.doubts.all
    for _ in range(2):
        (beside,) = loop.ask()
        assert beside.purpose == "repeat"
        loop.tell(Tell(beside.index, beside.u, -70.0))
        loop.update()
    assert (doubt.fate, doubt.believed) == ("left out", doubt.runs[0])
    assert loop.ask()[0].purpose != "repeat"


def test_the_best_fit_is_no_lie() -> None:
    loop = fresh(BestFitMethod, 50)
    _, answer = go(loop, lambda ask, y: y + (30.0 if ask.index == 13 else 0.0))
    assert answer is not None
    assert loop.method.satisfied
    assert FarOff.of(answer.far_off).with_fate("left out") == (13,)
    assert loop.method.top == pytest.approx(-np.log(2.0 * np.pi), abs=0.1)


def test_a_climb_and_the_places_around_a_mode_outlive_a_doubt_of_another_value_and_none_of_their_own() -> None:
    loop = after_20_runs()
    method = loop.method
    assert isinstance(method, DoubtingMethod)
    told, elsewhere = method.log.told[7], np.array([1.0, 1.0])
    for best, kept in ((elsewhere, True), (method.box.into(told.u), False)):
        m = method.memory
        m.ascent, m.ascents, m.ascent_ends, m.lookout = Ascent(best, -3.0, local=True), 1, [best], elsewhere
        m.design, m.designs, m.designed = AxialDesign(best, 1), 1, [best]
        m.doubts.all.append(Doubt(told.index, float(told.y or 0.0), 0.0, -9.0, values=[told.y]))
        method._begin_anew()
        after = method.memory
        assert after.history == m.history, "what came out as predicted stays so: there are no fewer runs to judge by"
        assert (after.ascent is not None, after.design is not None, after.lookout is not None) == (kept,) * 3
        assert (after.designs, len(after.designed)) == ((1, 1) if kept else (0, 0)), "begun once more where the mode stays"
        assert len(after.ascent_ends) == (1 if kept else 2), "beginnings and ends in turn"


@pytest.mark.loops
def test_on_a_narrow_ridge_where_no_run_lies_none_is_called_a_mistake() -> None:
    """Of correlation .99998: the slope across it is hundreds of times that along it."""

    def ridge(u: np.ndarray) -> float:
        return float(-0.5 * (u[0] ** 2 + ((u[1] - u[0] - 0.1 * np.sin(3.0 * u[0])) / 0.005) ** 2))

    loop = AskTellLoop(FramedMethod(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=1, max_evaluations=40)))
    repeats = 0
    while new := loop.ask():
        (ask,) = new
        repeats += ask.purpose == "repeat"
        loop.tell(Tell(ask.index, ask.u, ridge(ask.u)))
    answer = loop.update()
    assert answer is not None
    found = FarOff.of(answer.far_off)
    assert not found.not_counted
    assert repeats == len(set(found.index)) > 0, "one run beside each place that was in doubt"
