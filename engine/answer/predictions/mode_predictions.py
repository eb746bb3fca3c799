"""What each separate mode of an answer predicts for the data: the median of the program's output at every measured value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...problem.checks.program_inputs import smooth_inputs
from ...problem.definition import Predictions, Problem
from ..modes import Modes, find_modes
from ..posterior import StoredPosterior
from .learnt_runs import Outputs
from .predictive import Predicted, predicted, run_weights
from .what_if import WhatIf

Array = NDArray[np.float64]
DRAWS = 200  # of a mode, of which the median is taken


@dataclass(frozen=True, eq=False)
class ModeLines:
    """``lines[column][mode]`` (m,): medians at the m points of each predicted column; empty where a mode predicts none."""

    modes: Modes
    lines: tuple[tuple[Array, ...], ...]


def by_learnt_outputs(posterior: StoredPosterior | None, what_if: WhatIf | None) -> ModeLines | None:
    """From the outputs learnt with the answer; None where there is one mode. Raises ValueError for numbers of no sense."""
    modes = None if posterior is None or what_if is None else find_modes(posterior)
    if modes is None or what_if is None or not modes.several:
        return None
    medians = []
    for mode in modes:
        u = mode.posterior.sample_in_inference(DRAWS, seed=0)
        medians.append(np.median(what_if.emulator.band(smooth_inputs(what_if.space, what_if.seen, u))[1], axis=0))
    ends = np.cumsum([0, *(len(p.x) for p in what_if.outputs)])
    cells = [slice(a, b) for a, b in pairwise(ends)]
    return ModeLines(modes, tuple(tuple(m[c] for m in medians) for c in cells))


def by_runs(
    posterior: StoredPosterior | None, problem: Problem, theta: Array, good: NDArray[np.bool_], indices: Sequence[int],
    outputs: Outputs,
) -> ModeLines | None:  # fmt: skip
    """From the runs made, theta (n, D) in the user's units, each weighted by its share of the mode; None where there is one."""
    modes = None if posterior is None else find_modes(posterior)
    if modes is None or not modes.several:
        return None
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    found: list[list[Predicted | None]] = []
    for mode in modes:
        weights = run_weights(mode.posterior, theta, good)
        found.append([predicted(problem, match, indices, outputs, weights) for match in matches])
    columns = [column for column in zip(*found, strict=True) if any(p is not None for p in column)]
    return ModeLines(
        modes, tuple(tuple(np.empty(0) if p is None else p.ends[1] for p in column) for column in columns)
    )
