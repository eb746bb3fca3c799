"""The values of the log density that an answer of a session rests on: those of its runs, and imported ones before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..problem.transforms import ParameterSpace
from ..session.records import EvaluationRecord, IterationRecord
from .failures.far_off import FarOff

if TYPE_CHECKING:
    from ..session.store import SessionStore

Array = NDArray[np.float64]


def counted_runs(store: SessionStore) -> list[EvaluationRecord]:
    """All finished evaluations, in order of arrival, but those whose values the newest answer leaves out."""
    last = store.last_iteration()
    lies = FarOff.of({} if last is None else last.slices).not_counted
    return [e for e in store.evaluations() if e.index not in lies]


def known_runs(store: SessionStore, record: IterationRecord, space: ParameterSpace) -> tuple[Array, Array, Array]:
    """theta (n, D) and log density (n,) = log-likelihood + log prior in the user's units, NaN where a run failed or its value
    does not count; sds (n,) of the noise on them."""
    rows, lies = store.evaluations()[: record.n_evaluations], FarOff.of(record.slices).not_counted
    theta = np.array([[r.values.get(name, np.nan) for name in space.names] for r in rows]).reshape(
        len(rows), space.dimension
    )
    known = [None if r.index in lies else r.log_likelihood for r in rows]
    y = np.array([np.nan if v is None else v + r.log_prior for v, r in zip(known, rows, strict=True)])
    sds = np.array([r.noise_sd for r in rows])
    if (archive := store.archive()) is not None and archive.names == tuple(space.names):
        prior = space.log_prior(archive.points) if archive.meaning == "log_likelihood" else 0.0
        theta, sds = np.vstack([archive.points, theta]), np.concatenate([archive.sds, sds])
        y = np.concatenate([archive.values + prior, y])
    return theta, y, sds
