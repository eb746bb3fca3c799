"""What the default loop knows at one moment: what its answer, and the judgement of it, are made from."""

from __future__ import annotations

from dataclasses import dataclass

from ..interface import LoopSettings
from .feasibility import Feasibility
from .frames import BoxFrame
from .memory import Memory
from .options import DefaultOptions
from .posterior import Hull, PosteriorDraws
from .surrogate import QuadraticSurrogate


@dataclass(frozen=True)
class Standing:
    """``top``: the largest log joint so far; ``possible``: where the density is zero and where runs fail."""

    settings: LoopSettings
    options: DefaultOptions
    memory: Memory
    box: BoxFrame
    surrogate: QuadraticSurrogate
    draws: PosteriorDraws
    hull: Hull
    possible: Feasibility
    top: float
