"""A program that gives no values for rows that are left out: paired in order with those left in, against dense computations."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy import stats

from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.likelihood.evaluate import log_likelihood, predictions
from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.rows.comparison import ComparisonError
from bayescope.engine.problem.data.rows.given_cells import given_cells
from bayescope.engine.problem.data.rows.pairing import left_out_told
from bayescope.engine.problem.transforms import ParameterSpace

Array = NDArray[np.float64]
Y = (1.0, 2.0, None, 4.0, 5.0, 0.02)  # the last row holds no measurement, and the third is missing
SD = (0.1, 0.2, 0.3, 0.4, 0.5, 9.0)
USED = np.array([0, 1, 3, 4])
F = np.array([1.3, 1.7, 2.9, 4.4, 4.6, 7.0])  # of every row
DATA = d.DataTable(columns={"u": Y, "sd": SD, "v": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)})
MATRIX = tuple(tuple(0.8 ** abs(i - j) * (1.0 + 0.1 * i) * (1.0 + 0.1 * j) for j in range(6)) for i in range(6))
RESIDUALS = np.array([1.0, 2.0, 4.0, 5.0]) - F[USED]


def problem(noise: d.NoiseModel, match: d.Match | None = None, *more: d.Match) -> d.Problem:
    return d.Problem(
        name="p",
        parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.5, high=1.5)),),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("u", "v")),
        meaning=d.Predictions(matches=(match or d.Match(output="u", column="u", left_out=(6,)), *more), noise=noise),
        data=DATA,
    )


def dense_ar1() -> float:
    gaps = np.array([0.0, 1.0, 3.0, 4.0])
    return float(stats.multivariate_normal(np.zeros(4), 0.25 * 0.6 ** np.abs(gaps[:, None] - gaps)).logpdf(RESIDUALS))


NOISES: dict[str, tuple[d.NoiseModel, Callable[[], float]]] = {
    "one size": (d.GaussianKnown(sd=0.3), lambda: float(stats.norm.logpdf(RESIDUALS, 0.0, 0.3).sum())),
    "a column of errors": (
        d.GaussianKnown(sd_column="sd"), lambda: float(stats.norm.logpdf(RESIDUALS, 0.0, np.array(SD)[USED]).sum()),
    ),
    "AR(1)": (d.Ar1Noise(sd=0.5, rho=0.6), dense_ar1),
    "a covariance of all rows": (
        d.CovarianceNoise(matrix=MATRIX),
        lambda: float(stats.multivariate_normal(np.zeros(4), np.array(MATRIX)[np.ix_(USED, USED)]).logpdf(RESIDUALS)),
    ),
    "a covariance of the rows used": (
        d.CovarianceNoise(matrix=tuple(row[:4] for row in MATRIX[:4])),
        lambda: float(stats.multivariate_normal(np.zeros(4), np.array(MATRIX)[:4, :4]).logpdf(RESIDUALS)),
    ),
}  # fmt: skip
GIVEN = {
    "every row": F,
    "every measured row": F[[0, 1, 3, 4, 5]],
    "every measured row left in": F[USED],
}


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("noise", NOISES)
def test_rows_left_out_need_no_value_and_the_likelihood_is_the_dense_one(noise: str, given: str) -> None:
    whole, outputs = problem(NOISES[noise][0]), {"u": GIVEN[given]}
    dense = NOISES[noise][1]()
    assert log_likelihood(whole, outputs, {})[0] == pytest.approx(dense, abs=1e-12)
    np.testing.assert_allclose(given_cells(whole, outputs), F[USED])
    assert not [f for f in check(whole) if f.level == "error"]
    found = PredictedCells.of(whole, ParameterSpace(whole.parameters))
    assert found is not None
    cells = torch.as_tensor(found.cells(outputs))[None]
    assert float(found.likelihood.log_density(cells, torch.zeros(1, 0, dtype=cells.dtype))[0]) == pytest.approx(dense)


def test_a_program_may_give_a_value_for_each_row_left_in_those_that_were_not_measured_included() -> None:
    """Without the sixth row and the first, the third among them: four, of which three were measured."""
    whole = problem(d.GaussianKnown(sd=0.3), d.Match(output="u", column="u", left_out=(6, 1)))
    value, _ = log_likelihood(whole, {"u": F[[1, 2, 3, 4]][:3].tolist()}, {})  # three: the measured ones
    used = np.array([2.0, 4.0, 5.0]) - F[[1, 2, 3]]
    assert value == pytest.approx(stats.norm.logpdf(used, 0.0, 0.3).sum())
    value, _ = log_likelihood(whole, {"u": F[[1, 2, 3, 4]]}, {})
    assert value == pytest.approx(stats.norm.logpdf(np.array([2.0, 4.0, 5.0]) - F[[1, 3, 4]], 0.0, 0.3).sum())
    sd = predictions(whole, {"u": F[[1, 2, 3, 4]]})[0]
    np.testing.assert_array_equal(np.isnan(sd.prediction), [True, False, False, False, False, True])


def test_each_comparison_pairs_its_own_rows_left_in_with_errors_of_its_own() -> None:
    more = d.Match(output="v", column="v", left_out=(1, 2), noise=d.GaussianKnown(sd=2.0))
    whole = problem(d.GaussianKnown(sd_column="sd"), None, more)
    value, _ = log_likelihood(whole, {"u": F[USED], "v": [3.5, 4.5, 5.0, 6.0]}, {})
    own = stats.norm.logpdf([3.0, 4.0, 5.0, 6.0], [3.5, 4.5, 5.0, 6.0], 2.0).sum()
    assert value == pytest.approx(NOISES["a column of errors"][1]() + own)


def test_another_number_of_values_is_refused_and_both_that_fit_are_said() -> None:
    whole = problem(d.GaussianKnown(sd=0.3))
    with pytest.raises(LikelihoodError, match=r"6 rows, 5 of them measured, 4 of them left in: one value is needed for each"):
        log_likelihood(whole, {"u": F[:3]}, {})
    assert np.isnan(given_cells(whole, {"u": F[:3]})).all()


def test_a_declared_length_of_the_rows_left_in_is_no_fault() -> None:
    whole = problem(d.GaussianKnown(sd=0.3))
    long = tuple(msgspec.structs.replace(o, length=4) for o in whole.outputs)
    assert not [f for f in check(msgspec.structs.replace(whole, outputs=long)) if "has 4 values" in f.message]
    short = tuple(msgspec.structs.replace(o, length=3) for o in whole.outputs)
    assert [f for f in check(msgspec.structs.replace(whole, outputs=short)) if "has 3 values" in f.message]


def test_which_of_the_two_it_is_is_told() -> None:
    there = [v is not None and not math.isnan(v) for v in Y]
    assert left_out_told(4, there, (6,)) == (
        "The program gave 4 values: one for each row that is left in (4), none for those left out."
    )
    assert left_out_told(5, there, (6,)) == (
        "The program gave 5 values: one for each of 5 rows, those left out included; its value is passed over."
    )
    assert left_out_told(3, there, (6,)) == left_out_told(5, there, ()) == ""


def test_no_row_is_paired_where_the_column_is_missing() -> None:
    with pytest.raises(ComparisonError, match="no column"):
        given_cells(problem(d.GaussianKnown(sd=0.3), d.Match(output="u", column="w", left_out=(1,))), {"u": F})
