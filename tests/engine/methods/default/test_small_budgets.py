"""A budget keeps back what a check needs: as many evaluations as it may be accepted with, and no fewer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bayescope.engine.answer.words import ENDS_AFTER, FEWEST_LEFT
from bayescope.engine.loop_interface import LoopSettings, LoopSnapshot, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default import certification
from bayescope.engine.methods.default.certification import Certification, checks_wanted, fewest_wanted, tails_wanted
from bayescope.engine.methods.default.loop import DefaultMethod


def told_until_decided(dimension: int, walled: bool) -> int:
    """Outcomes that a perfect surrogate needs, told one by one: every draw as predicted, every tail empty."""
    draws, tails = np.zeros((checks_wanted(dimension, walled), dimension)), np.zeros((tails_wanted(dimension), dimension))
    c = Certification.of(draws, tails, all_draws=walled)
    for position in range(len(c.points)):
        c.add(position, -30.0 if c.tail[position] else 0.0)
        if c.decided(dimension):
            assert c.verdict(dimension)[0]
            return c.told
    raise AssertionError("never decided")


@pytest.mark.parametrize("walled", [False, True])
@pytest.mark.parametrize("dimension", range(1, 13))
def test_the_room_that_is_kept_is_what_a_perfect_surrogate_needs(dimension: int, walled: bool) -> None:
    assert fewest_wanted(dimension, walled) == told_until_decided(dimension, walled)
    assert fewest_wanted(dimension, walled) <= checks_wanted(dimension, walled) + tails_wanted(dimension)


def banana(u: np.ndarray) -> float:
    return float(-0.5 * u[0] ** 2 - 2.0 * (u[1] - 0.5 * u[0] ** 2) ** 2)


def run(budget: int, target: Callable[[np.ndarray], float] = banana) -> tuple[AskTellLoop, LoopSnapshot]:
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -3.0), np.full(2, 3.0), seed=0, max_evaluations=budget)))
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, target(asks[0].u)))
    newest = loop.update()
    assert newest is not None
    return loop, newest


@pytest.fixture(scope="module")
def unhurried() -> LoopSnapshot:
    return run(100)[1]


@pytest.fixture(scope="module")
def tightest(unhurried: LoopSnapshot) -> int:
    """The smallest budget that confirms it: of a smaller one less is spent on looks."""
    budget = unhurried.n_evaluations
    while run(budget - 1)[1].converged:
        budget -= 1
    return budget


@pytest.mark.loops
def test_an_answer_is_confirmed_within_the_very_budget_that_it_needed(unhurried: LoopSnapshot) -> None:
    assert unhurried.converged
    _, just_enough = run(unhurried.n_evaluations)
    assert just_enough.converged
    assert just_enough.log_evidence == pytest.approx(unhurried.log_evidence, abs=0.01)


@pytest.mark.loops
def test_while_it_checks_it_says_after_how_many_runs_it_may_end_at_the_earliest(unhurried: LoopSnapshot) -> None:
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -3.0), np.full(2, 3.0), seed=0, max_evaluations=100)))
    told: list[LoopSnapshot] = []
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, banana(asks[0].u)))
        checking = loop.method.memory.certification is not None
        if (checking or len(loop.method.log.told) == 10) and (newest := loop.update()) is not None:
            told.append(newest)
    checked = [s for s in told if "being checked" in s.reasons[0]]
    assert checked
    assert all(s.n_evaluations + s.diagnostics[ENDS_AFTER] <= unhurried.n_evaluations for s in checked)
    assert ENDS_AFTER not in told[0].diagnostics, "the stop rule's figures are not met yet"
    early = [s for s in told if FEWEST_LEFT in s.diagnostics]
    assert told[0] in early
    assert all(s.n_evaluations + s.diagnostics[FEWEST_LEFT] <= unhurried.n_evaluations for s in early)
    assert not {ENDS_AFTER, FEWEST_LEFT} & set(unhurried.diagnostics), "it has ended"


@pytest.mark.loops
def test_one_evaluation_less_confirms_nothing_and_says_so(tightest: int) -> None:
    loop, short = run(tightest - 1)
    assert not short.converged
    assert not loop.method.memory.converged
    words = " ".join(short.reasons)
    assert "settled" not in words
    assert f"budget of {tightest - 1} runs is spent" in short.reasons[0]


@pytest.mark.loops
def test_a_check_that_the_budget_cut_short_is_no_refusal_and_survives_saving(unhurried: LoopSnapshot) -> None:
    """The room is taken away after the check has begun, as a paused run whose budget was lowered."""
    loop = AskTellLoop(DefaultMethod(LoopSettings(np.full(2, -3.0), np.full(2, 3.0), seed=0, max_evaluations=100)))
    while loop.method.memory.certification is None:
        ask = loop.ask()[0]
        loop.tell(Tell(ask.index, ask.u, banana(ask.u)))
    loop.method.log.budget = len(loop.method.log.told) + 2
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, banana(asks[0].u)))
    answer = loop.update()
    assert answer is not None
    assert not answer.converged
    assert loop.method.memory.cut_short
    assert loop.method.memory.refusals == 0
    assert any("ended before all checks" in r for r in answer.reasons)
    again = AskTellLoop(DefaultMethod(loop.method.settings))
    again.restore(loop.state())
    assert again.method.memory.cut_short
    again.extend(100)
    while asks := again.ask():
        again.tell(Tell(asks[0].index, asks[0].u, banana(asks[0].u)))
    answer = again.update()
    assert answer is not None
    assert answer.converged
    assert answer.n_evaluations < unhurried.n_evaluations + 30


def test_what_is_accepted_is_what_an_answer_counts_as_right_by() -> None:
    assert (certification.CLEAR, certification.PERFECT, certification.LEAST, certification.FEWEST) == (1 / 3, 0.1, 5, 4)
    assert (certification.LIMIT, certification.TAIL_LIMIT) == (0.10, 0.06)  # of log Z, as of benchmarks
