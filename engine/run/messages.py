"""Answers and evaluations as session records and as messages to the window."""

from __future__ import annotations

import math
import traceback
from typing import Literal

import numpy as np

from .. import protocol
from ..answer.same_outputs import SameOutputs
from ..loop_interface import LoopSnapshot
from ..protocol import Blob
from ..session.records import EvaluationRecord, IterationRecord
from .one_evaluation import log_joint

Outcome = Literal["converged", "budget", "stopped", "failed", "time"]


def iteration_of(snapshot: LoopSnapshot, iteration: int, elapsed_s: float, created_at: float) -> IterationRecord:
    """The row of the session's table."""
    draws, slices = snapshot.draws, snapshot.slices
    return IterationRecord(
        iteration=iteration,
        n_evaluations=snapshot.n_evaluations,
        elbo=float(snapshot.elbo),
        elbo_sd=float(snapshot.elbo_sd),
        log_evidence=float(snapshot.log_evidence),
        log_evidence_sd=float(snapshot.log_evidence_sd),
        converged=bool(snapshot.converged),
        warm_up=bool(snapshot.warm_up),
        reasons=tuple(snapshot.reasons),
        weights=np.asarray(snapshot.mixture.weights, float),
        means=np.asarray(snapshot.mixture.means, float),
        covariances=np.asarray(snapshot.mixture.covariances, float),
        draws=None if draws is None else np.asarray(draws.points, float),
        draw_weights=None if draws is None else np.asarray(draws.weights, float),
        preferred=snapshot.preferred,
        agreement=None if snapshot.agreement is None else float(snapshot.agreement),
        diagnostics={name: float(value) for name, value in snapshot.diagnostics.items()},
        slices=(
            {} if slices is None else {k: np.asarray(getattr(slices, k), float) for k in ("center", "u", "mean", "sd")}
        )
        | ({"doubted": np.asarray(snapshot.doubted, float)} if snapshot.doubted else {})
        | snapshot.emulated
        | snapshot.success
        | snapshot.fresh
        | snapshot.far_off
        | snapshot.possible
        | snapshot.width
        | snapshot.peak
        | snapshot.needed,
        activity=snapshot.activity,
        elapsed_s=elapsed_s,
        created_at=created_at,
    )


def snapshot_of(record: IterationRecord) -> protocol.SnapshotReady:
    """The message of a stored iteration: the same fields."""
    return protocol.SnapshotReady(
        iteration=record.iteration,
        n_evaluations=record.n_evaluations,
        elbo=record.elbo,
        elbo_sd=record.elbo_sd,
        log_evidence=record.log_evidence,
        log_evidence_sd=record.log_evidence_sd,
        converged=record.converged,
        warm_up=record.warm_up,
        reasons=record.reasons,
        weights=Blob.of(record.weights),
        means=Blob.of(record.means),
        covariances=Blob.of(record.covariances),
        draws=None if record.draws is None else Blob.of(record.draws),
        draw_weights=None if record.draw_weights is None else Blob.of(record.draw_weights),
        preferred=record.preferred,
        agreement=record.agreement,
        diagnostics=record.diagnostics,
        slices={name: Blob.of(array) for name, array in record.slices.items()},
        activity=record.activity,
        elapsed_s=record.elapsed_s,
    )


def evaluation_done(record: EvaluationRecord) -> protocol.EvaluationDone:
    joint = log_joint(record)
    return protocol.EvaluationDone(
        index=record.index,
        values=record.values,
        outcome=record.outcome,
        log_joint=joint if joint is not None and math.isfinite(joint) else None,
        log_likelihood=record.log_likelihood,
        noise_sd=record.noise_sd,
        duration_s=record.duration_s,
        reason=record.reason,
        started_at=record.started_at,
        run_folder=record.run_folder,
    )


def same_outputs(found: SameOutputs) -> protocol.Report:
    """Runs at different values gave identical outputs."""
    return protocol.Report(level="warning", what=f"{found.what} {found.meaning}", suggestion=found.suggestion)


def fault(error: BaseException) -> protocol.Report:
    """A fault of our own, in words, with the traceback for the report."""
    return protocol.Report(
        level="error",
        what=f"Something unexpected went wrong inside Bayescope ({type(error).__name__}: {error}).",
        suggestion="Everything finished so far is saved. Try again; if it happens again, send the support bundle.",
        details="".join(traceback.format_exception(error)),
    )


def not_started(error: Exception) -> str:
    said = f"A simulator run could not be started: {type(error).__name__}: {error}."
    return f"{said} Everything finished is saved; try again, or with fewer runs at the same time."
