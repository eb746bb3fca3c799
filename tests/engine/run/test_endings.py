"""How a run ended is said in words that its answer bears out."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bayescope.engine.answer.where_known import CONFIRMED_IN_PART
from bayescope.engine.run.endings import ran_out


@pytest.mark.parametrize(
    ("converged", "told", "words"),
    [
        (True, {}, "Converged after 40 runs."),
        (False, {CONFIRMED_IN_PART: 1.0}, "Confirmed where runs succeed after 40 runs."),
        (False, {}, "The method had no further point to try after 40 runs, and has not converged."),
    ],
)
def test_an_answer_confirmed_where_runs_succeed_is_not_said_to_be_converged(
    converged: bool, told: dict[str, float], words: str
) -> None:
    last = SimpleNamespace(converged=converged, diagnostics=told, elbo=0.0)
    outcome, said = ran_out(
        last, "after 40 runs", failed=5, budget=80, hours=None, untold=False, imported=False, spent=False, finished=True
    )
    assert said == words
    assert (outcome == "converged") == (converged or bool(told))
