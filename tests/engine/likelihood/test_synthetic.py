"""Synthetic likelihood: estimators against the exact normal density, standard errors against simulation, words for bad input."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.likelihood import synthetic
from bayescope.engine.likelihood.errors import LikelihoodError

MEAN = np.array([1.0, -2.0, 0.5])
COVARIANCE = np.array([[1.0, 0.5, 0.0], [0.5, 2.0, -0.3], [0.0, -0.3, 0.5]])
MEASURED = np.array([1.8, -1.0, 0.2])
EXACT = float(stats.multivariate_normal(MEAN, COVARIANCE).logpdf(MEASURED))


def draws(r: int, count: int, seed: int) -> np.ndarray:
    """(count, r, 3)"""
    return np.random.default_rng(seed).multivariate_normal(MEAN, COVARIANCE, size=(count, r))


def test_the_unbiased_log_estimator_averages_to_the_exact_log_density() -> None:
    values = [synthetic.log_likelihood(x, MEASURED, "unbiased_log")[0] for x in draws(12, 2000, 1)]
    assert abs(np.mean(values) - EXACT) < 4 * np.std(values) / np.sqrt(len(values))


def test_the_unbiased_estimator_averages_to_the_exact_density_and_the_plain_one_does_not() -> None:
    runs = draws(12, 3000, 2)
    ratio = np.exp([synthetic.log_likelihood(x, MEASURED, "unbiased")[0] - EXACT for x in runs])
    # where the unbiased estimate is zero the plain one stands in: that share is tiny here
    assert abs(ratio.mean() - 1.0) < 4 * ratio.std() / np.sqrt(len(ratio)) + 0.01
    plain = np.array([synthetic.log_likelihood(x, MEASURED, "plain")[0] for x in runs])
    assert plain.mean() < EXACT - 5 * plain.std() / np.sqrt(len(plain))


def test_the_standard_error_by_formula_and_by_bootstrap_agree_with_the_scatter_of_fresh_simulations() -> None:
    r = 80
    runs = draws(r, 600, 3)
    found = [synthetic.log_likelihood(x, MEASURED) for x in runs]
    scatter = float(np.std([value for value, _ in found]))
    formula = float(np.mean([sd for _, sd in found]))
    rng = np.random.default_rng(4)
    bootstrap = float(
        np.mean([synthetic.bootstrap_error(x, MEASURED, "unbiased_log", 0.0, rng, 80) for x in runs[:20]])
    )
    assert formula == pytest.approx(scatter, rel=0.15)
    assert bootstrap == pytest.approx(scatter, rel=0.3)
    assert bootstrap == pytest.approx(formula, rel=0.3)


def test_shrinkage_lets_few_runs_estimate_many_summaries() -> None:
    x = np.random.default_rng(5).standard_normal((10, 12))
    with pytest.raises(LikelihoodError, match="too few for the covariance of 12 summaries"):
        synthetic.log_likelihood(x, np.zeros(12), "plain")
    value, sd = synthetic.log_likelihood(x, np.zeros(12), "plain", shrinkage=0.9)
    assert np.isfinite(value)
    assert sd > 0


def test_full_shrinkage_is_the_product_of_independent_normals() -> None:
    x = draws(50, 1, 6)[0]
    independent = stats.norm(x.mean(0), x.std(0, ddof=1)).logpdf(MEASURED).sum()
    assert synthetic.log_likelihood(x, MEASURED, "plain", 1.0)[0] == pytest.approx(independent)


def test_one_run_identical_runs_and_singular_covariances_are_told_in_words() -> None:
    x = draws(30, 1, 7)[0]
    with pytest.raises(LikelihoodError, match="One run per point"):
        synthetic.log_likelihood(x[:1], MEASURED)
    with pytest.raises(LikelihoodError, match=r"exactly the same result.*@seed@"):
        synthetic.log_likelihood(np.repeat(x[:1], 30, axis=0), MEASURED)
    flat = x.copy()
    flat[:, 1] = 3.0
    names = ["mean of 'a'", "mean of 'b'", "mean of 'c'"]
    with pytest.raises(LikelihoodError, match=r"mean of 'b' is the same in all 30 runs.*Leave this summary out"):
        synthetic.log_likelihood(flat, np.array([MEASURED[0], 3.0, MEASURED[2]]), names=names)
    with pytest.raises(LikelihoodError, match=r"mean of 'b' is 3 in all 30 runs, but 78 was measured\. .*ranges") as missed:
        synthetic.log_likelihood(flat, np.array([MEASURED[0], 78.0, MEASURED[2]]), names=names)
    assert "Leave" not in str(missed.value)
    doubled = x.copy()
    doubled[:, 2] = 2 * doubled[:, 0]
    with pytest.raises(LikelihoodError, match=r"singular: [ac] and [ac] say the same"):
        synthetic.log_likelihood(doubled, MEASURED, names=["a", "b", "c"])
