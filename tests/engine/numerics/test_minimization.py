"""Descents from several starts against known minima."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bayescope.engine.numerics.minimization import lowest

Array = NDArray[np.float64]
LOWER, UPPER = np.full(2, -3.0), np.full(2, 3.0)


def two_wells(x: Array) -> tuple[float, Array]:
    """Minima near (-1, 0) and, lower, (1, 0)."""
    value = float((x[0] ** 2 - 1.0) ** 2 - 0.3 * x[0] + x[1] ** 2)
    return value, np.array([4.0 * x[0] * (x[0] ** 2 - 1.0) - 0.3, 2.0 * x[1]])


def test_the_best_of_all_descents_is_kept_and_every_evaluation_is_counted() -> None:
    left, right = np.array([-1.05, 0.1]), np.array([1.05, 0.1])
    alone = [lowest(two_wells, [start], LOWER, UPPER, 50) for start in (left, right)]
    both = lowest(two_wells, [right, left], LOWER, UPPER, 50)
    assert alone[0].x[0] < 0.0 < both.x[0]
    assert both.value == alone[1].value < alone[0].value
    assert both.evaluations == alone[0].evaluations + alone[1].evaluations


def test_an_end_lies_within_the_limits_wherever_the_start_was() -> None:
    found = lowest(two_wells, [np.array([9.0, 9.0])], np.array([1.5, -3.0]), UPPER, 50)
    assert found.x == pytest.approx([1.5, 0.0], abs=1e-3)
