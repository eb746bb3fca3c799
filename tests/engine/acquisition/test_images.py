"""Where a mode would stand again."""

from __future__ import annotations

import numpy as np

from bayescope.engine.acquisition.images import images


def test_coordinates_of_the_same_range_are_exchanged_and_others_are_not() -> None:
    found = images(np.array([[0.1, 0.9, 0.4]]), np.array([0.0, 0.0, 0.0]), np.array([1.0, 1.0, 2.0]))
    np.testing.assert_allclose(found, [[0.9, 0.1, 0.4]])


def test_signs_change_where_a_range_is_symmetric_one_at_a_time_and_two_together() -> None:
    found = images(np.array([[0.5, 3.0, 0.2]]), np.array([-1.0, -5.0, 0.0]), np.array([1.0, 5.0, 1.0]))
    np.testing.assert_allclose(found, [[-0.5, 3.0, 0.2], [0.5, -3.0, 0.2], [-0.5, -3.0, 0.2]])


def test_parameters_that_have_nothing_in_common_have_no_images() -> None:
    assert images(np.array([[0.5, 3.0]]), np.array([0.0, 1.0]), np.array([1.0, 5.0])).shape == (0, 2)


def test_two_points_of_two_like_parameters_about_zero_have_four_images_each() -> None:
    found = images(np.array([[0.5, -0.2], [0.3, 0.7]]), np.full(2, -1.0), np.ones(2))
    assert len(found) == 8
    np.testing.assert_allclose(np.sort(np.abs(found), axis=1), np.tile([[0.2, 0.5], [0.3, 0.7]], (4, 1)))
