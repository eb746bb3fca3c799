"""One evaluation: a point in inference space, through the simulator and the likelihood, to a record."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..answer.failures.kinds import kind_of
from ..clusters.site import Site
from ..loop_interface import Recorded, Tell
from ..numerics.randomness import generator
from ..problem.definition import LogPosteriorOutput, Problem
from ..problem.errors import ProblemError
from ..problem.extract import texts_of
from ..problem.numbers.shown_digits import spoken
from ..problem.transforms import ParameterSpace
from ..session import folders
from ..session.imported import PURPOSE
from ..session.records import AskRecord, EvaluationRecord, Outcome
from ..session.trust.consent import Permit
from ..simulator import run_folder
from ..simulator.failure_rules import recorded_outcome
from ..simulator.limits import time_limit_of
from ..simulator.repeated import Plan, run_repeated
from ..simulator.run_result import Cancel, RunResult
from ..simulator.runner import run_once
from .rows_given import RowsGiven

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """What a run's likelihood makes of it; ``target``: log joint in inference space. Both None unless ``outcome`` is ok."""

    outcome: Outcome
    reason: str = ""
    log_likelihood: float | None = None
    target: float | None = None
    noise_sd: float = 0.0


def judged(problem: Problem, space: ParameterSpace, u: Array, value: float, noise: float, log_prior: float) -> Judged:
    """A run at u (D,) whose log-likelihood came out as ``value``, with standard error ``noise``."""
    has_prior = isinstance(problem.meaning, LogPosteriorOutput)
    density = "log-posterior" if has_prior else "log-likelihood"
    if value == -math.inf or log_prior == -math.inf:
        return Judged("impossible", f"The {density} is minus infinity there: impossible values.")
    if not (math.isfinite(value) and math.isfinite(noise) and noise >= 0.0):
        return Judged("failed", f"The {density} is not a number ({spoken(value)}, standard error {spoken(noise)}).")
    if has_prior:  # the program added the prior itself; only the change of coordinates is missing
        return Judged("ok", "", value - log_prior, value + float(space.log_jacobian(u)), noise)
    return Judged("ok", "", value, value + float(space.log_prior_in_inference(u)), noise)


@dataclass
class Evaluator:
    """Submits simulator runs and turns their results into records. ``runs``: where run folders are made.

    ``stored``: values by index of evaluations that are made again, to the last digit as they were given then.
    """

    problem: Problem
    permit: Permit
    space: ParameterSpace
    executor: Executor
    runs: Path
    base: Path
    cancel: Cancel
    stored: Mapping[int, dict[str, float]] = field(default_factory=dict)
    site: Site | None = None  # another computer that runs the simulator
    _good_durations: list[float] = field(default_factory=list)
    _seen_spread: bool = False  # some repeats differed: the program is random

    def __post_init__(self) -> None:
        self._plan = Plan.of(self.problem)
        self._rows = RowsGiven(self.problem)

    def submit(
        self, ask: AskRecord, again: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> Future[RunResult]:
        """``again``: a second run at the same values, in a folder and with a random seed of its own. ``progress``: of the runs
        of one point, where it takes several."""
        simulator = self.problem.simulator
        limit = time_limit_of(simulator.limits, self._good_durations)
        purpose, folder = ("simulator again", self.folder_again) if again else ("simulator", self.folder(ask.index))
        seed = int(generator(self.problem.settings.seed, purpose, ask.index).integers(2**31 - 1))
        arguments: dict[str, Any] = {"permit": self.permit, "folder": folder, "base": self.base, "seed": seed}
        arguments |= {"time_limit": limit, "cancel": self.cancel}
        if self.site is not None:
            arguments["attempt"] = self.site.attempt(ask.index)
        if self._plan is not None:
            arguments |= {"plan": self._plan, "progress": progress}
            return self.executor.submit(run_repeated, simulator, self.problem.outputs, self.values(ask), **arguments)
        return self.executor.submit(run_once, simulator, self.problem.outputs, self.values(ask), **arguments)

    def values(self, ask: AskRecord) -> dict[str, float]:
        return self.stored.get(ask.index) or self.space.values(ask.u)

    def folder(self, index: int) -> Path:
        return self.runs / f"{index:05d}"

    @property
    def folder_again(self) -> Path:
        return self.runs / "again"

    def note_duration(self, seconds: float) -> None:
        """Of a good evaluation: the measure for relative time limits, which are for each run of it."""
        self._good_durations.append(seconds / (self._plan.count if self._plan else 1))

    def note_noise(self, sd: float) -> None:
        """Of an earlier good evaluation: whether repeats have ever differed."""
        self._seen_spread = self._seen_spread or sd > 0.0

    def note_outputs(self, outputs: Mapping[str, ArrayLike]) -> None:
        """Of an earlier good evaluation: whether it had values for rows that are left out."""
        self._rows.note(outputs)

    def record(self, ask: AskRecord, result: RunResult, order: int) -> EvaluationRecord:
        """The outcome as it is stored. Never raises for what a simulator wrote."""
        theta = self.space.to_user(ask.u)
        log_prior = float(self.space.log_prior(theta))
        outcome: Outcome = recorded_outcome(self.problem.simulator.failures, result)
        reason = result.reason if outcome != "ok" else ""
        found = Judged(outcome, reason)
        if outcome == "ok":
            self.note_duration(result.duration_s)
            found = self._judge(ask, result, log_prior)
        kept = run_folder.keeps(self.problem.simulator, found.outcome == "ok") and self.folder(ask.index).is_dir()
        return EvaluationRecord(
            index=ask.index,
            order=order,
            u=np.asarray(ask.u, dtype=float),
            values=self.values(ask),
            outcome=found.outcome,
            log_likelihood=found.log_likelihood,
            log_prior=log_prior,
            log_target=found.target,
            noise_sd=found.noise_sd,
            duration_s=result.duration_s,
            started_at=result.started_at,
            reason=found.reason,
            run_folder=self.folder(ask.index).name if kept else "",
            outputs={name: np.asarray(v, dtype=float) for name, v in result.outputs.items()},
            purpose=ask.purpose,
        )

    def _judge(self, ask: AskRecord, result: RunResult, log_prior: float) -> Judged:
        """A run that ended well."""
        from ..likelihood.evaluate import LikelihoodError, log_likelihood
        from ..likelihood.summaries import same_in_all

        if lacking := self._rows.fault(result.outputs):
            return Judged("failed", lacking)
        try:
            value, noise = log_likelihood(self.problem, result.outputs, self.values(ask), texts_of(result.readings))
        except LikelihoodError as error:
            return Judged("impossible" if error.impossible else "failed", str(error))
        if self._plan is not None and self._plan.measured is None and noise == 0.0 and not self._seen_spread:
            return Judged("failed", same_in_all(result.attempts))
        self.note_noise(noise)
        self.note_outputs(result.outputs)
        return judged(self.problem, self.space, ask.u, value, noise, log_prior)

    def tidy(self, record: EvaluationRecord) -> None:
        """Remove the run folder of a committed evaluation unless it is kept."""
        if not record.run_folder:
            run_folder.discard(self.folder(record.index))
        if self.site is not None:
            self.site.clear(record.index)

    def tidy_again(self, index: int) -> None:
        """Nothing stays of a second run of the evaluation ``index``."""
        folders.remove(self.folder_again)
        if self.site is not None:
            self.site.clear(index, again=True)

    def forget(self, index: int) -> None:
        """A run that was stopped leaves nothing: it will be run again."""
        run_folder.discard(self.folder(index))


def tell_of(record: EvaluationRecord, cells: Recorded | None = None) -> Tell:
    """What the loop is told of a stored evaluation; with its predictions where the method learns them."""
    predicted = None if cells is None else told_cells(cells, record.outputs, record.outcome == "ok")
    gap = predicted is not None and record.purpose == PURPOSE  # of the program or of the table: nobody knows
    reason = "" if record.outcome != "failed" else "gap" if gap else kind_of(record.outcome, record.reason)
    return Tell(
        record.index, record.u, record.log_target, record.noise_sd, record.outcome == "impossible", predicted,
        seconds=record.duration_s, reason=reason,
    )  # fmt: skip


def told_cells(cells: Recorded, outputs: Mapping[str, ArrayLike], good: bool) -> Array | None:
    """Predictions (L,) of a run. One that is not ``good`` may lack some: NaN, and None unless it lacks some and has others."""
    try:
        if good:
            return cells.cells(outputs) if outputs else None
        given = np.isfinite(found := cells.given(outputs)) if outputs else np.zeros(0, dtype=bool)
    except ProblemError:  # of an earlier version of the problem
        return None
    return found if given.any() and not given.all() else None


def log_joint(record: EvaluationRecord) -> float | None:
    """Log-likelihood plus log prior in the user's units; None for a failed run."""
    if record.log_target is None:
        return None
    return None if record.log_likelihood is None else record.log_likelihood + record.log_prior
