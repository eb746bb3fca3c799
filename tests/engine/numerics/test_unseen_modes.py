"""What the evaluations rule out of second modes, against modes drawn afresh; and the separate modes of a mixture."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import cdist

from bayescope.engine.numerics.mixture_modes import modes_of
from bayescope.engine.numerics.unseen_modes import GOAL, MASS, NARROWER, NEIGHBOURS, WIDTH, UnseenModes, peak

MAIN_SD = 0.1


def known_run(dimension: int, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, stats.rv_continuous]:
    """A third of the places at the one mode there is, the others anywhere."""
    main = stats.multivariate_normal(np.full(dimension, 0.4), MAIN_SD**2)
    points = np.vstack([main.rvs(n // 3, random_state=rng), rng.random((n - n // 3, dimension))])
    return points, main.logpdf(points), main


def missed(points, values, width, mass, count, rng) -> float:
    """Share of fresh anisotropic modes that no value shows: none lies below the density that they alone have there."""
    d, hidden = points.shape[1], 0
    for _ in range(count):
        spread = rng.standard_normal(d)
        sds = width * np.exp(0.3 * (spread - spread.mean()))
        turn = stats.special_ortho_group.rvs(d, random_state=rng)
        mode = stats.multivariate_normal(rng.random(d), (turn * sds**2) @ turn.T)
        hidden += bool((mode.logpdf(points) + np.log(mass / (1 - mass)) <= values).all())
    return hidden / count


@pytest.mark.parametrize(("dimension", "n", "width"), [(2, 24, 0.03), (4, 40, 0.05), (6, 80, 0.05)])
def test_the_share_of_unseen_modes_is_that_of_modes_drawn_afresh(dimension, n, width):
    rng = np.random.default_rng(5)
    points, values, _ = known_run(dimension, n, rng)
    said = UnseenModes(points, values, 0.0).unseen(width, 0.1)
    true = missed(points, values, width, 0.1, 400, rng)
    assert 0.02 < said < 0.98
    assert abs(said - true) < 0.03 + 2 * np.sqrt(true * (1 - true) / 400)


def test_one_mode_is_ruled_out_exactly_where_its_density_exceeds_the_value():
    found = UnseenModes(np.array([[0.5, 0.5]]), np.array([-3.0]), 1.2)
    mode = [stats.multivariate_normal(c, 0.07**2).logpdf([0.5, 0.5]) for c in found.centres]
    expected = np.log(0.2 / 0.8) + 1.2 + np.array(mode) > -3.0
    assert (found.ruled_out(0.07, 0.2) == expected).mean() > 0.999  # single precision


def test_noise_and_fewer_evaluations_never_rule_out_more():
    rng = np.random.default_rng(6)
    points, values, _ = known_run(3, 60, rng)
    exact, fewer = (UnseenModes(points[:m], values[:m], 0.0).unseen(0.05, 0.1) for m in (60, 40))
    noisy = UnseenModes(points, values, 0.0, np.full(60, 3.0)).unseen(0.05, 0.1)
    assert exact <= noisy
    assert exact <= fewer


def test_more_places_are_foretold_to_rule_out_more():
    points, values, main = known_run(5, 40, np.random.default_rng(7))
    found = UnseenModes(points, values, 0.0)
    places = found.telling_places(40)
    foretold = found.with_places(places).unseen(0.05, 0.1)
    made = UnseenModes(np.vstack([points, places]), np.concatenate([values, main.logpdf(places)]), 0.0).unseen(
        0.05, 0.1
    )
    assert foretold < found.unseen(0.05, 0.1) - 0.1
    assert abs(foretold - made) < 0.15


@pytest.mark.parametrize(("dimension", "n", "narrower"), [(2, 24, False), (4, 40, False), (2, 120, True)])
def test_each_place_rules_out_most_of_the_modes_left_counted_anew_in_every_round(dimension, n, narrower):
    points, values, _ = known_run(dimension, n, np.random.default_rng(8))
    found = UnseenModes(points, values, 0.0, count=512)
    centres, chosen, width = found.centres, [], WIDTH
    squares = cdist(centres, centres, "sqeuclidean")
    foretold = values[np.argsort(cdist(centres, points), axis=1)[:, :NEIGHBOURS]].max(1)
    for place in found.telling_places(20):
        while True:
            reach = 2 * width**2 * (peak(width, MASS, 0.0, dimension) - foretold)
            left = ~found.ruled_out(width, MASS)
            for k in chosen:
                left &= squares[k] >= reach[k]
            left[chosen] = False
            if left.mean() > GOAL:
                break
            width *= NARROWER
        gain = (squares[:, left] < np.maximum(reach, 0.0)[:, None]).sum(1)
        k = int(np.flatnonzero((centres == place).all(1))[0])
        assert left[k]
        assert gain[k] >= gain[left].max() - 1  # single precision
        chosen.append(k)
    assert (width < WIDTH) is narrower


@pytest.mark.parametrize(("width", "mass"), [(0.0, 0.1), (0.1, 0.0), (0.1, 1.0), (float("nan"), 0.1)])
def test_a_width_or_mass_that_makes_no_sense_is_refused(width, mass):
    with pytest.raises(ValueError, match="width above 0"):
        UnseenModes(np.zeros((1, 1)), np.zeros(1), 0.0).unseen(width, mass)


def test_modes_of_a_mixture_are_counted_as_they_stand_apart():
    means = np.array([[0.0, 0.0], [0.5, 0.0], [6.0, 0.0], [3.0, 0.0]])
    covariances = np.stack([np.eye(2), np.eye(2), np.eye(2), 4 * np.eye(2)])
    weights = np.array([0.4, 0.2, 0.38, 0.02])  # the last is a wide one in the valley: it joins no two modes
    found = modes_of(weights, means, covariances)
    assert [sorted(part) for part in found] in ([[0, 1, 3], [2]], [[0, 1], [2, 3]])
    assert len(modes_of(np.ones(1), np.zeros((1, 3)), np.eye(3)[None])) == 1


def test_a_chain_of_components_along_a_curve_is_one_mode():
    angle = np.linspace(0, np.pi, 8)
    means = 4 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert len(modes_of(np.full(8, 1 / 8), means, np.tile(np.eye(2), (8, 1, 1)))) == 1


def test_a_thin_curved_ridge_is_one_mode_and_two_crescents_are_two() -> None:
    rng = np.random.default_rng(4)
    along = np.linspace(-2.0, 2.0, 9)
    weights, means = np.full(9, 1 / 9), np.stack([along, 0.6 * along**2], 1)
    slope = 1.2 * along
    direction = np.stack([np.ones(9), slope], 1) / np.sqrt(1.0 + slope**2)[:, None]
    covariances = 0.06**2 * np.eye(2) + 0.5**2 * direction[:, :, None] * direction[:, None, :]
    assert len(modes_of(weights, means, covariances)) == 1
    both = np.concatenate([means, means - np.array([0.0, 4.0])])
    order = rng.permutation(18)
    twice = (np.full(18, 1 / 18), both[order], np.tile(covariances, (2, 1, 1))[order])
    assert [len(part) for part in modes_of(*twice)] == [9, 9]
