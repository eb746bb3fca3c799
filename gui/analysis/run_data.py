"""What the window knows of a run: evaluations, the trace of past answers, the newest answer. No Qt.

Arrays grow in place (doubling), so plots read views instead of rebuilding lists. Only the newest answer is kept whole; of the
older ones only the light trace: an older answer is read again from the session file when the scrubber asks for it, which
keeps the window's memory flat over a long run.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine import protocol
from bayescope.engine.answer.failures.far_off import FarOff, slices_without
from bayescope.engine.answer.failures.set_aside import Remade, SetAside, left_of, to_come
from bayescope.engine.session.records import EvaluationRecord, IterationRecord
from bayescope.gui.style.words import duration

if TYPE_CHECKING:
    from bayescope.engine.answer.checks import Check

WAITED_LONG_S = 1.0  # less in a queue is not worth a word
Array = NDArray[np.float64]
Outcome = Literal["ok", "failed", "impossible"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One simulator run as the window shows it. ``log_density``: log-likelihood + log prior in the user's units."""

    index: int
    values: dict[str, float]
    outcome: Outcome
    log_density: float | None
    log_likelihood: float | None
    noise_sd: float
    duration_s: float
    started_at: float
    reason: str = ""
    run_folder: str = ""

    @classmethod
    def of_message(cls, m: protocol.EvaluationDone) -> Evaluation:
        return cls(
            m.index,
            dict(m.values),
            m.outcome,
            m.log_joint,
            m.log_likelihood,
            m.noise_sd,
            m.duration_s,
            m.started_at,
            m.reason,
            m.run_folder,
        )

    @classmethod
    def of_record(cls, r: EvaluationRecord) -> Evaluation:
        joint = None if r.log_likelihood is None else r.log_likelihood + r.log_prior
        return cls(
            r.index, dict(r.values), r.outcome, joint, r.log_likelihood, r.noise_sd, r.duration_s, r.started_at, r.reason,
            r.run_folder,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ran:
    """Where a run on another computer was: as which job, on which node. ``again``: the job that ran it a second time, which is
    not counted and shows whether the program is random."""

    job: str = ""
    node: str = ""
    again: str = ""
    waited_s: float = 0.0  # in the queue; 0: not known
    earlier: str = ""  # what became of earlier jobs for the same run

    @property
    def words(self) -> str:
        """A sentence; "" where nothing is known."""
        on = f" on {self.node}" if self.node else ""
        waited = f" after {duration(self.waited_s)} in the queue" if self.waited_s >= WAITED_LONG_S else ""
        first = f"Job {self.job}{on}{waited}" if self.job else f"It ran{on}{waited}" if on else ""
        twice = f"job {self.again} ran it a second time, not counted, to see whether the program is random" if self.again else ""
        said = "; ".join(part for part in (first, twice, self.earlier) if part)
        return f"{said[0].upper()}{said[1:]}." if said else ""


@dataclass(frozen=True, slots=True)
class TracePoint:
    """The light part of one answer, kept for all of them."""

    iteration: int
    n_evaluations: int
    elbo: float
    elbo_sd: float
    log_evidence: float
    log_evidence_sd: float
    warm_up: bool
    converged: bool
    elapsed_s: float
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """One whole answer: mixture (and draws) in inference space, slices, diagnostics. Fields as ``IterationRecord``."""

    trace: TracePoint
    weights: Array  # (K,)
    means: Array  # (K, D)
    covariances: Array  # (K, D, D)
    draws: Array | None = None  # (n, D)
    draw_weights: Array | None = None  # (n,)
    preferred: Literal["mixture", "draws"] = "mixture"
    agreement: float | None = None
    diagnostics: dict[str, float] = field(default_factory=dict)
    slices: dict[str, Array] = field(default_factory=dict)
    activity: str = ""

    @property
    def iteration(self) -> int:
        return self.trace.iteration

    @property
    def doubted(self) -> tuple[int, ...]:
        """Indices of the runs whose values it doubts."""
        return tuple(int(i) for i in self.slices.get("doubted", ()))

    @property
    def far_off(self) -> FarOff:
        """Runs whose values are, or were, taken for lies."""
        return FarOff.of(self.slices)

    @classmethod
    def of_message(cls, m: protocol.SnapshotReady) -> Answer:
        """Raises ValueError if its arrays do not make a mixture: shapes and bytes disagree, or a number is not finite."""
        found = cls(
            _trace(m),
            m.weights.array(),
            m.means.array(),
            m.covariances.array(),
            None if m.draws is None else m.draws.array(),
            None if m.draw_weights is None else m.draw_weights.array(),
            m.preferred,
            m.agreement,
            dict(m.diagnostics),
            {name: blob.array() for name, blob in m.slices.items()},
            m.activity,
        )
        k, d = found.means.shape if found.means.ndim == 2 else (0, 0)
        if k == 0 or found.weights.shape != (k,) or found.covariances.shape != (k, d, d):
            raise ValueError("its parts do not fit together")
        if not all(np.isfinite(a).all() for a in (found.weights, found.means, found.covariances)):
            raise ValueError("it holds numbers that are not finite")
        return found

    @classmethod
    def of_record(cls, r: IterationRecord) -> Answer:
        return cls(
            _trace(r), r.weights, r.means, r.covariances, r.draws, r.draw_weights, r.preferred, r.agreement,
            dict(r.diagnostics), dict(r.slices), r.activity,
        )  # fmt: skip


def _trace(m: protocol.SnapshotReady | IterationRecord) -> TracePoint:
    return TracePoint(
        m.iteration, m.n_evaluations, m.elbo, m.elbo_sd, m.log_evidence, m.log_evidence_sd, m.warm_up, m.converged,
        m.elapsed_s, tuple(m.reasons),
    )  # fmt: skip


class GrowingArray:
    """Rows appended in place; ``view`` is the filled part, (n,) or (n, width), read-only."""

    def __init__(self, width: int | None = None) -> None:
        self._shape: tuple[int, ...] = () if width is None else (width,)
        self._data: Array = np.empty((64, *self._shape))
        self._n = 0

    def append(self, row: float | Sequence[float]) -> None:
        if self._n == len(self._data):
            bigger = np.empty((2 * self._n, *self._shape))
            bigger[: self._n] = self._data
            self._data = bigger
        self._data[self._n] = row
        self._n += 1

    @classmethod
    def of(cls, rows: Array) -> GrowingArray:
        """Filled with ``rows`` (n,) or (n, width), which are shared, not copied."""
        made = cls(None if rows.ndim == 1 else rows.shape[1])
        made._data, made._n = rows, len(rows)
        return made

    def view(self) -> Array:
        out = self._data[: self._n]
        out.flags.writeable = False
        return out

    def __len__(self) -> int:
        return self._n


class RunData:
    """Evaluations in order of arrival, the trace, the newest answer, the newest progress.

    ``names``: the free parameters, the columns of ``theta``. ``version`` counts changes, so a timer can ask "anything new?".
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self.evaluations: list[Evaluation] = []
        self.theta = GrowingArray(len(self.names))  # (n, D) user's units
        self.log_density = GrowingArray()  # (n,), NaN where the run failed
        self.trace: list[TracePoint] = []
        self.answer: Answer | None = None
        self.looked_at = False  # an answer has been, with all its checks
        self.checked: tuple[Answer, tuple[Check, ...]] | None = None  # an answer with its checks that are not passed
        self.progress: protocol.Progress | None = None
        self.under_way: dict[int, dict[str, float]] = {}  # index -> values of runs that started and have not ended
        # of runs on another computer: how far they are, by index and whether it is the second run there
        self.placed: dict[tuple[int, bool], protocol.RunPlaced] = {}
        self.elsewhere = False  # the run that goes on now is on another computer
        self.silent_since = self.silent_tried = 0.0  # unix time
        self.trying = False  # a person wants it tried now
        self.silent = ""  # why that one does not answer now, a sentence or two; "": it does
        self.ran: dict[int, Ran] = {}  # of those that have ended there
        self.earlier: dict[int, str] = {}  # of runs there: what became of jobs that did not end well
        self.set_aside: tuple[SetAside, ...] = ()  # earlier attempts of runs that were made again, or will be
        self.outcome: protocol.RunEnded | None = None
        self.elapsed_s = 0.0  # of running until the file was opened
        self.version = 0
        self._known: set[int] = set()

    def add_evaluation(self, evaluation: Evaluation) -> bool:
        """Take one; False if its index is already here (a resumed engine may announce it again)."""
        self.under_way.pop(evaluation.index, None)
        self._note_where(evaluation.index)
        if evaluation.index in self._known:
            return False
        self._known.add(evaluation.index)
        self.evaluations.append(evaluation)
        self.theta.append([evaluation.values.get(name, np.nan) for name in self.names])
        self.log_density.append(np.nan if evaluation.log_density is None else evaluation.log_density)
        self.version += 1
        return True

    def place(self, found: protocol.RunPlaced) -> None:
        """How far a run on another computer is."""
        self.elsewhere = True
        if found.again and found.stage == "ended" and found.index in self._known:  # nothing waits for it any more
            self.placed.pop((found.index, True), None)
            self.ran[found.index] = dataclasses.replace(self.ran.get(found.index, Ran()), again=found.job)
            return
        self.placed[found.index, found.again] = found

    def hear(self, report: protocol.Report) -> None:
        """Whether the place answers, and when it was tried."""
        if report.action in ("reach", "reached"):
            self.trying, self.silent_tried = False, time.time()
        if report.action == "reach" and not self.silent:
            self.silent_since = time.time()
        self.silent = {"reach": report.what, "reached": ""}.get(report.action, self.silent)

    def _note_where(self, index: int) -> None:
        """A run has ended: where it was is kept."""
        once, twice = self.placed.pop((index, False), None), self.placed.pop((index, True), None)
        if once is not None:
            waited = max(once.started_at - once.queued_at, 0.0) if once.started_at and once.queued_at else 0.0
            again = "" if twice is None else twice.job
            self.ran[index] = Ran(once.job, once.node, again, waited, self.earlier.get(index, ""))

    def begin(self) -> None:
        """A run starts or goes on."""
        self.outcome = None
        self.nothing_under_way()

    def nothing_under_way(self) -> None:
        self.under_way.clear()
        self.placed.clear()
        self.elsewhere, self.silent, self.trying = False, "", False
        if self.progress is not None:
            self.progress = msgspec.structs.replace(self.progress, held=0)

    def add_answer(self, answer: Answer) -> None:
        """Take the newest answer; answers of iterations at or after it (a resumed run) are replaced in the trace."""
        while self.trace and self.trace[-1].iteration >= answer.iteration:
            self.trace.pop()
        self.trace.append(answer.trace)
        if np.isfinite(answer.trace.log_evidence):  # else no run gave a usable value yet: there is no posterior to show
            self.answer = answer
        self.version += 1

    def load(self, evaluations: Iterable[EvaluationRecord], iterations: Iterable[IterationRecord]) -> None:
        """Fill from the session file (rows already here are kept once)."""
        for record in evaluations:
            self.add_evaluation(Evaluation.of_record(record))
        last: IterationRecord | None = None
        points = {p.iteration: p for p in self.trace}
        for iteration in iterations:
            points[iteration.iteration] = _trace(iteration)
            last = iteration
        self.trace = [points[k] for k in sorted(points)]
        usable = last is not None and len(last.weights) > 0 and np.isfinite(last.log_evidence)
        if last is not None and usable and (self.answer is None or last.iteration >= self.answer.iteration):
            self.answer = Answer.of_record(last)
        self.version += 1

    def first(self, n: int) -> RunData:
        """The run as it was after its first ``n`` evaluations, to look back at; the trace stays whole. Nothing is added to it."""
        made = RunData(self.names)
        made.evaluations = self.evaluations[:n]
        made.theta, made.log_density = (
            GrowingArray.of(self.theta.view()[:n]),
            GrowingArray.of(self.log_density.view()[:n]),
        )
        made.trace, made.answer, made.ran, made.set_aside = self.trace, self.answer, self.ran, self.set_aside
        return made

    def without(self, indices: Collection[int]) -> RunData:
        """The run without some evaluations, which are to be made again; the answers stay."""
        made = RunData(self.names)
        for evaluation in self.evaluations:
            if evaluation.index not in indices:
                made.add_evaluation(evaluation)
        gone = [k for k, e in enumerate(self.evaluations) if e.index in indices]
        made.trace = [dataclasses.replace(t, n_evaluations=left_of(t.n_evaluations, gone)) for t in self.trace]
        if made.trace and gone:
            made.trace[-1] = dataclasses.replace(made.trace[-1], converged=False, reasons=(to_come(len(gone)),))
        if self.answer is not None:
            newest = next((t for t in made.trace if t.iteration == self.answer.iteration), self.answer.trace)
            slices = slices_without(self.answer.slices, indices)
            made.answer = dataclasses.replace(self.answer, trace=newest, slices=slices)
        made.set_aside = (*self.set_aside, *(self._attempt(self.evaluations[k]) for k in gone))
        made.elapsed_s = self.elapsed_s
        made.ran = {index: ran for index, ran in self.ran.items() if index not in indices}
        return made

    def _attempt(self, e: Evaluation) -> SetAside:
        """One that is made again; the file knows where its folder is."""
        reason = e.reason or self.far_off.words_of(e.index)
        return SetAside(
            index=e.index, outcome=e.outcome, reason=reason, duration_s=e.duration_s, started_at=e.started_at, at=time.time()
        )

    @property
    def remade(self) -> Remade:
        """Runs that were made again, or wait for it."""
        return Remade.of(self.set_aside, self._known)

    @property
    def far_off(self) -> FarOff:
        """As the newest answer knows it."""
        return FarOff.of({}) if self.answer is None else self.answer.far_off

    @property
    def n_failed(self) -> int:
        return sum(e.outcome == "failed" for e in self.evaluations)

    @property
    def durations(self) -> list[float]:
        """Seconds of the good runs."""
        return [e.duration_s for e in self.evaluations if e.outcome == "ok"]
