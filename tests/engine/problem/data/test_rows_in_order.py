"""Outputs of one family and the rows of a table, in the order of both."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem.data.rows.rows_in_order import rows_in_order
from bayescope.engine.problem.data.rows.whole_pairing import Side


def sides(stem: str, values: list[float | None]) -> list[Side]:
    return [Side(f"{stem}{i}", None if v is None else np.array([v])) for i, v in enumerate(values)]


FALLING: list[float | None] = [9.0, 7.0, 4.0, 2.5, 1.0]


@pytest.mark.parametrize("factor", [1.0, -1e-3, 500.0])
def test_signs_and_units_may_differ(factor: float) -> None:
    outputs = sides("u_", [factor * v for v in FALLING if v is not None])
    assert rows_in_order(outputs, sides("D", FALLING)) == {f"u_{i}": f"D{i}" for i in range(5)}


def test_rows_without_a_value_keep_their_place() -> None:
    rows: list[Side | None] = [*sides("D", FALLING)]
    rows[2] = None
    assert rows_in_order(sides("u_", FALLING), rows) == {f"u_{i}": f"D{i}" for i in (0, 1, 3, 4)}


@pytest.mark.parametrize(
    ("outputs", "rows"),
    [
        (sides("u_", [1.0, 9.0, 2.0, 8.0, 3.0]), sides("D", FALLING)),  # otherwise
        (sides("u_", FALLING[:4]), sides("D", FALLING)),  # fewer
        (sides("u_", [*FALLING[:3], None, None]), sides("D", FALLING)),  # too few values
        ([*sides("u_", FALLING), *sides("v_", FALLING)], sides("D", FALLING)),  # which family is not told
        (sides("u_", [1.0] * 5), sides("D", FALLING)),
    ],
)
def test_what_the_order_does_not_tell_is_in_no_pair(outputs: list[Side], rows: list[Side]) -> None:
    assert rows_in_order(outputs, rows) == {}
