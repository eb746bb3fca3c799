"""Which run tells most of a border."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.feasibility.border_choice import telling

RNG = np.random.default_rng(3)
AT = np.linspace(0.0, 1.0, 41)
EDGES = RNG.uniform(0.2, 0.6, 400)  # of a border somewhere between: places beyond it are inside
INSIDE = AT[None] > EDGES[:, None]


def test_a_run_takes_away_the_variance_between_the_functions_that_it_tells_apart() -> None:
    found, j = telling(INSIDE), 16
    said, p = INSIDE[:, j], INSIDE[:, j].mean()
    apart = INSIDE[said].mean(0) - INSIDE[~said].mean(0)
    assert found[j] == pytest.approx(p * (1.0 - p) * float(np.square(apart).sum()))


def test_the_middle_of_where_a_border_may_be_tells_most_and_what_is_known_nothing() -> None:
    found = telling(INSIDE)
    assert 0.35 < AT[found.argmax()] < 0.45
    assert found[AT < 0.2].max() == 0.0
    assert found[AT > 0.61].max() == 0.0


def test_beside_a_run_that_is_under_way_another_one_tells_less_than_farther_away() -> None:
    first = int(telling(INSIDE).argmax())
    found = telling(np.column_stack([INSIDE[:, first], INSIDE]), waiting=1)
    assert found[first] == 0.0
    assert abs(AT[found.argmax()] - AT[first]) > 0.05
