"""The surrogate's maximum, where the density is known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.surrogate_peak import SurrogatePeak
from bayescope.engine.diagnostics.surrogate_peak import held_against, surrogate_peak
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import BoxFrame

CENTRE, SDS = np.array([0.4, -0.3]), np.array([0.5, 0.2])
UNSURE_FROM = 1.0  # of the first coordinate: beyond it the surrogate says anything, and knows that


class Known:
    """A surrogate that is the log density of a normal, of sd .1 everywhere; far to the right it is high and knows nothing."""

    def __init__(self, b: np.ndarray, bump: float = 0.0) -> None:
        self.b, self.bump = b, bump
        self.y = self.predict(b)[0]

    def predict(self, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean = -0.5 * np.square((b - CENTRE) / SDS).sum(1)
        away = 1.0 / (1.0 + np.exp(-20.0 * (b[:, 0] - UNSURE_FROM)))
        return mean + self.bump * away, 0.01 + 100.0 * self.bump * away


def found_with(surrogate: Known, log_jacobian=None, calibration: float = 1.0) -> SurrogatePeak:
    box = BoxFrame.of(np.array([-4.0, 0.0]), np.array([4.0, 8.0]))
    n, none = len(surrogate.y), np.empty((0, 2))
    known = Evaluations(surrogate.b, surrogate.y, np.zeros(n), np.arange(n), none, none, 0.0)
    draws = np.random.default_rng(0).standard_normal((64, 2)) * SDS + CENTRE
    hull = Hull(np.full(2, -3.0), np.full(2, 3.0))
    arrays = surrogate_peak(surrogate, box, 7.0, (hull, Feasibility.of(known)), draws, log_jacobian, calibration)  # type: ignore[arg-type]
    found = SurrogatePeak.of(arrays, 2)
    assert found is not None
    return found


RUNS = np.random.default_rng(1).uniform(-1.5, 1.5, (12, 2))


def test_it_is_the_mode_with_the_value_and_the_calibrated_sd_there() -> None:
    found = found_with(Known(RUNS), calibration=2.0)
    np.testing.assert_allclose(found.place, 2.0 * CENTRE + [0.0, 4.0], atol=0.15 * 2.0 * SDS.max())
    assert found.predicted == pytest.approx([7.0, 0.2], abs=0.011)


def test_it_is_the_mode_in_the_users_units() -> None:
    """Of log-normal parameters with log sds s about log means m (the box is u = 2 b + ...) it lies at m - s^2."""
    found = found_with(Known(RUNS), log_jacobian=lambda u: u.sum(1))
    sds = 2.0 * SDS
    exact = 2.0 * CENTRE + [0.0, 4.0] - sds**2
    assert np.abs((found.place - exact) / sds).max() < 0.15
    assert found.predicted[0] == pytest.approx(7.0 + 0.5 * (sds**2).sum() - (2.0 * CENTRE + [0.0, 4.0]).sum(), abs=0.011)


def test_what_is_held_against_a_place_ends_at_half_a_nat_where_nothing_is_known() -> None:
    np.testing.assert_allclose(held_against(np.array([0.0, 1.0, np.inf])), [0.0, 0.25, 0.5])


def test_a_place_that_the_surrogate_knows_nothing_of_is_none() -> None:
    sure = found_with(Known(RUNS, bump=0.4))
    assert sure.place[0] < 2.0 * UNSURE_FROM
