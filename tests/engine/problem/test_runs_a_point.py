"""How many runs a random program gets at each point where nobody said, and what is said of too few."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.likelihood import synthetic
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.check_random import check_random
from bayescope.engine.problem.findings import Findings
from bayescope.engine.problem.runs_a_point import (
    PER_NUMBER,
    SHORT_S,
    default_runs,
    fewest_runs,
    is_default,
    noise_sd,
    numbers_compared,
)

DATA = d.DataTable(columns={"y": (1.0, None, 2.0), "z": (3.0,)})
MEANS = tuple(d.Summary(output=name, column="y", statistic="mean") for name in "abcd")


@pytest.mark.parametrize(("k", "r"), [(1, 40), (4, 60), (10, 200)])
def test_the_noise_that_is_told_is_the_scatter_of_synthetic_likelihoods_at_the_truth(k: int, r: int) -> None:
    rng = np.random.default_rng(k)
    errors = []
    for _ in range(1500):  # data and runs of one right model; the exact log density is known
        data, runs = rng.standard_normal(k), rng.standard_normal((r, k))
        exact = -0.5 * (k * np.log(2.0 * np.pi) + data @ data)
        errors.append(synthetic.log_likelihood(runs, data)[0] - exact)
    assert np.std(errors) == pytest.approx(noise_sd(k, r), rel=0.25)


def test_the_default_follows_what_is_compared_and_what_a_run_takes() -> None:
    meaning = d.SyntheticLikelihood(summaries=MEANS)
    assert numbers_compared(meaning, DATA) == 4
    assert numbers_compared(d.SyntheticLikelihood(summaries=(d.Summary(output="a", column="y"),)), DATA) == 2, "blanks are none"
    least = fewest_runs(4)
    assert default_runs(meaning, DATA, 140) == least, "nothing is known of the time"
    assert default_runs(meaning, DATA, 140, seconds=60.0) == least
    assert default_runs(meaning, DATA, 140, seconds=1e-3) == PER_NUMBER * 4
    between = default_runs(meaning, DATA, 140, seconds=SHORT_S / (140 * 30))
    assert between == 30, "what stays short"
    assert noise_sd(4, least) == pytest.approx(1.0, abs=0.15)
    assert is_default(d.SyntheticLikelihood(summaries=MEANS, repeats=between), DATA)
    assert not is_default(d.SyntheticLikelihood(summaries=MEANS, repeats=7), DATA)
    assert all(noise_sd(k, fewest_runs(k)) <= 1.05 for k in range(1, 40))
    assert all(fewest_runs(k) >= k + 4 for k in range(1, 40)), "else no point has a likelihood"


def told(meaning: d.SyntheticLikelihood) -> dict[str, str]:
    problem = d.Problem(
        name="p", parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
        simulator=d.Simulator(command=("sh", "@k@", "@seed@")), meaning=meaning, data=DATA,
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in "abcd"),
    )  # fmt: skip
    findings = Findings()
    check_random(findings, meaning, problem, {o.name: o for o in problem.outputs})
    return {f.where: f.message for f in findings.found}


def test_what_shrinking_all_correlations_and_three_runs_a_point_give_up_is_said() -> None:
    said = told(d.SyntheticLikelihood(summaries=MEANS, repeats=3, shrinkage=1.0, estimator="plain"))
    assert "count as independent" in said["meaning.shrinkage"]
    assert "hardly tell the spread" in said["meaning.repeats"]
    fine = told(d.SyntheticLikelihood(summaries=MEANS, repeats=20, shrinkage=0.2, estimator="plain"))
    assert fine == {}
    one = told(d.SyntheticLikelihood(summaries=MEANS[:1], repeats=10, shrinkage=1.0, estimator="plain"))
    assert "meaning.shrinkage" not in one, "a single number has no correlations"
