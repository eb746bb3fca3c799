"""Quadratic functions by their monomials, their slopes, and the odds of a thin sheet about where one is zero."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.numerics.quadrics import monomials, sheet_log_odds, slopes

RNG = np.random.default_rng(8)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_monomials_span_every_quadratic_function(d: int) -> None:
    z, a, g = RNG.standard_normal((60, d)), RNG.standard_normal((d, d)), RNG.standard_normal(d)
    value = 0.3 + z @ g + np.einsum("ni,ij,nj->n", z, a, z)
    found = monomials(z)
    assert found.shape[1] == (d + 1) * (d + 2) // 2
    assert found @ np.linalg.lstsq(found, value, rcond=None)[0] == pytest.approx(value)


@pytest.mark.parametrize("d", [1, 3])
def test_slopes_are_those_of_small_steps(d: int) -> None:
    z, h = RNG.standard_normal((7, d)), 1e-5
    for k, slope in enumerate(slopes(z)):
        step = h * np.eye(d)[k]
        assert slope == pytest.approx((monomials(z + step) - monomials(z - step)) / (2 * h), abs=1e-8)


def test_a_shell_has_its_thickness_everywhere() -> None:
    radius, half = 1.3, 0.15
    shell = np.array([[-(radius**2), 0.0, 0.0, 1.0, 0.0, 1.0]])  # |z|^2 - r^2
    angle = RNG.uniform(0.0, 2 * np.pi, 200)
    way = np.column_stack([np.cos(angle), np.sin(angle)])

    def odds(rho: float) -> np.ndarray:
        z = rho * way
        return sheet_log_odds(shell, np.array([half]), monomials(z), slopes(z), 8.0)[0]

    assert np.all(odds(radius) == pytest.approx(-8.0))
    assert np.all(odds(radius - 0.18) > 0.0)
    assert np.all(odds(radius + 0.18) > 0.0)
    assert np.all(odds(radius - 0.12) < 0.0)
    assert np.all(odds(radius + 0.12) < 0.0)
    assert np.all(odds(0.01) > 8.0), "the middle of a shell lies far from it, however flat the function is there"


def test_the_size_of_the_function_says_nothing() -> None:
    z, c = RNG.standard_normal((30, 3)), RNG.standard_normal((5, 10))
    given = np.full(5, 0.2), monomials(z), slopes(z), 8.0
    assert sheet_log_odds(c, *given) == pytest.approx(sheet_log_odds(7.0 * c, *given))
