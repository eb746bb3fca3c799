"""Climbing from places where the log density is minus thousands to minus millions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bayescope.engine.acquisition.far_climb import FarClimb, frame_around, hopeless, wall_below

Array = np.ndarray


def climbed(density: Callable[[Array], float], d: int, seed: int, most: int = 60) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    points = rng.uniform(-2.0, 2.0, (d + 4, d))
    values, climb = np.array([density(p) for p in points]), FarClimb()
    while len(points) < most and not climb.ended(points, values):
        place = climb.next_place(points, values, rng)
        value, best = density(place), int(values.argmax())
        climb.take(float(np.linalg.norm(place - points[best])), value - float(values[best]))
        points, values = np.vstack([points, place]), np.append(values, value)
    return points, values


@pytest.mark.parametrize(("steepness", "d"), [(1e4, 2), (1e6, 2), (1e6, 4)])
@pytest.mark.parametrize("seed", range(3))
def test_a_bowl_of_millions_of_nats_is_climbed_to_within_a_few(steepness: float, d: int, seed: int) -> None:
    centre = np.linspace(-0.7, 0.9, d)
    points, values = climbed(lambda b: float(-steepness * np.sum((b - centre) ** 2)), d, seed)
    assert values.max() > -30.0
    assert len(points) <= 12 * d
    lower, upper = frame_around(points, values)
    sd = (2.0 * steepness) ** -0.5
    assert np.all(np.abs(centre - 0.5 * (lower + upper)) < upper - lower), "the peak is in it, or beside it"
    assert np.all((upper - lower > 2.0 * sd) & (upper - lower < 40.0 * sd)), "it is about as wide as the peak"


@pytest.mark.parametrize("d", [2, 4])
def test_a_needle_askew_to_all_parameters_is_followed_to_its_peak(d: int) -> None:
    turn = np.linalg.qr(np.random.default_rng(d).standard_normal((d, d)))[0]
    precision, centre = (turn * np.logspace(0, 6, d)) @ turn.T, np.linspace(-0.7, 0.9, d)
    _, values = climbed(lambda b: float(-0.5 * (b - centre) @ precision @ (b - centre)), d, 0)
    assert values.max() > -0.1
    assert int(np.argmax(values > -0.1)) < 8 + 3 * d
    assert np.sum(values > values.max() - 5.0 * d) > d, "then its shape is looked at"


def test_a_climb_that_leads_hardly_higher_ends_by_itself() -> None:
    rng = np.random.default_rng(0)
    points, _ = climbed(lambda b: float(-1e6 - 1e5 * rng.random()), 2, 0, most=200)
    assert len(points) < 60


def test_only_values_that_span_hundreds_of_nats_in_their_better_half_are_hopeless() -> None:
    assert hopeless(np.array([-1e6, -3e5, -2e5, -1e5, -5e4, -1e3]))
    assert not hopeless(np.array([-1e6, -3e5, -2e5, -150.0, -100.0, -10.0])), "half of them is held well enough"


def test_a_steep_flank_is_no_wall_and_numbers_that_stand_for_impossible_are_one() -> None:
    flank = -np.array([3e6, 3e7, 5e7, 8e7, 1.4e8, 1.6e8, 1.8e8, 2.1e8])
    assert wall_below(flank) > 1e9
    assert wall_below(np.append(flank, -1e30)) < 1e12
    assert wall_below(np.array([-3.0, -40.0, *[-1e30] * 6])) == pytest.approx(1e8), "come out alike, they count once"
    assert wall_below(np.array([])) == wall_below(np.array([-3.0])) == pytest.approx(1e8)
