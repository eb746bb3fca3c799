"""How a run can stand, and the words for it."""

from __future__ import annotations

from typing import Literal

RunStateName = Literal[
    "idle", "starting", "running", "pausing", "paused", "stopping", "finished", "stopped", "failed", "lost"
]
ACTIVE: frozenset[str] = frozenset({"starting", "running", "pausing", "paused", "stopping"})
STATE_WORDS: dict[str, str] = {
    "idle": "Ready to start",
    "starting": "Starting the engine",
    "running": "Running",
    "pausing": "Pausing: simulator runs under way are finishing",
    "paused": "Paused",
    "stopping": "Stopping",
    "finished": "Finished",
    "stopped": "Stopped",
    "failed": "The run failed",
    "lost": "The engine stopped unexpectedly. Nothing that was finished is lost.",
}
