"""What of the map of failure is stored with an answer: see ``session.success_map``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ..session.success_map import PREFIXES, LightMap
from ..surrogate.frames import BoxFrame
from .classifier import Feasibility
from .success_map import SuccessMap
from .success_process import SuccessProcess

Array = NDArray[np.float64]


def arrays_of(possible: Feasibility, box: BoxFrame) -> dict[str, Array]:
    """Empty where nothing failed for its place."""
    found: dict[str, Array] = {}
    for prefix, known in zip(PREFIXES, (possible.runs_map, possible.possible_map), strict=True):
        light = None if known is None else light_map(known, box)
        found |= {} if light is None else light.arrays(prefix)
    return found


def light_map(known: SuccessMap, box: BoxFrame) -> LightMap | None:
    """Of the most probable explanation; None where that is chance alone."""
    part = known.parts[int(np.argmax(known.weights))]
    if not isinstance(part, SuccessProcess):
        return None
    root = linalg.solve_triangular(part.factor, np.eye(len(part.factor)), lower=True, check_finite=False)
    kernel = part.kernel
    return LightMap(
        pivots=part.pivots,
        weights=root.T @ part.mean,
        narrowing=root.T @ (np.eye(len(root)) - part.covariance) @ root,
        kernel=np.array([*kernel.lengths, kernel.smooth, kernel.linear]),
        box=np.array([box.middle, box.scale]),
        frame=np.array([known.frame.center, known.frame.scale]),
        works=np.array([np.exp(part.log_works)]),
    )
