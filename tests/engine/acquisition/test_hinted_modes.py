"""Where a mode would show whose flank one value has betrayed."""

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.acquisition import ascents
from bayescope.engine.acquisition.hinted_modes import FARTHEST, LIGHTEST, LOOKED_AT, WIDTHS, HintedModes
from bayescope.engine.acquisition.local_climb import ROUGH, ROUGH_SHARE

SHARE = 0.4  # of the posterior in the mode that is known


def known(dimension: int) -> stats.multivariate_normal:
    return stats.multivariate_normal(np.full(dimension, -0.5), 0.4**2)


@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_the_first_look_at_what_one_value_hints_at_shows_the_mode_far_oftener_than_chance(dimension: int) -> None:
    """A narrow mode beside the one that is known, of which one of 40 values tells by less than a nat; by chance: any place as far
    from that value."""
    main, d = known(dimension), dimension
    top, found, by_chance = main.logpdf(main.mean) + np.log(SHARE), [], []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        turn = rng.standard_normal(d)
        other = stats.multivariate_normal(main.mean + 1.4 * turn / np.linalg.norm(turn), 0.2**2)

        def beside(b: np.ndarray, other: stats.multivariate_normal = other) -> np.ndarray:
            return np.log(1.0 - SHARE) + np.atleast_1d(other.logpdf(b)) - top

        def of_main(b: np.ndarray) -> np.ndarray:
            return np.log(SHARE) + np.atleast_1d(main.logpdf(b)) - top

        ways = other.mean + rng.standard_normal((4000, d)) * 0.6
        excess = np.logaddexp(of_main(ways), beside(ways)) - of_main(ways)
        flank = ways[(excess > 0.6) & (excess < 0.9) & (of_main(ways) > -5.0)][:1]
        points = np.concatenate([flank, main.rvs(200, random_state=rng).reshape(-1, d)])
        quiet = np.logaddexp(of_main(points), beside(points)) - of_main(points) < 0.02
        points = points[np.concatenate([[0], np.flatnonzero(quiet)[:39]])]
        implied = of_main(points)
        values = np.logaddexp(implied, beside(points))
        implied[1:] = values[1:]
        modes = HintedModes.of(points, values, implied, 0, np.log(SHARE) - top, rng)
        assert modes is not None
        place = modes.telling_place(lambda b: ascents.unexplained_from(of_main(b)), np.ones(LOOKED_AT, dtype=bool))
        assert place is not None
        assert np.abs(place).max() <= 2.0
        found.append(beside(place[None])[0] > ascents.unexplained_from(of_main(place[None]))[0])
        turns = rng.standard_normal((500, d))
        others = points[0] + np.linalg.norm(place - points[0]) * turns / np.linalg.norm(turns, axis=1)[:, None]
        by_chance.append((beside(others) > ascents.unexplained_from(of_main(others))).mean())
    assert np.mean(found) > 0.4
    assert np.mean(found) > 2.0 * np.mean(by_chance)


def test_what_all_values_leave_of_the_modes_is_as_on_a_dense_grid() -> None:
    """In one dimension: centres uniform, widths log-uniform, the top such that the hint comes out exactly."""
    main = stats.norm(-0.5, 0.4)
    points = np.array([-1.2, -0.9, -0.5, -0.2, 0.1, 0.9])[:, None]
    implied = np.asarray(main.logpdf(points[:, 0]) - main.logpdf(-0.5))
    values = implied.copy()
    values[4] += 0.7
    log_z = -main.logpdf(-0.5)
    modes = HintedModes.of(points, values, implied, 4, log_z, np.random.default_rng(3))
    assert modes is not None
    centre, width = np.meshgrid(np.linspace(-2, 2, 801), np.exp(np.linspace(*np.log(WIDTHS), 400)), indexing="ij")
    away = np.abs(centre - points[4, 0]) / width
    tops = np.log(np.exp(values[4]) - np.exp(implied[4])) + 0.5 * away**2
    mass = np.exp(tops - log_z) * width * np.sqrt(2 * np.pi)
    ll = np.zeros_like(centre)
    for x, y, m in zip(points[:, 0], values, implied, strict=True):
        both = np.logaddexp(m, tops - 0.5 * np.square((x - centre) / width))
        ll -= 0.5 * np.square((both - y) / (ROUGH + ROUGH_SHARE * max(0.0, -y)))
    weight = np.exp(ll) * (away <= FARTHEST) * (mass > LIGHTEST / (1 - LIGHTEST)) * (mass < (1 - LIGHTEST) / LIGHTEST)
    weight /= weight.sum()
    for of, drawn in ((centre, modes.centres[:, 0]), (np.log(width), np.log(modes.widths)), (tops, modes.tops)):
        exact = float((weight * of).sum())
        sd = float(np.sqrt((weight * np.square(of - exact)).sum()))
        assert abs(drawn.mean() - exact) < 4.0 * sd / np.sqrt(LOOKED_AT) + 0.02
        assert drawn.std() == pytest.approx(sd, rel=0.25)
    assert np.allclose(np.logaddexp(implied[4], modes.log_densities(points[4:5])), values[4])


def test_a_value_that_no_mode_of_some_mass_can_have_made_hints_at_none() -> None:
    points = np.array([[0.0, 0.0], [0.5, 0.5]])
    values = np.array([-60.0, 0.0])
    assert HintedModes.of(points, values, values - [0.5, 0.0], 0, 300.0, np.random.default_rng(1)) is None
