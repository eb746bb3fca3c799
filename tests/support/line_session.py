"""The session of a straight line with two runs and an answer, whose names are hostile to rich text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.engine.session.store import SessionStore

PROBLEM = d.Problem(
    name="<b>Line</b>",
    parameters=(
        d.Parameter(name="a", label="Slope", unit="m/s", prior=d.Normal(mean=0.0, sd=10.0)),
        d.Parameter(name="b", label="<i>Offset</i>", prior=d.Normal(mean=0.0, sd=10.0)),
        d.Parameter(name="c", prior=d.Uniform(low=0.0, high=1.0), fixed=0.25),
    ),
    simulator=d.Simulator(command=("bayescope:contamination", "@a@", "@b@", "@c@")),
    outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
    meaning=d.LogLikelihoodOutput(output="y"),
)  # fmt: skip
COVARIANCE = np.array([[0.04, 0.018], [0.018, 0.01]])


def iteration(log_evidence: float = -3.5, converged: bool = True) -> IterationRecord:
    return IterationRecord(
        iteration=7, n_evaluations=2, elbo=-3.6, elbo_sd=0.02, log_evidence=log_evidence, log_evidence_sd=0.05,
        converged=converged,
        warm_up=False, reasons=("fresh runs agree with the surrogate",), weights=np.ones(1), means=np.array([[1.5, -2.0]]),
        covariances=COVARIANCE[None],
    )  # fmt: skip


def saved(path: Path, problem: d.Problem = PROBLEM, record: IterationRecord | None = None) -> Path:
    """A session file with two runs and an answer."""
    with SessionStore.create(path, problem, own=True) as store:
        for k in range(2):
            values = {"a": 1.0 + k, "b": -2.0, "c": 0.25}
            store.add_evaluation(
                EvaluationRecord(
                    index=k, order=k, u=np.array([1.0 + k, -2.0]), values=values, outcome="ok", log_likelihood=-1.0,
                    log_prior=-2.0, log_target=-3.0, duration_s=0.1, started_at=1.8e9,
                )
            )  # fmt: skip
        store.add_iteration(record or iteration())
    return path
