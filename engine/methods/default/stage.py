"""What the default loop knows at one moment: what its answer, and the judgement of it, are made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...feasibility.classifier import Feasibility
from ...feasibility.share import Share
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

    @cached_property
    def share(self) -> Share:
        """Of the posterior where runs fail, by the map."""
        return self.possible.failing_share(self.draws.points, self.draws.weights)

    @cached_property
    def share_widened(self) -> Share:
        """The same, and by how high the density may be there."""
        return self.possible.widened(self.share, self.surrogate, self.draws.points, self.draws.weights)
