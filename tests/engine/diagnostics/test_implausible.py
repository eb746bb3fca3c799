"""How implausible a value is: against draws, and against another library's distribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from bayescope.engine.diagnostics.implausible import PRIOR_ERRORS, came_again, log10_chance, settled


def test_the_chance_of_an_error_is_that_of_a_normal_whose_scale_the_earlier_errors_leave_open() -> None:
    errors, z = np.array([4.0, 1.0, 9.0, 2.0, 5.0, 3.0]), 12.0
    dof = PRIOR_ERRORS + len(errors)
    scale = (PRIOR_ERRORS + errors.sum()) / dof

    def tail(precision: float) -> float:  # seed 004 section 2.3.3: a Gaussian scale mixture with a gamma prior on the precision
        density = stats.gamma.pdf(precision, 0.5 * dof, scale=2.0 / (dof * scale))
        return float(density * 2.0 * stats.norm.sf(z * np.sqrt(precision)))

    expected, _ = integrate.quad(tail, 0.0, 3.0, epsabs=0.0, epsrel=1e-10, limit=500)
    assert log10_chance(z**2, errors) == pytest.approx(np.log10(expected), abs=1e-6)


def test_where_predictions_were_always_wrong_a_wrong_one_is_no_surprise() -> None:
    assert log10_chance(100.0, np.ones(15)) < -6.0 < log10_chance(100.0, np.full(15, 36.0))
    assert log10_chance(400.0, []) > -6.0, "nothing is known of its errors yet"


@given(
    st.floats(0.0, 1e300), st.lists(st.floats(0.0, 1e300), max_size=20)
)
def test_the_chance_is_finite_and_falls_with_the_error(error: float, errors: list[float]) -> None:
    chance = log10_chance(error, errors)
    assert np.isfinite(chance)
    assert chance <= 0.0
    assert log10_chance(2.0 * error + 1.0, errors) <= chance


def test_a_value_came_again_if_it_is_the_same_but_for_the_slope() -> None:
    assert came_again(-121_918.2, -121_917.3, -2.0)
    assert came_again(25.0, 25.03, -5.0)
    assert not came_again(25.0, -5.0, -5.0)
    assert not came_again(-4.1, -3.0, -3.1)


def test_on_the_flank_of_a_narrow_ridge_a_value_came_again_with_the_slope_there() -> None:
    assert came_again(-1394.18, -1394.336, -1333.4), "a millionth of the range away: the surrogate was wrong by 61 nats"
    assert came_again(-1000.0, -1000.4, -1000.3, slope=0.35)
    assert not came_again(-1000.0, -1005.0, -1000.3, slope=0.35)
    assert not came_again(-10.0, -40.0, -10.2), "a lie, and the truth right beside it"


def test_what_came_twice_is_so_and_what_came_once_is_so_only_as_predicted() -> None:
    assert settled([True], False) == (True, 0), "the first came again: a real peak"
    assert settled([False], True) == (True, 1), "as predicted: the first was a lie"
    assert settled([False], False) == (False, None), "neither: another run"
    assert settled([False, True], False) == (True, 1), "predicted wrongly, and the first was a lie"
    assert settled([True, True], False) == (True, 0)
