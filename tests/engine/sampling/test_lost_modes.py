"""A light mode that a proposal reached is not lost by its mending. Against exact masses."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from bayescope.engine.sampling.lost_modes import with_lost_modes
from bayescope.engine.sampling.population_monte_carlo import BAD_FIT, PosteriorDraws, overlooked, sample
from bayescope.engine.sampling.proposal import Proposal, base_points
from bayescope.engine.sampling.walkers import MISSED_SHARE, _mended, search_and_walk

Array = NDArray[np.float64]

D, DRAWS = 5, 2048
HEAVY, LIGHT = 0.92, 0.08
BOUND, WIDTH = 1.0, 0.1  # of the heavy mode, a bent ridge: where it is cut off, and how thin it is
CENTRE, SD = np.array([0.0, 3.0, 0.0, 0.0, 0.0]), 0.3  # of the light one
LEAST = 0.002


def two_modes(x: Array, _: Array | None = None) -> Array:
    """Log density (n,) at x (n, D), normalized."""
    ridge = norm.logpdf(x[:, 0]) - norm.logcdf(BOUND) + norm.logpdf(x[:, 1], 0.5 * np.square(x[:, 0]), WIDTH)
    ridge = np.where(x[:, 0] > BOUND, -np.inf, ridge + norm.logpdf(x[:, 2:], 0.0, 0.3).sum(1))
    return np.logaddexp(np.log(HEAVY) + ridge, np.log(LIGHT) + norm.logpdf(x, CENTRE, SD).sum(1))


def ridge_and(*light: tuple[float, Array, float]) -> Proposal:
    """Two components along the middle of the ridge, which lack its arm, and one for each (weight, centre, sd)."""
    middle = np.zeros((2, D))
    middle[:, 0] = 0.3, -0.6
    middle[:, 1] = 0.5 * np.square(middle[:, 0])
    wide = np.diag(np.square([0.6, 3.0 * WIDTH, 0.35, 0.35, 0.35]))
    rest = 1.0 - sum(weight for weight, _, _ in light)
    return Proposal(
        np.array([rest / 2, rest / 2, *(weight for weight, _, _ in light)]),
        np.array([*middle, *(centre for _, centre, _ in light)]),
        np.array([wide, wide, *(sd**2 * np.eye(D) for _, _, sd in light)]),
    )


def drawn(proposal: Proposal, seed: int = 0) -> PosteriorDraws:
    return sample(two_modes, proposal, base_points(D, DRAWS, 1), np.random.default_rng(seed))


def light_mass(draws: PosteriorDraws) -> float:
    return float(draws.weights @ (np.linalg.norm(draws.points - CENTRE, axis=1) < 6.0 * SD))


def again(before: PosteriorDraws, now: PosteriorDraws) -> Proposal | None:
    return with_lost_modes(two_modes, before, now, base_points(D, DRAWS, 1), np.random.default_rng(1), LEAST)


@pytest.mark.parametrize("seed", [4, 7, 12])
def test_mending_keeps_a_light_mode_that_few_draws_reached(seed: int) -> None:
    """Fitted to walkers from those few, the component there became so thin that the mode's mass fell to .000, .001 and .004."""
    draws = drawn(ridge_and((LIGHT, CENTRE, 5.0 * SD)), seed + 1)
    assert light_mass(draws) > 0.01
    base, rng = base_points(D, DRAWS, 1), np.random.default_rng(seed + 2)
    mended, changed, missed = _mended(two_modes, draws, lambda p: drawn(p, seed + 1), base, rng)
    assert changed
    assert missed < 5.0 * MISSED_SHARE
    assert light_mass(mended) == pytest.approx(LIGHT, abs=0.025)
    assert mended.log_z == pytest.approx(0.0, abs=0.06)


def test_a_mode_that_no_draw_shows_any_more_is_put_beside_with_the_mass_it_has() -> None:
    before, now = drawn(ridge_and((0.1, CENTRE, 1.2 * SD))), drawn(ridge_and())
    assert light_mass(now) < 0.01
    whole = again(before, now)
    assert whole is not None
    found = drawn(whole)
    assert light_mass(found) == pytest.approx(LIGHT / np.exp(found.log_z), abs=0.01)
    assert len(whole.weights) <= len(now.proposal.weights) + 6


def test_nothing_is_put_beside_draws_that_reach_all_that_was_reached() -> None:
    draws = drawn(ridge_and((0.1, CENTRE, 1.2 * SD)))
    assert again(draws, drawn(ridge_and((0.2, CENTRE, 1.5 * SD)), seed=1)) is None


def test_components_where_nothing_is_are_no_mode_that_can_be_lost() -> None:
    nowhere = np.array([0.0, -5.0, 0.0, 0.0, 0.0])
    before = drawn(ridge_and((0.1, CENTRE, 1.2 * SD), (0.2, nowhere, 0.3)))
    assert again(before, drawn(ridge_and((0.1, CENTRE, 1.2 * SD)), seed=1)) is None


def test_a_mode_found_by_a_run_is_drawn_from_though_the_proposal_had_been_mended_before_and_fits() -> None:
    """Used as it is, a mended proposal never reached it."""

    def normals(x: Array, _: Array | None = None) -> Array:
        heavy, light = (norm.logpdf(x, middle, SD).sum(1) for middle in (0.0, CENTRE))
        return np.logaddexp(np.log(HEAVY) + heavy, np.log(LIGHT) + light)

    base, rng = base_points(D, DRAWS, 1), np.random.default_rng(3)
    begin = Proposal(np.ones(1), np.zeros((1, D)), 1.2 * SD**2 * np.eye(D)[None])

    def draw(proposal: Proposal) -> PosteriorDraws:
        return sample(normals, proposal, base, rng)

    evaluated = np.array([CENTRE])
    assert draw(begin).ess > BAD_FIT
    assert len(overlooked(normals, draw(begin), evaluated)) == 1
    found, _, _ = search_and_walk(normals, begin, True, base, rng, None, draw, evaluated)
    assert light_mass(found) == pytest.approx(LIGHT, abs=0.02)
