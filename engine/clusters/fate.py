"""Why a job ended before its program did: a limit of the job, or lost."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from ..problem.numbers.shown_digits import spoken
from ..session.attempts import AttemptRecord
from .attempts_live import Live
from .place import Ended, Place
from .queues import JOB_LOG

NEAR_THE_END_S = 90.0  # a job that is asked to end so close to its time ends for that reason: queues ask early
TIME_WORDS = ("TIMEOUT", "DEADLINE", "TERM_RUNLIMIT")
MEMORY_WORDS = ("OUT_OF_MEMORY", "OUT_OF_ME+", "TERM_MEMLIMIT")
_MEMORY_SAID = re.compile(
    r"oom.?kill|out of memory|exceeded.{0,20}memory|memory.{0,30}exceeded|memory limit|TERM_MEMLIMIT|"
    r"\bv?mem .{0,40}exceeded limit",
    re.IGNORECASE,
)
_TIME_SAID = re.compile(r"due to time limit|walltime.{0,20}exceeded|TERM_RUNLIMIT", re.IGNORECASE)


@dataclass(frozen=True)
class Fate:
    """``limit``: of the job, so that another attempt would end alike; else it counts as lost. ``words``: a sentence."""

    words: str
    limit: bool = False


def fate_of(
    place: Place, record: AttemptRecord, live: Live, ended: Ended | None, fetched: Mapping[str, tuple[bytes, float]]
) -> Fate | None:
    """None: the program came to its end, or its limits were broken, and exit.json says so."""
    if ended is not None and ended.why != "terminated":
        return None
    state = live.state
    word, reason = (state.word, state.reason) if state is not None else ("", "")
    log = fetched.get(JOB_LOG, (b"", 0.0))[0].decode("utf-8", "replace")[-4000:] + reason
    node = live.started.node if live.started is not None else ""
    where = f"{place.name}, job {record.job or 'unknown'}" + (f", node {node}" if node else "")
    minutes = place.profile.minutes
    ran = ended.ms / 1000.0 if ended is not None else 0.0
    if live.started is not None and ended is None:
        ran = time.time() - live.started.at_ms / 1000.0
    in_time = minutes is not None and live.started is not None and ran >= 60.0 * minutes - NEAR_THE_END_S
    if word in MEMORY_WORDS or _MEMORY_SAID.search(log):
        return Fate(
            f"The job was ended because it used more memory than it had asked for ({where}). Raise the memory of the place, "
            "or the limit on the Simulator page.", limit=True,
        )  # fmt: skip
    if word in TIME_WORDS or _TIME_SAID.search(log) or (in_time and ended is not None and word not in ("NODE_FAIL", "PREEMPTED")):
        asked = f" of {spoken(minutes)} minutes" if minutes is not None else ""
        return Fate(
            f"The job's time{asked} was over before the program ended ({where}). Raise the time of the place.", limit=True
        )
    said = f" It is {word.lower().replace('_', ' ')} there." if word else ""
    said += f" {reason}" if reason and reason not in said else ""
    if ended is not None:
        return Fate(f"The job was ended from outside, by scancel, preemption or a shutdown ({where}).{said}")
    if live.started is not None:
        return Fate(f"The job vanished while it ran ({where}).{said}")
    return Fate(f"The job vanished before it ran ({where}).{said}")
