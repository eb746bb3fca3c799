"""How far the nearest key is where keys are spread over powers of ten."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.keys.distances import largest, spread_over_powers

FREQUENCIES = np.logspace(-2.0, 4.0, 37)


def test_it_is_said_as_a_part_of_the_key() -> None:
    rounded = tuple(float(f"{f:.3g}") for f in FREQUENCIES[::-1])
    data = d.DataTable(columns={"freq": rounded, "re": tuple(range(37))})
    match = d.Match(output="Zreal", column="re", key_output="Freq", key_column="freq", key_tolerance=30.0)
    found = largest(match, data, {"Freq": FREQUENCIES, "Zreal": np.ones(37)})
    assert found is not None
    assert found.relative
    share = max(abs(f / r - 1.0) for f, r in zip(FREQUENCIES[::-1], rounded, strict=True))
    assert found.largest == pytest.approx(share)
    assert found.size == f"{100.0 * share:.2g} %"
    assert not found.far, "keys are 47 % apart"


@pytest.mark.parametrize("places", [np.arange(1.0, 40.0), np.array([0.0, 1.0, 10.0, 100.0]), np.array([1.0, 10.0])])
def test_even_places_are_not_spread_over_powers(places: np.ndarray) -> None:
    assert not spread_over_powers(places)
