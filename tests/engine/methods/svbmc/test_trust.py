"""What keeps SVBMC's posterior on trusted ground: the guard, the proposal, the error of the evidence."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.methods.surrogate_memory import Step
from bayescope.engine.methods.svbmc.draws import evidence_error, final_draws, propose, quasi_draws
from bayescope.engine.methods.svbmc.surrogate import overconfidence
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import Zero
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling
from bayescope.engine.surrogate.sparse import SparseSurrogate
from bayescope.engine.variational.guarded_mean import GuardedMean

MODES = GaussianMixture(
    np.array([0.3, 0.7]), np.array([[-4.0, 0.0], [4.0, 0.0]]), np.stack([np.eye(2), np.diag([0.5, 2.0])])
)


def two_modes(x):
    return MODES.log_density(x) + 1.5


def surrogate(y, x, scale=20.0):
    model = Model(SquaredExponential.start(x.shape[1], scale=scale, lengthscale=2.0), Zero(), OutputScaling(0.0, 1.0))
    return ExactSurrogate.build(model, torch.as_tensor(x), torch.as_tensor(y), torch.full((len(y),), 1e-3).double())


def test_quasi_random_draws_have_the_mixtures_moments():
    points = quasi_draws(MODES, 4096, np.random.default_rng(0))
    assert np.allclose(points.mean(axis=0), MODES.mean(), atol=0.02)
    assert np.allclose(np.cov(points.T), MODES.covariance(), atol=0.05)


def test_a_mode_that_the_mixture_lacks_is_found_through_the_archives_good_points():
    rng = np.random.default_rng(1)
    lacking = GaussianMixture.single(MODES.means[0], MODES.covariances[0])
    found = propose(two_modes, lacking, MODES.sample(100, rng), rng)
    assert found.rebuilt
    draws = final_draws(two_modes, found, rng)
    assert draws.log_z == pytest.approx(1.5, abs=0.01)
    assert draws.weights @ (draws.points[:, 0] > 0) == pytest.approx(0.7, abs=0.01)
    q = found.refitted(rng)
    assert np.allclose(q.mean(), MODES.mean(), atol=1.0)


def test_a_mixture_that_knows_every_mode_serves_as_it_is():
    rng = np.random.default_rng(2)
    found = propose(two_modes, MODES, MODES.sample(50, rng), rng)
    assert not found.rebuilt
    assert found.core is MODES


def test_no_density_anywhere_gives_no_draws_worth_the_name():
    rng = np.random.default_rng(3)
    nowhere = lambda x: np.full(len(x), -np.inf)  # noqa: E731
    draws = final_draws(nowhere, propose(nowhere, MODES, MODES.sample(9, rng), rng), rng)
    assert draws.log_z == -np.inf
    assert draws.ess == 0.0


def test_a_mean_far_above_the_best_value_seen_is_not_believed():
    x = np.linspace(-4.0, 0.0, 9)[:, None]
    rising = surrogate(10.0 * x[:, 0], x)  # extrapolates upwards to the right
    box = (np.array([-8.0]), np.array([8.0]))
    at = np.array([[-1.0], [1.0]])
    free = GuardedMean(rising, box)
    strict = GuardedMean(rising, box, ceiling=3.0)
    assert free(at)[1] > 3.0
    assert strict(at)[1] == pytest.approx(6.0 - free(at)[1])
    assert strict(at)[0] == free(at)[0]


def test_a_region_is_guarded_even_where_another_untrusted_one_is_far_higher():
    x = np.array([[-1.0], [0.0], [1.0]])
    one = surrogate(np.array([-0.5, 0.0, -0.5]), x, scale=100.0)
    guard = GuardedMean(one, (np.array([-9.0]), np.array([9.0])))
    alone = guard(np.array([[2.5]]))
    with torch.no_grad():
        assert float(one.predict_mean(torch.tensor([[2.5]]).double())) > float(alone[0]) + 1.0
    together = guard(np.array([[2.5], [6.0], [0.0]]))
    assert together[0] == pytest.approx(alone[0])


def test_a_sparse_surrogate_is_told_how_far_its_tails_are_off():
    rng = np.random.default_rng(4)
    x = rng.normal(0.0, 2.0, (400, 2))
    found = []
    for roughness in (0.0, 0.5):
        exact = surrogate(-0.5 * (x**2).sum(1) + roughness * np.sin(6.0 * x[:, 0]), x)
        coarse = SparseSurrogate.build(
            exact.model, torch.as_tensor(x[:80]), exact.train_inputs, exact.train_targets, exact.noise_variance
        )
        found.append(overconfidence(coarse, 2))
    assert found[0] < 1.3
    assert found[1] > 2.0


def step(n, elbo, residual):
    return Step(n, elbo, 0.01, residual, 1.0, 0.0)


def test_one_bad_residual_counts_for_little_once_it_is_mended_but_speaks_of_others():
    calm = [step(i, -1.0 - 0.001 * (i // 5), 0.02) for i in range(20)]
    shaken = [*calm[:-3], step(17, -1.003, 30.0), *calm[-2:]]
    assert evidence_error(calm) < 0.05
    assert 0.1 < evidence_error(shaken) < 0.15
    small = [*calm[:-3], step(17, -1.003, 0.9), *calm[-2:]]
    assert evidence_error(small) < 2.0 * evidence_error(calm)
    wild = [step(i, -1.0 - 0.001 * (i // 5), 3.0) for i in range(20)]
    assert evidence_error(wild) > 1.0
    moving = [step(i, -1.0 - 1.0 * (i // 5), 0.02) for i in range(20)]
    assert evidence_error(moving) > 0.4
    assert evidence_error(calm[:2]) is None  # too few: the archive must speak for itself
