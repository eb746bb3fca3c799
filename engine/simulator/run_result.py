"""What became of one run of a simulator, and how it is told to end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ..problem.extract import Reading
from ..protocol.reports import TrialTold

Cause = Literal["", "program", "output", "limit", "input", "setup", "cancelled", "lost", "refused"]
RefusedBy = Literal["", "queue", "place", "program"]


class Cancel(Protocol):
    """A ``threading.Event``, or anything like it."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class RunResult:
    """What became of one run.

    ``cause``: "program" (it failed), "output" (it ended well, but what it wrote cannot be used), "limit",
    "input" (a value does not fit its number format), "setup" (nothing to do with the values: program missing, disk full;
    the next run would fail too), "cancelled", "lost" (on another computer, again and again), "refused" (by a queue that would
    refuse all others, too, or there because of what is wrong with the place or its programs: ``refused_by``).
    ``files``: names and bytes of what lies in the run folder. ``notes``: remarks on a good run.
    """

    outcome: Literal["ok", "failed"]
    reason: str = ""
    outputs: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    duration_s: float = 0.0
    started_at: float = 0.0
    exit_code: int | None = None
    command: tuple[str, ...] = ()
    stdout_tail: str = ""
    stderr_tail: str = ""
    files: dict[str, int] = field(default_factory=dict)
    cause: Cause = ""
    refused_by: RefusedBy = ""
    notes: tuple[str, ...] = ()
    attempts: int = 1
    program: str = ""
    problems: dict[str, str] = field(default_factory=dict)  # output name -> why it could not be read
    readings: dict[str, Reading] = field(default_factory=dict)
    told: TrialTold | None = None  # where a file that it wrote says why it failed
