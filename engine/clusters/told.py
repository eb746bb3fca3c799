"""What is told of an attempt: its stage, and that it was stopped."""

from __future__ import annotations

from dataclasses import replace

from .. import protocol
from ..session.attempts import AttemptRecord, is_second_run
from ..simulator.run_result import RunResult
from .attempts_live import Live


def stage_of(record: AttemptRecord, stage: protocol.Stage, live: Live | None = None) -> protocol.RunPlaced:
    """For the table of runs under way."""
    waits = stage == "queued" and live is not None and live.state is not None
    reason = live.state.reason if waits and live is not None and live.state is not None else record.reason
    return protocol.RunPlaced(
        index=record.index, stage=stage, again=is_second_run(record), job=record.job, node=record.node,
        words=reason, queued_at=record.queued_at, started_at=record.started_at,
    )  # fmt: skip


def stopped(result: RunResult) -> RunResult:
    return replace(result, cause="cancelled", reason="The run was stopped because you asked for it.")
