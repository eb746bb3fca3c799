"""What remains between two arrivals: never negative, never more as time goes on, late only when all under way are."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.gui.analysis.countdown import Remaining


@pytest.mark.parametrize(("left", "at_once"), [(10, 1), (10, 3), (2, 8), (1, 1)])
def test_it_falls_by_the_time_that_passes_until_those_under_way_are_due_and_stands_at_what_the_others_take(
    left: int, at_once: int
) -> None:
    whole, coming = (600.0, 900.0), min(left, at_once)
    due = 900.0 * coming / left
    told = [Remaining(whole, left, at_once, since) for since in np.linspace(0.0, 3.0 * due, 31).tolist()]
    for one in told:
        low, high = one.of(left)
        assert 0.0 <= low <= high
        assert high == pytest.approx(max(900.0 - one.since_s, 900.0 * (left - coming) / left))
        assert one.late is (one.since_s > due)
        assert one.of(1)[0] <= low


def test_nothing_is_left_of_no_runs_and_a_range_that_makes_no_sense_is_none() -> None:
    assert Remaining((5.0, 9.0), 0).of(0) == (0.0, 0.0)
    assert not Remaining((5.0, 9.0), 0, 2, 50.0).late
    assert Remaining((-5.0, -1.0), 3).of(3) == (0.0, 0.0)
