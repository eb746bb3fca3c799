"""Every message between the window and the engine process; nothing else.

A frame is a 4-byte big-endian length, then a msgpack Envelope. Messages are a tagged union of msgspec Structs; unknown fields
are refused; the length is capped. Arrays travel as ``Blob``: raw little-endian float64 bytes with a shape (lists of
floats are a hundred times slower).
"""

from .commands import (
    ArchivedRow,
    ArchiveGrew,
    BaselineMethod,
    CancelCompare,
    CancelTrialRun,
    CheckArchive,
    Command,
    Compare,
    ContinueRun,
    ExtendRun,
    NoiseCheck,
    PauseRun,
    ProblemRuns,
    Quit,
    ReachPlace,
    Replay,
    SettleJobs,
    SetWorkers,
    StartRun,
    StopRun,
    Study,
    TestPlace,
    TrialRun,
)
from .events import (
    HEARTBEAT_SECONDS,
    WAITS,
    Action,
    ArchiveChecked,
    BaselineFailed,
    BaselineReady,
    EvaluationDone,
    EvaluationStarted,
    Event,
    Heartbeat,
    Hello,
    JobsSettled,
    Level,
    NoiseCheckProgress,
    NoiseCheckResult,
    PlaceStep,
    PlaceTested,
    Progress,
    ReplayDone,
    ReplayProgress,
    Report,
    RunEnded,
    RunPlaced,
    RunState,
    SnapshotReady,
    Stage,
    StateChanged,
    StudyDone,
    TrialRunResult,
    TrialStage,
)
from .frames import (
    MAX_FRAME_BYTES,
    PROTOCOL_VERSION,
    Envelope,
    FrameReader,
    ProtocolError,
    encode_frame,
)
from .reports import (
    Correct,
    NoiseReport,
    SummaryFault,
    TrialBeside,
    TrialFile,
    TrialOutput,
    TrialPrediction,
    TrialRunReport,
)
from .wire import (
    Blob,
    Message,
)

__all__ = [
    "HEARTBEAT_SECONDS", "MAX_FRAME_BYTES", "PROTOCOL_VERSION", "WAITS", "Action", "ArchiveChecked", "ArchiveGrew",
    "ArchivedRow", "BaselineFailed", "BaselineMethod", "BaselineReady", "Blob", "CancelCompare", "CancelTrialRun",
    "CheckArchive", "Command", "Compare", "ContinueRun", "Correct", "Envelope", "EvaluationDone", "EvaluationStarted", "Event",
    "ExtendRun", "FrameReader", "Heartbeat", "Hello", "JobsSettled", "Level", "Message", "NoiseCheck", "NoiseCheckProgress",
    "NoiseCheckResult", "NoiseReport", "PauseRun", "PlaceStep", "PlaceTested", "ProblemRuns", "Progress", "ProtocolError",
    "Quit", "ReachPlace", "Replay", "ReplayDone", "ReplayProgress", "Report", "RunEnded", "RunPlaced", "RunState", "SetWorkers",
    "SettleJobs", "SnapshotReady", "Stage", "StartRun", "StateChanged", "StopRun", "Study", "StudyDone", "SummaryFault",
    "TestPlace", "TrialBeside", "TrialFile", "TrialOutput", "TrialPrediction", "TrialRun", "TrialRunReport",
    "TrialRunResult", "TrialStage", "encode_frame",
]  # fmt: skip
