"""A start without success: the search goes outwards from the user's guess, or from the one run that worked."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.acquisition.initial_design import OUTWARDS, search_point
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default.loop import DefaultMethod

LOWER, UPPER = np.full(2, -4.0), np.full(2, 4.0)


def settings(start: np.ndarray | None, budget: int = 60) -> LoopSettings:
    return LoopSettings(LOWER, UPPER, seed=3, max_evaluations=budget, start=start)


def test_places_go_outwards_from_the_users_guess_and_then_from_what_worked() -> None:
    guess, failed = np.array([3.0, -3.0]), [Tell(i, np.zeros(2), None) for i in range(6)]
    found = np.array([search_point(i, settings(guess), failed) for i in range(0, 10, 2)])
    assert np.all(np.abs(found - guess).max(1) <= 4.0 * np.array(OUTWARDS))
    worked = [*failed, Tell(6, np.array([-2.0, 2.0]), -1.0)]
    assert np.abs(search_point(0, settings(guess), worked) - [-2.0, 2.0]).max() <= 4.0 * OUTWARDS[0]
    assert np.abs(search_point(1, settings(guess), worked) - guess).max() > 0.0  # in turn with wide draws


@pytest.mark.parametrize("guess", [None, np.array([2.5, 2.5])])
def test_without_any_success_it_goes_on_and_says_so(guess: np.ndarray | None) -> None:
    loop, last = AskTellLoop(DefaultMethod(settings(guess, 20))), None
    while asks := loop.ask():
        loop.tell(Tell(asks[0].index, asks[0].u, None))
        last = loop.update() or last
    assert last is not None
    assert "None of the 20 runs gave a usable value" in last.reasons[0]


@pytest.mark.loops
def test_one_corner_that_works_is_found_from_a_guess_beside_it() -> None:
    """Runs succeed in 1 of 60 of the plausible box; the guess itself fails."""
    centre, loop = np.array([2.5, 2.5]), AskTellLoop(DefaultMethod(settings(np.array([1.9, 2.5]), 60)))
    worked = 0
    while asks := loop.ask():
        u = asks[0].u
        runs = bool(np.linalg.norm(u - centre) < 0.58)
        worked += runs
        loop.tell(Tell(asks[0].index, u, -0.5 * float(np.square((u - centre) / 0.2).sum()) if runs else None))
    last = loop.update()
    assert worked > 8  # two without the search outwards
    assert last is not None
    assert last.log_evidence == pytest.approx(np.log(2 * np.pi * 0.04), abs=0.1)


def test_several_start_values_are_each_gone_outwards_from_and_the_words_say_so() -> None:
    given, failed = np.array([[3.0, -3.0], [-1.0, 2.0]]), [Tell(i, np.zeros(2), None) for i in range(6)]
    found = np.array([search_point(i, settings(given), failed) for i in range(0, 20, 2)])
    assert found.shape == (10, 2)
    for k, guess in enumerate(given):
        assert np.all(np.abs(found[5 * k : 5 * k + 5] - guess).max(1) <= 4.0 * np.array(OUTWARDS))
    loop, said = AskTellLoop(DefaultMethod(settings(given, 16))), []
    while asks := loop.ask():
        assert asks[0].u.shape == (2,)
        works = asks[0].index == 11
        loop.tell(Tell(asks[0].index, asks[0].u, -1.0 if works else None))
        if (now := loop.update()) is not None:
            said.append(now.activity)
    assert "No run gave a value yet: looking for one, outwards from the start values if there are some" in said
    assert "Few runs gave a value: looking for more, outwards from those that did" in said
