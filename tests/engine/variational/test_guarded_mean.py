from __future__ import annotations

import numpy as np
import torch

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import NegativeQuadratic
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.shaping import BOOSTED
from bayescope.engine.variational.guarded_mean import GuardedMean, on_trusted_ground
from bayescope.engine.variational.mixture_draws import surrogate_draws

STANDARD = GaussianMixture.single(np.zeros(2), np.eye(2))


def log_density(x: np.ndarray) -> np.ndarray:
    return STANDARD.log_density(x) + 1.5


def test_weighted_draws_give_evidence_and_moments_even_from_a_bad_proposal():
    start = GaussianMixture.single(np.array([1.5, -1.0]), 0.5 * np.eye(2))
    draws = surrogate_draws(log_density, start, np.random.default_rng(0))
    assert abs(draws.log_z - 1.5) < 4 * draws.log_z_sd + 0.02
    np.testing.assert_allclose(draws.weights @ draws.points, 0.0, atol=0.1)
    nothing = surrogate_draws(lambda x: np.full(len(x), -np.inf), start, np.random.default_rng(0))
    assert nothing.ess == 0.0


def test_a_mixture_that_claims_too_much_is_brought_back_and_an_honest_one_kept():
    x = np.random.default_rng(0).standard_normal((30, 2))
    away = GaussianMixture.single(np.full(2, 40.0), np.eye(2))
    back = on_trusted_ground(away, 9.0, log_density, x, log_density(x), np.random.default_rng(1))
    np.testing.assert_allclose(back.mean(), 0.0, atol=0.4)
    assert on_trusted_ground(STANDARD, 1.5, log_density, x, log_density(x), np.random.default_rng(1)) is STANDARD


def test_the_guarded_mean_is_low_where_nothing_is_known_or_possible():
    x = torch.as_tensor(np.random.default_rng(0).uniform(-1, 1, (25, 2)))
    model = Model(SquaredExponential.start(2, 6.0, 0.5), NegativeQuadratic.start(2, fitted=False))
    surrogate = ExactSurrogate.build(model, x, -(x**2).sum(1))
    guarded = GuardedMean(surrogate, (np.full(2, -4.0), np.full(2, 4.0)), lambda x: np.where(x[:, 0] == 0.5, -25.0, 0.0))
    places = np.array([[0.0, 0.0], [3.0, 3.0], [5.0, 0.0], [0.5, 0.5]])
    value, plain = guarded(places), surrogate.predict_mean(torch.as_tensor(places)).numpy()
    assert abs(value[0] - plain[0]) < 0.5
    assert value[1] < plain[1] - 5.0
    assert value[2] == -np.inf
    assert value[3] < plain[3] - 20.0


def test_artificial_noise_grows_as_the_value_falls():
    noise = BOOSTED.variance(np.array([0.0, 10.0, 20.0, 200.0]), 2)
    assert np.all(np.diff(noise) > 0)
    np.testing.assert_allclose([noise[0], noise[2], np.sqrt(noise[3])], [1e-5, 0.1, np.hypot(np.sqrt(0.1), 9.0)])
