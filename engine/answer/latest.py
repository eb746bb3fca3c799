"""The newest answer of a session."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator

import numpy as np

from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.records import IterationRecord
from ..session.store import SessionStore
from .posterior import StoredPosterior


def posterior_of(store: SessionStore) -> tuple[StoredPosterior, IterationRecord]:
    """The newest answer. Raises SessionError when there is none, or none of the runs gave a usable value."""
    record = store.last_iteration()
    if record is None:
        raise SessionError(
            "There is no posterior yet: its first runs are not finished",
            str(store.path),
            "Run it first.",
        )
    if not math.isfinite(record.log_evidence):
        raise SessionError(
            "There is no posterior: no simulator run gave a usable value so far",
            str(store.path),
            "Look at the reasons of the failed runs; a test run shows everything of one.",
        )
    try:
        return StoredPosterior.of_iteration(ParameterSpace(store.problem.parameters), record), record
    except ValueError as error:
        raise SessionError(f"The stored posterior cannot be used: {error}", str(store.path)) from error


@contextlib.contextmanager
def usable_posterior(store: SessionStore) -> Iterator[None]:
    """Around computing with a stored answer: a file may hold one of absurd numbers. Raises SessionError."""
    try:
        with np.errstate(all="ignore"):
            yield
    except (ValueError, ArithmeticError, IndexError, np.linalg.LinAlgError) as error:
        raise SessionError(f"The stored posterior cannot be used ({error})", str(store.path), "Run it on, or again.") from error
