"""Rows left out: a run that lacks values is not taken for one of a program that gives none for these rows."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.run.rescored import rescored
from bayescope.engine.run.rows_given import RowsGiven
from bayescope.engine.session.records import EvaluationRecord

PROBLEM = d.Problem(
    name="p",
    parameters=(d.Parameter(name="k", prior=d.Uniform(low=0.0, high=1.0)),),
    simulator=d.Simulator(command=("x", "@k@")),
    outputs=(d.Output(name="u", source="stdout", extractor=d.LastNumber()),),
    meaning=d.Predictions(matches=(d.Match(output="u", column="u", left_out=(3,)),), noise=d.GaussianKnown(sd=0.5)),
    data=d.DataTable(columns={"u": (1.0, 2.0, 3.0)}),
)


def record(k: int, *values: float) -> EvaluationRecord:
    u = ParameterSpace(PROBLEM.parameters).to_inference(np.array([0.5]))
    return EvaluationRecord(
        index=k, order=k, u=u, values={"k": 0.5}, outcome="ok" if len(values) == 3 else "failed", log_likelihood=None,
        log_prior=0.0, log_target=None, noise_sd=0.0, duration_s=1.0, started_at=0.0, reason="", run_folder="",
        outputs={"u": np.array(values)},
    )  # fmt: skip


def test_a_run_that_lacks_a_value_is_not_shifted_where_others_gave_all() -> None:
    found = rescored(PROBLEM, [record(0, 1.0, 2.0), record(1, 1.0, 2.0, 3.0)]).records
    assert [r.outcome for r in found] == ["failed", "ok"]
    assert "which are missing, their order does not tell" in found[0].reason


def test_a_program_that_gives_none_for_rows_left_out_is_at_no_fault() -> None:
    found = rescored(PROBLEM, [record(0, 1.0, 2.0), record(1, 1.1, 2.2)]).records
    assert [r.outcome for r in found] == ["ok", "ok"]
    rows = RowsGiven(PROBLEM)
    rows.note({"u": [1.0, 2.0]})
    assert rows.fault({"u": [1.0, 2.0]}) == rows.fault({"u": [1.0, 2.0, 3.0]}) == ""
    rows.note({"u": [1.0, 2.0, 3.0]})
    assert "2 values, but other runs gave one for each row" in rows.fault({"u": [1.0, 2.0]})
    assert rows.fault({"u": [1.0, 2.0, 3.0]}) == rows.fault({}) == ""
