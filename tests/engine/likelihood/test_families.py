"""Every noise family against scipy.stats or against integration by brute force."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from bayescope.engine.likelihood import (
    ar1,
    covariance,
    gaussian,
    gaussian_integrated,
    log_normal,
    negative_binomial,
    poisson,
    student_t,
)
from bayescope.engine.likelihood.errors import LikelihoodError

rng = np.random.default_rng(5)
Y = rng.normal(1.0, 2.0, 7)
F = Y + rng.normal(0.0, 0.7, 7)
SD = rng.uniform(0.3, 2.0, 7)


def test_gaussian_with_one_sd_and_with_one_per_point() -> None:
    assert gaussian.log_density(Y, F, 0.4) == pytest.approx(stats.norm.logpdf(Y, F, 0.4).sum(), rel=1e-12)
    assert gaussian.log_density(Y, F, SD) == pytest.approx(stats.norm.logpdf(Y, F, SD).sum(), rel=1e-12)


def test_a_sum_of_squares_stands_for_its_gaussian() -> None:
    total = float(np.sum((Y - F) ** 2))
    assert gaussian.from_sum_of_squares(total, 0.4, 7) == pytest.approx(stats.norm.logpdf(Y, F, 0.4).sum(), rel=1e-12)


def test_a_variance_per_point_integrates_to_the_student_t_of_the_source() -> None:
    a, b = 3.0, 0.7
    expected = stats.t.logpdf(Y, 2.0 * a, loc=F, scale=math.sqrt(b / a)).sum()
    assert gaussian_integrated.per_point(Y, F, a, b) == pytest.approx(expected, rel=1e-12)

    def integrand(v: float, residual: float) -> float:
        return float(stats.norm.pdf(residual, 0.0, math.sqrt(v)) * stats.invgamma.pdf(v, a, scale=b))

    brute = sum(math.log(integrate.quad(integrand, 0.0, math.inf, args=(r,))[0]) for r in Y - F)
    assert gaussian_integrated.per_point(Y, F, a, b) == pytest.approx(brute, rel=1e-7)


def test_a_shared_variance_integrates_to_the_multivariate_student_t() -> None:
    a, b = 2.5, 0.6
    expected = stats.multivariate_t.logpdf(Y, loc=F, shape=np.eye(7) * b / a, df=2.0 * a)
    assert gaussian_integrated.shared(Y, F, a, b) == pytest.approx(expected, rel=1e-10)

    def integrand(v: float) -> float:
        return math.exp(stats.norm.logpdf(Y, F, math.sqrt(v)).sum()) * stats.invgamma.pdf(v, a, scale=b)

    assert gaussian_integrated.shared(Y, F, a, b) == pytest.approx(math.log(integrate.quad(integrand, 0.0, 50.0)[0]), rel=1e-7)


def test_student_t() -> None:
    assert student_t.log_density(Y, F, SD, 3.5) == pytest.approx(stats.t.logpdf(Y, 3.5, loc=F, scale=SD).sum(), rel=1e-12)
    assert student_t.log_density(Y, F, 0.4, 1e12) == pytest.approx(stats.norm.logpdf(Y, F, 0.4).sum(), rel=1e-7)
    assert math.isfinite(student_t.log_density(np.array([1e300]), np.array([0.0]), 1e-3, 2.0))


def test_log_normal() -> None:
    y, f = np.exp(Y), np.exp(F)
    assert log_normal.log_density(y, f, 0.3) == pytest.approx(stats.lognorm.logpdf(y, 0.3, scale=f).sum(), rel=1e-12)


def test_poisson() -> None:
    mean = np.array([0.0, 0.5, 3.0, 1e6, 40.0])
    counts = np.array([0.0, 2.0, 3.0, 1e6 + 300.0, 0.0])
    assert poisson.log_density(counts, mean) == pytest.approx(stats.poisson.logpmf(counts, mean).sum(), rel=1e-9)
    assert poisson.log_density(np.array([1.0]), np.array([0.0])) == -math.inf


@pytest.mark.parametrize("size", [0.3, 2.0, 50.0])
def test_negative_binomial(size: float) -> None:
    mean = np.array([0.5, 3.0, 100.0, 40.0])
    counts = np.array([2.0, 3.0, 130.0, 0.0])
    expected = stats.nbinom.logpmf(counts, size, size / (size + mean)).sum()
    assert negative_binomial.log_density(counts, mean, size) == pytest.approx(expected, rel=1e-10)
    samples = stats.nbinom(size, size / (size + 3.0))
    assert samples.var() == pytest.approx(3.0 + 9.0 / size)


def test_negative_binomial_of_endless_size_is_poisson() -> None:
    mean, counts = np.array([0.5, 30.0, 0.0]), np.array([2.0, 25.0, 0.0])
    expected = stats.poisson.logpmf(counts, mean).sum()
    assert negative_binomial.log_density(counts, mean, 1e9) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("rho", [0.0, 0.6, -0.8, 0.999])
def test_ar1_is_the_gaussian_with_the_stationary_covariance(rho: float) -> None:
    rows = np.array([0, 1, 3, 4, 8, 9, 10])  # rows are missing in between
    matrix = 0.5**2 * rho ** np.abs(rows[:, None] - rows[None, :])
    expected = stats.multivariate_normal.logpdf(Y - F, np.zeros(7), matrix)
    assert ar1.log_density(Y - F, rows, 0.5, rho) == pytest.approx(expected, rel=1e-9)
    assert ar1.log_density(np.array([]), np.array([], dtype=int), 0.5, rho) == 0.0


def test_full_covariance() -> None:
    root = rng.normal(size=(7, 7))
    matrix = root @ root.T + np.eye(7)
    expected = stats.multivariate_normal.logpdf(Y, F, matrix)
    assert covariance.log_density(Y - F, matrix) == pytest.approx(expected, rel=1e-10)
    with pytest.raises(LikelihoodError, match="not positive definite"):
        covariance.log_density(np.zeros(2), np.array([[1.0, 2.0], [2.0, 1.0]]))
