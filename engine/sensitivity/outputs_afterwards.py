"""Outputs learnt from the recorded runs for sensitivities alone, where the analysis itself learnt how well each run fits.

Its answer stays as it is, and its draws: what is added is what the program returns at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..loop_interface import LoopSettings, Tell
from ..machine.threads import one_thread
from ..methods.default.earlier_runs import EarlierRuns
from ..methods.loops import loop_settings
from ..problem.definition import Predictions, Problem, is_estimate
from ..problem.errors import ProblemError
from ..problem.transforms import ParameterSpace
from ..sampling.importance import normalized
from ..sampling.trusted_density import TrustedDensity
from ..session.records import EvaluationRecord
from ..surrogate.outputs.log_joint import EmulatedLogJoint

Array = NDArray[np.float64]

METHOD = "default"  # the one that learns outputs
ALIKE = 0.5  # effective share of the answer's draws, weighted to the density of the learnt outputs, below which they disagree
RANDOM = "Values of a random program do not say which single data taught them, so only the log density has indices."
ONE_NUMBER = (
    "The program itself says how well it fits, as one number, so which data taught it cannot be told. Let it print its "
    "predictions, and have them compared with a data table (page Simulator, what the outputs mean)."
)
NO_OUTPUTS = "The runs' outputs are not recorded, so only the log density has indices. New runs record them."
NOT_SMOOTH = (
    "The recorded outputs could not be predicted from other runs well enough to be learnt, so only the log density has indices. "
    "More runs may change that."
)
DISAGREE = (
    "The outputs were learnt from the recorded runs, but give another posterior than this answer, so nothing is told from them. "
    "More runs may bring both together."
)
AFTERWARDS = (
    "This analysis learnt how well each run fits; for this page its outputs were learnt from the {n} recorded runs as well. No "
    "run was made, and the answer is as it was."
)


@dataclass(frozen=True)
class Afterwards:
    """``density`` of the outputs learnt; None: they are not, for which ``note`` is why."""

    density: TrustedDensity | None
    note: str


def learnt_afterwards(
    problem: Problem, runs: Sequence[EvaluationRecord], draws: Array, known: TrustedDensity | None
) -> Afterwards:
    """``draws`` (m, D) of the answer in inference space, ``known``: the density that they are of, None: another method's."""
    if is_estimate(problem.meaning):
        return Afterwards(None, RANDOM)
    if not isinstance(problem.meaning, Predictions):
        return Afterwards(None, ONE_NUMBER)
    changed = msgspec.structs.replace(problem.settings, method=METHOD, options={"learn": "auto"}, goal="posterior")
    default = msgspec.structs.replace(problem, settings=changed)
    settings = loop_settings(default, ParameterSpace(problem.parameters), len(runs), 1)
    told = _tells(settings, runs)
    if sum(t.outputs is not None for t in told) < 2 * settings.dimension + 2:
        return Afterwards(None, NO_OUTPUTS)
    method = EarlierRuns(settings)
    with one_thread():
        learnt = method.learn_outputs(told)
    if not learnt:
        return Afterwards(None, NOT_SMOOTH)
    density = method.log_density()
    if density is None or not isinstance(density.surrogate, EmulatedLogJoint):
        return Afterwards(None, NOT_SMOOTH)
    if known is not None and not _agree(density(draws) - known(draws)):
        return Afterwards(None, DISAGREE)
    return Afterwards(density, AFTERWARDS.format(n=len(runs)))


def _agree(log_weights: Array) -> bool:
    weights, count = normalized(np.where(np.isnan(log_weights), -np.inf, log_weights))
    return count >= ALIKE * len(weights)


def _tells(settings: LoopSettings, runs: Sequence[EvaluationRecord]) -> list[Tell]:
    """In order, numbered from 0; with outputs where they can be compared with the data."""
    told = []
    for index, run in enumerate(runs):
        outputs = None
        if settings.cells is not None and run.outcome == "ok" and run.outputs:
            try:
                outputs = settings.cells.cells(run.outputs)
            except ProblemError:  # of an earlier version of the problem
                outputs = None
        value = run.log_target if outputs is not None else None
        told.append(Tell(index, run.u, value, run.noise_sd, run.outcome == "impossible", outputs, seconds=run.duration_s))
    return told
