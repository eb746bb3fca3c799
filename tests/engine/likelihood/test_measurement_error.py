"""Measurement error in synthetic likelihood and ABC, against exact densities and against Monte Carlo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.likelihood import abc, measurement_error, summaries, synthetic
from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check

S = np.array([[1.0, 0.6, 0.0], [0.6, 2.0, -0.3], [0.0, -0.3, 0.5]])
E = np.array([[0.8, 0.0, 0.0], [0.0, 0.3, 0.2], [0.0, 0.2, 1.5]])
MU, MEASURED = np.array([0.0, 1.0, -1.0]), np.array([0.7, 0.2, 0.4])


@pytest.mark.parametrize("factor", [0.1, 1.0, 10.0])
def test_the_synthetic_likelihood_with_a_measurement_error_is_unbiased_with_the_stated_standard_error(factor: float) -> None:
    rng, error = np.random.default_rng(1), factor * E
    exact = stats.multivariate_normal(MU, S + error).logpdf(MEASURED)
    found = [
        synthetic.log_likelihood(rng.multivariate_normal(MU, S, 40), MEASURED, error=error) for _ in range(2000)
    ]
    values, sds = np.array(found).T
    assert abs(values.mean() - exact) < 4 * values.std() / np.sqrt(len(values)) + 0.01
    assert np.sqrt(np.mean(np.square(sds))) == pytest.approx(values.std(), rel=0.1)


def test_without_its_correction_the_estimate_would_be_off_by_far_more() -> None:
    rng = np.random.default_rng(1)
    exact = stats.multivariate_normal(MU, S + 0.1 * E).logpdf(MEASURED)
    plain = [
        synthetic.log_likelihood(rng.multivariate_normal(MU, S, 40), MEASURED, "plain", error=0.1 * E)[0] for _ in range(1000)
    ]
    assert abs(np.mean(plain) - exact) > 0.04


@pytest.mark.parametrize("estimator", ["plain", "unbiased_log"])
def test_a_vanishing_error_changes_nothing_and_one_that_outweighs_the_program_leaves_no_noise(estimator: Any) -> None:
    runs = np.random.default_rng(2).multivariate_normal(MU, S, 30)
    without = synthetic.log_likelihood(runs, MEASURED, estimator)
    with_none = synthetic.log_likelihood(runs, MEASURED, estimator, error=1e-12 * E)
    assert with_none == pytest.approx(without, rel=1e-6)
    value, sd = synthetic.log_likelihood(runs, MEASURED, estimator, error=1e6 * E)
    assert value == pytest.approx(stats.multivariate_normal(runs.mean(0), 1e6 * E).logpdf(MEASURED), abs=1e-4)
    assert sd < 1e-3


def test_the_bootstrap_agrees_with_the_formula_where_there_is_an_error() -> None:
    runs = np.random.default_rng(3).multivariate_normal(MU, S, 200)
    by_formula = synthetic.log_likelihood(runs, MEASURED, error=E)[1]
    rng = np.random.default_rng(4)
    assert synthetic.bootstrap_error(runs, MEASURED, "unbiased_log", 0.0, rng, error=E) == pytest.approx(by_formula, rel=0.25)


def test_a_summary_that_never_changes_needs_an_error() -> None:
    runs = np.random.default_rng(5).multivariate_normal(MU, S, 30)
    runs[:, 2] = 1.0
    with pytest.raises(LikelihoodError, match="is 1 in all 30 runs, but"):
        synthetic.log_likelihood(runs, MEASURED, "plain")
    value, _ = synthetic.log_likelihood(runs, MEASURED, "plain", error=np.diag([0.0, 0.0, 2.0]))
    own = stats.multivariate_normal(runs.mean(0)[:2], np.cov(runs[:, :2].T)).logpdf(MEASURED[:2])
    assert value == pytest.approx(own + stats.norm(1.0, np.sqrt(2.0)).logpdf(MEASURED[2]))


# ------------------------------------------------------------------ ABC


@pytest.mark.parametrize("width", [None, 0.05])
def test_abc_with_a_measurement_error_gives_the_density_of_what_is_measured(width: float | None) -> None:
    x = np.random.default_rng(0).normal(1.0, 2.0, (20_000, 1))
    value, sd = abc.log_likelihood(x, np.array([0.3]), np.array([2.0]), "gaussian", width, 0.2, np.array([[0.25]]))
    assert abs(value - stats.norm(1.0, np.sqrt(4.25)).logpdf(0.3)) < 4 * sd + 0.005
    assert sd < 0.03


def test_the_standard_error_of_abc_is_that_of_fresh_runs() -> None:
    rng, s, one, half = np.random.default_rng(1), np.array([0.3, 2.0]), np.ones(2), 0.5 * np.eye(2)
    found = [
        abc.log_likelihood(rng.normal(1.0, 2.0, (400, 2)), s, one, "gaussian", None, 0.02, half) for _ in range(400)
    ]
    values, sds = np.array(found).T
    exact = stats.norm(1.0, np.sqrt(4.5)).logpdf([0.3, 2.0]).sum()
    assert abs(values.mean() - exact) < 4 * values.std() / 20 + 0.02
    assert np.mean(sds) == pytest.approx(values.std(), rel=0.2)


def test_where_the_error_is_too_small_for_the_runs_there_are_the_width_is_as_small_as_will_do() -> None:
    x, s, one = np.random.default_rng(2).normal(0.0, 1.0, (100, 3)), np.array([0.5, 0.5, 0.5]), np.ones(3)
    tiny = 1e-6 * np.eye(3)
    value, sd = abc.log_likelihood(x, s, one, "gaussian", None, 0.2, tiny)
    assert abs(value - stats.norm.logpdf(s).sum()) < 1.0
    assert sd < 0.35
    exactly, far_sd = abc.log_likelihood(x, s, one, "gaussian", 1e-3, 0.2, tiny)
    assert far_sd > 0.9  # a single run counts, and says so
    assert abs(value - stats.norm.logpdf(s).sum()) < abs(exactly - stats.norm.logpdf(s).sum())


def test_summaries_without_an_error_beside_one_with_an_error_keep_a_width() -> None:
    x = np.random.default_rng(2).normal(0.0, 1.0, (5000, 2))
    value, _ = abc.log_likelihood(x, np.array([0.5, 0.5]), np.ones(2), "gaussian", None, 0.02, np.diag([0.0, 1.0]))
    assert value == pytest.approx(stats.norm.logpdf(0.5) + stats.norm(0, np.sqrt(2)).logpdf(0.5), abs=0.1)
    hits = np.where(np.arange(100)[:, None] < 50, [[0.5, 0.5]], x[:100])  # half of the runs hit the measurement exactly
    with pytest.raises(LikelihoodError, match="Give a width"):
        abc.log_likelihood(hits, np.array([0.5, 0.5]), np.ones(2), "gaussian", None, 0.2, np.diag([0.0, 1.0]))


# ------------------------------------------------------------------ from the declaration


N = 12
TRUE_SD = 0.7
MEASURED_COLUMN = tuple(float(v) for v in np.random.default_rng(9).normal(1.0, 1.2, N))


def problem(meaning: d.Meaning, **more: Any) -> d.Problem:
    columns: dict[str, Any] = {"y": MEASURED_COLUMN, "s": tuple(TRUE_SD * (1 + i % 2) for i in range(N)), **more}
    return d.Problem(
        name="random",
        parameters=(d.Parameter(name="a", prior=d.Normal(mean=0.0, sd=1.0)),),
        simulator=d.Simulator(command=("x", "@a@", "@seed@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=meaning,
        data=d.DataTable(columns=columns),
    )


def summary(statistic: Any, **more: Any) -> d.Summary:
    return d.Summary(output="y", column="y", statistic=statistic, **more)


@pytest.mark.parametrize("estimator", ["unbiased_log", "unbiased", "plain"])
@pytest.mark.parametrize("error", [{"error_sd": TRUE_SD}, {"error_column": "s"}])
def test_a_declared_error_of_a_mean_is_that_of_a_program_that_adds_it_itself(estimator: Any, error: dict[str, Any]) -> None:
    sd = np.array([TRUE_SD * (1 + i % 2) for i in range(N)]) if "error_column" in error else np.full(N, TRUE_SD)
    declared = problem(d.SyntheticLikelihood(summaries=(summary("mean", **error),), estimator=estimator))
    within = problem(d.SyntheticLikelihood(summaries=(summary("mean"),), estimator=estimator))
    rng, found = np.random.default_rng(3), []
    for _ in range(400):
        runs = rng.normal(1.0, 1.0, (60, N))
        noisy = runs + sd * rng.standard_normal(runs.shape)
        found.append((log_likelihood(declared, {"y": runs}, {})[0], log_likelihood(within, {"y": noisy}, {})[0]))
    a, b = np.array(found).T
    assert abs(a.mean() - b.mean()) < 4 * np.hypot(a.std(), b.std()) / 20 + 0.01
    exact = stats.norm(1.0, np.sqrt((1.0 + np.square(sd).mean()) / N)).logpdf(np.mean(MEASURED_COLUMN))
    assert abs(a.mean() - exact) < 0.05


@pytest.mark.parametrize("statistic", ["sd", "quantiles", "autocorrelation"])
@pytest.mark.parametrize("kind", ["synthetic", "abc"])
def test_the_error_of_a_summary_without_closed_form_is_drawn_for_each_run(statistic: Any, kind: str) -> None:
    def meaning(**error: Any) -> d.Meaning:
        one = (summary(statistic, lags=1, levels=(0.2, 0.8), **error),)
        return d.SyntheticLikelihood(summaries=one) if kind == "synthetic" else d.ApproximateBayes(summaries=one)

    rng, found = np.random.default_rng(3), []
    for _ in range(150):
        runs = rng.normal(1.0, 0.5, (80, N))
        runs = np.cumsum(runs, axis=1) / 3.0 if statistic == "autocorrelation" else runs
        noisy = runs + TRUE_SD * rng.standard_normal(runs.shape)
        declared, within = problem(meaning(error_sd=TRUE_SD)), problem(meaning())
        found.append([log_likelihood(p, {"y": x}, {})[0] for p, x in ((declared, runs), (within, noisy), (within, runs))])
    a, b, without = np.array(found).T
    assert abs(a.mean() - b.mean()) < 4 * np.hypot(a.std(), b.std()) / np.sqrt(len(found))
    assert abs(without.mean() - b.mean()) > 8 * np.hypot(without.std(), b.std()) / np.sqrt(len(found)), "the error matters here"


def test_drawn_errors_are_the_same_again_for_the_same_runs_and_other_ones_for_others() -> None:
    p = problem(d.SyntheticLikelihood(summaries=(summary("sd", error_sd=TRUE_SD),)))
    runs = np.random.default_rng(1).normal(1.0, 0.5, (30, N))
    assert log_likelihood(p, {"y": runs}, {}) == log_likelihood(p, {"y": runs.copy()}, {})
    assert isinstance(p.meaning, d.SyntheticLikelihood)
    one, other = (measurement_error.measured_once(p, p.meaning.summaries[0], r) - r for r in (runs, runs + 1e-9))
    assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.3


def test_summaries_of_one_column_share_its_errors() -> None:
    both = (summary("values", error_column="s"), summary("mean", error_column="s"))
    p = problem(d.SyntheticLikelihood(summaries=both))
    found = measurement_error.covariance(p, both)
    sd = np.array([TRUE_SD * (1 + i % 2) for i in range(N)])
    np.testing.assert_allclose(np.diag(found)[:N], sd**2)
    np.testing.assert_allclose(found[N, :N], sd**2 / N)
    assert found[N, N] == pytest.approx(np.square(sd).sum() / N**2)


def test_a_missing_measurement_has_no_error_and_a_missing_error_is_said() -> None:
    column = (None, *MEASURED_COLUMN[1:])
    s = summary("values", error_column="s")
    p = problem(d.SyntheticLikelihood(summaries=(s,)), y=column, s=(None, *[0.5] * (N - 1)))
    np.testing.assert_allclose(measurement_error.sds(p, s), 0.5)
    with pytest.raises(LikelihoodError, match="in row 3 is missing"):
        measurement_error.sds(problem(d.SyntheticLikelihood(summaries=(s,)), s=(0.5, 0.5, None, *[0.5] * (N - 3))), s)


def test_as_many_values_must_be_simulated_as_measured_to_draw_their_errors() -> None:
    p = problem(d.ApproximateBayes(summaries=(summary("sd", error_sd=0.5),)))
    with pytest.raises(LikelihoodError, match="as many values must be simulated as were measured"):
        summaries.compared(p, p.meaning, {"y": np.random.default_rng(0).normal(size=(20, 5))})  # type: ignore[arg-type]


def test_what_contradicts_itself_in_a_declared_error_is_said_before_the_run() -> None:
    def errors(*some: d.Summary) -> list[tuple[str, str]]:
        found = check(problem(d.ApproximateBayes(summaries=some)))
        return [(f.where, f.message) for f in found if f.level == "error" and "error" in f.where]

    assert errors(summary("mean", error_sd=0.5), summary("sd", error_sd=0.5)) == []
    assert "must be greater than zero" in errors(summary("mean", error_sd=-1.0))[0][1]
    assert "no column" in errors(summary("mean", error_column="nowhere"))[0][1]
    assert "in 2 ways" in errors(summary("mean", error_column="s", error_sd=1.0))[0][1]
    assert "another measurement error" in errors(summary("mean", error_sd=0.5), summary("sd", error_sd=0.6))[0][1]
    p = problem(d.ApproximateBayes(summaries=(summary("mean", error_column="s"),)), s=(None, *[0.5] * (N - 1)))
    assert any("Row 1" in f.message for f in check(p) if f.where == "meaning.summaries[0].error_column")


def test_a_percentage_of_each_measured_value_is_added_to_a_size_or_is_all_of_the_error() -> None:
    declared = problem(d.SyntheticLikelihood(summaries=()))
    share = 0.1 * np.abs(MEASURED_COLUMN)
    assert measurement_error.sds(declared, summary("mean", error_sd=0.2, error_percent=10.0)) == pytest.approx(0.2 + share)
    assert measurement_error.sds(declared, summary("mean", error_percent=10.0)) == pytest.approx(share)
    assert measurement_error.has_error(summary("mean", error_percent=10.0))
    two = (summary("mean", error_percent=10.0), summary("sd", error_percent=5.0))
    found = check(problem(d.ApproximateBayes(summaries=two)))
    assert any("has another measurement error" in f.message for f in found)
