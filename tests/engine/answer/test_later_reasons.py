"""What an answer said of its budget is not said any more once more runs are allowed."""

from __future__ import annotations

from typing import get_args

import pytest

from bayescope.engine.answer.later_reasons import ALLOWED, NOT_CHECKED, as_allowed
from bayescope.engine.answer.words import Figures, Stage, reasons


def figures(stage: Stage, evaluations: int = 30, room: bool = True) -> Figures:
    return Figures(evaluations=evaluations, budget=30, good=20, failed=10, stage=stage, room=room)


@pytest.mark.parametrize("stage", get_args(Stage))
@pytest.mark.parametrize(("evaluations", "room"), [(30, True), (30, False), (28, False)])
def test_no_reason_speaks_of_a_budget_that_was_raised(stage: Stage, evaluations: int, room: bool) -> None:
    said = reasons(figures(stage, evaluations, room))
    assert as_allowed(said, 30, 30) == said
    now = as_allowed(said, 30, 60)
    assert not [reason for reason in now if "budget" in reason]
    assert [r for r in now if "failed" in r] == [r for r in said if "failed" in r], "what else is said stays"
    assert now


def test_where_nothing_else_was_said_it_is_said_that_more_are_allowed() -> None:
    assert as_allowed(("The budget of 1,200 runs is spent. More runs would help.",), 1200, 1300) == (ALLOWED,)
    assert as_allowed((), 10, 20) == ()
    assert as_allowed(reasons(figures("unchecked", 30, False))[1:2], 30, 31) == (NOT_CHECKED,)
