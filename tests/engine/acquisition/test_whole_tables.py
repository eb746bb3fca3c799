"""Where tables are whole, told by how much of them runs gave: against tables whose end is known."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.acquisition.initial_design import design_point, search_point
from bayescope.engine.acquisition.whole_tables import whole_point
from bayescope.engine.loop_interface import LoopSettings, Tell

CELLS = 30
LOWER, UPPER = np.array([0.0, -9.0, 10.0]), np.array([1.0, -2.0, 90.0])


def settings(seed: int) -> LoopSettings:
    return LoopSettings(LOWER, UPPER, seed)


def rows(u: np.ndarray) -> float:
    """How far the table goes (in cells): whole in one place of fifty, by two of the three parameters."""
    z = (u - LOWER) / (UPPER - LOWER)
    return 34.0 - 20.0 * z[1] ** 0.7 - 9.0 * (1.0 - z[2])


def run(index: int, u: np.ndarray) -> Tell:
    given = int(np.clip(rows(u), 0, CELLS))
    cells = np.where(np.arange(CELLS) < given, 1.0, np.nan)
    return Tell(index, u, -3.0, outputs=cells) if given == CELLS else Tell(index, u, None, outputs=cells, reason="rows")


def test_few_of_all_places_give_a_whole_table() -> None:
    box = LOWER + (UPPER - LOWER) * np.random.default_rng(0).random((4000, 3))
    assert 0.01 < np.mean([rows(u) >= CELLS for u in box]) < 0.04


@pytest.mark.parametrize("seed", range(4))
def test_runs_that_gave_a_part_of_the_table_lead_to_where_it_is_whole(seed: int) -> None:
    told = [run(k, design_point(k, 8, LOWER, UPPER, None, seed)) for k in range(8)]
    whole = []
    for k in range(8, 16):
        place = search_point(k, settings(seed), told)
        assert np.all((place >= LOWER) & (place <= UPPER))
        told.append(run(k, place))
        whole.append(told[-1].y is not None)
    assert sum(whole) >= 6
    found = np.array([t.u for t, good in zip(told[8:], whole, strict=True) if good]) / (UPPER - LOWER)
    apart = np.linalg.norm(found[:, None] - found[None], axis=2) + np.eye(len(found))
    assert apart.min() > 0.02, "each tells something new"


def test_too_few_or_all_alike_lead_nowhere() -> None:
    points = [design_point(k, 8, LOWER, UPPER, None, 1) for k in range(8)]
    told = [run(k, u) for k, u in enumerate(points)]
    assert whole_point(8, settings(1), told[:3]) is None
    cells = np.where(np.arange(CELLS) < 20, 1.0, np.nan)
    alike = [Tell(k, u, None, outputs=cells, reason="rows") for k, u in enumerate(points)]
    assert whole_point(8, settings(1), alike) is None
    assert whole_point(8, settings(1), [Tell(k, u, None, reason="crash") for k, u in enumerate(points)]) is None
