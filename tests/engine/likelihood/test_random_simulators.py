"""ABC, inverse binomial sampling, repeats and summaries against exact values; bad input in words."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from bayescope.engine.likelihood import abc, inverse_binomial, repeats, summaries, synthetic
from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.problem import definition as d


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_abc_kernels_integrate_to_one(kernel: abc.Kernel) -> None:
    for k in (1, 2, 3):
        surface = {1: 2.0, 2: 2 * np.pi, 3: 4 * np.pi}[k]
        total = integrate.quad(
            lambda u, k=k, s=surface: s * u ** (k - 1) * np.exp(abc.log_kernel(np.array([u]), k, kernel))[0],
            0,
            1 if kernel != "gaussian" else 12
        )[0]  # fmt: skip
        assert total == pytest.approx(1.0, abs=1e-8)


def test_a_narrow_abc_kernel_gives_the_density_of_the_summaries() -> None:
    x = np.random.default_rng(0).normal(1.0, 2.0, (100_000, 1))
    exact = stats.norm(1.0, 2.0).logpdf(0.3)
    for kernel in ("gaussian", "epanechnikov"):
        value, sd = abc.log_likelihood(x, np.array([0.3]), np.array([2.0]), kernel, 0.1)
        assert abs(value - exact) < 4 * sd + 0.01
        assert sd < 0.03


def test_the_adaptive_abc_width_is_near_the_density_and_its_error_is_that_of_fresh_runs() -> None:
    rng = np.random.default_rng(1)
    found = [
        abc.log_likelihood(rng.normal(1.0, 2.0, (500, 1)), np.array([0.3]), np.ones(1), "epanechnikov", None, 0.1)
        for _ in range(300)
    ]
    values, sds = np.array(found).T
    assert abs(values.mean() - stats.norm(1.0, 2.0).logpdf(0.3)) < 0.1
    assert np.mean(sds) == pytest.approx(values.std(), rel=0.5)


def test_abc_says_when_no_run_came_near_and_when_all_are_identical() -> None:
    x = np.random.default_rng(2).normal(0.0, 1.0, (50, 1))
    with pytest.raises(LikelihoodError, match="None of the 50 runs came within"):
        abc.log_likelihood(x, np.array([100.0]), np.ones(1), "epanechnikov", 0.5)
    with pytest.raises(LikelihoodError, match="exactly the same result"):
        abc.log_likelihood(np.ones((50, 2)), np.zeros(2), np.ones(2), "gaussian", 0.5)
    with pytest.raises(LikelihoodError, match="One run per point"):
        abc.log_likelihood(np.ones((1, 2)), np.zeros(2), np.ones(2), "gaussian", 0.5)


def test_inverse_binomial_sampling_is_unbiased_with_the_stated_variance() -> None:
    rng = np.random.default_rng(3)
    p = np.array([0.2, 0.5, 0.9])
    exact = np.log(p).sum()
    measured = np.ones(3)
    found = []
    for _ in range(3000):
        runs = (rng.random((200, 3)) < p).astype(float)
        found.append(inverse_binomial.log_likelihood(runs, measured))
    values, sds = np.array(found).T
    assert abs(values.mean() - exact) < 4 * values.std() / np.sqrt(len(values))
    assert np.mean(np.square(sds)) == pytest.approx(values.var(), rel=0.15)
    averaged = [
        inverse_binomial.log_likelihood((rng.random((400, 3)) < p).astype(float), measured, 4)[0] for _ in range(1000)
    ]
    assert np.var(averaged) == pytest.approx(values.var() / 4, rel=0.3)


def test_inverse_binomial_sampling_skips_missing_trials_and_says_when_nothing_matches() -> None:
    runs = np.array([[1.0, 2.0, 0.0], [1.0, 3.0, 0.0]])
    assert inverse_binomial.complete(runs, np.array([1.0, 3.0, np.nan]), 1)
    assert not inverse_binomial.complete(runs, np.array([1.0, 3.0, np.nan]), 2)
    assert inverse_binomial.log_likelihood(runs, np.array([1.0, 3.0, np.nan]))[0] == pytest.approx(-1.0)
    with pytest.raises(LikelihoodError, match="same codes for responses"):
        inverse_binomial.log_likelihood(runs, np.array([7.0, 7.0, 7.0]))
    with pytest.raises(LikelihoodError, match="3 responses per run, but 2 trials"):
        inverse_binomial.log_likelihood(runs, np.array([1.0, 3.0]))


def test_repeats_average_logarithms_or_likelihoods() -> None:
    x = np.array([-10.0, -12.0, -11.0])
    assert repeats.combined(x, "log") == pytest.approx((-11.0, 1 / np.sqrt(3)))
    value, sd = repeats.combined(x, "likelihood")
    assert value == pytest.approx(np.log(np.exp(x).mean()))
    assert sd == pytest.approx(np.exp(x).std(ddof=1) / np.sqrt(3) / np.exp(x).mean())
    assert repeats.combined(np.array([-np.inf, -1.0]), "likelihood")[0] == pytest.approx(-1.0 - np.log(2))
    with pytest.raises(LikelihoodError, match=r"1 of 2 runs gave .* minus infinity"):
        repeats.combined(np.array([-np.inf, -1.0]), "log")
    assert repeats.combined(np.array([-3.0]), "log", np.array([0.5])) == (-3.0, 0.5)


def test_summaries_are_the_textbook_statistics() -> None:
    x = np.random.default_rng(4).standard_normal(200).cumsum()

    def of(statistic: str, **more: object) -> np.ndarray:
        return summaries.summarize(d.Summary(output="x", column="x", statistic=statistic, **more), np.append(x, np.nan))  # type: ignore[arg-type]

    assert of("mean") == pytest.approx(x.mean())
    assert of("sd") == pytest.approx(x.std(ddof=1))
    assert of("quantiles", levels=(0.25, 0.5)) == pytest.approx(np.quantile(x, [0.25, 0.5]))
    c = x - x.mean()
    assert of("autocorrelation", lags=2) == pytest.approx([c[:-1] @ c[1:] / (c @ c), c[:-2] @ c[2:] / (c @ c)])
    assert of("histogram", edges=(-100.0, 0.0, 100.0)).sum() == pytest.approx(1.0)
    assert len(of("values")) == 200


def test_values_and_errors_are_plain_numbers_that_a_message_can_carry() -> None:
    rng = np.random.default_rng(8)
    runs = rng.standard_normal((20, 2))
    found = [
        abc.log_likelihood(runs, np.zeros(2), np.ones(2), "gaussian", None),
        abc.log_likelihood(runs, np.zeros(2), np.ones(2), "epanechnikov", 2.0),
        repeats.combined(rng.standard_normal(5), "log"),
        repeats.combined(rng.standard_normal(5), "likelihood"),
        synthetic.log_likelihood(runs, np.zeros(2)),
    ]
    assert {type(x) for pair in found for x in pair} == {float}


def test_one_run_per_point_is_not_enough_for_abc() -> None:
    with pytest.raises(LikelihoodError, match="One run per point is not enough for ABC"):
        abc.log_likelihood(np.zeros((1, 2)), np.zeros(2), np.ones(2), "gaussian", None)
