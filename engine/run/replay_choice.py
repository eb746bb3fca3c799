"""Which stored evaluations are made again: the best one, and others far from each other in order and in parameter space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..numerics.randomness import generator
from ..problem.definition import Problem, free_parameters
from ..session.records import EvaluationRecord
from .one_evaluation import log_joint

Array = NDArray[np.float64]

POOL = 10  # random candidates of which the farthest is taken: spread without always taking the corners


def choose(problem: Problem, evaluations: Sequence[EvaluationRecord], count: int) -> list[EvaluationRecord]:
    """``count`` good evaluations, the best first (all if there are fewer; then failed ones fill up).

    Best-candidate sampling (Mitchell 1991) in the ranks of order and parameter values; the same seed and evaluations give the
    same choice, and a larger ``count`` begins with the same ones.
    """
    usable = [e for e in evaluations if _can_run(problem, e)]
    good = [e for e in usable if e.outcome == "ok"]
    rest = [e for e in usable if e.outcome != "ok"]
    chosen = _spread(good, count, problem.settings.seed)
    return chosen + _spread(rest, count - len(chosen), problem.settings.seed)


def _can_run(problem: Problem, e: EvaluationRecord) -> bool:
    """A salvaged or a stranger's file may hold values that belong to no parameter."""
    dimension = len(free_parameters(problem))
    known = set(e.values) == {p.name for p in problem.parameters}
    judged = e.outcome != "ok" or (e.log_likelihood is not None and np.isfinite(e.log_likelihood))
    return known and judged and e.u.shape == (dimension,) and bool(np.isfinite([*e.u, *e.values.values()]).all())


def _spread(evaluations: Sequence[EvaluationRecord], count: int, seed: int) -> list[EvaluationRecord]:
    if count < 1 or not evaluations:
        return []
    best = max(range(len(evaluations)), key=lambda k: _density(evaluations[k]))
    places = _places(evaluations)
    rng = generator(seed, "replay")
    left = [k for k in range(len(evaluations)) if k != best]
    chosen = [best]
    while left and len(chosen) < count:
        pool = rng.choice(len(left), min(POOL, len(left)), replace=False)
        gaps = np.linalg.norm(places[[left[i] for i in pool]][:, None] - places[chosen][None], axis=-1).min(1)
        chosen.append(left.pop(int(pool[int(np.argmax(gaps))])))
    return [evaluations[k] for k in chosen]


def _density(e: EvaluationRecord) -> float:
    found = log_joint(e)
    return -np.inf if found is None or np.isnan(found) else found


def _places(evaluations: Sequence[EvaluationRecord]) -> Array:
    """(n, 1 + D) ranks in [0, 1]; order weighs as much as all parameters together."""
    u = np.array([e.u for e in evaluations])
    order = np.array([[float(e.order)] for e in evaluations])
    ranks = np.argsort(np.argsort(np.hstack([order, u]), axis=0, kind="stable"), axis=0) / max(len(evaluations) - 1, 1)
    ranks[:, 1:] /= np.sqrt(u.shape[1])
    return np.asarray(ranks, dtype=float)
