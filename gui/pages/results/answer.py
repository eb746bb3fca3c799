"""What the Results page shows of one answer, computed off the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bayescope.engine.answer.best_fit import BestFit
from bayescope.engine.answer.ended import ends_with
from bayescope.engine.answer.intervals import Kind
from bayescope.engine.answer.other_methods import OtherMethod
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.predictions.learnt_runs import LearntRuns, RunsMade
from bayescope.engine.answer.predictions.predictive import Predicted, agreement, emulated, run_weights, with_fit
from bayescope.engine.answer.predictions.unmeasured import has_single_values, single_values, unmeasured
from bayescope.engine.answer.sensitivity import Sensitivity
from bayescope.engine.answer.taught import Taught, taught
from bayescope.engine.answer.unseen import Claim
from bayescope.engine.answer.with_and_without import Evidence, beside_first, spreads
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.gui.analysis.run_data import Answer, RunData
from bayescope.gui.analysis.stored_runs import StoredRuns
from bayescope.gui.models.results.comparison import Compared, this_one
from bayescope.gui.models.results.summary import SummaryRow, summary_rows
from bayescope.gui.pages.results.modes import ModesShown, modes_shown
from bayescope.gui.plots.curves import PosteriorCurves, compute


@dataclass(frozen=True, eq=False)
class Computed:
    answer: Answer
    names: tuple[str, ...]
    rows: tuple[SummaryRow, ...]
    correlation: Any  # (D, D)
    curves: PosteriorCurves
    current: Compared
    kind: Kind
    agreement: tuple[str, ...]  # of the data with what is predicted for them
    claim: Claim | None
    modes: ModesShown | None  # None: there is one
    best: BestFit | None
    taught: Taught | None
    others: tuple[OtherMethod, ...]
    problem: Problem
    predicted: tuple[Predicted, ...]
    evidence: str  # with and without a program that may be off
    sensitivity: Sensitivity | None
    single_values: tuple[str, ...]  # of outputs that are compared with nothing, a line each


@dataclass(frozen=True, eq=False)
class Asked:
    """What an answer is computed from. ``first``: the analysis whose runs it is from; None: its own."""

    answer: Answer
    problem: Problem
    space: ParameterSpace
    data: RunData
    stored: StoredRuns
    title: str
    path: Path | None
    first: Path | None
    kind: Kind


def _single_values(asked: Asked, posterior: StoredPosterior, cells: int) -> tuple[str, ...]:
    """``cells``: measured values whose predictions are learnt, 0: none are."""
    answer, problem, rows = asked.answer, asked.problem, list(asked.data.evaluations)
    if not has_single_values(problem):
        return ()
    outputs = {i: found for i, found in asked.stored.outputs().items() if found}
    theta = asked.data.theta.view().copy()
    good = np.array([e.outcome == "ok" and e.index in outputs for e in rows], dtype=bool)
    runs = RunsMade(theta, [e.index for e in rows], outputs, run_weights(posterior, theta, good))
    learnt = LearntRuns.of(problem, cells, runs, posterior, answer.slices) if cells else None
    return single_values(unmeasured(problem, runs, learnt))


def computing(asked: Asked) -> Callable[[], Computed]:
    """To be called in the reader's thread."""

    def fetch() -> Computed:
        from bayescope.gui.analysis.posteriors import claim_of_run, modes_of_run, posterior_of

        answer, problem = asked.answer, asked.problem
        posterior, point = posterior_of(asked.space, answer), answer.trace
        current = Compared(
            this_one(asked.title), asked.path, problem, posterior,
            point.log_evidence, point.log_evidence_sd, point.n_evaluations, point.converged, method=problem.settings.method,
        )  # fmt: skip
        modes, found = modes_of_run(posterior, asked.data, answer), emulated(problem, answer.slices)
        best = asked.stored.best_fit()
        found = with_fit(found, None if best is None else best.fit)
        evidence = Evidence(point.log_evidence, point.log_evidence_sd, point.converged, spreads(posterior, problem))
        return Computed(
            answer,
            tuple(posterior.names),
            summary_rows(posterior, problem.parameters, asked.kind, best),
            posterior.correlation(),
            compute(posterior, answer.iteration, False, kind=asked.kind, arrays=answer.slices, sketch=point.warm_up),
            current,
            asked.kind,
            agreement(found),
            claim_of_run(asked.space, asked.data, answer),
            modes_shown(modes, problem.parameters, asked.kind),
            best,
            taught(posterior, modes, settled=ends_with(point.converged, answer.diagnostics)),
            asked.stored.other_methods(),
            problem,
            tuple(found),
            beside_first(problem, evidence, asked.first),
            asked.stored.sensitivity(),
            _single_values(asked, posterior, sum(len(p.x) for p in found)),
        )

    return fetch
