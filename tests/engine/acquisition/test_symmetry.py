"""What runs say of exchanges under which a program gives the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import qmc

from bayescope.engine.acquisition.images import Image, possible_images
from bayescope.engine.acquisition.symmetry import MOST, borne_out, log_bayes_factors

LOWER, UPPER = np.full(3, -2.0), np.full(3, 2.0)
T = np.linspace(0.0, 1.0, 12)


def two_decays(b: np.ndarray) -> np.ndarray:
    """Rates and the share of the first, b (n, 3) in [-2, 2]: the same where the rates are exchanged and the share is turned."""
    first, second, share = ((b[:, [i]] + 2.0) / 4.0 for i in range(3))
    return np.asarray(share * np.exp(-6.0 * first * T) + (1.0 - share) * np.exp(-6.0 * second * T))


def runs(near: int) -> np.ndarray:
    """Ten places spread evenly, and ``near`` in a mode."""
    rng = np.random.default_rng(4)
    spread = 4.0 * qmc.Sobol(3, rng=rng).random(16)[:10] - 2.0
    return np.concatenate([spread, np.array([1.2, -1.0, 0.5]) + 0.1 * rng.standard_normal((near, 3))])


@pytest.mark.parametrize("near", [10, 25, MOST])
def test_runs_tell_the_exchange_that_a_program_does_not_see_from_those_that_it_does(near: int) -> None:
    b, images = runs(near), possible_images(LOWER, UPPER)
    factors = log_bayes_factors(b, two_decays(b), [image.of(b, LOWER, UPPER) for image in images])
    true = images.index(Image(((0, 1),), (2,)))
    assert factors[true] > 0.0
    assert np.delete(factors, true).max() < factors[true] - 3.0


def test_outputs_that_never_vary_tell_nothing() -> None:
    b = runs(5)
    image = Image(((0, 1),), ()).of(b, LOWER, UPPER)
    assert log_bayes_factors(b, np.ones((len(b), 4)), [image])[0] == 0.0
    mixed = np.column_stack([two_decays(b), np.ones(len(b))])
    assert np.isfinite(log_bayes_factors(b, mixed, [image])).all()


def test_two_runs_at_each_others_image_bear_an_exchange_out_or_refute_it() -> None:
    b = runs(3)
    true, false = Image(((0, 1),), (2,)), Image((), (1,))
    units = np.full(len(T), 0.01)
    assert borne_out(b, true.of(b, LOWER, UPPER), two_decays(b), units) is None
    for image, said in ((true, True), (false, False)):
        both = np.concatenate([b, image.of(b[-1:], LOWER, UPPER)])
        assert borne_out(both, image.of(both, LOWER, UPPER), two_decays(both), units) is said


def test_a_place_that_is_its_own_image_tells_nothing() -> None:
    b = np.concatenate([runs(2), np.array([[0.5, 0.5, 0.0]])])
    assert borne_out(b, Image(((0, 1),), (2,)).of(b, LOWER, UPPER), two_decays(b), np.ones(len(T))) is None
