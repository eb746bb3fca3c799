"""Recorded runs judged under a changed problem. What a run's outputs were stays; what they mean is worked out anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from scipy.stats import qmc

from ..likelihood.evaluate import LikelihoodError, log_likelihood
from ..likelihood.predicted import ComparisonError, PredictedCells
from ..numerics.randomness import generator
from ..problem.checks.without_runs import noise_alone
from ..problem.definition import Problem
from ..problem.placeholders import normal
from ..problem.transforms import ParameterSpace
from ..session.records import EvaluationRecord
from ..simulator.failure_rules import values_reason
from .one_evaluation import Judged, judged
from .rows_given import RowsGiven

Array = NDArray[np.float64]

CANDIDATES = 64  # values of the noise's own parameters among which each run gets one
TEMPERATURE = 4.0  # of their conditional posterior: values are to lie around all that may be the answer


@dataclass(frozen=True)
class Rescored:
    """``records``: numbered anew, in order of arrival. ``outside``: runs left out, since the new priors exclude their values."""

    records: tuple[EvaluationRecord, ...]
    outside: int = 0


def rescored(problem: Problem, records: Sequence[EvaluationRecord]) -> Rescored:
    """``records`` of the same program under ``problem``. Raises LikelihoodError for data that no likelihood can be made of."""
    space = ParameterSpace(problem.parameters)
    noise = _NoiseValues.of(problem, space)
    inside = [(record, u) for record in records if (u := _place(space, noise.coordinates, record)) is not None]
    found, rows = [], RowsGiven(problem)
    for record in records:
        rows.note(record.outputs)
    for k, (record, place) in enumerate(inside):
        u = noise.chosen(k, place, record.outputs) if record.outputs else place
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


@dataclass(frozen=True)
class _NoiseValues:
    """Values for the noise's own parameters, which no run depends on. ``coordinates``: which of the D they are."""

    space: ParameterSpace
    coordinates: tuple[int, ...]
    cells: PredictedCells | None
    seed: int

    @classmethod
    def of(cls, problem: Problem, space: ParameterSpace) -> _NoiseValues:
        alone = noise_alone(problem)
        coordinates = tuple(i for i, name in enumerate(space.names) if normal(name) in alone)
        cells = PredictedCells.of(problem, space) if coordinates else None
        return cls(space, coordinates, cells, problem.settings.seed)

    def chosen(self, turn: int, u: Array, outputs: Mapping[str, ArrayLike]) -> Array:
        """u (D,) with values drawn from their posterior given the run, made wider by TEMPERATURE."""
        if self.cells is None:
            return u
        try:
            f = self.cells.cells(outputs)
        except ComparisonError:
            return u
        rng = generator(self.seed, "again", turn)
        lower, upper = self.space.plausible_box()
        which = list(self.coordinates)
        even = qmc.Sobol(len(which), scramble=True, rng=rng).random(CANDIDATES)
        points = np.repeat(u[None], CANDIDATES, axis=0)
        points[:, which] = lower[which] + (upper - lower)[which] * even
        p, cells = torch.as_tensor(self.cells.noise_values(points)), torch.as_tensor(f).repeat(CANDIDATES, 1)
        value = self.cells.likelihood.log_density(cells, p).numpy() + self.cells.log_prior(points)
        value = np.where(np.isfinite(value), value, -np.inf)
        if not np.isfinite(value).any():
            return u
        weight = np.exp((value - value.max()) / TEMPERATURE)
        return np.asarray(points[int(rng.choice(CANDIDATES, p=weight / weight.sum()))])
