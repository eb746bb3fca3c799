"""The rows of a session file as immutable records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Outcome = Literal["ok", "failed", "impossible"]


@dataclass(frozen=True)
class AskRecord:
    """A point the loop asked for, journalled before its simulator run starts.

    ``told_before``: how many evaluations the loop had been told when it asked; with it a resumed run replays the
    same sequence of asks and tells, and points that were under way are run again rather than chosen anew.
    """

    index: int
    u: Array  # (D,) inference space
    told_before: int
    purpose: str = "acquisition"


@dataclass(frozen=True)
class EvaluationRecord:
    """One finished simulator call. ``order``: 0, 1, 2... in order of arrival; ``index``: of its ask."""

    index: int
    order: int
    u: Array  # (D,) inference space
    values: dict[str, float]  # all parameters, user's units
    outcome: Outcome
    log_likelihood: float | None
    log_prior: float  # in the user's units
    log_target: float | None  # log-likelihood + log prior + log-Jacobian: what the loop was told
    noise_sd: float = 0.0
    duration_s: float = 0.0
    started_at: float = 0.0  # unix time
    reason: str = ""  # why it failed, a sentence
    run_folder: str = ""  # relative to NAME.runs, empty if pruned
    outputs: dict[str, Array] = field(default_factory=dict)  # what was read from the program, for predictions
    purpose: str = "acquisition"


@dataclass(frozen=True)
class ArchiveRecord:
    """Evaluations made elsewhere and imported: ``points`` (N, D) of the free parameters ``names`` in the user's units.

    ``values`` (N,): log-likelihood, or log-posterior with the prior included, by ``meaning``; minus infinity: density zero.
    ``sds`` (N,): standard deviation of the noise on them, 0 where exact.
    """

    names: tuple[str, ...]
    points: Array
    values: Array
    sds: Array
    meaning: Literal["log_likelihood", "log_posterior"] = "log_likelihood"
    source: str = ""  # where they came from, for people
    notes: tuple[str, ...] = ()  # what was left out or changed on the way, in sentences


@dataclass(frozen=True)
class IterationRecord:
    """The answer after some evaluations; everything the plots need, so a reopened session recomputes nothing.

    Fields as in ``protocol.SnapshotReady``; arrays in inference space.
    """

    iteration: int
    n_evaluations: int
    elbo: float
    elbo_sd: float
    log_evidence: float
    log_evidence_sd: float
    converged: bool
    warm_up: bool
    reasons: tuple[str, ...]
    weights: Array  # (K,)
    means: Array  # (K, D)
    covariances: Array  # (K, D, D)
    draws: Array | None = None  # (n, D)
    draw_weights: Array | None = None  # (n,)
    preferred: Literal["mixture", "draws"] = "mixture"
    agreement: float | None = None
    diagnostics: dict[str, float] = field(default_factory=dict)
    slices: dict[str, Array] = field(default_factory=dict)  # and arrays of ``session.emulated`` where outputs are learnt
    activity: str = ""
    elapsed_s: float = 0.0
    created_at: float = 0.0
