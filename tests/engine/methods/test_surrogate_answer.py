"""What the answer of a published loop shows beside the posterior: the same as that of the recommended one."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.possible import Possible
from bayescope.engine.answer.surrogate_peak import SurrogatePeak
from bayescope.engine.loop_interface import LoopSettings, LoopSnapshot, Tell
from bayescope.engine.methods.loops import loop_of

CENTRE = np.array([0.4, -0.3])


def answer_of(method: str, budget: int, fails_above: float = np.inf) -> LoopSnapshot:
    """Of a normal of sd 1/2, runs failing where the first coordinate is above a limit; the Jacobian is that of logarithms."""
    settings = LoopSettings(-2 * np.ones(2), 2 * np.ones(2), 3, budget, log_jacobian=lambda u: u.sum(1), names=("a", "b"))
    loop, found = loop_of(method, settings), None
    while not loop.finished:
        for ask in loop.ask(1):
            y = float(-2.0 * np.square(ask.u - CENTRE).sum())
            loop.tell(Tell(ask.index, ask.u, None if ask.u[0] > fails_above else y))
        found = loop.update() or found
    assert found is not None
    return found


@pytest.mark.parametrize("method", ["vbmc", "bvbmc"])
def test_a_published_loop_states_the_surrogates_maximum_in_the_users_units_and_possible_posteriors(method: str) -> None:
    found = answer_of(method, 24)
    peak, possible = SurrogatePeak.of(found.peak, 2), Possible.of(found.possible, 2)
    assert peak is not None
    assert possible is not None
    assert found.slices is not None
    np.testing.assert_allclose(found.slices.center, peak.place, atol=1e-9)  # not through the luckiest run
    np.testing.assert_allclose(peak.place, CENTRE - 0.25, atol=0.06)  # of logarithms the mode is a variance lower
    assert peak.predicted[0] == pytest.approx(-2.0 * 2 * 0.25**2 - (CENTRE - 0.25).sum(), abs=0.05)
    assert possible.expected_variation < 0.1
    assert found.diagnostics["edge_mass"] < 0.01
    assert found.diagnostics["failing_mass"] == 0.0


@pytest.mark.loops
def test_a_published_loop_says_how_much_of_the_answer_lies_where_runs_fail() -> None:
    found = answer_of("vbmc", 24, fails_above=0.4)
    assert 0.1 < found.diagnostics["failing_low"] < found.diagnostics["failing_mass"] < found.diagnostics["failing_high"]
    assert found.success, "the plots shade where runs fail"


def test_a_budget_smaller_than_the_first_look_around_is_told_as_that_and_not_as_a_broken_simulator() -> None:
    (why,) = answer_of("bvbmc", 6).reasons
    assert why == "There is no answer yet: 6 of 6 runs gave a value, and BVBMC begins after 20 that look around. Allow more runs."
    assert answer_of("bvbmc", 6, fails_above=-9.0).reasons[0].startswith("6 runs so far gave no usable value (6 of them failed).")
