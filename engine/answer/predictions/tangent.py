"""What the program's parameters can do about its predictions at the best fit, from learnt outputs."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...problem.checks.program_inputs import smooth_inputs
from ...problem.data.rows.discrepancies import by_a_factor
from ...problem.definition import Predictions, Problem
from ...problem.transforms import ParameterSpace
from ...session.errors import SessionError
from ...session.stored_arrays import Arrays
from ..best_fit import BestFit
from .what_if import WhatIf

Array = NDArray[np.float64]

SMALLEST = 1e-300  # of a prediction whose logarithm is taken
STEP = 1e-3  # of inference space, in the posterior's sd there; for central differences
NO_TANGENT = "What the parameters can do is not known here: the program's outputs were not learnt with this answer"


def apart_from_parameters(
    problem: Problem, first: Problem, best: BestFit | None, covariances: Array, arrays: Arrays
) -> Problem:
    """``problem`` whose discrepancies have no part in what the parameters of ``first`` can do at its ``best`` fit (Plumlee 2017).

    ``covariances`` (K, D, D) of the answer's mixture, ``arrays`` stored with it. Raises SessionError where that is not known.
    """
    meaning, space = problem.meaning, ParameterSpace(first.parameters)
    what_if = WhatIf.of(first, space, arrays)
    if not isinstance(meaning, Predictions) or best is None or what_if is None:
        raise SessionError(NO_TANGENT, "", "Let the discrepancy be free, without “apart”.")
    theta = np.array([best.values[name] for name in space.names])
    sds = np.sqrt(np.mean([np.diag(c) for c in covariances], axis=0))
    at = space.to_inference(theta)
    slopes, here = _slopes(what_if, at, sds), what_if.emulator.band(smooth_inputs(what_if.space, what_if.seen, at[None]))[1][0]
    ends = np.cumsum([0, *(len(p.x) for p in what_if.outputs)])
    matches = []
    for match, start, end in zip(meaning.matches, ends[:-1], ends[1:], strict=True):
        if match.discrepancy is not None:
            mine = slopes[:, start:end]
            if by_a_factor(problem, match):
                mine = mine / np.maximum(here[start:end], SMALLEST)
            rows = tuple(tuple(float(v) for v in row) for row in mine)
            match = msgspec.structs.replace(match, discrepancy=msgspec.structs.replace(match.discrepancy, apart_from=rows))
        matches.append(match)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=tuple(matches)))


def _slopes(what_if: WhatIf, u: Array, sds: Array) -> Array:
    """Of the cells by each parameter that the program sees (d, L), in its sd, at u (D,) of inference space."""
    seen = what_if.seen
    steps = STEP * np.eye(len(u))[list(seen)] * sds
    around = np.concatenate([u + steps, u - steps])
    cells = what_if.emulator.band(smooth_inputs(what_if.space, seen, around))[1]
    return np.asarray((cells[: len(seen)] - cells[len(seen) :]) / (2.0 * STEP))
