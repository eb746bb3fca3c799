"""Recorded runs judged under a changed problem. What a run's outputs were stays; what they mean is worked out anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..likelihood.evaluate import LikelihoodError, log_likelihood
from ..problem.checks.without_runs import noise_alone
from ..problem.definition import Problem
from ..problem.placeholders import normal
from ..problem.transforms import ParameterSpace
from ..session.records import EvaluationRecord
from ..simulator.failure_rules import values_reason
from .one_evaluation import Judged, judged
from .rows_given import RowsGiven

if TYPE_CHECKING:
    from .noise_values import NoiseValues

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rescored:
    """``records``: numbered anew, in order of arrival. ``outside``: runs left out, since the new priors exclude their values."""

    records: tuple[EvaluationRecord, ...]
    outside: int = 0


def rescored(problem: Problem, records: Sequence[EvaluationRecord]) -> Rescored:
    """``records`` of the same program under ``problem``. Raises LikelihoodError for data that no likelihood can be made of."""
    space = ParameterSpace(problem.parameters)
    alone = noise_alone(problem)
    coordinates = tuple(i for i, name in enumerate(space.names) if normal(name) in alone)
    noise = _noise_values(problem, space, coordinates) if coordinates else None
    inside = [(record, u) for record in records if (u := _place(space, coordinates, record)) is not None]
    found, rows = [], RowsGiven(problem)
    for record in records:
        rows.note(record.outputs)
    for k, (record, place) in enumerate(inside):
        u = noise.chosen(k, place, record.outputs) if noise is not None and record.outputs else place
        values = space.values(u)
        log_prior = float(space.log_prior(space.to_user(u)))
        lacking = rows.fault(record.outputs) if record.outputs else ""
        now = Judged("failed", lacking) if lacking else _judged(problem, space, u, values, record, log_prior)
        found.append(
            replace(
                record, index=k, order=k, u=u, values=values, outcome=now.outcome, log_likelihood=now.log_likelihood,
                log_prior=log_prior, log_target=now.target, noise_sd=now.noise_sd, reason=now.reason, run_folder="",
            )
        )  # fmt: skip
    return Rescored(tuple(found), len(records) - len(inside))


def _noise_values(problem: Problem, space: ParameterSpace, coordinates: Sequence[int]) -> NoiseValues | None:
    from .noise_values import NoiseValues  # torch: a second of imports, which the start of a run does not wait for

    return NoiseValues.of(problem, space, coordinates)


def _place(space: ParameterSpace, noise: Sequence[int], record: EvaluationRecord) -> Array | None:
    """The run's point (D,) of inference space, the noise's own coordinates in the middle of the box; None: outside of it."""
    known = {normal(name): value for name, value in record.values.items()}
    middle = space.to_user(np.mean(space.plausible_box(), axis=0))
    theta = np.array([middle[i] if i in noise else known[normal(name)] for i, name in enumerate(space.names)])
    if np.any(theta <= space.lower) or np.any(theta >= space.upper):
        return None
    u = space.to_inference(theta)
    return u if np.all(np.isfinite(u)) else None


def _judged(
    problem: Problem, space: ParameterSpace, u: Array, values: Mapping[str, float], record: EvaluationRecord, log_prior: float
) -> Judged:
    """Runs that failed by themselves stay what they were."""
    if record.outcome != "ok" and (not record.outputs or values_reason(problem.simulator.failures, record.outputs)):
        return Judged(record.outcome, record.reason)
    if not record.outputs:  # imported: nothing but its log-likelihood is known
        return Judged("failed", "Nothing that this run printed is in the session.")
    try:
        value, noise = log_likelihood(problem, record.outputs, values)
    except LikelihoodError as error:
        return Judged("impossible" if error.impossible else "failed", str(error))
    return judged(problem, space, u, value, noise, log_prior)
