"""chi^2 of a run's predictions, against the likelihood and against data drawn from the noise."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from scipy import stats

from bayescope.engine.answer.predictions.misfit import Beside, Fit, Misfit, fit_of, misfits
from bayescope.engine.answer.usual_scatter import UsualScatter
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.problem import definition as d

ROWS = 6
MEASURED = (1.2, 0.7, 2.5, 1.9, None, 3.1)
PREDICTED = np.array([1.0, 1.1, 2.0, 2.2, 9.0, 2.6])
CORRELATED = tuple(tuple(0.09 * 0.6 ** abs(i - j) for j in range(ROWS)) for i in range(ROWS))


def predicting(problem: d.Problem, noise: d.NoiseModel, measured: tuple[float | None, ...] = MEASURED) -> d.Problem:
    output = msgspec.structs.replace(problem.outputs[0], name="y", length=None)
    return msgspec.structs.replace(
        problem, outputs=(output,), data=d.DataTable(columns={"y": measured, "s": (0.2,) * len(measured)}),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=noise),
    )  # fmt: skip


def one(problem: d.Problem, outputs: dict[str, np.ndarray]) -> Misfit:
    return misfits(problem, outputs, {"a": 0.4, "b": 0.0})[0]


@pytest.mark.parametrize(
    "noise",
    [
        d.GaussianKnown(sd=0.3), d.GaussianKnown(sd_column="s"), d.GaussianInferred(parameter="a"), d.LogNormalNoise(log_sd=0.2),
        d.Ar1Noise(sd=0.3, rho=0.6), d.CovarianceNoise(matrix=CORRELATED),
    ],
)  # fmt: skip
def test_chi2_is_twice_the_log_likelihood_that_is_lost_to_predictions_that_hit_the_data(
    problem: d.Problem, noise: d.NoiseModel
) -> None:
    declared, values = predicting(problem, noise), {"a": 0.4, "b": 0.0}
    exact = np.array([9.0 if v is None else v for v in MEASURED])
    lost = log_likelihood(declared, {"y": exact}, values)[0] - log_likelihood(declared, {"y": PREDICTED}, values)[0]
    found = one(declared, {"y": PREDICTED})
    assert found.chi2 == pytest.approx(2.0 * lost)
    assert found.count == 5
    assert list(found.rows) == [0, 1, 2, 3, 5]


@pytest.mark.parametrize(
    ("noise", "draw"),
    [
        (d.StudentTNoise(dof=3.0, scale=0.5), lambda rng: 10.0 + 0.5 * rng.standard_t(3.0, 4000)),
        (d.GaussianIntegrated(shape=2.0, scale=0.5), lambda rng: 10.0 + 0.5 * rng.standard_t(4.0, 4000)),
        (d.PoissonNoise(), lambda rng: rng.poisson(10.0, 4000).astype(float)),
        (d.NegativeBinomialNoise(size=5.0), lambda rng: rng.negative_binomial(5, 5 / 15, 4000).astype(float)),
    ],
)
def test_residuals_of_data_drawn_from_the_noise_have_mean_0_and_standard_deviation_1(problem: d.Problem, noise, draw) -> None:
    measured = tuple(draw(np.random.default_rng(0)).tolist())
    z = one(predicting(problem, noise, measured), {"y": np.full(4000, 10.0)}).residuals
    assert abs(z.mean()) < 0.05
    assert z.std() == pytest.approx(1.0, abs=0.05)
    if isinstance(noise, d.StudentTNoise):
        assert stats.kstest(z, "norm").pvalue > 0.01, "quantile residuals are normal"


def test_where_the_noise_is_fitted_too_there_is_no_verdict_on_the_fit(problem: d.Problem) -> None:
    fitted = predicting(problem, d.GaussianInferred(parameter="a"))
    found = misfits(fitted, {"y": PREDICTED}, {"a": 0.4, "b": 0.0})
    assert not found[0].size_known
    assert fit_of(fitted, found, {}) is None
    known = predicting(problem, d.GaussianKnown(sd=0.3))
    verdict = fit_of(known, misfits(known, {"y": PREDICTED}, {"a": 0.4, "b": 0.0}), {})
    assert verdict is not None
    assert (verdict.count, verdict.parameters) == (5, 2)


def test_a_sum_of_squares_gives_chi2_by_its_sd(problem: d.Problem) -> None:
    declared = msgspec.structs.replace(problem, meaning=d.SumOfSquares(output="logl", sd=2.0, count=30))
    verdict = fit_of(declared, (), {"logl": np.array([100.0])})
    assert verdict == Fit(25.0, 30, 2)


def test_the_verdict_says_in_words_whether_the_fit_is_as_good_as_the_data_allow() -> None:
    assert Fit(38.0, 42, 3).words.startswith("As good as the data allow: χ² 38 of 42 data and 3 parameters, where 39 ± 8.8")
    assert Fit(95.0, 42, 3).words.startswith("Not as good as the data allow")
    assert "less than 1 in 1,000,000 times" in Fit(400.0, 42, 3).words
    assert Fit(12.0, 42, 3).words.startswith("Closer to the data than their noise allows")
    assert "cannot tell" in Fit(0.1, 3, 3).words


def test_one_run_whose_values_scatter_accuses_nobody() -> None:
    lucky, usual, unknown = Fit(12.0, 42, 3, 1.0), Fit(95.0, 42, 3, 1.0), Fit(4000.0, 42, 3, None)
    assert lucky.words.startswith("As good as one run can tell: χ² 12 of 42 data and 3 parameters, where 78 ± 18 is expected")
    assert usual.words.startswith("As good as one run can tell")
    assert "tells no good fit from a bad one" in unknown.words
    assert "Either" not in unknown.words
    assert Fit(400.0, 42, 3, 1.0).words.startswith("Not as good as the data allow"), "more than both explain"


def test_the_scatter_of_one_run_is_that_of_the_comparisons_of_known_noise(problem: d.Problem) -> None:
    known = predicting(problem, d.GaussianKnown(sd=0.3))
    found = misfits(known, {"y": PREDICTED}, {"a": 0.4, "b": 0.0})
    learnt = UsualScatter(np.array([0.6]), np.array([0.3]))
    assert fit_of(known, found, {}).scatters == 0.0  # type: ignore[union-attr]
    assert fit_of(known, found, {}, learnt).scatters == pytest.approx(2.0)  # type: ignore[union-attr]
    random = msgspec.structs.replace(known, meaning=msgspec.structs.replace(known.meaning, random=True))
    assert fit_of(random, misfits(random, {"y": PREDICTED}, {"a": 0.4, "b": 0.0}), {}).scatters is None  # type: ignore[union-attr]


def test_the_judgement_counts_all_data_where_most_have_noise_that_is_fitted() -> None:
    words = Fit(1.15, 4, 4, beside=Beside(17.64, 23, 1)).words
    assert words.startswith("χ² 18.8 of 27 data and 5 parameters")
    assert "To 23 of these data the noise is fitted" in words
    assert "42 data of given noise" in Fit(38.0, 42, 3, beside=Beside(17.64, 23, 1)).words
