from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.sampling.mixture import base_draws
from bayescope.engine.variational.entropy import entropy, entropy_estimate, entropy_lower_bound
from bayescope.engine.variational.families import FAMILIES, FULL, Full


@pytest.mark.parametrize("name", sorted(FAMILIES))
@pytest.mark.parametrize("bound", [False, True])
def test_gradients_of_every_family_agree_with_finite_differences(name, bound, random_mixture):
    family, q = FAMILIES[name], random_mixture(3, 3)
    base = base_draws(3, 8, family.base_dimension(3), np.random.default_rng(5))

    def evaluate(vector):
        state = family.unpack(vector, 3, 3)
        return state, (entropy_lower_bound(state) if bound else entropy(state, base))

    vector = family.pack(q)
    state, h = evaluate(vector)
    gradient = family.pull_back(vector, state, h.log_weights, h.means, h.factors)
    steps = 1e-5 * np.eye(vector.size)
    numeric = [(evaluate(vector + e)[1].value - evaluate(vector - e)[1].value) / 2e-5 for e in steps]
    np.testing.assert_allclose(gradient, numeric, atol=1e-8)


def test_a_family_gives_back_what_it_packed(random_mixture):
    q = random_mixture(4, 3, diagonal=True)
    for name in ("full", "diagonal"):
        family = FAMILIES[name]
        back = family.unpack(family.pack(q), 4, 3).mixture()
        np.testing.assert_allclose(back.covariances, q.covariances, atol=1e-12)
        np.testing.assert_allclose(back.weights, q.weights)
    other = random_mixture(4, 3, seed=9)
    relative = Full.relative_to(other)
    np.testing.assert_allclose(relative.unpack(relative.pack(q), 4, 3).mixture().covariances, q.covariances, atol=1e-12)


def test_the_entropy_of_one_gaussian_is_exact(random_mixture):
    q = random_mixture(1, 3)
    exact = 0.5 * np.linalg.slogdet(2 * np.pi * np.e * q.covariances[0])[1]
    base = base_draws(1, 8, 3, np.random.default_rng(0))
    state = FULL.unpack(FULL.pack(q), 1, 3)
    assert abs(entropy(state, base).value - exact) < 1e-9
    assert abs(entropy_estimate(q, np.random.default_rng(1), 64)[0] - exact) < 1e-9


def test_the_estimate_agrees_with_plain_monte_carlo_and_the_bound_lies_below(random_mixture):
    q = random_mixture(5, 2)
    x = q.sample(200_000, np.random.default_rng(0))
    plain = -q.log_density(x)
    value, sd = entropy_estimate(q, np.random.default_rng(1))
    assert abs(value - plain.mean()) < 4 * np.hypot(sd, plain.std() / np.sqrt(plain.size))
    assert sd < 0.03
    assert entropy_lower_bound(FULL.unpack(FULL.pack(q), 5, 2)).value < value + 3 * sd
