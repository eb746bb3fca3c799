"""Every message between the window and the engine process; nothing else.

A frame is a 4-byte big-endian length, then a msgpack Envelope. Messages are a tagged union of msgspec Structs; unknown fields
are refused; the length is capped. Arrays travel as ``Blob``: raw little-endian float64 bytes with a shape (lists of
floats are a hundred times slower).
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROTOCOL_VERSION = 2
MAX_FRAME_BYTES = 64 * 1024 * 1024
HEARTBEAT_SECONDS = 1.0


class Blob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A float64 array on the wire."""

    shape: tuple[int, ...]
    data: bytes

    @classmethod
    def of(cls, array: NDArray[np.float64]) -> Blob:
        import numpy as np

        a = np.ascontiguousarray(array, dtype="<f8")
        return cls(tuple(a.shape), a.tobytes())

    def array(self) -> NDArray[np.float64]:
        """The array, read-only. Raises ValueError if shape and bytes disagree."""
        import numpy as np

        if any(s < 0 for s in self.shape) or math.prod(self.shape) * 8 != len(self.data):
            raise ValueError(f"array of shape {self.shape} cannot be made of {len(self.data)} bytes")
        return np.frombuffer(self.data, dtype="<f8").reshape(self.shape)


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """Base of all messages."""


# ------------------------------------------------------------------ window -> engine


class StartRun(Message, tag="start_run", frozen=True):
    """Open the session for writing and run, resuming if it holds evaluations. ``max_evaluations`` None: as in the session."""

    session: str
    max_evaluations: int | None = None
    workers: int | None = None


class PauseRun(Message, tag="pause_run", frozen=True):
    """Start no new simulator run; let those under way finish."""


class ContinueRun(Message, tag="continue_run", frozen=True):
    """Go on after a pause."""


class StopRun(Message, tag="stop_run", frozen=True):
    """End the run. ``kill`` True ends simulators under way too; else they finish and are recorded."""

    kill: bool = False


class ExtendRun(Message, tag="extend_run", frozen=True):
    max_evaluations: int


class SetWorkers(Message, tag="set_workers", frozen=True):
    """So many simulator runs at a time from now on; those under way finish. Kept in the session."""

    workers: int


class ProblemRuns(Message, frozen=True, kw_only=True):
    """Base of commands that start the simulator of a problem given as JSON; nothing is recorded.

    ``consent`` and ``signature``: a ``Signed`` (engine/session/trust/consent.py); nothing is started that it does not cover.
    """

    problem_json: bytes
    folder: str  # relative paths are from here
    consent: bytes = b""
    signature: str = ""


class TrialRun(ProblemRuns, tag="trial_run", frozen=True):
    """One evaluation at ``values`` (user's units, all parameters)."""

    values: dict[str, float]
    repeat: int = 1


class CancelTrialRun(Message, tag="cancel_trial_run", frozen=True):
    pass


class NoiseCheck(ProblemRuns, tag="noise_check", frozen=True):
    """``runs`` runs at ``values`` (user's units) to see how random the simulator is; ended by ``CancelTrialRun``."""

    values: dict[str, float]
    runs: int = 20


class ArchivedRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One imported evaluation: values of the free parameters in the user's units, log density, sd of its noise."""

    values: dict[str, float]
    value: float
    sd: float = 0.0


class CheckArchive(ProblemRuns, tag="check_archive", frozen=True):
    """Do simulator runs at ``rows`` (the best one first) give the archived values again? Ended by ``CancelTrialRun``."""

    rows: tuple[ArchivedRow, ...]
    meaning: Literal["log_likelihood", "log_posterior"]


class Replay(Message, tag="replay", frozen=True):
    """Make ``runs`` stored evaluations of ``session`` again and compare; ended by ``CancelTrialRun``. Not during a run.

    ``consent`` and ``signature`` as in ``ProblemRuns``, of the problem in the session.
    """

    session: str
    runs: int
    consent: bytes = b""
    signature: str = ""


BaselineMethod = Literal["laplace", "mcmc", "stacking"]


class Compare(Message, tag="compare", frozen=True):
    """What another method makes of the evaluations in the session, without new ones. One at a time, beside a run if need be."""

    session: str
    method: BaselineMethod


class CancelCompare(Message, tag="cancel_compare", frozen=True):
    pass


class Quit(Message, tag="quit", frozen=True):
    pass


Command = (
    StartRun
    | PauseRun
    | ContinueRun
    | StopRun
    | ExtendRun
    | SetWorkers
    | TrialRun
    | NoiseCheck
    | CheckArchive
    | Replay
    | CancelTrialRun
    | Compare
    | CancelCompare
    | Quit
)


# ------------------------------------------------------------------ engine -> window


class Hello(Message, tag="hello", frozen=True):
    pid: int
    version: str
    device: str  # in words, e.g. "CPU" or "NVIDIA H100 (CUDA)"


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
    slices: dict[str, Blob] = {}  # "center" (D,), "u", "mean", "sd" each (D, G); empty if not computed
    activity: str = ""
    elapsed_s: float = 0.0


class Progress(Message, tag="progress", frozen=True):
    evaluations: int
    failed: int
    budget: int
    running: int
    elapsed_s: float
    remaining_s: tuple[float, float] | None  # a range
    activity: str
    workers: int = 0  # runs at a time that are allowed


class RunEnded(Message, tag="run_ended", frozen=True):
    outcome: Literal["converged", "budget", "stopped", "failed", "time"]
    words: str


class Report(Message, tag="report", frozen=True):
    """Something a person should know: what happened, where, what to try."""

    level: Literal["info", "warning", "error"]
    what: str
    where: str = ""
    suggestion: str = ""
    details: str = ""
    action: Literal["", "recover"] = ""  # what its button does; "recover": the session ``where``


class TrialFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of the run folder: filled in from a template, copied in, or written by the program; long text is cut."""

    name: str
    role: Literal["template", "extra", "produced"]
    size: int = 0  # bytes on disk
    text: str | None = None  # None: not text
    cut: bool = False


class TrialOutput(msgspec.Struct, frozen=True, kw_only=True):
    """One declared output as it was read; ``spans`` are the characters (start, end) of ``source`` the numbers came from."""

    name: str
    source: str
    values: tuple[float | None, ...] = ()  # None: not a number
    problem: str = ""  # why it could not be read, a sentence
    spans: tuple[tuple[int, int], ...] = ()
    texts: tuple[str, ...] = ()  # of an output of labels: as read; ``values`` are what stands for them


class TrialPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """Predicted against measured values of one data column, paired as the likelihood pairs them."""

    column: str
    key_column: str = ""  # empty: paired in order
    key: tuple[float | None, ...] = ()
    measured: tuple[float | None, ...] = ()
    predicted: tuple[float | None, ...] = ()
    sd: tuple[float | None, ...] = ()


class TrialRunReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything of one trial evaluation, for the window's Test run; travels as JSON in ``TrialRunResult``.

    Written by ``engine/simulator/trial_run.py``; the worker adds the likelihood. Missing parts keep their defaults.
    """

    outcome: Literal["ok", "failed", "impossible", "cancelled"]
    reason: str = ""  # why not ok: what happened, where, what to try
    values: dict[str, float] = {}
    command: tuple[str, ...] = ()  # filled
    program: str = ""  # the file that was started
    working_folder: str = ""
    run_folder: str = ""
    stdin: str | None = None  # filled
    environment: dict[str, str] = {}  # only what the user declared, filled
    exit_code: int | None = None
    duration_s: float = 0.0
    stdout: str = ""
    stderr: str = ""
    stdout_cut: bool = False
    stderr_cut: bool = False
    files: tuple[TrialFile, ...] = ()
    outputs: tuple[TrialOutput, ...] = ()
    log_likelihood: float | None = None
    log_prior: float | None = None
    noise_sd: float = 0.0
    predictions: tuple[TrialPrediction, ...] = ()
    repeats_agree: bool | None = None  # None: run once
    repeats_words: str = ""  # how much the outputs changed from run to run
    warnings: tuple[str, ...] = ()


class NoiseReport(msgspec.Struct, frozen=True, kw_only=True):
    """How random the simulator is at one point (engine/simulator/noise_check.py). ``words`` say all of it in sentences."""

    runs: int
    good: int
    words: tuple[str, ...] = ()
    values: tuple[float, ...] = ()  # log-likelihoods, of each run where a run has one
    sd: float | None = None  # of one evaluation's log-likelihood
    sd_low: float | None = None  # 95 % interval of the sd
    sd_high: float | None = None
    gaussian: bool | None = None  # None: cannot be told
    repeats_needed: int | None = None  # for an sd near 1
    identical: bool = False
    summary_names: tuple[str, ...] = ()
    summary_spread: tuple[float, ...] = ()
    summary_counts: tuple[int, ...] = ()  # how many of these numbers each declared summary has
    duration_s: float = 0.0


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


class BaselineFailed(Message, tag="baseline_failed", frozen=True):
    """``words`` empty: it was cancelled."""

    session: str
    method: BaselineMethod
    words: str
    suggestion: str = ""


Event = (
    Hello
    | Heartbeat
    | StateChanged
    | EvaluationStarted
    | EvaluationDone
    | SnapshotReady
    | Progress
    | RunEnded
    | Report
    | TrialRunResult
    | NoiseCheckProgress
    | NoiseCheckResult
    | ArchiveChecked
    | ReplayProgress
    | ReplayDone
    | BaselineReady
    | BaselineFailed
)


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``run_id`` tells runs apart (frames of an older run are dropped); ``sequence`` counts up from 0 per process."""

    version: int
    run_id: str
    sequence: int
    message: Command | Event


class ProtocolError(Exception):
    """The stream is damaged; the words say how."""


_HEADER = struct.Struct(">I")
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Envelope)


def encode_frame(message: Command | Event, run_id: str, sequence: int) -> bytes:
    """One frame. Raises ProtocolError if it would exceed MAX_FRAME_BYTES."""
    body = _encoder.encode(Envelope(PROTOCOL_VERSION, run_id, sequence, message))
    if len(body) > MAX_FRAME_BYTES:
        raise ProtocolError(f"a message of {len(body)} bytes is larger than the limit of {MAX_FRAME_BYTES}")
    return _HEADER.pack(len(body)) + body


class FrameReader:
    """Cuts a byte stream into envelopes: ``feed`` bytes, get whole messages; half frames wait for the rest."""

    def __init__(self, max_bytes: int = MAX_FRAME_BYTES) -> None:
        self._buffer = bytearray()
        self._max = max_bytes

    def feed(self, data: bytes) -> list[Envelope]:
        """Envelopes completed by ``data``. Raises ProtocolError on a bad length, content or version."""
        self._buffer += data
        found: list[Envelope] = []
        start = 0
        while len(self._buffer) - start >= _HEADER.size:
            (length,) = _HEADER.unpack_from(self._buffer, start)
            if length > self._max:
                raise ProtocolError(f"a message claims {length} bytes, more than the limit of {self._max}")
            end = start + _HEADER.size + length
            if len(self._buffer) < end:
                break
            body = bytes(memoryview(self._buffer)[start + _HEADER.size : end])
            try:
                envelope = _decoder.decode(body)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                raise ProtocolError(f"a message could not be understood: {error}") from error
            if envelope.version != PROTOCOL_VERSION:
                raise ProtocolError(f"protocol version {envelope.version} is not {PROTOCOL_VERSION}")
            found.append(envelope)
            start = end
        del self._buffer[:start]
        return found
