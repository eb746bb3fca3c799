"""The mixture beside the draws: its bound is close to the evidence, also where the posterior has narrow modes far apart."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, qmc

from bayescope.engine.sampling.population_monte_carlo import PosteriorDraws
from bayescope.engine.sampling.proposal import Proposal
from bayescope.engine.variational.fit_to_posterior import fit_mixture


@pytest.mark.parametrize("middles", [[[0, 0, 0]], [[0, 0, 0], [0, 1.5, -1.5]]])
def test_the_bound_is_close_to_the_evidence_of_one_or_two_narrow_modes(middles: list[list[float]]) -> None:
    sds = np.array([0.02, 0.03, 0.03])  # of a correlated mode that is thin along the way to the other
    covariance = np.outer(sds, sds) * np.array([[1, -0.84, 0.83], [-0.84, 1, -0.46], [0.83, -0.46, 1]])
    modes = [multivariate_normal(m, covariance) for m in middles]

    def log_density(x: np.ndarray, log_q: np.ndarray | None = None) -> np.ndarray:
        return np.asarray(np.logaddexp.reduce([m.logpdf(x) for m in modes], axis=0) - np.log(len(modes)))

    rng = np.random.default_rng(0)
    points = np.concatenate([m.rvs(4000 // len(modes), random_state=rng) for m in modes])
    rng.shuffle(points)
    whole = Proposal(np.ones(1), points.mean(0)[None], np.cov(points.T)[None])
    draws = PosteriorDraws(points, np.zeros(len(points)), log_density(points), 0.0, 0.8, 1.0, whole)
    base = qmc.Sobol(4, seed=0).random(2048)
    found = fit_mixture(draws, None, 12, log_density, base, rng)
    assert found.elbo == pytest.approx(0.0, abs=0.05)
