"""The curvature of a log density at its own scale: against derivatives in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.numerics.curvature import curvature_at, second_derivatives


def test_second_derivatives_of_a_quadratic_are_exact() -> None:
    rng = np.random.default_rng(1)
    bend, steps = rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    bend = bend + bend.T
    found = second_derivatives(lambda x: 0.5 * np.einsum("ni,ij,nj->n", x, bend, x) + x[:, 0], rng.standard_normal(3), steps)
    assert found == pytest.approx(steps.T @ bend @ steps, abs=1e-9)


@pytest.mark.parametrize("correlation", [0.0, 0.99, 0.9999])
def test_a_normal_is_found_whatever_the_frame_it_is_begun_in(correlation: float) -> None:
    covariance = np.array([[1.0, 10.0 * correlation], [10.0 * correlation, 100.0]])
    precision = np.linalg.inv(covariance)
    found = curvature_at(lambda x: -0.5 * np.einsum("ni,ij,nj->n", x, precision, x), np.array([1.0, -1.0]), 0.1 * np.eye(2))
    assert found is not None
    assert found.covariance == pytest.approx(covariance, rel=1e-6)


def test_what_is_of_fourth_order_or_a_ripple_of_small_length_does_not_count() -> None:
    bent = curvature_at(lambda x: -0.5 * x[:, 0] ** 2 - 0.1 * x[:, 0] ** 4, np.zeros(1), np.eye(1))
    assert bent is not None
    assert bent.sds == pytest.approx([1.0], rel=1e-6)
    rippled = curvature_at(lambda x: -0.5 * x[:, 0] ** 2 + 0.01 * np.cos(30.0 * x[:, 0]), np.zeros(1), np.eye(1))
    assert rippled is not None
    assert rippled.sds == pytest.approx([1.0], rel=0.03)  # its second derivative at 0 is ten times that of the normal


def test_where_nothing_falls_there_is_no_curvature() -> None:
    assert curvature_at(lambda x: -0.5 * x[:, 0] ** 2, np.zeros(2), np.eye(2)) is None


def test_a_density_with_numbers_too_large_for_eigenvalues_has_no_curvature_and_is_no_error() -> None:
    """As of an emulator far outside of what it has seen."""

    rows = [1e4, 4e296, -4e296, 1e115], [4e296, 1e10, -3e8, 1e10], [-4e296, -3e8, 9e5, -2e6], [1e115, 1e10, -2e6, 7e15]
    bend = np.array(rows)
    assert curvature_at(lambda x: -0.5 * np.einsum("ni,ij,nj->n", x, bend, x), np.zeros(4), np.eye(4)) is None
