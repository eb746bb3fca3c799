"""Summaries of the rows whose keys were measured: a program that prints every day, counts on some days."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.likelihood.summaries import compared
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check

ONE = d.Summary(output="cases", column="counted", key_output="day", key_column="on day")
PROBLEM = d.Problem(
    name="mites",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("sh", "@k@", "@seed@")),
    outputs=tuple(d.Output(name=n, source="stdout", extractor=d.CsvColumn(column=n)) for n in ("day", "cases")),
    data=d.DataTable(columns={"on day": (7.0, 2.0, 4.0), "counted": (70.0, 20.0, None)}),
    meaning=d.SyntheticLikelihood(summaries=(ONE,)),
)
DAYS = np.arange(1.0, 11.0)
RUNS = {"day": np.stack([DAYS, DAYS[::-1]]), "cases": np.stack([10 * DAYS, 10 * DAYS[::-1] + 1])}


def with_summary(**changed: object) -> d.SyntheticLikelihood:
    return d.SyntheticLikelihood(summaries=(msgspec.structs.replace(ONE, **changed),))


def test_the_rows_whose_keys_were_measured_are_taken_in_every_run() -> None:
    assert isinstance(PROBLEM.meaning, d.SyntheticLikelihood)
    found = compared(PROBLEM, PROBLEM.meaning, RUNS)
    np.testing.assert_array_equal(found.simulated, [[70.0, 20.0], [71.0, 21.0]])
    np.testing.assert_array_equal(found.measured, [70.0, 20.0])


def test_other_summaries_are_of_those_rows_too() -> None:
    found = compared(PROBLEM, with_summary(statistic="mean"), RUNS)
    np.testing.assert_array_equal(found.simulated, [[45.0], [46.0]])


def test_errors_are_drawn_for_the_measured_rows_alone() -> None:
    meaning = msgspec.structs.replace(with_summary(error_sd=2.0), estimator="unbiased")
    found = compared(PROBLEM, meaning, RUNS)
    assert found.simulated.shape == (2, 2)
    assert np.all(found.simulated != [[70.0, 20.0], [71.0, 21.0]])


def test_a_key_that_a_run_lacks_is_said() -> None:
    short = {name: values[:, 3:] for name, values in RUNS.items()}
    with pytest.raises(LikelihoodError, match="no row where “day” is 2"):
        compared(PROBLEM, with_summary(), short)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"key_column": None}, "needs an output and a data column"),
        ({"key_output": "gone"}, "no output called “gone”"),
        ({"key_column": "gone"}, "no column “gone”"),
    ],
)
def test_half_a_key_or_one_that_is_gone_is_a_finding(changed: dict[str, str | None], words: str) -> None:
    broken = msgspec.structs.replace(PROBLEM, meaning=with_summary(**changed))
    assert any(words in f.message for f in check(broken) if f.level == "error")
    assert not any("summaries" in f.where for f in check(PROBLEM) if f.level == "error")
