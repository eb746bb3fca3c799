"""Which run tells most of a border."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.feasibility.border_choice import telling, telling_of_share

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


def test_what_a_run_tells_of_a_share_is_the_variance_between_the_means_of_the_functions_it_tells_apart() -> None:
    found, shares = telling_of_share(INSIDE), INSIDE.mean(1)
    for j in (9, 16, 22):
        said = INSIDE[:, j]
        between = sum(part.mean() * (shares[part].mean() - shares.mean()) ** 2 for part in (said, ~said))
        assert found[j] == pytest.approx(between)
    assert found[AT < 0.2].max() == 0.0
    assert found[AT > 0.61].max() == 0.0


def test_a_run_goes_where_a_disk_and_a_shell_differ_and_not_to_the_border_that_both_leave_open() -> None:
    """Both end somewhere near 1; a fifth of the functions are empty inside of .6."""
    rng = np.random.default_rng(4)
    ends, hollow = rng.uniform(0.9, 1.1, 600), rng.random(600) < 0.2
    inside = (AT[None] * 1.5 < ends[:, None]) & ~(hollow[:, None] & (AT[None] * 1.5 < 0.6))
    assert AT[telling_of_share(inside).argmax()] * 1.5 < 0.6
