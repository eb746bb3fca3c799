"""What the default loop knows at one moment: what its answer, and the judgement of it, are made from."""

from __future__ import annotations

from dataclasses import dataclass

from ...feasibility.classifier import Feasibility
from ...loop_interface import LoopSettings
from ...problem.method_options import DefaultOptions
from ...sampling.guarded_density import Hull
from ...sampling.population_monte_carlo import PosteriorDraws
from ...surrogate.frames import BoxFrame
from ...surrogate.log_joint import LogJoint
from .memory import Memory


@dataclass(frozen=True)
class LoopState:
    """``top``: the largest log joint so far; ``possible``: where the density is zero and where runs fail."""

    settings: LoopSettings
    options: DefaultOptions
    memory: Memory
    box: BoxFrame
    surrogate: LogJoint
    draws: PosteriorDraws
    hull: Hull
    possible: Feasibility
    top: float
