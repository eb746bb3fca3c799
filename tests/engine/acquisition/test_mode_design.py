"""A mode that an ascent has found is evaluated along its own axes before the surrogate is believed there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bayescope.engine.acquisition.mode_design import DROP, REACH, STEPS, AxialDesign, own_axes
from bayescope.engine.sampling.guarded_density import Hull

Array = NDArray[np.float64]
CENTRE = np.array([0.5, -0.3, 0.2])
SDS = np.array([0.2, 0.4, 0.7])
AXES = np.asarray(stats.special_ortho_group.rvs(3, random_state=1))  # in its columns
REGION = Hull(np.full(3, -4.0), np.full(3, 4.0))


def normal(points: Array) -> Array:
    """A rotated normal, up to a constant."""
    return np.asarray(-0.5 * np.square((points - CENTRE) @ AXES / SDS).sum(1))


def flat(points: Array) -> Array:
    return np.zeros(len(points))


def test_the_own_axes_of_a_normal_are_its_principal_axes_the_narrowest_first() -> None:
    aligned = np.abs(own_axes(normal, CENTRE).T @ AXES)
    np.testing.assert_allclose(aligned, np.eye(3), atol=1e-6)


def test_on_each_half_line_the_place_is_the_first_where_the_mean_has_fallen_by_three_nats() -> None:
    design, seen = AxialDesign(CENTRE), set()
    while not design.complete:
        place = design.next_place(normal, REGION)
        along = (place - CENTRE) @ AXES
        axis = int(np.abs(along).argmax())
        seen.add((axis, bool(along[axis] > 0)))
        step = REACH / (STEPS - 1)
        expected = SDS[axis] * np.sqrt(2 * DROP)
        assert expected <= abs(along[axis]) <= expected + step + 1e-9
        assert np.abs(np.delete(along, axis)).max() < 1e-6
    assert len(seen) == 6


def test_places_stay_in_the_plausible_box_and_the_trusted_region() -> None:
    design, narrow = AxialDesign(CENTRE), Hull(np.full(3, -1.0), np.array([1.0, 2.5, 1.0]))
    while not design.complete:
        place = design.next_place(flat, narrow)
        assert np.all(place >= -2.0)
        assert np.all(place <= [2.0, 2.5, 2.0])


def test_an_axial_design_goes_on_after_its_state_was_kept() -> None:
    design = AxialDesign(CENTRE)
    design.next_place(normal, REGION)
    again = AxialDesign.of_state(design.to_state())
    np.testing.assert_array_equal(design.next_place(normal, REGION), again.next_place(normal, REGION))
    assert again.done == 2
