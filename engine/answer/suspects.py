"""Parameters of which all runs so far suggest that the program does not read them: worth a run that shows it, and no more."""

from __future__ import annotations

import numpy as np

from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace
from ..session.records import IterationRecord
from .modes import Modes
from .no_effect import read_alone
from .posterior import StoredPosterior
from .taught import taught


def suspects(problem: Problem, space: ParameterSpace, record: IterationRecord) -> tuple[str, ...]:
    """Those whose posterior is their prior, whatever the others are. Data that tell nothing of a parameter do the same."""
    may = read_alone(problem)
    if not may or not len(record.weights) or not np.isfinite(record.log_evidence):
        return ()
    try:
        with np.errstate(all="ignore"):
            posterior = StoredPosterior.of_iteration(space, record)
            found = taught(posterior, Modes(posterior, (), ()))
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):  # an early answer may be degenerate
        return ()
    return () if found is None else tuple(r.parameter.name for r in found.learnt if r.unfelt and r.parameter.name in may)
