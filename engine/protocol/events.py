"""Engine to window: what has happened, and the answers to commands."""

from __future__ import annotations

from typing import Literal

from .commands import BaselineMethod
from .reports import Correct, NoiseReport
from .wire import Blob, Message

HEARTBEAT_SECONDS = 1.0


class Hello(Message, tag="hello", frozen=True):
    pid: int
    version: str


class Heartbeat(Message, tag="heartbeat", frozen=True):
    """Sent every HEARTBEAT_SECONDS by a thread of its own; ``activity`` in words."""

    activity: str
    busy_seconds: float


RunState = Literal["starting", "running", "pausing", "paused", "stopping", "finished", "stopped", "failed"]


class StateChanged(Message, tag="state_changed", frozen=True):
    state: RunState
    words: str = ""


class EvaluationStarted(Message, tag="evaluation_started", frozen=True):
    index: int
    values: dict[str, float]


class EvaluationDone(Message, tag="evaluation_done", frozen=True):
    """Sent after the evaluation is committed to the session file."""

    index: int
    values: dict[str, float]  # user's units
    outcome: Literal["ok", "failed", "impossible"]
    log_joint: float | None  # log-likelihood + log prior in the user's units (no Jacobian)
    log_likelihood: float | None
    noise_sd: float
    duration_s: float
    reason: str = ""
    started_at: float = 0.0  # unix time
    run_folder: str = ""  # in the session's folder of runs; empty if it is not kept


Stage = Literal["sending", "queued", "running", "fetching", "ended", "lost"]


class RunPlaced(Message, tag="run_placed", frozen=True):
    """How far a run on another computer is. Times in unix time, 0: not yet; ``words``: why it waits, or how it was lost.

    ``again``: the second run of that evaluation, which shows whether the program is random.
    """

    index: int
    stage: Stage
    again: bool = False
    job: str = ""
    node: str = ""
    words: str = ""
    queued_at: float = 0.0
    started_at: float = 0.0


class SnapshotReady(Message, tag="snapshot_ready", frozen=True):
    """The newest answer; the same content as a row of the session's ``iterations`` table. Coalesced: the newest wins."""

    iteration: int
    n_evaluations: int
    elbo: float
    elbo_sd: float
    log_evidence: float
    log_evidence_sd: float
    converged: bool
    warm_up: bool
    reasons: tuple[str, ...]
    weights: Blob  # (K,)
    means: Blob  # (K, D) inference space
    covariances: Blob  # (K, D, D)
    draws: Blob | None = None  # (n, D)
    draw_weights: Blob | None = None  # (n,)
    preferred: Literal["mixture", "draws"] = "mixture"
    agreement: float | None = None
    diagnostics: dict[str, float] = {}
    slices: dict[str, Blob] = {}  # "center" (D,), "u", "mean", "sd" each (D, G), and arrays of session.emulated; may be empty
    activity: str = ""
    elapsed_s: float = 0.0


class Progress(Message, tag="progress", frozen=True):
    evaluations: int
    failed: int
    budget: int
    running: int
    elapsed_s: float
    remaining_s: tuple[float, float] | None  # a range, from the last arrival on
    activity: str
    held: int = 0  # runs that have returned and count when a second run has shown that the program is not random
    workers: int = 0  # runs at a time that are allowed
    computed_s: dict[str, float] = {}  # device -> seconds of this run's own computing; "": the processor
    within: dict[int, int] = {}  # of points that take several runs of the program: index -> how many have ended
    since_s: float = 0.0  # seconds in which a run could have come back since the last one did


class RunEnded(Message, tag="run_ended", frozen=True):
    """``correct``: what a person has to correct before it can go on."""

    outcome: Literal["converged", "budget", "stopped", "failed", "time"]
    words: str
    correct: Correct = ""


Level = Literal["info", "warning", "error"]
Action = Literal["", "recover", "reach", "reached"]


class Report(Message, tag="report", frozen=True):
    """Something a person should know: what happened, where, what to try."""

    level: Level
    what: str
    where: str = ""
    suggestion: str = ""
    details: str = ""
    # what its button does; "recover": the session ``where``; "reach": the place ``where`` is tried again now, which "reached"
    # says that it answers
    action: Action = ""


class TrialStage(Message, tag="trial_stage", frozen=True):
    """What becomes of a test run, or a run made again, at another computer, in words."""

    words: str


class NoiseCheckProgress(Message, tag="noise_check_progress", frozen=True):
    """So many of the runs of a noise check have ended."""

    done: int
    total: int


class NoiseCheckResult(Message, tag="noise_check_result", frozen=True):
    report: NoiseReport


class TrialRunResult(Message, tag="trial_run_result", frozen=True):
    """Everything of one evaluation (JSON of TrialRunReport)."""

    report_json: bytes


class ArchiveChecked(Message, tag="archive_checked", frozen=True):
    """``agrees`` None: the check could not be made. ``words``: what was found, what to try."""

    agrees: bool | None
    words: str


class ReplayProgress(Message, tag="replay_progress", frozen=True):
    """So many of the runs that are made again have ended."""

    session: str
    done: int
    total: int


class ReplayDone(Message, tag="replay_done", frozen=True):
    """``record_json``: of a ``session.replayed.Replay``, kept in the session; empty if nothing was compared. ``words``: why not,
    or why it is not kept."""

    session: str
    record_json: bytes = b""
    words: str = ""


WAITS = "waits"


class PlaceStep(Message, tag="place_step", frozen=True):
    """What came of one step of trying a place; ``seconds`` it took. The step ``WAITS``: what the present one waits for."""

    step: str
    good: bool
    words: str
    seconds: float = 0.0


class PlaceTested(Message, tag="place_tested", frozen=True):
    """The end of ``TestPlace``."""

    good: bool


class BaselineReady(Message, tag="baseline_ready", frozen=True):
    """What ``Compare`` asked for. Arrays as in ``SnapshotReady``; ``trusted``: the method's own checks are passed."""

    session: str
    method: BaselineMethod
    name: str
    n_evaluations: int  # of the analysis, used here; none is new
    log_evidence: float
    log_evidence_sd: float
    trusted: bool
    reasons: tuple[str, ...]
    weights: Blob
    means: Blob
    covariances: Blob
    draws: Blob | None = None
    draw_weights: Blob | None = None
    seconds: float = 0.0
    record_json: bytes = b""  # of a ``session.other_methods.OtherMethod``


class BaselineFailed(Message, tag="baseline_failed", frozen=True):
    """``words`` empty: it was cancelled."""

    session: str
    method: BaselineMethod
    words: str
    suggestion: str = ""


class StudyDone(Message, tag="study_done", frozen=True):
    """``record_json``: a ``session.sensitivity.Sensitivity``, kept in the session; empty: there is none. ``words``: why not, or
    why it is not kept; both empty: it was cancelled."""

    session: str
    record_json: bytes = b""
    words: str = ""


class JobsSettled(Message, tag="jobs_settled", frozen=True):
    """``left``: jobs that still could not be cancelled; ``words``: why not, or what became of them, sentences."""

    session: str
    left: int
    words: str = ""


Event = (
    Hello
    | Heartbeat
    | StateChanged
    | EvaluationStarted
    | EvaluationDone
    | RunPlaced
    | SnapshotReady
    | Progress
    | RunEnded
    | Report
    | TrialRunResult
    | NoiseCheckProgress
    | TrialStage
    | NoiseCheckResult
    | ArchiveChecked
    | ReplayProgress
    | ReplayDone
    | PlaceStep
    | PlaceTested
    | BaselineReady
    | BaselineFailed
    | StudyDone
    | JobsSettled
)
