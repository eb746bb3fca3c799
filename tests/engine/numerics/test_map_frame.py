"""The coordinates of the map of failure."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from bayescope.engine.numerics.map_frame import MapFrame


def test_successes_all_over_the_box_leave_its_coordinates_as_they_are() -> None:
    rng = np.random.default_rng(0)
    frame, x = MapFrame.of(rng.uniform(-2.0, 2.0, (30, 3))), rng.uniform(-2.0, 2.0, (50, 3))
    np.testing.assert_array_equal(frame.into(x), x)


def test_a_crowd_of_any_size_fills_the_coordinates_and_what_is_far_stays_apart_by_distance_and_direction() -> None:
    rng = np.random.default_rng(1)
    for size in (1e-1, 1e-4, 1e-9):
        good = 0.3 + size * rng.standard_normal((40, 2))
        frame = MapFrame.of(np.concatenate([good, rng.uniform(-2.0, 2.0, (10, 2))]))
        assert 0.1 < frame.into(good).std() < 2.0
        far = frame.center + np.outer(np.geomspace(size, 1e3, 60), [0.6, -0.8])
        z = frame.into(far)
        radius = np.hypot(*z.T)
        assert np.all(np.diff(radius) > 0.0)
        assert radius[-1] < 200.0
        straight = (far - frame.center) / frame.scale
        np.testing.assert_allclose(z / radius[:, None], straight / np.hypot(*straight.T)[:, None])


def test_a_few_more_successes_hardly_ever_change_the_scale() -> None:
    rng = np.random.default_rng(2)
    good = 0.01 * rng.standard_normal((120, 4))
    scales = [MapFrame.of(good[:n]).scale for n in range(40, 120)]
    changes = sum(not np.array_equal(a, b) for a, b in pairwise(scales))
    assert changes < 12
