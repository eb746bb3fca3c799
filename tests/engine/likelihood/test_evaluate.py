"""From the outputs of a run to its log-likelihood: meanings, missing data, keys, and words for what is wrong."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from scipy import stats

import bayescope.resources
from bayescope.engine.likelihood.evaluate import LikelihoodError, log_likelihood, predictions
from bayescope.engine.problem import definition as d
from bayescope.engine.problem import files

NAN, INF = math.nan, math.inf
DATA = {
    "t": (0.0, 0.5, 1.0, 2.0),
    "u": (1.0, None, 3.0, 4.5),
    "n": (2.0, 0.0, None, 7.0),
    "sd": (0.1, None, 0.3, 0.4),
}
PREDICTED = np.array([1.1, 2.0, 2.8, 4.4])


def problem(meaning: d.Meaning, **columns: Any) -> d.Problem:
    names = ("u", "n", "t", "ll", "se")
    return d.Problem(
        name="p",
        parameters=(d.Parameter(name="sigma", prior=d.HalfCauchy(scale=1.0)),),
        simulator=d.Simulator(command=("x",)),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in names),
        meaning=meaning,
        data=d.DataTable(columns=DATA | columns),
    )


def compared(noise: d.NoiseModel, *matches: d.Match, **columns: Any) -> d.Problem:
    return problem(d.Predictions(matches=matches or (d.Match(output="u", column="u"),), noise=noise), **columns)


KEPT = np.array([0, 2, 3])
Y, F = np.array([1.0, 3.0, 4.5]), PREDICTED[KEPT]


# --------------------------------------------------------------------------- numbers that a program computes itself


def test_the_programs_own_log_likelihood_with_its_standard_error() -> None:
    own = problem(d.LogLikelihoodOutput(output="ll", noise_sd="se"))
    assert log_likelihood(own, {"ll": np.array([-3.5]), "se": np.array(0.2)}, {}) == (-3.5, 0.2)
    assert log_likelihood(problem(d.LogPosteriorOutput(output="ll")), {"ll": np.array(-3.5)}, {}) == (-3.5, 0.0)


def test_minus_two_log_likelihood_and_sum_of_squares() -> None:
    assert log_likelihood(problem(d.MinusTwoLogLikelihood(output="ll")), {"ll": np.array([7.0])}, {}) == (-3.5, 0.0)
    squares = problem(d.SumOfSquares(output="ll", sd=0.5, count=3))
    expected = stats.norm.logpdf([0.1, 0.2, -0.3], 0.0, 0.5).sum()
    assert log_likelihood(squares, {"ll": np.array([0.14])}, {})[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("meaning", "outputs", "words"),
    [
        (d.LogLikelihoodOutput(output="ll"), {}, "was not read"),
        (d.LogLikelihoodOutput(output="ll"), {"ll": [1.0, 2.0]}, "has 2 values"),
        (d.LogLikelihoodOutput(output="ll"), {"ll": NAN}, "not a number"),
        (d.LogLikelihoodOutput(output="ll"), {"ll": INF}, "infinite"),
        (d.LogLikelihoodOutput(output="ll", noise_sd="se"), {"ll": 1.0, "se": -1.0}, "zero or greater"),
        (d.MinusTwoLogLikelihood(output="ll"), {"ll": -INF}, "infinite"),
        (d.SumOfSquares(output="ll", sd=1.0), {"ll": -1.0}, "negative"),
    ],
)
def test_a_number_that_cannot_be_is_explained(meaning: d.Meaning, outputs: Any, words: str) -> None:
    with pytest.raises(LikelihoodError, match=words) as caught:
        log_likelihood(problem(meaning), outputs, {})
    assert not caught.value.impossible


def test_a_likelihood_of_zero_is_no_failure() -> None:
    for meaning, value in ((d.LogLikelihoodOutput(output="ll"), -INF), (d.MinusTwoLogLikelihood(output="ll"), INF)):
        with pytest.raises(LikelihoodError, match="zero") as caught:
            log_likelihood(problem(meaning), {"ll": value}, {})
        assert caught.value.impossible


# --------------------------------------------------------------------------- predictions


@pytest.mark.parametrize(
    ("noise", "expected"),
    [
        (d.GaussianKnown(sd=0.2), stats.norm.logpdf(Y, F, 0.2).sum()),
        (d.GaussianKnown(sd_column="sd"), stats.norm.logpdf(Y, F, [0.1, 0.3, 0.4]).sum()),
        (d.GaussianKnown(sd=0.2, percent=3.0), stats.norm.logpdf(Y, F, 0.2 + 0.03 * np.abs(Y)).sum()),
        (d.GaussianKnown(percent=3.0), stats.norm.logpdf(Y, F, 0.03 * np.abs(Y)).sum()),
        (d.GaussianKnown(sd_column="sd", percent=3.0), stats.norm.logpdf(Y, F, [0.1, 0.3, 0.4] + 0.03 * np.abs(Y)).sum()),
        (d.StudentTNoise(dof=4.0, scale=0.3, percent=3.0), stats.t.logpdf(Y, 4.0, F, 0.3 + 0.03 * np.abs(Y)).sum()),
        (d.GaussianInferred(parameter="sigma"), stats.norm.logpdf(Y, F, 0.7).sum()),
        (d.GaussianIntegrated(shape=3.0, scale=0.03), stats.t.logpdf(Y, 6.0, F, 0.1).sum()),
        (
            d.GaussianIntegrated(shape=3.0, scale=0.03, per_point=False),
            stats.multivariate_t.logpdf(Y, F, np.eye(3) * 0.01, df=6.0),
        ),
        (d.LogNormalNoise(log_sd=0.2), stats.lognorm.logpdf(Y, 0.2, scale=F).sum()),
        (d.LogNormalNoise(parameter="sigma"), stats.lognorm.logpdf(Y, 0.7, scale=F).sum()),
        (d.StudentTNoise(dof=4.0, scale=0.3), stats.t.logpdf(Y, 4.0, F, 0.3).sum()),
        (d.StudentTNoise(dof=4.0, scale_column="sd"), stats.t.logpdf(Y, 4.0, F, [0.1, 0.3, 0.4]).sum()),
        (d.StudentTNoise(dof=4.0, parameter="sigma"), stats.t.logpdf(Y, 4.0, F, 0.7).sum()),
        (
            d.Ar1Noise(sd="sigma", rho=0.5),
            stats.multivariate_normal.logpdf(Y - F, np.zeros(3), 0.49 * 0.5 ** np.abs(KEPT[:, None] - KEPT)),
        ),
        (
            d.CovarianceNoise(matrix=tuple(tuple(0.3 ** abs(i - j) for j in range(4)) for i in range(4))),
            stats.multivariate_normal.logpdf(Y - F, np.zeros(3), 0.3 ** np.abs(KEPT[:, None] - KEPT)),
        ),
    ],
)
def test_every_noise_model_skips_missing_data(noise: d.NoiseModel, expected: float) -> None:
    value, noise_sd = log_likelihood(compared(noise), {"u": PREDICTED}, {"sigma": 0.7})
    assert value == pytest.approx(float(expected), rel=1e-9)
    assert noise_sd == 0.0


def test_counts_under_poisson_and_negative_binomial() -> None:
    match = d.Match(output="n", column="n")
    k, mean = np.array([2.0, 0.0, 7.0]), np.array([1.5, 0.5, 6.0])
    outputs = {"n": np.array([1.5, 0.5, 99.0, 6.0])}
    value, _ = log_likelihood(compared(d.PoissonNoise(), match), outputs, {})
    assert value == pytest.approx(stats.poisson.logpmf(k, mean).sum())
    value, _ = log_likelihood(compared(d.NegativeBinomialNoise(size=2.0), match), outputs, {})
    assert value == pytest.approx(stats.nbinom.logpmf(k, 2.0, 2.0 / (2.0 + mean)).sum())


def test_several_matches_add_up_and_share_one_variance() -> None:
    matches = (d.Match(output="u", column="u"), d.Match(output="n", column="n", sd_column="t2"))
    outputs = {"u": PREDICTED, "n": np.array([1.5, 0.5, 9.0, 6.0])}
    k, mean = np.array([2.0, 0.0, 7.0]), np.array([1.5, 0.5, 6.0])
    apart = compared(d.GaussianKnown(sd_column="sd"), *matches, t2=(1.0, 2.0, None, 3.0))
    expected = stats.norm.logpdf(Y, F, [0.1, 0.3, 0.4]).sum() + stats.norm.logpdf(k, mean, [1.0, 2.0, 3.0]).sum()
    assert log_likelihood(apart, outputs, {})[0] == pytest.approx(expected)
    plain = tuple(msgspec.structs.replace(m, sd_column=None) for m in matches)
    shared = compared(d.GaussianIntegrated(shape=2.0, scale=0.5, per_point=False), *plain)
    together = stats.multivariate_t.logpdf(np.r_[Y, k], np.r_[F, mean], np.eye(6) * 0.25, df=4.0)
    assert log_likelihood(shared, outputs, {})[0] == pytest.approx(together)


def test_a_match_may_have_a_noise_model_of_its_own() -> None:
    own = d.Match(output="n", column="n", noise=d.PoissonNoise())
    matrix = tuple(tuple(0.3 ** abs(i - j) for j in range(4)) for i in range(4))
    mixed = compared(d.CovarianceNoise(matrix=matrix), own, d.Match(output="u", column="u"))
    outputs = {"u": PREDICTED, "n": np.array([1.5, 0.5, 9.0, 6.0])}
    expected = stats.poisson.logpmf([2, 0, 7], [1.5, 0.5, 6.0]).sum()
    expected += stats.multivariate_normal.logpdf(Y - F, np.zeros(3), 0.3 ** np.abs(KEPT[:, None] - KEPT))
    assert log_likelihood(mixed, outputs, {})[0] == pytest.approx(expected)
    counts, values = predictions(mixed, outputs)
    np.testing.assert_allclose(counts.sd, np.sqrt([1.5, 0.5, 9.0, 6.0]))
    np.testing.assert_allclose(values.sd, 1.0)
    only_own = compared(d.GaussianKnown(sd=1.0), own)
    assert log_likelihood(only_own, outputs, {})[0] == pytest.approx(stats.poisson.logpmf([2, 0, 7], [1.5, 0.5, 6.0]).sum())


KEYED = d.Match(output="u", column="u", key_output="t", key_column="t")


def test_rows_are_paired_by_key_whatever_their_order_and_number() -> None:
    keyed = compared(d.GaussianKnown(sd=0.2), KEYED)
    times = np.array([3.0, 2.0, 1.0001, 0.75, 0.0, -1.0])  # one is printed with few digits
    outputs = {"t": times, "u": np.array([9.0, 4.4, 2.8, 9.0, 1.1, NAN])}
    assert log_likelihood(keyed, outputs, {})[0] == pytest.approx(stats.norm.logpdf(Y, F, 0.2).sum())
    (shown,) = predictions(keyed, outputs)
    np.testing.assert_array_equal(shown.x, [0.0, 0.5, 1.0, 2.0])
    np.testing.assert_array_equal(shown.prediction, [1.1, NAN, 2.8, 4.4])  # nothing printed where nothing was measured
    np.testing.assert_array_equal(shown.curve_x, times)
    assert shown.x_label == "t"


def test_repeated_measurements_at_one_key_share_the_prediction() -> None:
    keyed = compared(d.GaussianKnown(sd=0.2), KEYED, t=(1.0, 1.0, 1.0, 2.0))
    value, _ = log_likelihood(keyed, {"t": [1.0, 2.0], "u": [2.8, 4.4]}, {})
    assert value == pytest.approx(stats.norm.logpdf(Y, [2.8, 2.8, 4.4], 0.2).sum())


def test_a_row_whose_key_is_missing_is_skipped() -> None:
    keyed = compared(d.GaussianKnown(sd=0.2), KEYED, t=(0.0, 0.5, None, 2.0))
    value, _ = log_likelihood(keyed, {"t": [0.0, 2.0], "u": [1.1, 4.4]}, {})
    assert value == pytest.approx(stats.norm.logpdf([1.0, 4.5], [1.1, 4.4], 0.2).sum())


@pytest.mark.parametrize(
    ("times", "output", "words"),
    [
        ([], [], "no row where “t” is 0"),
        ([NAN, NAN], [1.0, 2.0], "no row where “t” is 0"),
        ([0.0, 0.5, 2.0], [1.0, 2.0, 3.0], "no row where “t” is 1"),
        ([0.0, 0.5, 1.05, 2.0], [1.0, 2.0, 3.0, 4.0], "no row where “t” is 1"),
        ([0.0, 0.5, 1.0, 1.0, 2.0], [1.0, 2.0, 3.0, 3.5, 4.0], "several rows where “t” is 1"),
        ([0.0, 0.5, 1.0], [1.0, 2.0], "has 2 values, its key “t” has 3"),
        ([0.0, 0.5, 1.0, 2.0], [1.0, 2.0, NAN, 4.0], "is nan where"),
    ],
)
def test_rows_that_cannot_be_paired_are_explained(times: Any, output: Any, words: str) -> None:
    with pytest.raises(LikelihoodError, match=words):
        log_likelihood(compared(d.GaussianKnown(sd=0.2), KEYED), {"t": times, "u": output}, {})


def test_a_tolerance_of_ones_own_pairs_coarse_keys() -> None:
    coarse = compared(d.GaussianKnown(sd=0.2), msgspec.structs.replace(KEYED, key_tolerance=0.1))
    value, _ = log_likelihood(coarse, {"t": [0.05, 0.5, 1.05, 1.95], "u": PREDICTED}, {})
    assert value == pytest.approx(stats.norm.logpdf(Y, F, 0.2).sum())


@pytest.mark.parametrize(
    ("noise", "match", "output", "words", "impossible"),
    [
        (d.GaussianKnown(sd=1.0), "u", [1.0, 2.0], "has 2 values, but the data column “u” has 4 rows", False),
        (d.GaussianKnown(sd=1.0), "u", [1.0, 2.0, NAN, 3.0], "is nan where the data column “u” has its row 3", False),
        (d.GaussianKnown(sd=1.0), "u", [1.0, 2.0, -INF, 3.0], "is -inf", False),
        (d.GaussianKnown(sd=1.0), "u", [1.0, 2.0, 1e250, 3.0], "likelihood is zero", True),
        (d.GaussianKnown(sd_column="n"), "t", [1.0, 2.0, 3.0, 3.0], "standard deviation of “t” in row 2", False),
        (d.GaussianInferred(parameter="sigma"), "u", PREDICTED, "“sigma” is -1", False),
        (d.GaussianInferred(parameter="tau"), "u", PREDICTED, "“tau” has no value", False),
        (d.Ar1Noise(sd=1.0, rho="sigma"), "u", PREDICTED, "between -1 and 1", False),
        (d.LogNormalNoise(log_sd=1.0), "u", [1.0, 2.0, 0.0, 3.0], "for data row 3 is 0; log-normal", False),
        (d.PoissonNoise(), "n", [1.0, 1.0, 1.0, -0.5], "row 4 is -0.5; the mean of a count cannot be negative", False),
        (d.PoissonNoise(), "n", [1.0, 0.0, 1.0, 0.0], "7 were counted: these data are impossible", True),
        (d.NegativeBinomialNoise(size=1.0), "u", PREDICTED, "4.5, which is not a count", False),
        (d.CovarianceNoise(matrix=((1.0,),)), "u", PREDICTED, "1 rows, but 4 data values", False),
    ],
)
def test_what_gives_no_likelihood_is_explained(
    noise: d.NoiseModel, match: str, output: Any, words: str, impossible: bool
) -> None:
    with pytest.raises(LikelihoodError, match=words) as caught:
        log_likelihood(compared(noise, d.Match(output="u", column=match)), {"u": output}, {"sigma": -1.0})
    assert caught.value.impossible is impossible


def test_a_zero_mean_allows_a_zero_count() -> None:
    value, _ = log_likelihood(compared(d.PoissonNoise(), d.Match(output="n", column="n")), {"n": [2.0, 0.0, 9.0, 7.0]}, {})
    assert value == pytest.approx(stats.poisson.logpmf([2, 0, 7], [2.0, 0.0, 7.0]).sum())


# --------------------------------------------------------------------------- for plots


@pytest.mark.parametrize(
    ("noise", "sd"),
    [
        (d.GaussianKnown(sd=0.2), [0.2] * 4),
        (d.GaussianKnown(sd_column="sd"), [0.1, NAN, 0.3, 0.4]),
        (d.GaussianInferred(parameter="sigma"), [0.7] * 4),
        (d.GaussianIntegrated(shape=3.0, scale=0.08), [0.2] * 4),
        (d.GaussianIntegrated(shape=1.0, scale=0.08), None),
        (d.LogNormalNoise(log_sd=0.2), stats.lognorm.std(0.2, scale=PREDICTED)),
        (d.PoissonNoise(), np.sqrt(PREDICTED)),
        (d.NegativeBinomialNoise(size=2.0), stats.nbinom.std(2.0, 2.0 / (2.0 + PREDICTED))),
        (d.StudentTNoise(dof=4.0, scale=0.3), [stats.t.std(4.0, scale=0.3)] * 4),
        (d.StudentTNoise(dof=2.0, scale=0.3), None),
        (d.Ar1Noise(sd=0.5, rho=0.1), [0.5] * 4),
        (d.CovarianceNoise(matrix=((4.0, 0, 0, 0), (0, 4.0, 0, 0), (0, 0, 9.0, 0), (0, 0, 0, 1.0))), [2.0, 2.0, 3.0, 1.0]),
    ],
)
def test_predictions_come_with_the_sd_as_far_as_it_is_known(noise: d.NoiseModel, sd: Any) -> None:
    (shown,) = predictions(compared(noise), {"u": PREDICTED}, {"sigma": 0.7})
    np.testing.assert_array_equal(shown.data, [1.0, NAN, 3.0, 4.5])
    np.testing.assert_array_equal(shown.prediction, PREDICTED)
    np.testing.assert_array_equal(shown.x, [1.0, 2.0, 3.0, 4.0])
    assert (shown.sd is None) == (sd is None)
    if sd is not None:
        np.testing.assert_allclose(shown.sd, sd, rtol=1e-12)


def test_the_bundled_example_follows_the_formula_of_the_source() -> None:
    path = Path(next(iter(bayescope.resources.__path__))) / "examples" / "contamination" / "problem.json"
    example = files.load(path)
    assert example.data is not None
    assert isinstance(example.meaning, d.Predictions)
    times = np.array(example.data.columns["time"], dtype=float)
    left, right = times**2, 0.5 * times
    noise = example.meaning.noise
    assert isinstance(noise, d.GaussianIntegrated)
    measured = np.array([example.data.columns["left"], example.data.columns["right"]], dtype=float)
    expected = stats.t.logpdf(measured, 2 * noise.shape, [left, right], math.sqrt(noise.scale / noise.shape)).sum()
    value, _ = log_likelihood(example, {"time": times, "left": left, "right": right}, {})
    assert value == pytest.approx(expected)


@pytest.mark.parametrize(
    "noise",
    [
        d.GaussianKnown(sd=0.3), d.GaussianKnown(sd_column="sd"), d.GaussianIntegrated(shape=2.0, scale=0.1),
        d.GaussianIntegrated(shape=2.0, scale=0.1, per_point=False), d.StudentTNoise(dof=4.0, scale=0.3),
        d.Ar1Noise(sd=0.3, rho=0.4),
    ],
)
def test_a_comparison_of_which_all_rows_are_left_out_adds_nothing(noise: d.NoiseModel) -> None:
    u, n = d.Match(output="u", column="u"), d.Match(output="n", column="n", left_out=(1, 2, 4))
    outputs = {"u": PREDICTED, "n": np.array([2.0, 1.0, 3.0, 6.0])}
    assert log_likelihood(compared(noise, u, n), outputs, {}) == log_likelihood(compared(noise, u), outputs, {})
