"""Where a mode would stand again."""

from __future__ import annotations

import numpy as np

from bayescope.engine.acquisition.images import MOST_EXCHANGES, Image, possible_images


def images(points: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    return np.concatenate([image.of(points, lower, upper) for image in possible_images(lower, upper)])


def as_rows(found: np.ndarray) -> set[tuple[float, ...]]:
    return {tuple(np.round(row, 9)) for row in found}


def test_coordinates_of_the_same_range_are_exchanged_and_others_are_not() -> None:
    found = as_rows(images(np.array([[0.1, 0.9, 0.4]]), np.array([0.0, 0.0, 0.0]), np.array([1.0, 1.0, 2.0])))
    assert (0.9, 0.1, 0.4) in found
    assert (0.4, 0.9, 0.1) not in found


def test_layers_that_change_places_have_their_share_of_the_whole_turned() -> None:
    found = as_rows(images(np.array([[1.5, 2.5, 0.3]]), np.array([1.0, 1.0, 0.0]), np.array([3.0, 3.0, 1.0])))
    assert (2.5, 1.5, 0.7) in found


def test_signs_change_where_a_range_is_symmetric_one_at_a_time_and_two_together() -> None:
    found = as_rows(images(np.array([[0.5, 3.0, 0.2]]), np.array([-1.0, -5.0, 0.0]), np.array([1.0, 5.0, 1.0])))
    assert {(-0.5, 3.0, 0.2), (0.5, -3.0, 0.2), (-0.5, -3.0, 0.2), (0.5, 3.0, 0.8)} <= found
    assert (-0.5, -3.0, 0.8) not in found, "no more than two"


def test_every_point_has_its_own_images() -> None:
    two, box = np.array([[0.5, -0.2], [0.3, 0.7]]), (np.full(2, -1.0), np.ones(2))
    assert as_rows(images(two, *box)) == as_rows(images(two[:1], *box)) | as_rows(images(two[1:], *box))


def test_a_single_parameter_is_turned() -> None:
    np.testing.assert_allclose(images(np.array([[0.2]]), np.zeros(1), np.ones(1)), [[0.8]])


def test_parts_of_several_parameters_each_change_places_as_a_whole() -> None:
    lower, upper = np.array([0.0, 0.0, 1.0, 1.0]), np.array([1.0, 1.0, 5.0, 5.0])
    assert (0.2, 0.1, 4.0, 3.0) in as_rows(images(np.array([[0.1, 0.2, 3.0, 4.0]]), lower, upper))


def test_every_image_is_undone_by_itself() -> None:
    lower, upper, points = np.zeros(4), np.ones(4), np.random.default_rng(1).random((6, 4))
    for image in possible_images(lower, upper):
        np.testing.assert_allclose(image.of(image.of(points, lower, upper), lower, upper), points, atol=1e-12)


def test_of_many_alike_coordinates_the_simplest_exchanges_are_looked_at() -> None:
    exchanges = {image.pairs for image in possible_images(np.zeros(8), np.ones(8)) if image.pairs}
    assert len(exchanges) == MOST_EXCHANGES
    assert {(pair,) for pair in ((i, j) for i in range(8) for j in range(i + 1, 8))} <= exchanges
    assert Image(((0, 1),), ()) in possible_images(np.zeros(8), np.ones(8))


def test_what_the_program_does_not_see_is_not_exchanged_or_turned() -> None:
    """A run there would be the same run once more: of the size of a noise the likelihood is known without."""
    points, lower, upper = np.array([[0.1, 0.2, 0.9]]), np.zeros(3), np.ones(3)
    for image in possible_images(lower, upper, (0, 1)):
        moved = image.of(points, lower, upper)
        assert moved[0, 2] == 0.9
        assert (moved[0, :2] != points[0, :2]).any()
