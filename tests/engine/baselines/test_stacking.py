"""Stacking: chains around separate modes get the weights of the modes, whatever share of the chains found which."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from bayescope.engine.baselines.stacking import stack, weights_of

WEIGHTS, CENTRES = np.array([0.3, 0.7]), np.array([-5.0, 5.0])


def density(x):
    parts = [
        np.log(w) - 0.5 * np.square(x - c).sum(axis=1) - np.log(2 * np.pi)
        for w, c in zip(WEIGHTS, CENTRES, strict=True)
    ]
    return np.logaddexp(*parts) + 3.0


def test_chains_around_two_modes_get_the_masses_of_the_modes():
    rng = np.random.default_rng(0)
    chains = [rng.normal(c, 1.0, (600, 2)) for c in (-5.0, -5.0, -5.0, 5.0)]
    found = stack(chains, [density(c) for c in chains], [600.0] * 4, rng)
    assert found.weights[:3].sum() == pytest.approx(0.3, abs=0.05)
    assert found.weights[3] == pytest.approx(0.7, abs=0.05)
    assert found.log_evidence == pytest.approx(3.0, abs=0.1)
    assert found.mixture.weights.sum() == pytest.approx(1.0)


def test_weights_are_those_of_a_general_optimizer():
    rng = np.random.default_rng(1)
    log_z = np.array([0.2, -0.4, 0.9])
    centres = np.array([0.0, 1.0, 4.0])
    log_q = [-0.5 * np.square(rng.normal(c, 1.0, 3000)[:, None] - centres) for c in centres]

    def loss(free):
        w = np.exp(np.append(free, 0.0))
        w /= w.sum()
        scores = [
            z + np.mean(q[:, k] - np.log(np.exp(q) @ w)) for k, (z, q) in enumerate(zip(log_z, log_q, strict=True))
        ]
        return -float(w @ scores)

    best = optimize.minimize(loss, np.zeros(2), method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-10})
    weights, elbo = weights_of(log_z, log_q)
    assert elbo == pytest.approx(-best.fun, abs=0.02)
    expected = np.exp(np.append(best.x, 0.0))
    assert np.allclose(weights, expected / expected.sum(), atol=0.03)
