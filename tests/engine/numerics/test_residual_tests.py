"""Tests of residuals: uniform p-values where the model holds whatever was fitted, small ones where it does not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.numerics.residual_tests import (
    alike,
    fitted_away,
    judge_residuals,
    normal_places,
    runs_of_one_sign,
    straightness,
)

T = np.linspace(0.0, 1.0, 30)
DESIGN = np.stack([T**k for k in range(4)], 1)
PRIOR = np.diag([4.0, 1.0, 0.3, 0.05])  # the last is hardly moved by the data


def test_runs_and_correlations_are_counted_as_by_hand() -> None:
    z = np.array([[1.0, 2.0, -1.0, -3.0, 0.5], [1.0, 1.0, 1.0, 1.0, 1.0]])
    assert runs_of_one_sign(z).tolist() == [3.0, 1.0]
    assert alike(z).tolist() == pytest.approx([(2.0 - 2.0 + 3.0 - 1.5) / 15.25, 0.8])


def test_the_straightness_of_a_normal_plot_is_scipy_s_correlation_with_blom_s_places() -> None:
    z = np.random.default_rng(1).standard_t(4, 25)
    expected = np.corrcoef(np.sort(z), normal_places(25))[0, 1]
    assert float(straightness(z)) == pytest.approx(expected, rel=1e-12)
    assert normal_places(25) == pytest.approx(stats.norm.ppf((np.arange(1, 26) - 0.375) / 25.25))


def test_what_a_fit_takes_away_is_as_the_exact_fit_with_a_prior() -> None:
    """Residuals of data about the posterior mean have covariance I - P if parameters are drawn from the prior."""
    cov = np.linalg.inv(np.linalg.inv(PRIOR) + DESIGN.T @ DESIGN)
    moved = np.random.default_rng(2).multivariate_normal(np.zeros(4), cov, 50_000) @ DESIGN.T
    left = fitted_away(np.eye(len(T)), moved)
    assert left @ left == pytest.approx(np.eye(len(T)) - DESIGN @ cov @ DESIGN.T, abs=0.02)


def simulated(rng: np.random.Generator, bend: float = 0.0, tails: bool = False) -> tuple[float, float]:
    cov = np.linalg.inv(np.linalg.inv(PRIOR) + DESIGN.T @ DESIGN)
    noise = rng.standard_t(2, len(T)) if tails else rng.standard_normal(len(T))
    data = DESIGN @ rng.multivariate_normal(np.zeros(4), PRIOR) + noise + bend * np.sin(14.0 * T)
    mean = cov @ DESIGN.T @ data
    moved = (mean + rng.multivariate_normal(np.zeros(4), cov, 200)) @ DESIGN.T
    found = judge_residuals(data - DESIGN @ mean, fitted_away(rng.standard_normal((200, len(T))), moved))
    return found.p_runs, found.p_shape


def test_p_values_are_uniform_where_the_model_holds() -> None:
    rng = np.random.default_rng(3)
    found = np.array([simulated(rng) for _ in range(250)])
    for p in found.T:
        assert stats.kstest(p, "uniform").pvalue > 1e-4
        assert abs(np.mean(p < 0.1) - 0.1) < 4.0 * np.sqrt(0.09 / 250)


def test_p_values_are_small_where_it_does_not() -> None:
    rng = np.random.default_rng(4)
    bent = np.array([simulated(rng, bend=1.5) for _ in range(25)])
    tails = np.array([simulated(rng, tails=True) for _ in range(25)])
    assert np.median(bent[:, 0]) < 0.025
    assert np.median(tails[:, 1]) < 0.02
