"""The summaries of a point as a vector: the density made of it is the synthetic likelihood's own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.likelihood.point_summaries import PointSummaries, unpacked
from bayescope.engine.methods.loops import loop_settings
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run.one_evaluation import told_cells


def problem(meaning: d.Meaning) -> d.Problem:
    return d.Problem(
        name="Counts",
        parameters=(d.Parameter(name="mu", prior=d.Normal(mean=0.0, sd=2.0)),),
        simulator=d.Simulator(command=("program", "@seed@", "@mu@")),
        outputs=(d.Output(name="y", source="y.csv", extractor=d.CsvColumn(column="y")),),
        data=d.DataTable(columns={"y": (1.0, 2.5, 0.5, 3.0, 1.5)}),
        meaning=meaning,
    )


SUMMARIES = (d.Summary(output="y", column="y", statistic="mean", scale=(2.0,)), d.Summary(output="y", column="y", statistic="sd"))
RUNS = {"y": np.random.default_rng(0).normal(1.5, 1.0, (12, 5))}


@pytest.mark.parametrize("shrinkage", [0.0, 0.4])
def test_the_normal_density_of_its_cells_is_the_plain_synthetic_likelihood(shrinkage: float) -> None:
    of = problem(d.SyntheticLikelihood(summaries=SUMMARIES, estimator="plain", shrinkage=shrinkage))
    point = PointSummaries.of(of)
    assert point is not None
    (runs,), (mean,), (covariance,) = unpacked(point.cells(RUNS)[None], 2)
    assert runs == 12
    density = stats.multivariate_normal(mean, covariance).logpdf(point.measured) - np.log(2.0)
    assert density == pytest.approx(log_likelihood(of, RUNS, {"mu": 1.5})[0], abs=1e-9)


def test_a_loop_is_told_of_them_where_there_are_any_and_of_nothing_else_of_a_random_program() -> None:
    of = problem(d.SyntheticLikelihood(summaries=SUMMARIES))
    settings = loop_settings(of, ParameterSpace(of.parameters), 50, 1)
    assert settings.recorded is settings.summaries
    assert settings.recorded is not None
    assert len(told_cells(settings.recorded, RUNS, good=True)) == 1 + 2 + 3  # type: ignore[arg-type]
    assert told_cells(settings.recorded, RUNS, good=False) is None
    other = problem(d.ApproximateBayes(summaries=SUMMARIES))
    assert loop_settings(other, ParameterSpace(other.parameters), 50, 1).recorded is None


def test_outputs_that_cannot_be_summarized_are_a_sentence() -> None:
    point = PointSummaries.of(problem(d.SyntheticLikelihood(summaries=SUMMARIES)))
    assert point is not None
    with pytest.raises(ProblemError, match="was not read"):
        point.cells({"z": np.zeros((3, 5))})
